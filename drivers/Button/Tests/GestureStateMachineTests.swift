import Testing

@testable import ButtonDriver

@Suite("What presses mean")
struct GestureStateMachineTests {
    typealias Settings = GestureStateMachine.Settings
    typealias Gesture = GestureStateMachine.Gesture

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let settings: Settings
        /// When it goes down and up, in turn, in milliseconds.
        let presses: [Int]
        let gestures: [Gesture]
        var testDescription: String { name }
    }

    private static func settings(
        clicks: Int = 0, long: Int? = nil, every: Int? = nil, after: Int = 500
    ) -> Settings {
        Settings(
            clicks: clicks, clickGap: .milliseconds(300), longPress: long.map { .milliseconds($0) },
            repeatEvery: every.map { .milliseconds($0) }, repeatAfter: .milliseconds(after))
    }

    private static func clicked(_ times: Int, _ time: Int) -> Gesture {
        .clicked(times: times, at: .milliseconds(time))
    }
    private static func long(_ time: Int) -> Gesture { .longPressed(at: .milliseconds(time)) }
    private static func repeated(_ count: Int, _ time: Int) -> Gesture {
        .repeated(count: count, at: .milliseconds(time))
    }

    static let cases = [
        Case(name: "Nothing unless asked for", settings: Settings(), presses: [0, 100, 200, 300], gestures: []),
        Case(
            name: "Single clicks", settings: settings(clicks: 1), presses: [0, 100, 200, 300],
            gestures: [clicked(1, 100), clicked(1, 300)]),
        Case(
            name: "A click that may be the first of two is told after the gap", settings: settings(clicks: 2),
            presses: [0, 100], gestures: [clicked(1, 100)]),
        Case(
            name: "A double click is told with its end", settings: settings(clicks: 2), presses: [0, 100, 300, 400],
            gestures: [clicked(2, 400)]),
        Case(
            name: "Two clicks that are further apart are two", settings: settings(clicks: 2),
            presses: [0, 100, 400, 500], gestures: [clicked(1, 100), clicked(1, 500)]),
        Case(
            name: "Four clicks where two are the most are two doubles", settings: settings(clicks: 2),
            presses: [0, 50, 100, 150, 200, 250, 300, 350], gestures: [clicked(2, 150), clicked(2, 350)]),
        Case(
            name: "Three clicks in a row", settings: settings(clicks: 5), presses: [0, 50, 100, 150, 200, 250],
            gestures: [clicked(3, 250)]),
        Case(
            name: "A long press is told while it is held, and is no click", settings: settings(clicks: 1, long: 1000),
            presses: [0, 1500], gestures: [long(1000)]),
        Case(
            name: "A press just short of a long one is a click", settings: settings(clicks: 1, long: 1000),
            presses: [0, 999], gestures: [clicked(1, 999)]),
        Case(
            name: "A click and then a long press are both", settings: settings(clicks: 2, long: 1000),
            presses: [0, 100, 300, 1500], gestures: [clicked(1, 100), long(1300)]),
        Case(
            name: "Repetitions come at their own interval, and are no click", settings: settings(clicks: 1, every: 100),
            presses: [0, 750], gestures: [repeated(1, 500), repeated(2, 600), repeated(3, 700)]),
        Case(
            name: "A press that ends before the first repetition is a click", settings: settings(clicks: 1, every: 100),
            presses: [0, 499], gestures: [clicked(1, 499)]),
        Case(
            name: "Each press counts its repetitions anew", settings: settings(every: 200, after: 100),
            presses: [0, 350, 1000, 1150], gestures: [repeated(1, 100), repeated(2, 300), repeated(1, 1100)]),
        Case(
            name: "A long press and repetitions together", settings: settings(long: 600, every: 300),
            presses: [0, 900], gestures: [repeated(1, 500), long(600), repeated(2, 800)]),
    ]

    /// In order, with the deadlines woken at their time.
    private static func play(_ row: Case, wakes: Bool) -> [Gesture] {
        var machine = GestureStateMachine(row.settings)
        var gestures: [Gesture] = []
        func wake(until time: Duration) {
            while wakes, let due = machine.deadline, due <= time { gestures += machine.advance(to: due) }
        }
        for (index, milliseconds) in row.presses.enumerated() {
            let time = Duration.milliseconds(milliseconds)
            wake(until: time)
            gestures += index.isMultiple(of: 2) ? machine.pressed(at: time) : machine.released(at: time)
        }
        wake(until: .seconds(60))
        return gestures + machine.advance(to: .seconds(60))
    }

    @Test("Each press is what it is", arguments: cases)
    func gestures(_ row: Case) { #expect(Self.play(row, wakes: true) == row.gestures) }

    @Test("A program that is late tells the same, but for repetitions, which it does not make up for", arguments: cases)
    func late(_ row: Case) {
        let isRepetition: (Gesture) -> Bool = { if case .repeated = $0 { true } else { false } }
        let late = Self.play(row, wakes: false)
        #expect(late.filter { !isRepetition($0) } == row.gestures.filter { !isRepetition($0) })
        #expect(late.count { isRepetition($0) } <= row.gestures.count { isRepetition($0) })
    }

    @Test("A program that stood still for a minute tells one repetition and goes on in time")
    func stall() {
        var machine = GestureStateMachine(Self.settings(every: 100))
        _ = machine.pressed(at: .zero)
        #expect(machine.advance(to: .milliseconds(60_050)) == [Self.repeated(1, 500)])
        #expect(machine.deadline == .milliseconds(60_100))
    }
}
