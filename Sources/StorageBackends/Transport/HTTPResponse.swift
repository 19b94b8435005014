/// What a server answered.
struct HTTPResponse: Sendable, Hashable {
    var status: Int
    /// By name in small letters; of several with one name the last.
    var headers: [String: String]
    var body: [UInt8]

    init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// `text/html; charset=utf-8` in small letters; empty when the server does not say.
    var contentType: String { headers["content-type"]?.lowercased() ?? "" }

    /// A page for people. (Servers of S3 call an empty answer text/html, too.)
    var isWebPage: Bool { contentType.hasPrefix("text/html") && !body.isEmpty }

    /// How long the server asks to wait.
    var retryAfter: Duration? { headers["retry-after"].flatMap { HTTPDate.retryAfter($0, date: headers["date"]) } }

    /// Where a redirect points to.
    var location: String? { headers["location"] }

    /// The entity tag without its quotes, and without the mark of a weak one.
    var entityTag: String? {
        guard var tag = headers["etag"].map({ $0[...] }) else { return nil }
        if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
        if tag.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") { tag = tag.dropFirst().dropLast() }
        return tag.isEmpty ? nil : String(tag)
    }

    /// How long the body of what was asked about is, in bytes.
    var contentLength: Int? { headers["content-length"].flatMap { Int($0) } }

    /// The body as text; what is not UTF-8 is replaced.
    var text: String { String(decoding: body, as: UTF8.self) }
}
