public import DeviceRuntime

/// What happened on the simulated board and in the program, in one order over all lines, buses and parts. Two
/// runs with the same seed give the same trace, byte for byte.
public final class Trace: Sendable {
    public struct Entry: Sendable, Hashable, CustomStringConvertible {
        /// Time since the board's boot.
        public let time: Duration
        /// Who: a line, a bus, a device, `world`.
        public let source: String
        public let text: String
        /// What it looks like, in lines of text, where there is something to look at.
        public let drawing: String?
        /// Traffic on a wire, which is too much to read in a long run.
        public let isWire: Bool

        /// `00:01:30.000000  bell          pressed`
        public var description: String {
            "\(time.clockText)  \(source)\(String(repeating: " ", count: max(0, 12 - source.count)))  \(text)"
        }
    }

    private struct State {
        var entries: [Entry] = []
        var observer: (@Sendable (Entry) -> Void)?
        var recordsWires = true
    }

    private let clock: any MonotonicClock
    private let state = Protected(State())

    public init(clock: any MonotonicClock) { self.clock = clock }

    public func record(_ source: String, _ text: String, drawing: String? = nil) {
        record(Entry(time: clock.now, source: source, text: text, drawing: drawing, isWire: false))
    }

    /// Records traffic on a wire. The text is made only if somebody wants it.
    public func recordWire(_ source: String, _ text: @autoclosure () -> String) {
        guard state.withLock({ $0.recordsWires }) else { return }
        record(Entry(time: clock.now, source: source, text: text(), drawing: nil, isWire: true))
    }

    private func record(_ entry: Entry) {
        let observer = state.withLock { state in
            if state.observer == nil { state.entries.append(entry) }
            return state.observer
        }
        observer?(entry)
    }

    /// Hands entries to `observer` as they come instead of keeping them: a long run then needs no memory. Without
    /// `wires` it is not told of the traffic on them.
    public func observe(wires: Bool = true, _ observer: @escaping @Sendable (Entry) -> Void) {
        state.withLock { state in
            state.observer = observer
            state.recordsWires = wires
        }
    }

    /// What was recorded and not observed.
    public var entries: [Entry] { state.withLock { $0.entries } }
}

extension Duration {
    /// `00:01:30.000000`
    package var clockText: String {
        func pad(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let (seconds, attoseconds) = components
        return "\(pad(seconds / 3600, 2)):\(pad(seconds / 60 % 60, 2)):\(pad(seconds % 60, 2))"
            + ".\(pad(attoseconds / 1_000_000_000_000, 6))"
    }
}
