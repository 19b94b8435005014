import Testing
import WebServing

@testable import DeviceDaemon

@Suite("Who may ask the page what")
struct PageGuardTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "POST"
        var path = "/api/ask"
        var headers = ["host": "127.0.0.1:8420", "x-perch": "1"]
        var token: String?
        var allows = true
        /// 200 stands for an answer.
        let status: Int
    }

    private static func headers(_ more: [String: String]) -> [String: String] {
        ["host": "127.0.0.1:8420", "x-perch": "1"].merging(more) { $1 }
    }

    static let cases = [
        Case(testDescription: "a look", method: "GET", path: "/", headers: ["host": "localhost:8420"], status: 200),
        Case(testDescription: "IPv6", method: "GET", path: "/", headers: ["host": "[::1]:8420"], status: 200),
        Case(testDescription: "without a port", method: "GET", path: "/", headers: ["host": "localhost"], status: 200),
        Case(testDescription: "no host", method: "GET", path: "/", headers: [:], status: 421),
        Case(
            testDescription: "a name that was made to lead here", method: "GET", path: "/api/status",
            headers: ["host": "evil.example:8420"], status: 421),
        Case(
            testDescription: "a name that begins like ours", method: "GET", path: "/",
            headers: ["host": "localhost.evil.example"], status: 421),
        Case(testDescription: "another method", method: "DELETE", path: "/", status: 405),
        Case(testDescription: "a command as a link", method: "GET", status: 405),
        Case(testDescription: "a command elsewhere", path: "/", status: 405),
        Case(testDescription: "a command", status: 200),
        Case(testDescription: "a form of another site", headers: ["host": "127.0.0.1:8420"], status: 403),
        Case(
            testDescription: "a script of another site", headers: headers(["origin": "https://evil.example"]),
            status: 403),
        Case(testDescription: "a page without an origin", headers: headers(["origin": "null"]), status: 403),
        Case(
            testDescription: "another port of this machine", headers: headers(["sec-fetch-site": "same-site"]),
            status: 403),
        Case(
            testDescription: "the page itself",
            headers: headers(["origin": "http://127.0.0.1:8420", "sec-fetch-site": "same-origin"]), status: 200),
        Case(testDescription: "a real board without a token", allows: false, status: 403),
        Case(testDescription: "no token", token: "secret", status: 401),
        Case(
            testDescription: "a wrong token", headers: headers(["authorization": "Bearer secreT"]), token: "secret",
            status: 401),
        Case(
            testDescription: "a longer token", headers: headers(["authorization": "Bearer secret2"]), token: "secret",
            status: 401),
        Case(
            testDescription: "the token", headers: headers(["authorization": "Bearer secret"]), token: "secret",
            status: 200),
    ]

    @Test("A request is answered, or refused with a reason", arguments: cases)
    func refusal(_ entry: Case) {
        let gate = PageGuard(token: entry.token, allowsCommands: entry.allows)
        let request = WebRequest(method: entry.method, path: entry.path, headers: entry.headers)
        #expect(gate.refusal(of: request)?.status ?? 200 == entry.status)
    }
}
