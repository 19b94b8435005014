import Testing

@testable import MotionSensorDriver

@Suite("A motion sensor's output")
struct SensorStateMachineTests {
    private static func machine(isHigh: Bool = false) -> SensorStateMachine {
        SensorStateMachine(stuckAfter: .seconds(600), isHigh: isHigh, at: .zero)
    }

    @Test("An output that does not fall is faulty, and recovers when it falls", arguments: [true, false])
    func stuck(fromStart: Bool) {
        var machine = Self.machine(isHigh: fromStart)
        if !fromStart { #expect(machine.level(isHigh: true, at: .zero) == []) }
        #expect(machine.isMotion)
        #expect(machine.level(isHigh: true, at: .seconds(599)) == [])
        #expect(machine.level(isHigh: true, at: .seconds(600)) == [.faulty(.stuck, at: .seconds(600))])
        #expect(!machine.isMotion)
        #expect(machine.level(isHigh: true, at: .seconds(2000)) == [])
        #expect(machine.level(isHigh: false, at: .seconds(3000)) == [.recovered(at: .seconds(3000))])
        #expect(machine.level(isHigh: true, at: .seconds(3100)) == [])
        #expect(machine.isMotion)
    }

    @Test("An output that rises eleven times in ten seconds is faulty until it was quiet for half an hour")
    func chatter() {
        var machine = Self.machine()
        var reports: [SensorStateMachine.Report] = []
        for step in 0..<40 {
            reports += machine.level(isHigh: step.isMultiple(of: 2), at: .milliseconds(400 * step))
        }
        #expect(reports == [.faulty(.chatters, at: .milliseconds(8000))])
        #expect(!machine.isMotion)
        let last = Duration.milliseconds(400 * 39)
        #expect(machine.deadline == last + .seconds(1800))
        #expect(machine.level(isHigh: false, at: last + .seconds(1799)) == [])
        #expect(machine.level(isHigh: false, at: last + .seconds(1800)) == [.recovered(at: last + .seconds(1800))])
        #expect(machine.level(isHigh: true, at: last + .seconds(1801)) == [])
        #expect(machine.isMotion)
    }

    @Test("A sensor that is as fast as one can be is believed")
    func fastest() {
        var machine = Self.machine()
        var reports: [SensorStateMachine.Report] = []
        for step in 0..<1000 { reports += machine.level(isHigh: step.isMultiple(of: 2), at: .milliseconds(500 * step)) }
        #expect(reports == [])
    }

    @Test("While it is high it is read again, ever more seldom; while it is low never")
    func checks() {
        var machine = Self.machine()
        #expect(machine.deadline == nil)
        _ = machine.level(isHigh: true, at: .zero)
        var checks: [Int] = []
        while let due = machine.deadline, due < .seconds(300) {
            checks.append(Int(due / .seconds(1)))
            _ = machine.level(isHigh: true, at: due)
        }
        #expect(checks == [1, 3, 7, 15, 31, 63, 123, 183, 243])
        _ = machine.level(isHigh: false, at: .seconds(300))
        #expect(machine.deadline == nil)
    }
}
