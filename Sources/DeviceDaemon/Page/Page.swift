import CJansson
import DeviceRuntime
import WebServing

/// The page of a daemon that runs: docs/page.md says what is where.
struct Page: Sendable {
    private let site: ControlSite
    private let gate: PageGuard
    private let files = PageFiles()
    private let limit = Protected(CommandLimit())
    private let logger: Logger

    /// Throws when the credential is missing.
    init(_ configuration: PageConfiguration, _ site: ControlSite, logger: Logger) throws {
        self.site = site
        self.logger = logger
        let token = try configuration.token.map { try Credential.read($0) }
        gate = PageGuard(token: token, allowsCommands: token != nil || site.world != nil)
    }

    /// Serves until cancelled. A port that another program has is reported, and the daemon runs without a page.
    func run(port: UInt16) async {
        do {
            let socket = try LoopbackSocket(port: port)
            let server = try WebServer(socket.descriptor, loop: site.loop)
            logger.notice("there is a page", ["address": "http://127.0.0.1:\(socket.port)/"])
            await server.run { await answer($0) }
        } catch {
            logger.warning("there is no page", ["error": "\(error)"])
        }
    }

    private func answer(_ exchange: WebExchange) async {
        let request = exchange.request
        if let refusal = gate.refusal(of: request) {
            return exchange.answer(.text(refusal.status, refusal.reason))
        }
        do {
            switch request.path {
            case PageGuard.commandPath: exchange.answer(try await perform(request.body))
            case "/api/status": exchange.answer(WebResponse("application/json", try await status()))
            case "/metrics":
                let text = try await Status(site).metrics
                exchange.answer(WebResponse("text/plain; version=0.0.4; charset=utf-8", Array(text.utf8)))
            case "/api/events": try await EventFeed(site).serve(exchange)
            default:
                exchange.answer(drawing(request.path) ?? files.answer(request) ?? .text(404, "there is no such page"))
            }
        } catch {
            // Of no effect if it is answered already.
            exchange.answer(.text(503, "\(error)"))
        }
    }

    private func status() async throws -> [UInt8] {
        let status = try await Status(site)
        return Array(status.json(with: site.world.map { ["simulated": $0.json] } ?? [:]).utf8)
    }

    /// `/api/glass/sign.svg`
    private func drawing(_ path: String) -> WebResponse? {
        guard path.hasPrefix("/api/glass/"), path.hasSuffix(".svg") else { return nil }
        let name = String(path.dropFirst("/api/glass/".count).dropLast(".svg".count))
        guard let picture = site.world?.parts.first(where: { $0.name == name })?.part.picture else { return nil }
        return WebResponse(WebResponse.drawingType, Array(picture.utf8))
    }

    /// Does what a verb of the control socket does, of those that are for the page: `["send", "sign", "show", "HI"]`.
    private func perform(_ body: [UInt8]) async throws -> WebResponse {
        guard let words = Self.words(body), let first = words.first,
            let verb = [ControlVerb.send, .sim].first(where: { $0.name == first })
        else { return .text(400, "expected a list of words, such as [\"send\", \"sign\", \"show\", \"HI\"]") }
        guard limit.withLock({ $0.take(now: site.loop.now) }) else {
            return .text(429, "too many commands; wait a little")
        }
        let lines = Protected<[String]>([])
        let answer = ControlAnswer { _, text in lines.withLock { $0.append(text) } }
        var status: Int32
        do {
            status = try await verb.run(Array(words.dropFirst()), site, answer)
        } catch let failure as ControlFailure {
            status = failure.status
            lines.withLock { $0.append(failure.message) }
        }
        logger.notice("asked through the page", ["words": words.joined(separator: " "), "status": "\(status)"])
        let text = JSONText.object([
            "status": .integer(Int64(status)), "lines": .array(lines.withLock { $0 }.map { .text($0) }),
        ])
        return WebResponse("application/json", Array(text.description.utf8))
    }

    /// A JSON array of strings; `nil` for anything else.
    private static func words(_ body: [UInt8]) -> [String]? {
        let root = body.withUnsafeBytes { bytes in
            json_loadb(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, 0, nil)
        }
        guard let root else { return nil }
        defer { perch_json_release(root) }
        var words: [String] = []
        // For what is no array, the count is 0.
        for index in 0..<json_array_size(root) {
            guard let text = json_string_value(json_array_get(root, index)) else { return nil }
            words.append(String(cString: text))
        }
        return words
    }
}
