import Peripherals
import Testing

@testable import LineMonitoring

@Suite("Edge debouncer")
struct EdgeDebouncerTests {
    /// The edges that `times` (in ms, from low, alternating) lead to with a debounce of 5 ms, by the end of time.
    private func settled(_ times: [Int]) -> [LineEvent] {
        var debouncer = EdgeDebouncer(period: .milliseconds(5), tells: [.rising, .falling], level: .low)
        var events: [LineEvent] = []
        for (index, time) in times.enumerated() {
            let edge = EdgeEvent(edge: index.isMultiple(of: 2) ? .rising : .falling, timestamp: .milliseconds(time))
            debouncer.take(edge, into: &events)
        }
        debouncer.settle(by: .seconds(1000), into: &events)
        return events
    }

    @Test(
        "A level counts when it lasted, dated to the end of the wait, however late the edges are read",
        arguments: [
            ([10], [15]), ([10, 15], [15, 20]), ([10, 14], []), ([10, 11, 12, 13, 14], [19]),
            ([10, 20, 21, 22, 40], [15, 27, 45]),
        ])
    func settling(times: [Int], expected: [Int]) {
        let events = settled(times)
        #expect(events.compactMap(\.edge?.timestamp) == expected.map { .milliseconds($0) })
        #expect(
            events.compactMap(\.edge?.edge) == expected.indices.map { $0.isMultiple(of: 2) ? .rising : .falling })
    }

    @Test("A level that was missed has to last from when it is read")
    func correction() {
        var debouncer = EdgeDebouncer(period: .milliseconds(5), tells: [.rising, .falling], level: .low)
        var events: [LineEvent] = []
        debouncer.take(EdgeEvent(edge: .rising, timestamp: .milliseconds(10)), into: &events)
        debouncer.correct(level: .low, at: .milliseconds(15))
        debouncer.settle(by: .milliseconds(19), into: &events)
        #expect(debouncer.level == .low && debouncer.deadline == .milliseconds(20))
        debouncer.settle(by: .milliseconds(20), into: &events)
        #expect(events.isEmpty)
    }
}
