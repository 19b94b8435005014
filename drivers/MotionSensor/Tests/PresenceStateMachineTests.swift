import Testing

@testable import MotionSensorDriver

@Suite("Motion and occupancy")
struct PresenceStateMachineTests {
    typealias Happening = PresenceStateMachine.Happening

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var holdOff = 0
        var occupiedFor: Int?
        var isMotion = false
        /// When it begins to move and stops, in turn, in seconds.
        let motion: [Int]
        let happenings: [Happening]
        var testDescription: String { name }
    }

    private static func started(_ time: Int) -> Happening { .started(at: .seconds(time)) }
    private static func ended(_ time: Int, _ length: Int) -> Happening {
        .ended(at: .seconds(time), after: .seconds(length))
    }
    private static func occupied(_ time: Int) -> Happening { .occupied(at: .seconds(time)) }
    private static func vacant(_ time: Int, _ length: Int?) -> Happening {
        .vacant(at: .seconds(time), after: length.map { .seconds($0) })
    }

    static let cases = [
        Case(name: "A motion begins and ends", motion: [10, 17], happenings: [started(10), ended(17, 7)]),
        Case(
            name: "Within the hold-off it is the same motion", holdOff: 5, motion: [10, 15, 18, 23, 26, 31],
            happenings: [started(10), ended(31, 21)]),
        Case(
            name: "After the hold-off it is another one", holdOff: 5, motion: [10, 15, 20, 25],
            happenings: [started(10), ended(15, 5), started(20), ended(25, 5)]),
        Case(
            name: "Motion at the start is a state, and its end no event", isMotion: true, motion: [-1, 10, 20, 30],
            happenings: [started(20), ended(30, 10)]),
        Case(
            name: "Occupancy lasts over pauses, and runs out", occupiedFor: 60, motion: [10, 20, 50, 60],
            happenings: [
                started(10), occupied(10), ended(20, 10), started(50), ended(60, 10), vacant(120, 110),
            ]),
        Case(
            name: "Occupancy runs out also where nobody moves from the start", occupiedFor: 60, motion: [],
            happenings: [vacant(60, nil)]),
        Case(
            name: "Somebody who comes before that is not announced as gone", occupiedFor: 60, motion: [59, 60],
            happenings: [started(59), occupied(59), ended(60, 1), vacant(120, 61)]),
        Case(
            name: "Occupancy from the start has an end without a length", occupiedFor: 60, isMotion: true,
            motion: [-1, 10], happenings: [vacant(70, nil)]),
        Case(
            name: "Nothing is vacant before its motion is over", holdOff: 30, occupiedFor: 10, motion: [5, 15],
            happenings: [started(5), occupied(5), ended(15, 10), vacant(45, 40)]),
    ]

    @Test("Tells what happens", arguments: cases, [true, false])
    func happenings(_ row: Case, wakes: Bool) {
        var machine = PresenceStateMachine(
            holdOff: .seconds(row.holdOff), occupiedFor: row.occupiedFor.map { .seconds($0) }, isMotion: row.isMotion,
            at: .zero)
        #expect(machine.isOccupied == (row.isMotion && row.occupiedFor != nil))
        var happenings: [Happening] = []
        for (index, second) in row.motion.enumerated() where second >= 0 {
            let time = Duration.seconds(second)
            while wakes, let due = machine.deadline, due <= time { happenings += machine.advance(to: due) }
            happenings += machine.change(isMoving: index.isMultiple(of: 2), at: time)
        }
        while wakes, let due = machine.deadline { happenings += machine.advance(to: due) }
        happenings += machine.advance(to: .seconds(1000))
        #expect(happenings == row.happenings)
        #expect(!machine.isMotion)
        #expect(!machine.isOccupied)
    }
}
