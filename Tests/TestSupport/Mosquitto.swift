public import DeviceRuntime
import Glibc

/// A real mosquitto on a free port of the loopback interface, with files and settings of its own.
public final class Mosquitto: Sendable {
    public let directory: TemporaryDirectory
    public let port: UInt16
    private let process = Protected<RunningProcess?>(nil)

    /// `settings` are further lines of its configuration file, in which `DIR` stands for its directory.
    public init(_ settings: [String] = ["allow_anonymous true"]) throws {
        directory = try TemporaryDirectory()
        // It cannot inherit a socket, so it gets a port that was free a moment ago.
        let socket = try ListeningSocket()
        port = socket.port
        socket.descriptor.close()
        let lines =
            // As another user it could not write here, and would say so nowhere.
            (geteuid() == 0 ? ["user root"] : []) + ["log_dest stderr", "listener \(port) 127.0.0.1"]
            + settings.map { $0.replacing("DIR", with: directory.path) }
        try write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "\(directory.path)/mosquitto.conf")
        try start()
    }

    deinit { stop() }

    /// What makes it keep what it has confirmed, also when it is killed: it writes every change at once.
    public static let persistent = [
        "allow_anonymous true", "persistence true", "persistence_location DIR/", "autosave_on_changes true",
        "autosave_interval 1",
    ]

    public var address: String { "mqtt://127.0.0.1:\(port)" }
    public var secureAddress: String { "mqtts://127.0.0.1:\(port)" }

    /// Starts it again on the same port.
    public func start() throws {
        stop()
        let mosquitto = try RunningProcess(["/usr/sbin/mosquitto", "-c", "\(directory.path)/mosquitto.conf"])
        process.withLock { $0 = mosquitto }
        // It says so a moment too early: a signal that comes then is forgotten.
        try mosquitto.line(containing: "running")
        try settle()
    }

    /// Connects, sends a text and waits for an answer or the connection's end.
    private func exchange(_ text: String) throws {
        let connection = FileDescriptor(
            taking: try systemCall("socket") { socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }
        )
        defer { connection.close() }
        let number = try connection.open()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = try systemCall("connect") { connect(number, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) }
            }
        }
        try connection.send(text)
        var byte: UInt8 = 0
        _ = recv(number, &byte, 1, 0)
    }

    /// Ends it; connections are refused from then on.
    public func stop() { end(SIGTERM) }

    /// Ends it by a signal.
    public func end(_ number: Int32) {
        let mosquitto = process.withLock { process in
            defer { process = nil }
            return process
        }
        mosquitto?.end(number)
    }

    /// Returns when it has written what it has confirmed so far, if it is ``persistent``: it does so before it answers
    /// anybody else.
    public func settle() throws { try exchange("no packet of MQTT, and none of TLS") }

    /// Has it stand still, or go on.
    public func signal(_ number: Int32) { process.withLock { $0?.signal(number) } }

    /// Writes a file of passwords with one user, before it is started or for `stop()` and `start()`.
    public static func writePassword(user: String, password: String, to path: String) throws {
        let (lines, code) = try RunningProcess.run([
            "/usr/bin/mosquitto_passwd", "-b", "-c", path, user, password,
        ])
        guard code == 0 else { throw SystemError(code: EIO, call: "mosquitto_passwd: \(lines)") }
    }
}

/// A client of its own, which says what it gets: mosquitto_sub.
public final class MQTTSubscriber: Sendable {
    private let process: RunningProcess
    private let thread: BlockingThread
    private let messages = Protected<[String]>([])

    /// Returns once the broker has confirmed the subscription. `format` is that of mosquitto_sub(1).
    public init(
        _ filter: String, at broker: Mosquitto, format: String = "%t %p", arguments: [String] = [], loop: EventLoop
    ) throws {
        process = try RunningProcess(
            [
                // Otherwise it keeps its lines until it has many.
                "/usr/bin/stdbuf", "-oL", "/usr/bin/mosquitto_sub", "-V", "mqttv5", "-h", "127.0.0.1", "-p",
                "\(broker.port)", "-q", "1", "-d",
                "-t", filter, "-F", "message \(format)",
            ] + arguments)
        thread = try BlockingThread(named: "subscriber", loop: loop)
        // A session that goes on brings its messages before that.
        while let line = try process.nextLine(), !line.hasPrefix("Subscribed") { take(line) }
    }

    deinit { process.end(SIGTERM) }

    /// The next message, as `format` shows it. The loop goes on meanwhile.
    public func next() async throws -> String {
        try await thread.run { [self] in
            while true {
                let message = messages.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                if let message { return message }
                guard let line = try process.nextLine() else {
                    throw SystemError(code: ECONNRESET, call: "mosquitto_sub has ended")
                }
                take(line)
            }
        }
    }

    private func take(_ line: String) {
        guard line.hasPrefix("message ") else { return }
        messages.withLock { $0.append(String(line.dropFirst("message ".count))) }
    }

    /// Reads on until a message that contains `text`.
    @discardableResult
    public func next(containing text: String) async throws -> String {
        while true {
            let message = try await next()
            if message.contains(text) { return message }
        }
    }
}
