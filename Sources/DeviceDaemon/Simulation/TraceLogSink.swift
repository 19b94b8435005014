public import DeviceRuntime
public import SimulatedPeripherals

/// Puts what the daemon logs into the simulated board's trace, in order with what happens on the wires.
public struct TraceLogSink: LogSink {
    private let trace: Trace
    private let directory: String?

    /// `directory` is one whose path differs from run to run: the trace names it `STATE`.
    public init(_ trace: Trace, hiding directory: String? = nil) {
        self.trace = trace
        self.directory = directory
    }

    /// The source is the first of these fields that an entry has.
    private static let sources = ["device", "rule", "storage", "service"]

    private func hidingDirectory(_ text: String) -> String {
        // Looking for a text takes its time, and few have a path at all.
        guard let directory, text.utf8.contains(UInt8(ascii: "/")) else { return text }
        return text.replacing(directory, with: "STATE")
    }

    public func write(_ entry: LogEntry) {
        let source = Self.sources.lazy.compactMap { name in entry.fields.first { $0.name == name } }.first
        var rest = entry
        rest.fields.removeAll { $0.name == source?.name }
        trace.record(source?.value ?? "perch", hidingDirectory(rest.text))
    }
}
