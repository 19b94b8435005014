/// How much waits in memory: a few megabytes at most, whatever the disk does.
struct WaitingCaptures: Sendable {
    private(set) var count = 0
    private var bytes = 0

    /// An event is a few hundred bytes.
    static let mostCaptures = 10_000
    static let mostBytes = 8 << 20

    /// Makes room for one; `false` when there is none.
    mutating func add(_ capture: Capture) -> Bool {
        let size = Self.size(of: capture)
        guard count < Self.mostCaptures, bytes + size <= Self.mostBytes else { return false }
        count += 1
        bytes += size
        return true
    }

    mutating func remove(_ insertions: [Insertion]) {
        for insertion in insertions {
            count -= 1
            bytes -= Self.size(of: insertion.capture)
        }
    }

    private static func size(of capture: Capture) -> Int {
        capture.fields.reduce(200) { size, field in
            var size = size + 48 + field.name.utf8.count
            if case .text(let text) = field.value { size += text.utf8.count }
            return size
        }
    }
}
