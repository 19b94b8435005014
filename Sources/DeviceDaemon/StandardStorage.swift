import DeviceKit
import DeviceRuntime
import StorageBackends

/// The kinds of storage that Perch comes with.
public let standardStorage: [StorageKind] = [directoryStorage, httpStorage]

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
private let authority = Option(
    "ca-file", .text, default: "", "a file with the certificates to trust instead of the system's")

private let httpStorage = StorageKind(
    BackendDescription(
        name: "http", summary: "a server that takes files by HTTP PUT: WebDAV, nginx, a web service of your own",
        options: [url.description, token.description, login.description, authority.description])
) { storage, context in
    let options = storage.options
    var authorization: HTTPAuthorization?
    if case let name = try options[token], !name.isEmpty { authorization = .bearer(try Credential.read(name)) }
    if case let name = try options[login], !name.isEmpty { authorization = .basic(try Credential.read(name)) }
    return try HTTPBackend(
        name: storage.name, url: try options[url], authorization: authorization,
        authorityFile: try options[authority], loop: context.loop)
}

extension OptionKind<String> {
    /// An http or https URL without a query.
    static var httpURL: OptionKind {
        OptionKind("an http or https URL without user, query or fragment, such as https://nas.local/porch") { input in
            guard case .scalar(let text) = input, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
            guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
            let rest = text.dropFirst(scheme.count)
            let isPlain = !rest.contains { "?#@\\".contains($0) }
            return isPlain && !rest.isEmpty && !rest.hasPrefix("/") ? text : nil
        }
    }
}
