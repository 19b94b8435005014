import Testing

@testable import RelayDriver

@Suite("When a relay switches")
struct RelayStateMachineTests {
    typealias Order = RelayStateMachine.Order
    typealias Limits = RelayStateMachine.Limits

    /// Runs the machine second by second: what it does when.
    static func course(
        _ limits: Limits, isOn: Bool = false, _ orders: [(at: Int, Order)], until end: Int = 1000
    ) -> [String] {
        var machine = RelayStateMachine(limits: limits, isOn: isOn)
        _ = machine.force(isOn: isOn, at: .zero)
        var course: [String] = []
        for now in 0...end {
            for order in orders where order.at == now { machine.handle(order.1, at: .seconds(now)) }
            let next = machine.nextChange
            switch machine.advance(to: .seconds(now)) {
            case .switchedOn: course.append("\(now) on")
            case .switchedOff(let time): course.append("\(now) off after \(time / .seconds(1))")
            case .cutOff(let time): course.append("\(now) cut off after \(time / .seconds(1))")
            case nil: continue
            }
            // What is done now was announced for now or earlier: nothing has to ask in between.
            if let next { #expect(next <= .seconds(now)) } else { Issue.record("at \(now) nothing was announced") }
        }
        return course
    }

    @Test("Without limits every order is carried out at once")
    func plain() {
        let course = Self.course(Limits(), [(1, .on), (2, .on), (5, .toggle), (6, .toggle), (9, .off), (10, .off)])
        #expect(course == ["1 on", "5 off after 4.0", "6 on", "9 off after 3.0"])
    }

    @Test(
        "The shortest times are kept, and the last order counts",
        arguments: [
            // At the start nobody knows how long it was off.
            ([(0, Order.on)], ["180 on"]),
            ([(0, .on), (100, .off)], []),
            ([(0, .on), (100, .off), (150, .on)], ["180 on"]),
            ([(200, .on), (210, .off)], ["200 on", "260 off after 60.0"]),
            ([(200, .on), (210, .off), (220, .on)], ["200 on"]),
            ([(200, .on), (300, .off), (301, .on)], ["200 on", "300 off after 100.0", "480 on"]),
            ([(200, .on), (300, .toggle), (301, .toggle), (302, .toggle)], ["200 on", "300 off after 100.0"]),
            // A pulse is as long as was said, from when it comes on; but not shorter than it may be.
            ([(0, .pulse(.seconds(90)))], ["180 on", "270 off after 90.0"]),
            ([(0, .pulse(.seconds(5)))], ["180 on", "240 off after 60.0"]),
            ([(200, .pulse(.seconds(90))), (280, .pulse(.seconds(90)))], ["200 on", "370 off after 170.0"]),
            ([(200, .pulse(.seconds(90))), (280, .on)], ["200 on"]),
            ([(0, .pulse(.seconds(90))), (100, .on)], ["180 on"]),
        ])
    func shortestTimes(orders: [(Int, Order)], expected: [String]) {
        let limits = Limits(minimumOn: .seconds(60), minimumOff: .seconds(180))
        #expect(Self.course(limits, orders) == expected)
    }

    @Test(
        "What is on for too long is cut off, and needs a new order",
        arguments: [
            ([(0, Order.on)], ["0 on", "100 cut off after 100.0"]),
            ([(0, .on), (50, .on)], ["0 on", "100 cut off after 100.0"]),
            ([(0, .pulse(.seconds(500)))], ["0 on", "100 cut off after 100.0"]),
            (
                [(0, .on), (150, .on), (160, .off)],
                ["0 on", "100 cut off after 100.0", "150 on", "160 off after 10.0"]
            ),
        ])
    func longestTime(orders: [(Int, Order)], expected: [String]) {
        #expect(Self.course(Limits(longestOn: .seconds(100)), orders) == expected)
        // Also when it is shorter than the shortest time.
        #expect(Self.course(Limits(minimumOn: .seconds(5), longestOn: .seconds(100)), orders) == expected)
    }

    @Test("The longest time is stronger than the shortest")
    func contradiction() {
        let limits = Limits(minimumOn: .seconds(60), longestOn: .seconds(10))
        #expect(Self.course(limits, [(0, .on)]) == ["0 on", "10 cut off after 10.0"])
    }

    @Test("What is safe when on begins on")
    func safeOn() {
        #expect(Self.course(Limits(), isOn: true, [(5, .off), (9, .on)]) == ["5 off after 5.0", "9 on"])
    }

    @Test("After the line was lost it is safe, waits for the shortest time, and then does what it was told last")
    func lostLine() {
        var machine = RelayStateMachine(limits: Limits(minimumOff: .seconds(180)), isOn: false)
        _ = machine.force(isOn: false, at: .zero)
        machine.handle(.on, at: .seconds(200))
        let first = machine.advance(to: .seconds(200))
        #expect(first == .switchedOn)
        let loss = machine.force(isOn: false, at: .seconds(300))
        #expect(loss == .switchedOff(after: .seconds(100)))
        #expect(machine.nextChange == .seconds(480))
        let second = machine.advance(to: .seconds(480))
        #expect(second == .switchedOn)
    }
}
