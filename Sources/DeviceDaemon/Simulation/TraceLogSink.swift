public import DeviceRuntime
public import SimulatedPeripherals

/// Puts what the daemon logs into the simulated board's trace, in order with what happens on the wires.
public struct TraceLogSink: LogSink {
    private let trace: Trace

    public init(_ trace: Trace) { self.trace = trace }

    /// The source is the first of these fields that an entry has.
    private static let sources = ["device", "rule", "storage", "service"]

    public func write(_ entry: LogEntry) {
        let source = Self.sources.lazy.compactMap { name in entry.fields.first { $0.name == name } }.first
        var rest = entry
        rest.fields.removeAll { $0.name == source?.name }
        trace.record(source?.value ?? "perch", rest.text)
    }
}
