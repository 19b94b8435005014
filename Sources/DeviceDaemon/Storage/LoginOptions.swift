import DeviceKit
import StorageBackends

/// The options that say what a server knows the board by, for storage over plain HTTP.
enum LoginOptions {
    private static let token = Option(
        "token", .text, default: "", "the name of a credential that holds a bearer token; see docs/storage.md")
    private static let login = Option(
        "login", .text, default: "", "the name of a credential that holds user:password; see docs/storage.md")

    static let descriptions = [token.description, login.description]

    /// `nil` when none are given. Throws when a credential is missing or cannot be used.
    /// `answersChallenges` for a login that is not to be sent as it is.
    static func credentials(_ options: OptionValues, answersChallenges: Bool = false) throws -> HTTPCredentials? {
        if case let name = try options[token], !name.isEmpty {
            guard let credentials = HTTPCredentials.bearer(try Credential.read(name)) else {
                throw Credential.Unusable(name: name, expected: "a token on its first line")
            }
            return credentials
        }
        return try login(options[login], answersChallenges: answersChallenges)
    }

    /// The login in a credential; `nil` for an empty name.
    static func login(_ name: String, answersChallenges: Bool = false) throws -> HTTPCredentials? {
        guard !name.isEmpty else { return nil }
        let parts = try Credential.read(name).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let make = answersChallenges ? HTTPCredentials.digest : HTTPCredentials.basic
        guard parts.count == 2, let credentials = make(String(parts[0]), String(parts[1]))
        else { throw Credential.Unusable(name: name, expected: "user:password on its first line") }
        return credentials
    }
}
