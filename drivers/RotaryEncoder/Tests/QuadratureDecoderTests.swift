import DeviceRuntime
import Testing

@testable import RotaryEncoderDriver

@Suite("A rotary encoder's contacts")
struct QuadratureDecoderTests {
    /// Steps after each letter: `A` and `B` close a contact, `a` and `b` open it.
    static func steps(_ changes: String, perStep: Int = 4, from start: String = "") -> [Int] {
        var decoder = QuadratureDecoder(
            changesPerStep: perStep, isClosed: [.a: start.contains("A"), .b: start.contains("B")])
        return changes.map { letter in
            decoder.change(letter.lowercased() == "a" ? .a : .b, isClosed: letter.isUppercase)
            return decoder.takeSteps()
        }
    }

    @Test(
        "A step counts when the next detent is reached, and not twice",
        arguments: [
            ("ABab", 4, [0, 0, 0, 1]), ("BAba", 4, [0, 0, 0, -1]), ("ABabABab", 4, [0, 0, 0, 1, 0, 0, 0, 1]),
            ("ABabBAba", 4, [0, 0, 0, 1, 0, 0, 0, -1]), ("ABab", 2, [0, 1, 0, 1]), ("BAba", 2, [0, -1, 0, -1]),
            ("ABab", 1, [1, 1, 1, 1]), ("BAba", 1, [-1, -1, -1, -1]),
            // Turned to somewhere between two detents and back.
            ("ABba", 4, [0, 0, 0, 0]), ("ABaAba", 4, [0, 0, 0, 0, 0, 0]),
            // Bounce on the way and at the detent.
            ("AaAaABbBabBb", 4, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]), ("ABabBbBb", 4, [0, 0, 0, 1, 0, 0, 0, 0]),
        ])
    func counting(changes: String, perStep: Int, steps: [Int]) {
        #expect(Self.steps(changes, perStep: perStep) == steps)
    }

    @Test(
        "One that begins between two detents counts the step when it gets there",
        arguments: [
            ("A", "Bab", 4, [0, 0, 1]), ("A", "a", 4, [0]), ("B", "b", 4, [0]), ("B", "Aba", 4, [0, 0, -1]),
            ("AB", "ab", 4, [0, 1]), ("A", "B", 2, [1]), ("AB", "ab", 2, [0, 1]), ("B", "b", 2, [1]),
        ])
    func beginning(start: String, changes: String, perStep: Int, steps: [Int]) {
        #expect(Self.steps(changes, perStep: perStep, from: start) == steps)
    }

    @Test("A change to what a contact is already means that others were missed")
    func missed() {
        var decoder = QuadratureDecoder(changesPerStep: 4, isClosed: [.a: false, .b: false])
        decoder.change(.a, isClosed: true)
        decoder.change(.a, isClosed: true)
        decoder.miss(5)
        let counts = [decoder.takeMissed(), decoder.takeMissed()]
        #expect(counts == [6, 0])
    }

    @Test("However the contacts bounce, what comes out is where they have got to", arguments: 0..<200)
    func anyBounce(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var decoder = QuadratureDecoder(changesPerStep: 4, isClosed: [.a: false, .b: false])
        var (place, steps) = (0, 0)
        let around: [(Bool, Bool)] = [(false, false), (true, false), (true, true), (false, true)]
        for _ in 0..<2000 {
            let next = place + (Bool.random(using: &generator) ? 1 : -1)
            let (old, new) = (around[place & 3], around[next & 3])
            if old.0 != new.0 { decoder.change(.a, isClosed: new.0) } else { decoder.change(.b, isClosed: new.1) }
            place = next
            steps += decoder.takeSteps()
            #expect(abs(place - steps * 4) < 4)
            if place & 3 == 0, abs(place - steps * 4) != 0 { Issue.record("at a detent of another step") }
        }
    }

    @Test(
        "The position stays in its range, or goes on at the other end",
        arguments: [
            (0...10, false, [5, 10, -3, -20, 1], [5, 10, 7, 0, 1]),
            (0...10, true, [5, 10, -3, -20, 1], [5, 4, 1, 3, 4]),
            (5...7, false, [-1, 1, 1, 1], [5, 6, 7, 7]), (-2 ... -1, true, [1, 1, 1], [-2, -1, -2]),
        ])
    func position(range: ClosedRange<Int>, wraps: Bool, moves: [Int], values: [Int]) {
        var position = EncoderPosition(range: range, wraps: wraps)
        let seen = moves.map { move in
            position.move(by: move)
            return position.value
        }
        #expect(seen == values)
    }
}
