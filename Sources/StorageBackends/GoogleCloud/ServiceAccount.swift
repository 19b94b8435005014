internal import CaptureStore
internal import DeviceRuntime

/// A key file of a Google service account. Shows itself in no description, mirror or message.
public struct ServiceAccount: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `perch@porch.iam.gserviceaccount.com`
    let email: String
    /// Where tokens are given out: `https://oauth2.googleapis.com/token`.
    let tokenURL: String
    private let keyID: String
    private let key: SigningKey
    /// What nobody else knows, for names that cannot be guessed.
    private let secret: [UInt8]

    /// Reads the JSON file that Google's console hands out. `nil` for anything else.
    public init?(file text: String) {
        guard let file = JSONDocument(Array(text.utf8)), file.text("type") == "service_account",
            let email = file.text("client_email"), let pem = file.text("private_key"), let key = SigningKey(pem: pem)
        else { return nil }
        let tokenURL = file.text("token_uri") ?? "https://oauth2.googleapis.com/token"
        guard ServerURL.isValid(tokenURL) else { return nil }
        self.email = email
        self.tokenURL = tokenURL
        self.key = key
        keyID = file.text("private_key_id") ?? ""
        secret = Array(pem.utf8)
    }

    /// What is exchanged for a token (RFC 7523): who asks, for what, and when. `nil` when the key cannot sign.
    func assertion(scopes: [String], at time: WallTime) -> String? {
        let now = time.sinceEpoch.components.seconds
        let header = JSONText.object(["alg": .text("RS256"), "typ": .text("JWT"), "kid": .text(keyID)])
        let claims = JSONText.object([
            "iss": .text(email), "scope": .text(scopes.joined(separator: " ")), "aud": .text(tokenURL),
            "iat": .integer(now), "exp": .integer(now + 3600),
        ])
        let signed = [header, claims].map { Array($0.description.utf8).base64URL }.joined(separator: ".")
        return key.signature(of: Array(signed.utf8)).map { "\(signed).\($0.base64URL)" }
    }

    /// A word that belongs to a name: the same at every try, and not to be guessed without the account's key.
    func word(for name: String) -> String {
        let digits = Digest.hmacSHA256(Array(name.utf8), key: secret).prefix(16)
        let hex = Array(digits).hex
        var groups: [Substring] = []
        var rest = hex[...]
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }

    public var description: String { "a service account" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
