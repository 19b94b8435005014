internal import CCurl
internal import CaptureStore

/// The address of a folder on a server.
public enum ServerURL {
    /// Whether ``HTTPBackend`` takes it: http or https, without a login, a query or a fragment.
    public static func isValid(_ text: String) -> Bool { (try? checked(text)) != nil }

    /// Whether a text is the address of a proxy that libcurl takes, without a login.
    public static func isValidProxy(_ text: String) -> Bool {
        guard let url = curl_url() else { return false }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
            let scheme = part(CURLUPART_SCHEME, of: url)
        else { return false }
        return ["http", "https", "socks4", "socks4a", "socks5", "socks5h"].contains(scheme)
            && part(CURLUPART_USER, of: url) == nil && part(CURLUPART_PASSWORD, of: url) == nil
    }

    /// The address with a slash at its end. Throws ``StorageError`` for what is not the address of a folder.
    static func checked(_ text: String) throws -> String {
        func mistake(_ problem: String, _ advice: String) -> StorageError {
            // Without the text itself: it may hold a password.
            StorageError(.permanent, "the url \(problem)", advice: advice)
        }
        let example = "write it like https://nas.local/porch/"
        guard let url = curl_url() else { throw mistake("cannot be read: out of memory", "free some") }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK else {
            throw mistake("is not one", example)
        }
        guard let scheme = part(CURLUPART_SCHEME, of: url), ["http", "https"].contains(scheme) else {
            throw mistake("is neither http nor https", example)
        }
        guard part(CURLUPART_USER, of: url) == nil, part(CURLUPART_PASSWORD, of: url) == nil else {
            throw mistake("holds a login, and it is shown in messages", "give the login as credentials")
        }
        guard part(CURLUPART_QUERY, of: url) == nil, part(CURLUPART_FRAGMENT, of: url) == nil else {
            throw mistake("has a query or a fragment, to which no name can be added", example)
        }
        return text.hasSuffix("/") ? text : text + "/"
    }

    /// An object's name as the path of a URL: everything but unreserved characters (RFC 3986, 2.3) and the
    /// slashes is percent-encoded.
    static func encoded(_ name: String) -> String {
        var path = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                path.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                path += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return path
    }

    /// A text as one word of a URL: slashes are percent-encoded too.
    static func encodedWord(_ text: String) -> String { encoded(text).replacing("/", with: "%2F") }

    /// What a header `Host` says for an address: `nas.local:8080`.
    static func host(_ url: String) -> String {
        String(url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" && $0 != "?" })
    }

    /// The path of an address, from its slash on: `/porch/1.json`.
    static func path(_ url: String) -> String {
        String(url.drop { $0 != "/" }.drop { $0 == "/" }.drop { $0 != "/" }.prefix { $0 != "?" })
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
