public import Peripherals

/// What a board gives for a line that it holds: the kernel's queue of edges, and the level.
///
/// Any call on a closed source, from any task, throws ``PeripheralError/Code/closed``.
public protocol LineSource: AnyObject, Sendable {
    var name: String { get }

    /// The level now; debounced if the kernel debounces.
    func read() throws -> Level

    /// Takes the next edges out of the queue, at most ``LineSourceFacts/queueLength`` at a time.
    func readEvents() throws -> [EdgeEvent]

    /// Calls `isReady` on the loop whenever edges are queued, or when the line works no more: reading then throws.
    /// Throws `unsupported` if the line cannot raise interrupts.
    func startWatching(_ isReady: @escaping @Sendable () -> Void) throws

    func stopWatching()

    /// Throws `closed`.
    func checkOpen() throws

    func close()
}

/// What the interface below a ``LineSource`` can do.
public struct LineSourceFacts: Sendable {
    /// How many edges the kernel queues for the line.
    public var queueLength: Int
    /// Each edge has its number, so a gap shows a loss.
    public var hasSequenceNumbers: Bool
    /// The kernel debounces.
    public var debounces: Bool

    public init(queueLength: Int, hasSequenceNumbers: Bool, debounces: Bool) {
        self.queueLength = queueLength
        self.hasSequenceNumbers = hasSequenceNumbers
        self.debounces = debounces
    }

    /// libgpiod 1.6 and the kernel's first interface: of a full queue the newest edge is dropped.
    public static let libgpiod1 = LineSourceFacts(queueLength: 16, hasSequenceNumbers: false, debounces: false)
    /// libgpiod 2 and the kernel's second interface: of a full queue the oldest edge is dropped.
    public static let libgpiod2 = LineSourceFacts(queueLength: 16, hasSequenceNumbers: true, debounces: true)

    public func debouncer(for configuration: DigitalInputConfiguration) -> Debouncer {
        configuration.debounce == .zero ? .none : debounces ? .kernel : .program
    }

    /// The edges to ask the kernel for: both where only two equal ones in a row can show that one was lost, and where
    /// the program debounces.
    public func kernelEdges(for configuration: DigitalInputConfiguration) -> Set<Edge> {
        if debouncer(for: configuration) == .program { return [.rising, .falling] }
        return configuration.edges.isEmpty || hasSequenceNumbers ? configuration.edges : [.rising, .falling]
    }
}

extension DigitalInputConfiguration {
    /// The debounce as the kernel takes it, in whole microseconds. Throws `invalidArgument` for one out of range.
    public func debounceMicroseconds() throws -> UInt32 {
        let (seconds, attoseconds) = debounce.components
        let perMicrosecond: Int64 = 1_000_000_000_000
        guard debounce >= .zero, seconds <= 4294,
            let microseconds = UInt32(
                exactly: seconds * 1_000_000 + (attoseconds + perMicrosecond - 1) / perMicrosecond)
        else {
            throw PeripheralError(
                .invalidArgument, "a debounce of \(debounce) is out of range", advice: "choose one from 0 to 4294 s")
        }
        return microseconds
    }
}
