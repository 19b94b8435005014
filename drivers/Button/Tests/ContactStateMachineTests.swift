import Testing

@testable import ButtonDriver

@Suite("A contact's chatter")
struct ContactStateMachineTests {
    /// What comes from the wire, in milliseconds.
    enum Step: Sendable {
        case down(Int)
        case up(Int)
        /// The deadline has come, and the contact reads as this.
        case reads(Bool, Int)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var settle = 20
        var lockOut = 0
        let steps: [Step]
        let reports: [ContactStateMachine.Report]
        var testDescription: String { name }
    }

    private static func changed(_ isPressed: Bool, _ time: Int, found: Bool = false) -> ContactStateMachine.Report {
        .changed(isPressed: isPressed, at: .milliseconds(time), isFound: found)
    }

    static let cases = [
        Case(
            name: "settle: counts when quiet for so long, dated to the first edge",
            steps: [.down(100), .up(103), .down(105), .reads(true, 125)], reports: [changed(true, 100)]),
        Case(
            name: "settle: an edge just before the end begins the wait anew",
            steps: [.down(100), .up(119), .down(120), .reads(true, 139), .reads(true, 140)],
            reports: [changed(true, 100)]),
        Case(
            name: "settle: a pulse that is too short is a glitch, and the next press is whole",
            steps: [.down(100), .up(119), .reads(false, 139), .down(500), .reads(true, 520)],
            reports: [.glitch(at: .milliseconds(100)), changed(true, 500)]),
        Case(
            name: "settle: a program that was late comes to the same result by the edges' times",
            steps: [.down(100), .up(103), .down(104), .up(300), .down(302), .up(303), .reads(false, 900)],
            reports: [changed(true, 100), changed(false, 300)]),
        Case(
            name: "lock-out: the first edge counts at once, and the chatter after it is none",
            settle: 0, lockOut: 30,
            steps: [.down(100), .up(101), .down(102), .reads(true, 130), .up(400), .down(401), .up(405)],
            reports: [changed(true, 100), changed(false, 400)]),
        Case(
            name: "lock-out: a release within it counts at its end, dated to its edge",
            settle: 0, lockOut: 30,
            steps: [.down(100), .up(101), .down(102), .up(115), .reads(false, 130), .down(200)],
            reports: [changed(true, 100), changed(false, 115), changed(true, 200)]),
        Case(
            name: "lock-out: what follows the end of a lock-out is locked out in its turn",
            settle: 0, lockOut: 30,
            steps: [.down(100), .up(110), .reads(false, 130), .down(140), .reads(true, 160)],
            reports: [changed(true, 100), changed(false, 110), changed(true, 140)]),
        Case(
            name: "both: it waits for quiet, then nothing counts for the lock-out",
            settle: 5, lockOut: 50,
            steps: [.down(100), .up(102), .down(103), .reads(true, 108), .up(120), .reads(false, 158)],
            reports: [changed(true, 100), changed(false, 120)]),
        Case(
            name: "neither: every edge counts at once",
            settle: 0, steps: [.down(100), .up(100), .down(101)],
            reports: [changed(true, 100), changed(false, 100), changed(true, 101)]),
        Case(
            name: "neither: two equal edges in a row are one state, and a glitch",
            settle: 0, steps: [.down(100), .down(105)],
            reports: [changed(true, 100), .glitch(at: .milliseconds(105))]),
        Case(
            name: "An edge that is on its way when the level is read explains it",
            steps: [.down(100), .reads(false, 125), .up(122), .reads(false, 142)],
            reports: [changed(true, 100), changed(false, 122)]),
        Case(
            name: "An edge that was lost is found by the level",
            steps: [.down(100), .reads(true, 120), .reads(false, 1100), .reads(false, 1130), .reads(false, 1150)],
            reports: [changed(true, 100), changed(false, 1130, found: true)]),
        Case(
            name: "A level that was in doubt for a moment only is nothing",
            steps: [.down(100), .reads(true, 120), .reads(false, 1100), .reads(true, 1130), .reads(true, 1200)],
            reports: [changed(true, 100)]),
    ]

    @Test("Counts what it should", arguments: cases)
    func reports(_ row: Case) {
        var machine = ContactStateMachine(
            settle: .milliseconds(row.settle), lockOut: .milliseconds(row.lockOut), isPressed: false)
        var reports: [ContactStateMachine.Report] = []
        for step in row.steps {
            switch step {
            case .down(let time): reports += machine.edge(isPressed: true, at: .milliseconds(time))
            case .up(let time): reports += machine.edge(isPressed: false, at: .milliseconds(time))
            case .reads(let isPressed, let time): reports += machine.read(isPressed: isPressed, at: .milliseconds(time))
            }
        }
        #expect(reports == row.reports)
    }

    @Test("A contact that never comes to rest is told once, and once again when it does")
    func restless() {
        var machine = ContactStateMachine(settle: .milliseconds(20), lockOut: .zero, isPressed: false)
        var reports: [ContactStateMachine.Report] = []
        // Mains hum: an edge each 10 ms.
        for number in 0..<500 {
            reports += machine.edge(isPressed: number.isMultiple(of: 2), at: .milliseconds(10 * number))
        }
        #expect(reports == [.restless])
        reports += machine.read(isPressed: false, at: .seconds(6))
        #expect(reports == [.restless, .calm, .glitch(at: .zero)])
    }
}
