import DeviceKit
import StorageBackends

/// The options that every storage behind an HTTP server has: how to get there.
enum ConnectionOptions {
    private static let authorities = Option(
        "ca-file", .text, default: "", "a file with the certificates to trust instead of the system's")
    private static let clientCertificate = Option(
        "client-certificate", .text, default: "",
        "a file (PEM), or the name of a credential, with the certificate by which the server knows the board")
    private static let clientKey = Option(
        "client-key", .text, default: "", "the same for its key; not needed when it is in the same file")
    private static let proxy = Option(
        "proxy", OptionKind<String>.proxyURL, default: "",
        "the proxy, as in http://proxy.local:3128, or none; otherwise what https_proxy in the environment says")
    private static let proxyLogin = Option(
        "proxy-login", .text, default: "", "the name of a credential that holds the proxy's user:password")
    private static let connect = Option(
        "connect-timeout", .duration(.seconds(1) ... .seconds(600)), default: "10s", "for finding the server and TLS")
    private static let stall = Option(
        "stall-timeout", .duration(.seconds(1) ... .seconds(3600)), default: "30s",
        "for a connection on which nothing moves")
    private static let total = Option(
        "timeout", .duration(.seconds(1) ... .seconds(86400)), default: "80s",
        "for a whole transfer; a second more for each 8 KiB that it sends")

    static let descriptions = [
        authorities.description, clientCertificate.description, clientKey.description, proxy.description,
        proxyLogin.description, connect.description, stall.description, total.description,
    ]

    /// Those that hold for a connection without HTTP as well.
    static let directDescriptions = [
        authorities.description, clientCertificate.description, clientKey.description, connect.description,
        stall.description,
    ]

    /// Throws when a credential is missing or cannot be used.
    static func settings(_ options: OptionValues) throws -> ConnectionSettings {
        func file(_ option: Option<String>) throws -> String? {
            let text = try options[option]
            return text.isEmpty ? nil : try Credential.file(text)
        }
        let proxy = try options[proxy]
        return ConnectionSettings(
            authorities: try file(authorities), clientCertificate: try file(clientCertificate),
            clientKey: try file(clientKey), proxy: proxy.isEmpty ? nil : proxy == "none" ? "" : proxy,
            proxyCredentials: try LoginOptions.login(options[proxyLogin]),
            deadlines: TransferDeadlines(
                connect: try options[connect], stall: try options[stall], total: try options[total]))
    }
}

extension OptionKind<String> {
    /// The address of a folder on a server.
    static var httpURL: OptionKind {
        OptionKind("an http or https URL without login, query or fragment, such as https://nas.local/porch") { input in
            guard case .scalar(let text) = input, ServerURL.isValid(text) else { return nil }
            return text
        }
    }

    /// The address of a proxy; empty, or `none`.
    static var proxyURL: OptionKind {
        OptionKind("none, or the URL of a proxy without a login, such as http://proxy.local:3128") { input in
            guard case .scalar(let text) = input else { return nil }
            return text.isEmpty || text == "none" || ServerURL.isValidProxy(text) ? text : nil
        }
    }
}
