import Testing

@testable import LEDDriver

@Suite("What an LED is meant to do")
struct LEDStateMachineTests {
    typealias Order = LEDStateMachine.Order

    /// Runs the machine from change to change, up to a time: when it was lit, in milliseconds.
    static func changes(_ orders: [(at: Int, Order)], until end: Int) -> [Int] {
        var machine = LEDStateMachine()
        var orders = orders
        var changes: [Int] = []
        var now = 0
        while now <= end {
            let wasLit = machine.isLit
            if let (at, order) = orders.first, at <= now {
                machine.handle(order, at: .milliseconds(now))
                orders.removeFirst()
            }
            _ = machine.advance(to: .milliseconds(now))
            if machine.isLit != wasLit { changes.append(now) }
            now += 1
        }
        return changes
    }

    @Test(
        "Each change comes when it is due",
        arguments: [
            ([(0, Order.on)], [0]),
            ([(0, .on), (5, .off)], [0, 5]),
            ([(0, .toggle), (5, .toggle), (9, .toggle)], [0, 5, 9]),
            ([(0, .blink(on: .milliseconds(3), off: .milliseconds(7), times: 3))], [0, 3, 10, 13, 20, 23]),
            ([(0, .blink(on: .milliseconds(20), off: .milliseconds(20), times: nil))], [0, 20, 40, 60, 80, 100]),
            // What goes on gives way to what is ordered.
            ([(0, .blink(on: .milliseconds(3), off: .milliseconds(7), times: nil)), (5, .on)], [0, 3, 5]),
            ([(0, .blink(on: .milliseconds(3), off: .milliseconds(7), times: nil)), (2, .off)], [0, 2]),
            // Dark for the moment, but it blinks: toggling ends that.
            ([(0, .blink(on: .milliseconds(3), off: .milliseconds(7), times: nil)), (5, .toggle)], [0, 3]),
            ([(0, .on), (4, .blink(on: .milliseconds(3), off: .zero, times: 1))], [0, 7]),
        ])
    func timing(orders: [(Int, Order)], changes: [Int]) {
        #expect(Self.changes(orders, until: 100) == changes)
    }

    @Test("A call that comes late does not move the phases that follow")
    func lateness() {
        var machine = LEDStateMachine()
        machine.handle(.blink(on: .milliseconds(10), off: .milliseconds(10), times: nil), at: .zero)
        _ = machine.advance(to: .milliseconds(47))
        #expect(machine.isLit)
        #expect(machine.nextChange == .milliseconds(50))
    }

    @Test("A blinking that has its number of times ends once, also when the call comes far too late")
    func end() {
        var machine = LEDStateMachine()
        machine.handle(.blink(on: .milliseconds(10), off: .milliseconds(10), times: 2), at: .zero)
        let ends = [machine.advance(to: .seconds(3600)), machine.advance(to: .seconds(7200))]
        #expect(ends == [true, false])
        #expect(!machine.isLit)
        #expect(machine.nextChange == nil)
    }

    @Test("What could not be shown is not made up for")
    func resuming() {
        var machine = LEDStateMachine()
        machine.handle(.blink(on: .milliseconds(10), off: .milliseconds(10), times: 3), at: .zero)
        machine.resume(at: .seconds(60))
        let isOver = machine.advance(to: .seconds(60))
        #expect(!isOver)
        #expect(!machine.isLit)
        #expect(machine.nextChange == .milliseconds(60010))
    }
}
