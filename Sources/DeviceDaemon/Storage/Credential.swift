import DeviceRuntime
import Glibc

/// A secret, by the name under which systemd hands it to the service (`LoadCredential=`, systemd.exec(5)).
/// Never on a command line, never in a log.
enum Credential {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    struct Unusable: Error, CustomStringConvertible {
        let name: String
        let expected: String
        var description: String { "credential '\(name)' is unusable: expected \(expected)" }
    }

    /// The first line of the credential.
    static func read(_ name: String) throws -> String { String(try text(name).prefix { !$0.isNewline }) }

    /// The whole content of the credential.
    static func text(_ name: String) throws -> String {
        let path = try path(name)
        do {
            return String(decoding: try Files.read(path), as: UTF8.self)
        } catch {
            throw Missing(description: "credential '\(name)' cannot be read: \(error)")
        }
    }

    /// A file that a library reads by itself: one with a slash in its name, or else a credential.
    static func file(_ name: String) throws -> String { name.contains("/") ? name : try path(name) }

    private static func path(_ name: String) throws -> String {
        guard !name.contains("/"), !name.hasPrefix(".") else {
            throw Missing(description: "credential '\(name)': a name, not a path, is expected")
        }
        guard let directory = getenv("CREDENTIALS_DIRECTORY").map({ String(cString: $0) }) else {
            throw Missing(
                description: "credential '\(name)' cannot be read: CREDENTIALS_DIRECTORY is not set; "
                    + "run as a systemd service with LoadCredential=\(name):FILE, or set it to a folder with that file")
        }
        return "\(directory)/\(name)"
    }
}
