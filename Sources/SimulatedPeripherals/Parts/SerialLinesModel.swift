import DeviceRuntime

/// A part on a serial port that speaks in lines: modems, receivers, scales, most things with a manual of commands.
///
///     let scale = SerialLinesModel(on: try board.serialPort("SERIAL0")) { line in
///         line == "W" ? ["  1.250 kg"] : ["ES"]
///     }
///     scale.send("  0.000 kg")
public final class SerialLinesModel: Sendable {
    private let port: SimulatedSerialPort
    private let ending: [UInt8]
    private let received: ReceivedLines

    /// `answer` gets each line that the program sends, without its ending, and returns the lines to send back, `delay`
    /// later. An empty ending counts as a line feed.
    public init(
        on port: SimulatedSerialPort, ending: String = "\r\n", delay: Duration = .zero,
        _ answer: @escaping @Sendable (_ line: String) -> [String] = { _ in [] }
    ) {
        let ending = ending.isEmpty ? [0x0A] : Array(ending.utf8)
        let received = ReceivedLines(ending: ending)
        self.port = port
        self.ending = ending
        self.received = received
        // The port keeps what answers, as the wire keeps the part: nobody has to hold on to the model.
        port.watch { [weak port] bytes in
            for line in received.add(bytes) {
                let reply = answer(line).flatMap { Array($0.utf8) + ending }
                port?.loop.schedule(after: delay) { [weak port] in port?.send(reply) }
            }
        }
    }

    /// The lines that the program has sent.
    public var lines: [String] { received.lines }

    /// Sends a line without having been asked.
    public func send(_ line: String) { port.send(Array(line.utf8) + ending) }

    /// Sends what `line` gives now and then each `interval`, as a receiver that reports by itself, until it returns
    /// `nil`.
    public func send(every interval: Duration, _ line: @escaping @Sendable () -> String?) {
        Self.send(every: interval, ending, on: port, line)
    }

    private static func send(
        every interval: Duration, _ ending: [UInt8], on port: SimulatedSerialPort,
        _ line: @escaping @Sendable () -> String?
    ) {
        guard let text = line() else { return }
        port.send(Array(text.utf8) + ending)
        port.loop.schedule(after: interval) { [weak port] in
            if let port { send(every: interval, ending, on: port, line) }
        }
    }
}

/// Cuts what arrives into lines, and keeps them.
private final class ReceivedLines: Sendable {
    private let ending: [UInt8]
    private let state = Protected((rest: [UInt8](), lines: [String]()))

    init(ending: [UInt8]) { self.ending = ending }

    var lines: [String] { state.withLock { $0.lines } }

    /// The lines that these bytes finish.
    func add(_ bytes: [UInt8]) -> [String] {
        state.withLock { state in
            state.rest += bytes
            var finished: [String] = []
            while let end = state.rest.firstRange(of: ending) {
                finished.append(String(decoding: state.rest[..<end.lowerBound], as: UTF8.self))
                state.rest.removeFirst(end.upperBound)
            }
            state.lines += finished
            return finished
        }
    }
}
