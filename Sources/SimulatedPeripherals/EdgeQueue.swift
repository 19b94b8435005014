internal import Peripherals

/// What the kernel keeps for an open input: the queue of edges with its limit, and the debounce.
struct EdgeQueue {
    /// The kernel's default for a request of one line.
    static let capacity = 16

    let interface: LineInterface
    let edges: Set<Edge>
    /// Zero where the kernel does not debounce.
    let debounce: Duration
    /// The level that counts.
    private(set) var level: Level
    private var queued: [EdgeEvent] = []
    private var number: UInt64 = 0

    init(interface: LineInterface, edges: Set<Edge>, debounce: Duration, level: Level) {
        self.interface = interface
        self.edges = edges
        self.debounce = debounce
        self.level = level
    }

    var isEmpty: Bool { queued.isEmpty }

    /// The line has another level, which counts.
    mutating func change(to level: Level, at time: Duration, _ faults: inout FaultTable<LineFault>) {
        guard level != self.level else { return }
        self.level = level
        let edge = Edge(to: level)
        guard edges.contains(edge) else { return }
        var copies = 1
        faults.forEach { copies = $0.takesNext(edge) ?? copies }
        for _ in 0..<copies { append(edge, at: time) }
    }

    private mutating func append(_ edge: Edge, at time: Duration) {
        number += 1
        let isFull = queued.count == Self.capacity
        switch interface {
        case .libgpiod1:
            if !isFull { queued.append(EdgeEvent(edge: edge, timestamp: time)) }
        case .libgpiod2:
            if isFull { queued.removeFirst() }
            queued.append(EdgeEvent(edge: edge, timestamp: time, sequenceNumber: number))
        }
    }

    mutating func take() -> [EdgeEvent] {
        defer { queued = [] }
        return queued
    }
}
