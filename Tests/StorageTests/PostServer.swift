import DeviceRuntime
import Glibc
import TestSupport

/// A server that takes requests strictly as they come, keeps them, and answers what a test wants.
final class PostServer: Sendable {
    struct Request: Sendable {
        /// `POST /events?a=b HTTP/1.1`
        let line: String
        /// By name in small letters.
        let headers: [String: String]
        let body: String
    }

    private let socket: ListeningSocket
    private let loop: EventLoop
    private let kept = Protected<[Request]>([])

    init(loop: EventLoop) throws {
        socket = try ListeningSocket()
        self.loop = loop
    }

    var url: String { socket.url }
    var requests: [Request] { kept.withLock { $0 } }

    /// Answers one request of each connection, until cancelled. `nil` closes without an answer.
    func serve(_ answer: @Sendable (Request) -> String?) async throws {
        while true {
            let connection = try await socket.accept(on: loop)
            defer { connection.close() }
            guard let request = try? await read(connection) else { continue }
            kept.withLock { $0.append(request) }
            if let text = answer(request) { try? connection.send(text) }
        }
    }

    /// An answer with a status, a media type and a body.
    static func answer(_ status: Int, _ type: String = "application/json", _ body: String = "") -> String {
        "HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
            + body
    }

    private func read(_ connection: FileDescriptor) async throws -> Request {
        var text = try connection.receive()
        while true {
            if let end = text.firstRange(of: "\r\n\r\n") {
                let lines = text[..<end.lowerBound].split(separator: "\r\n")
                let pairs = lines.dropFirst().compactMap { line -> (String, String)? in
                    let parts = line.split(separator: ":", maxSplits: 1)
                    return parts.count == 2 ? (parts[0].lowercased(), String(parts[1].drop { $0 == " " })) : nil
                }
                let headers = Dictionary(pairs, uniquingKeysWith: { $1 })
                let body = text[end.upperBound...]
                if body.utf8.count >= Int(headers["content-length"] ?? "0") ?? 0 {
                    return Request(line: String(lines.first ?? ""), headers: headers, body: String(body))
                }
            }
            try await loop.wait(for: connection.open())
            text += try connection.receive()
        }
    }
}
