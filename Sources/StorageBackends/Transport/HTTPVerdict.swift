internal import CaptureStore

/// What an answer to a request that stores something means: the one place that says what counts as stored.
enum HTTPVerdict {
    /// What has to be mended by a person is tried again after a while, not thrown away: a wrong password must
    /// not cost a record.
    static let misconfigured = StorageError.Kind.temporary(retryAfter: .seconds(300))

    /// `nil` when the server has done what it was asked to.
    ///
    /// `explanation` is what the body says when it is of a form that the caller knows; otherwise a rejection repeats
    /// its beginning.
    static func error(
        _ response: HTTPResponse, destination: String, success: Set<Int> = [200, 201, 204],
        explanation: String? = nil
    ) -> StorageError? {
        let status = response.status
        let temporary = StorageError.Kind.temporary(retryAfter: response.retryAfter)
        func failure(_ kind: StorageError.Kind, _ meaning: String, advice: String? = nil) -> StorageError {
            let detail = explanation.map { " (\($0))" } ?? (kind == .permanent ? excerpt(response) : "")
            return StorageError(kind, "\(destination) answers \(status): \(meaning)\(detail)", advice: advice)
        }
        switch status {
        // A login page comes as 200. (Apache's WebDAV describes what it has created in HTML, but as 201.)
        case 200..<300 where status != 201 && response.isWebPage:
            return failure(
                temporary, "a web page instead of a confirmation",
                advice: "the network may want a login in a browser first, or the address is not a storage server's")
        case _ where success.contains(status): return nil
        case 300..<400:
            return failure(
                misconfigured, "it redirects\(response.location.map { " to \($0)" } ?? ""), which is not followed",
                advice: "the network may want a login in a browser first; else set url to the new address")
        // Of an API a rejection says why. A page for people comes from a server that did not get that far: without a
        // client certificate, for example, nginx answers 400.
        case 400 where response.isWebPage:
            return failure(
                misconfigured, "it does not understand the request",
                advice: "check the address, and whether the server wants a client certificate")
        case 400, 413, 414, 415, 422: return failure(.permanent, meaning(status))
        case 401, 403: return failure(misconfigured, meaning(status), advice: "check the credentials and their rights")
        case 404, 405, 409:
            return failure(misconfigured, meaning(status), advice: "check the path in url, and that it allows PUT")
        case 407: return failure(misconfigured, meaning(status), advice: "check the proxy's login")
        case 408, 425, 429: return failure(temporary, meaning(status))
        case 501, 505: return failure(misconfigured, meaning(status), advice: "check that the server allows PUT")
        case 511:
            return failure(
                temporary, meaning(status), advice: "log in to this network in a browser, or use another one")
        case 500..<600: return failure(temporary, meaning(status))
        case 400..<500: return failure(misconfigured, "it refuses" + excerpt(response), advice: "check url")
        default: return failure(temporary, "which does not say that the object is stored")
        }
    }

    private static func meaning(_ status: Int) -> String {
        switch status {
        case 400: "it does not accept the object"
        case 401: "it wants to know who asks"
        case 403: "not allowed"
        case 404: "there is no such place"
        case 405: "PUT is not allowed there"
        case 407: "the proxy wants to know who asks"
        case 408: "it waited too long"
        case 409: "the folder is missing"
        case 413: "the object is too large"
        case 414: "the name is too long"
        case 415: "the media type is not accepted"
        case 422: "it does not accept the content"
        case 425: "too early"
        case 429: "too many requests"
        case 501, 505: "it does not know how"
        case 503: "it is overloaded or in maintenance"
        case 507: "its disk is full"
        case 511: "the network wants a login first"
        default: "it has a fault"
        }
    }

    /// The beginning of what the server says, as one line: for a rejection that is often the only explanation.
    private static func excerpt(_ response: HTTPResponse) -> String {
        guard !response.isWebPage, !response.body.isEmpty else { return "" }
        let text = String(decoding: response.body.prefix(200), as: UTF8.self)
        return " (" + String(text.map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 } ? " " : $0 })
            + ")"
    }
}
