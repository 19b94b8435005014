import DeviceKit
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@testable import HT16K33Driver

@Suite("HT16K33: keys")
struct KeyTests {
    typealias Changes = KeyScanStateMachine.Changes

    @Test("With releases watched, readings become presses and releases")
    func watched() {
        var keys = KeyScanStateMachine(watchesReleases: true)
        let readings: [(Set<Int>, Changes)] = [
            ([3], Changes(pressed: [3])), ([3], Changes()), ([3, 7, 1], Changes(pressed: [1, 7])),
            ([7], Changes(released: [1, 3])), ([8], Changes(pressed: [8], released: [7])), ([], Changes(released: [8])),
        ]
        for (reading, changes) in readings { #expect(keys.handle(reading) == changes) }
        _ = keys.handle([5])
        #expect(keys.reset() == Changes(released: [5]))
        #expect(keys.reset() == Changes())
    }

    @Test("Without, each interrupt is a press: of what is new, or of the same key again")
    func unwatched() {
        var keys = KeyScanStateMachine(watchesReleases: false)
        let readings: [(Set<Int>, [Int])] = [([3], [3]), ([3], [3]), ([3, 9], [9]), ([4], [4]), ([], [])]
        for (reading, pressed) in readings { #expect(keys.handle(reading) == Changes(pressed: pressed)) }
    }

    private static func pressed(_ sign: Sign) -> [String] {
        sign.events.map { event in "\(event.name) \(event.fields.first?.value.description ?? "")" }
    }

    private static let interrupt: [String: OptionInput] = ["interrupt": .scalar("GPIO22")]

    @Test("A press is told once by the interrupt, whichever key and polarity", arguments: ["low", "high"])
    func interrupt(level: String) async throws {
        let options = Self.interrupt.merging(["interrupt-level": .scalar(level)]) { $1 }
        try await Sign.run("8x8", options) { sign in
            for key in 1...39 {
                sign.display.chips[0].press(key, for: .milliseconds(200))
                try await sign.wait(for: .milliseconds(500))
            }
            // The thirteenth key of each row is the pin of the interrupt.
            let keys = (1...39).filter { $0 % 13 != 0 }
            #expect(Self.pressed(sign) == keys.map { "key-pressed \($0)" })
        }
    }

    @Test("A press costs one reading; a touch shorter than two scans is none")
    func cost() async throws {
        try await Sign.run("8x8", Self.interrupt) { sign in
            let before = sign.wires.count
            sign.display.chips[0].press(2, for: .milliseconds(10))
            try await sign.wait(for: .seconds(1))
            #expect(sign.wires.count == before)
            sign.display.chips[0].press(2, for: .seconds(10))
            try await sign.wait(for: .seconds(20))
            #expect(Array(sign.wires.dropFirst(before)) == ["0x70 write 40", "0x70 read 02 00 00 00 00 00"])
        }
    }

    @Test("A release is told where it is watched, and then nothing is read any more")
    func releases() async throws {
        let options = Self.interrupt.merging(["release-check": .scalar("50ms")]) { $1 }
        try await Sign.run("8x8", options) { sign in
            let chip = sign.display.chips[0]
            chip.press(1, for: .milliseconds(500))
            try await sign.wait(for: .milliseconds(100))
            #expect(sign.state("key-down") == true)
            chip.press(14, for: .milliseconds(200))
            try await sign.wait(for: .seconds(2))
            #expect(Self.pressed(sign) == ["key-pressed 1", "key-pressed 14", "key-released 14", "key-released 1"])
            #expect(sign.state("key-down") == false)
            let before = sign.wires.count
            try await sign.wait(for: .seconds(60))
            #expect(sign.wires.count == before)
        }
    }

    @Test("Without an interrupt keys are read as often as is asked for, and only then", arguments: [true, false])
    func polling(isAsked: Bool) async throws {
        try await Sign.run("16x8", isAsked ? ["key-poll": .scalar("50ms")] : [:]) { sign in
            let before = sign.wires.count
            sign.display.chips[0].press(13, for: .milliseconds(200))
            try await sign.wait(for: .seconds(1))
            #expect(Self.pressed(sign) == (isAsked ? ["key-pressed 13", "key-released 13"] : []))
            #expect((sign.wires.count > before) == isAsked)
        }
    }

    @Test("Keys of several chips are counted on, over one interrupt line")
    func severalChips() async throws {
        try await Sign.run("8x8", chips: 2, Self.interrupt) { sign in
            sign.display.chips[1].press(1, for: .milliseconds(100))
            try await sign.wait(for: .milliseconds(200))
            sign.display.chips[0].press(3, for: .milliseconds(100))
            sign.display.chips[1].press(2, for: .milliseconds(100))
            try await sign.wait(for: .milliseconds(200))
            #expect(Self.pressed(sign) == ["key-pressed 40", "key-pressed 3", "key-pressed 41"])
        }
    }

    @Test("A key that was pressed before the device started is no news, and the next one is told")
    func before() async throws {
        try await Sign.run(
            "8x8", Self.interrupt,
            prepare: { _, display in
                // As after a restart: the chip has scanned on, and its interrupt is up.
                display.chips[0].write([0x21])
                display.chips[0].write([0xA1])
                display.chips[0].press(5, for: .milliseconds(1))
            }
        ) { sign in
            try await sign.wait(for: .seconds(1))
            sign.display.chips[0].press(6, for: .milliseconds(100))
            try await sign.wait(for: .seconds(1))
            #expect(Self.pressed(sign) == ["key-pressed 6"])
        }
    }

    @Test("A key that is pressed while the keys are read is told, though there is no new edge")
    func meanwhile() async throws {
        try await Sign.run("8x8", chips: 2, Self.interrupt) { sign in
            // The second chip confirms its key while the first one is read: its interrupt keeps the line low.
            sign.display.chips[0].press(1, for: .milliseconds(100))
            try await sign.wait(for: .nanoseconds(300_000))
            sign.display.chips[1].press(1, for: .milliseconds(100))
            try await sign.wait(for: .seconds(1))
            #expect(Self.pressed(sign).sorted() == ["key-pressed 1", "key-pressed 40"])
        }
    }

    @Test("An interrupt line that stays active fails the device, and says what to look at")
    func stuckLine() async throws {
        await #expect {
            try await Sign.run("8x8", Self.interrupt) { sign in
                try sign.interrupt.drive(.low)
                try await sign.wait(for: .seconds(1))
            }
        } throws: { error in
            "\(error)".contains("GPIO22 stays active although the keys were read")
        }
    }

    @Test("Showing things and reading keys do not get in each other's way")
    func both() async throws {
        let options = Self.interrupt.merging(["release-check": .scalar("20ms"), "pace": .scalar("20ms")]) { $1 }
        try await Sign.run("alphanumeric", options) { sign in
            try await sign.perform("scroll", ["text": .scalar("HELLO"), "times": .scalar("forever")])
            for _ in 0..<100 {
                sign.display.chips[0].press(4, for: .milliseconds(60))
                try await sign.wait(for: .milliseconds(150))
            }
            let presses = (0..<100).flatMap { _ in ["key-pressed 4", "key-released 4"] }
            #expect(Self.pressed(sign) == presses)
            #expect(sign.state("moving") == true)
        }
    }
}
