/// What an S3 server knows the board by. Shows itself in no description, mirror or message.
public struct AccessKeys: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let accessKey: String
    let secretKey: String
    /// Comes with keys that are valid for a while only.
    let sessionToken: String?

    /// `nil` if a key is empty, or one of them holds a character that a header cannot.
    public init?(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        let texts = [accessKey, secretKey] + (sessionToken.map { [$0] } ?? [])
        guard texts.allSatisfy(HTTPCredentials.isClean) else { return nil }
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    /// Reads a file as the AWS tools write it (`~/.aws/credentials`), of which the first profile counts. `nil` for
    /// anything else.
    public init?(file text: String) {
        var values: [String: String] = [:]
        var profiles = 0
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") { profiles += 1 }
            guard profiles < 2, !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { continue }
            values[Self.trimmed(line[..<equals])] = Self.trimmed(line[line.index(after: equals)...])
        }
        guard let accessKey = values["aws_access_key_id"], let secretKey = values["aws_secret_access_key"] else {
            return nil
        }
        self.init(accessKey: accessKey, secretKey: secretKey, sessionToken: values["aws_session_token"])
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }

    public var description: String { "an access key and its secret" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
