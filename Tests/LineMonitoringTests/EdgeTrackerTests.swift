import Peripherals
import Testing

@testable import LineMonitoring

@Suite("Edge tracker")
struct EdgeTrackerTests {
    private var tracker = EdgeTracker(tells: [.rising, .falling], kernelEdges: [.rising, .falling], level: .low)
    private var events: [LineEvent] = []

    private mutating func take(_ edge: Edge, at milliseconds: Int, number: UInt64? = nil) {
        tracker.take(
            EdgeEvent(edge: edge, timestamp: .milliseconds(milliseconds), sequenceNumber: number), into: &events)
    }

    /// The losses' counts and missing edges.
    private var losses: [EdgeLoss] {
        events.compactMap { event in
            guard case .loss(let loss) = event else { return nil }
            return loss
        }
    }

    @Test("Two equal edges in a row mean that one between them was lost")
    mutating func equalEdges() {
        take(.rising, at: 1)
        take(.rising, at: 2)
        let missing = EdgeEvent(edge: .falling, timestamp: .milliseconds(2))
        let loss = EdgeLoss(count: nil, timestamp: .milliseconds(2), level: .low, missingEdge: missing)
        #expect(losses == [loss])
        #expect(events.compactMap(\.edge?.edge) == [.rising, .falling, .rising])
    }

    @Test("An edge that was on its way when the level was read is no loss")
    mutating func onItsWay() {
        tracker = EdgeTracker(tells: [.rising, .falling], kernelEdges: [.rising, .falling], level: .high)
        take(.rising, at: 1)
        #expect(losses.isEmpty && events.count == 1)
    }

    @Test("A gap in the numbers is a loss of as many, with the missing edge if their number is odd")
    mutating func gaps() {
        take(.rising, at: 1, number: 1)
        take(.falling, at: 2, number: 4)
        #expect(losses == [EdgeLoss(count: 2, timestamp: .milliseconds(2), level: .high, missingEdge: nil)])
        take(.falling, at: 3, number: 6)
        #expect(losses.last?.count == 1)
        #expect(losses.last?.missingEdge?.edge == .rising)
    }

    @Test("Numbers go on from those that were not told, and the first of all is 1")
    mutating func firstNumber() {
        take(.rising, at: 1, number: 1)
        tracker = EdgeTracker(
            tells: [.rising, .falling], kernelEdges: [.rising, .falling], level: .low, lastNumber: 40)
        take(.rising, at: 1, number: 41)
        #expect(losses.isEmpty)
    }

    @Test("A full queue without numbers is told, also when what was lost evened out")
    mutating func fullQueue() {
        take(.rising, at: 1)
        tracker.foundQueueFull()
        tracker.drained(level: .high, at: .milliseconds(5), into: &events)
        #expect(losses == [EdgeLoss(count: nil, timestamp: .milliseconds(5), level: .high, missingEdge: nil)])
    }

    @Test("After a full queue the missing edge is told once, also when the real one comes late")
    mutating func lateEdge() {
        take(.rising, at: 1)
        tracker.foundQueueFull()
        tracker.drained(level: .low, at: .milliseconds(5), into: &events)
        take(.falling, at: 6)
        take(.rising, at: 7)
        #expect(events.compactMap(\.edge?.edge) == [.rising, .falling, .rising])
        #expect(losses.count == 1)
    }

    @Test("A level that stays at odds with the edges is a loss")
    mutating func disagreement() {
        take(.rising, at: 1)
        #expect(tracker.agrees(with: .high) && !tracker.agrees(with: .low))
        tracker.drained(level: .low, at: .milliseconds(2), into: &events)
        #expect(losses.isEmpty)
        tracker.disagree(level: .low, at: .milliseconds(30), into: &events)
        #expect(losses.map(\.missingEdge?.edge) == [.falling])
    }

    @Test("Of edges that are not asked for none is told, also none that is missing")
    mutating func selection() {
        tracker = EdgeTracker(tells: [.rising], kernelEdges: [.rising, .falling], level: .low)
        take(.rising, at: 1)
        take(.rising, at: 2)
        #expect(events.compactMap(\.edge?.edge) == [.rising, .rising])
        #expect(losses.map(\.missingEdge) == [nil])
    }
}
