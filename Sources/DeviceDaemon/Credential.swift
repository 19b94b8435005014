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

    /// The content of the credential, without the line's end.
    static func read(_ name: String) throws -> String {
        guard !name.contains("/"), !name.hasPrefix(".") else {
            throw Missing(description: "credential '\(name)': a name, not a path, is expected")
        }
        guard let directory = getenv("CREDENTIALS_DIRECTORY").map({ String(cString: $0) }) else {
            throw Missing(
                description: "credential '\(name)' cannot be read: CREDENTIALS_DIRECTORY is not set; "
                    + "run as a systemd service with LoadCredential=\(name):FILE, or set it to a folder with that file")
        }
        do {
            let text = String(decoding: try Files.read("\(directory)/\(name)"), as: UTF8.self)
            return String(text.prefix { !$0.isNewline })
        } catch {
            throw Missing(description: "credential '\(name)' cannot be read: \(error)")
        }
    }
}
