/// What a server knows the board by. Shows itself in no description, mirror or message.
public struct HTTPCredentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    enum Kind: Sendable {
        case bearer(String)
        case basic(user: String, password: String)
        case digest(user: String, password: String)
    }

    let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// A token (RFC 6750). `nil` if it is empty or holds a character that a header cannot.
    public static func bearer(_ token: String) -> HTTPCredentials? {
        isClean(token) ? HTTPCredentials(.bearer(token)) : nil
    }

    /// A login (RFC 7617). `nil` if the user is empty or holds a colon, or either holds a control character.
    public static func basic(user: String, password: String) -> HTTPCredentials? {
        guard isClean(user), !user.contains(":"), password.isEmpty || isClean(password) else { return nil }
        return HTTPCredentials(.basic(user: user, password: password))
    }

    /// The same login, answered to a server's challenge without sending the password (RFC 7616).
    public static func digest(user: String, password: String) -> HTTPCredentials? {
        guard isClean(user), !user.contains(":"), password.isEmpty || isClean(password) else { return nil }
        return HTTPCredentials(.digest(user: user, password: password))
    }

    /// A line break would let a secret add headers of its own.
    static func isClean(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
    }

    public var description: String {
        switch kind {
        case .bearer: "a bearer token"
        case .basic, .digest: "a user and a password"
        }
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
