import CaptureStore
import Testing

@testable import StorageBackends

@Suite("What an answer means")
struct HTTPVerdictTests {
    enum Meaning: Sendable { case stored, temporary, pause, rejected }

    @Test(
        "Each status, as the outbox has to take it",
        arguments: [
            (.stored, [200, 201, 204]), (.rejected, [400, 413, 414, 415, 422]),
            (.temporary, [202, 203, 206, 207, 408, 425, 429, 500, 502, 503, 504, 507, 511, 0, 101, 600]),
            (
                .pause,
                [301, 302, 303, 307, 308, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 423, 451, 501, 505]
            ),
        ] as [(Meaning, [Int])])
    func statuses(meaning: Meaning, statuses: [Int]) {
        for status in statuses {
            let error = HTTPVerdict.error(HTTPResponse(status: status), destination: "https://nas.local/")
            switch (meaning, error?.kind) {
            case (.stored, nil), (.rejected, .permanent), (.temporary, .temporary(retryAfter: nil)),
                (.pause, .temporary(retryAfter: .some)):
                break
            default: Issue.record("\(status): \(String(describing: error))")
            }
            if let error {
                #expect(error.message.contains("https://nas.local/ answers \(status)"))
                #expect(error.advice != nil || meaning != .pause)
            }
        }
    }

    @Test(
        "A web page is no confirmation, whatever its letters; Apache's description of what it created is one",
        arguments: [
            (200, "text/html", "<html>", false), (200, "Text/HTML; charset=utf-8", "<html>", false),
            (204, "text/html", "<html>", false), (200, "application/json", "{}", true),
            (201, "text/html", "<html>", true),
            // OpenStack Swift and moto answer a PUT of S3 so.
            (200, "text/html", "", true),
        ])
    func webPages(status: Int, contentType: String, body: String, isStored: Bool) {
        let response = HTTPResponse(status: status, headers: ["content-type": contentType], body: Array(body.utf8))
        #expect((HTTPVerdict.error(response, destination: "x") == nil) == isStored)
    }

    @Test("A page for people is no rejection: nginx answers 400 to who shows no client certificate")
    func badRequestPage() {
        let page = HTTPResponse(status: 400, headers: ["content-type": "text/html"], body: Array("<html>".utf8))
        #expect(HTTPVerdict.error(page, destination: "x")?.kind == .temporary(retryAfter: .seconds(300)))
    }

    @Test("What the server asks for is passed on", arguments: [429, 503])
    func retryAfter(status: Int) {
        let response = HTTPResponse(status: status, headers: ["retry-after": "17"])
        #expect(HTTPVerdict.error(response, destination: "x")?.kind == .temporary(retryAfter: .seconds(17)))
    }

    @Test("A rejection repeats what the server said, in one line")
    func excerpt() {
        let response = HTTPResponse(
            status: 400, headers: ["content-type": "text/plain"], body: Array("no\r\nsuch\u{1}field".utf8))
        #expect(
            HTTPVerdict.error(response, destination: "x")?.message
                == "x answers 400: it does not accept the object (no such field)")
    }

    @Test(
        "Retry-After is seconds or a date by the server's own clock",
        arguments: [
            ("120", nil, .seconds(120)), ("0", nil, .zero), ("-1", nil, nil), ("soon", nil, nil), ("", nil, nil),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", .seconds(30)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:07 GMT", .zero),
            ("Sun, 06 Nov 1994 08:49:37 GMT", nil, nil), ("99999999999999", nil, .seconds(86400 * 365)),
        ] as [(String, String?, Duration?)])
    func retryAfterHeader(text: String, date: String?, expected: Duration?) {
        #expect(HTTPDate.retryAfter(text, date: date) == expected)
    }
}
