import Glibc
import TestSupport
import Testing

@Suite("The page of the running daemon", .boundedHang)
struct PageTests {
    private static let configuration = """
        device: porch
        devices:
          bell: { driver: button, pin: GPIO27 }
          sign: { driver: ht16k33 }
        rules:
          - { when: bell.pressed, do: [ sign.show: "HEY!" ] }
        page: { listen: "127.0.0.1:0" }

        """

    /// A daemon whose page is there, and where.
    private static func start(
        _ more: String = "", environment: [String] = []
    ) throws -> (Site, RunningProcess, url: String) {
        let site = try Site(more.isEmpty ? configuration : configuration.replacing("0\" }", with: "0\", \(more) }"))
        let daemon = try site.start(environment)
        let line = try daemon.line(containing: "there is a page")
        let url = line.split(separator: " ").last.map { String($0.dropLast()) } ?? ""
        return (site, daemon, url)
    }

    private static let command = ["X-Perch: 1"]

    @Test("It is there, whole, loads nothing from elsewhere, and is small")
    func files() throws {
        let (_, daemon, url) = try Self.start()
        var size = 0
        for (path, type) in [("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript")] {
            let answer = try WebClient.answer(from: url, "GET", path, ["Accept-Encoding: gzip"])
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            for header in [
                "Content-Type: \(type)", "Content-Security-Policy: default-src 'none';", "nosniff",
                "frame-ancestors 'none'",
            ] { #expect(answer.contains(header), "\(path)") }
            let length = answer.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
            size += Int(length?.dropFirst("Content-Length: ".count) ?? "") ?? .max / 4
        }
        #expect(size < 60_000)
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("A press on the page is told to who watches it, with what came of it")
    func press() throws {
        let (site, daemon, url) = try Self.start()
        let viewer = try WebClient(url)
        viewer.ask("GET", "/api/events")
        _ = try viewer.receive(until: "retry: ")
        let answer = try WebClient.answer(
            from: url, "POST", "/api/ask", Self.command, body: #"["sim","press","bell"]"#)
        #expect(answer.hasSuffix(#"{"lines":[],"status":0}"#))
        let told = try viewer.receive(until: #""command":"sign.show""#)
        #expect(told?.contains(#"data: {"event":"bell.pressed""#) == true)
        #expect(told?.contains(#"{"cause":"bell.pressed","command":"sign.show"}"#) == true)
        #expect(try site.ask("sim").text.contains("text: HEY!"))
        let status = try WebClient.answer(from: url, "GET", "/api/status")
        #expect(status.contains(#""simulated":[{"driver":"button","name":"bell","stimuli":[{"arguments""#))
        #expect(status.contains(#""device":"porch""#))
        #expect(try WebClient.answer(from: url, "GET", "/metrics").contains("\nperch_well"))
        // With somebody who still watches.
        #expect(daemon.end(SIGTERM) == 0)
        #expect(try viewer.receive(until: "never") == nil)
    }

    @Test("What cannot be done is said with its status, as on the command line")
    func wrong() throws {
        let (_, daemon, url) = try Self.start()
        for (body, part) in [
            (#"["send","sign","shw"]"#, #"did you mean 'show'?"],"status":64}"#),
            (#"["sim","press"]"#, "expected what to press: bell"), (#"["reload"]"#, "expected a list of words"),
            (#"{"send":1}"#, "expected a list of words"), (#"["send",1]"#, "expected a list of words"),
            ("[", "expected a list of words"), ("[]", "expected a list of words"),
            (String(repeating: "[", count: 3000), "expected a list of words"),
        ] {
            let answer = try WebClient.answer(from: url, "POST", "/api/ask", Self.command, body: body)
            #expect(answer.contains(part), "\(body): \(answer)")
        }
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("Hostile requests change nothing, and stop nothing")
    func hostile() throws {
        let (site, daemon, url) = try Self.start()
        let press = #"["send","sign","show","EVIL"]"#
        // Those who never finish stay connected meanwhile.
        let silent = try (0..<8).map { _ in try WebClient(url) }
        for (client, text) in zip(silent, ["", "G", "GET / HT", "POST /api/ask HTTP/1.1\r\nHost: localhost\r\n"]) {
            client.send(text)
        }
        for (headers, body, status) in [
            ([], press, "403"), (["X-Perch: 1", "Origin: https://evil.example"], press, "403"),
            (["X-Perch: 1", "Sec-Fetch-Site: cross-site"], press, "403"),
            (["X-Perch: 1"], press + String(repeating: " ", count: 5000), "413"),
        ] {
            let answer = try WebClient.answer(from: url, "POST", "/api/ask", headers, body: body)
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
        }
        for path in ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/glass/../../x.svg", "//"] {
            let answer = try WebClient.answer(from: url, "GET", path)
            #expect(!answer.hasPrefix("HTTP/1.1 200") && !answer.contains("root:"), "\(path)")
        }
        for text in [
            "\u{0}\u{1}\u{2}\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 40_000))\r\n\r\n",
            "POST /api/ask HTTP/1.1\r\nHost: localhost\r\nX-Perch: 1\r\nContent-Length: -1\r\n\r\n\(press)",
            "POST /api/ask HTTP/1.1\r\nHost: localhost\r\nX-Perch: 1\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "POST /api/ask HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
        ] {
            let client = try WebClient(url)
            client.send(text)
            let answer = try client.receiveAll()
            #expect(!answer.hasPrefix("HTTP/1.1 200"), "\(text.prefix(60))")
        }
        let picture = try site.ask("sim").text
        #expect(!picture.contains("EVIL"))
        #expect(try site.ask("status").code == 0)
        #expect(try WebClient.answer(from: url, "GET", "/").hasPrefix("HTTP/1.1 200"))
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("More commands than a person gives are turned away")
    func rate() throws {
        let (_, daemon, url) = try Self.start()
        var answers: [String] = []
        // 5 a second are let through, and 20 at once: a server that takes longer than 10 s for this is not too fast.
        for _ in 0..<200 where !answers.contains(where: { $0.hasPrefix("HTTP/1.1 429") }) {
            answers.append(
                try WebClient.answer(from: url, "POST", "/api/ask", Self.command, body: #"["sim","show"]"#))
        }
        #expect(answers.prefix(20).allSatisfy { $0.hasPrefix("HTTP/1.1 200") })
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("With a token, a command has to show it")
    func token() throws {
        let folder = try TemporaryDirectory()
        try folder.write("moss-7\n", to: "page-token")
        let (site, daemon, url) = try Self.start(
            "token: page-token", environment: ["CREDENTIALS_DIRECTORY=\(folder.path)"])
        let body = #"["send","sign","show","BYE"]"#
        for headers in [[], ["Authorization: Bearer moss-8"]] {
            let answer = try WebClient.answer(from: url, "POST", "/api/ask", Self.command + headers, body: body)
            #expect(answer.hasPrefix("HTTP/1.1 401"))
        }
        #expect(try !site.ask("sim").text.contains("BYE"))
        let answer = try WebClient.answer(
            from: url, "POST", "/api/ask", Self.command + ["Authorization: Bearer moss-7"], body: body)
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        #expect(try site.ask("sim").text.contains("BYE"))
        #expect(daemon.end(SIGTERM) == 0)
    }
}
