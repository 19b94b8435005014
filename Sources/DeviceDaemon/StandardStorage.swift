import DeviceKit
import DeviceRuntime
import StorageBackends

/// The kinds of storage that Perch comes with.
public let standardStorage: [StorageKind] = [directoryStorage, httpStorage, mqttStorage]

private let path = Option("path", .text, "the folder; a relative one is below the state directory")

private let directoryStorage = StorageKind(
    BackendDescription(
        name: "directory", summary: "a folder: on a USB stick, a network share, or the card itself",
        options: [path.description])
) { storage, context in
    try DirectoryBackend(name: storage.name, path: context.resolve(try storage.options[path]), loop: context.loop)
}

private let url = Option(
    "url", OptionKind<String>.httpURL, "where to; the object's name is appended, as in https://nas.local/porch")
private let token = Option(
    "token", .text, default: "", "the name of a credential that holds a bearer token; see docs/storage.md")
private let login = Option(
    "login", .text, default: "", "the name of a credential that holds user:password; see docs/storage.md")
private let authorities = Option(
    "ca-file", .text, default: "", "a file with the certificates to trust instead of the system's")

private let httpStorage = StorageKind(
    BackendDescription(
        name: "http", summary: "a server that takes files by HTTP PUT: WebDAV, nginx, a web service of your own",
        options: [url.description, token.description, login.description, authorities.description])
) { storage, context in
    let path = try storage.options[authorities]
    return try HTTPBackend(
        name: storage.name, url: try storage.options[url], credentials: try credentials(storage),
        authorities: path.isEmpty ? nil : path, loop: context.loop)
}

private func credentials(_ storage: StorageConfiguration) throws -> HTTPCredentials? {
    if case let name = try storage.options[token], !name.isEmpty {
        guard let credentials = HTTPCredentials.bearer(try Credential.read(name)) else {
            throw Credential.Unusable(name: name, expected: "a token on its first line")
        }
        return credentials
    }
    guard case let name = try storage.options[login], !name.isEmpty else { return nil }
    return try Credential.login(name)
}

extension Credential {
    /// The login in a credential.
    static func login(_ name: String) throws -> HTTPCredentials {
        let parts = try read(name).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2,
            let credentials = HTTPCredentials.basic(user: String(parts[0]), password: String(parts[1]))
        else { throw Unusable(name: name, expected: "user:password on its first line") }
        return credentials
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
}
