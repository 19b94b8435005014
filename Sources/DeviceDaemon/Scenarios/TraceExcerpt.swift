import SimulatedPeripherals

/// The last entries of a trace, for who wants to see what was around a failure.
struct TraceExcerpt: Sendable {
    private var entries: [Trace.Entry] = []
    private var next = 0
    private var count = 0

    private static let capacity = 24
    /// What came shortly before often explains what did not come.
    private static let foreword: Duration = .seconds(1)

    mutating func add(_ entry: Trace.Entry) {
        count += 1
        if entries.count < Self.capacity {
            entries.append(entry)
        } else {
            entries[next] = entry
            next = (next + 1) % Self.capacity
        }
    }

    /// From a second before `start` on, the last two dozen lines.
    func lines(since start: Duration) -> [String] {
        let shown = (entries[next...] + entries[..<next]).filter { $0.time >= start - Self.foreword }
        let isCut = shown.count == Self.capacity && count > Self.capacity
        return (isCut ? ["…"] : []) + shown.map(\.description)
    }
}
