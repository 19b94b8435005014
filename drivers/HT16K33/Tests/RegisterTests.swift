import Testing

@testable import HT16K33Driver

@Suite("HT16K33: what is written to the chip")
struct RegisterTests {
    private static func writes(
        _ change: (inout HT16K33Registers) -> Void, from start: HT16K33Registers? = HT16K33Registers()
    ) -> [[UInt8]] {
        let old = start.map { $0.written(after: nil) }
        var registers = start ?? HT16K33Registers()
        change(&registers)
        return HT16K33Registers.transactions(from: old, to: registers.written(after: old))
    }

    @Test("A chip of which nothing is known gets its RAM before the display is switched on, in four writes")
    func start() {
        let ram = [0, 0, 0, 0, 7] + [UInt8](repeating: 0, count: 12)
        #expect(Self.writes({ $0.ram[3] = 7 }, from: nil) == [[0x21], ram, [0xEF], [0x81]])
    }

    @Test(
        "Where keys are read, the pin of ROW15 is set up before anything is scanned",
        arguments: [
            (HT16K33Registers.RowPin.row, 0xA0 as UInt8), (.interruptActiveLow, 0xA1), (.interruptActiveHigh, 0xA3),
        ])
    func pin(pin: HT16K33Registers.RowPin, code: UInt8) {
        #expect(Self.writes({ $0.rowPin = pin }, from: nil).prefix(2) == [[0x21], [code]])
    }

    @Test("Nothing is written where nothing changed")
    func nothing() { #expect(Self.writes({ _ in }) == []) }

    @Test(
        "What changed is one burst from the first changed byte to the last, whichever they are",
        arguments: 0..<16, 0..<16)
    func burst(first: Int, last: Int) {
        let (low, high) = (min(first, last), max(first, last))
        let writes = Self.writes { registers in
            registers.ram[low] = 1
            registers.ram[high] = 1
        }
        let between = [UInt8](repeating: 0, count: max(0, high - low - 1))
        #expect(writes == [[UInt8(low), 1] + (high > low ? between + [1] : [])])
    }

    @Test("Brightness 1 to 16 is the duty of 1/16 to 16/16", arguments: 1...16)
    func brightness(level: Int) {
        let writes = Self.writes { $0.brightness = level }
        #expect(writes == (level == 16 ? [] : [[0xE0 | UInt8(level - 1)]]))
    }

    @Test("SparkFun#15: brightness 0 is dark, not 1/16, and costs one write each way")
    func dark() {
        #expect(Self.writes { $0.brightness = 0 } == [[0x80]])
        var lit = HT16K33Registers()
        lit.brightness = 5
        let (before, dark) = (lit.written(after: nil), HT16K33Registers())
        var registers = dark
        registers.brightness = 0
        let after = registers.written(after: before)
        #expect(HT16K33Registers.transactions(from: after, to: lit.written(after: after)) == [[0x81]])
    }

    @Test(
        "lpaseen#14: a blink rate does not switch the display off",
        arguments: [
            (HT16K33Registers.Blink.twoHertz, 0x83 as UInt8), (.oneHertz, 0x85), (.halfHertz, 0x87),
        ])
    func blink(rate: HT16K33Registers.Blink, code: UInt8) {
        #expect(Self.writes { $0.blink = rate } == [[code]])
    }

    @Test("A rate that is set while it is dark waits until it is lit")
    func blinkInTheDark() {
        var dark = HT16K33Registers()
        dark.brightness = 0
        #expect(Self.writes({ $0.blink = .oneHertz }, from: dark) == [])
        dark.blink = .oneHertz
        let written = dark.written(after: nil)
        dark.brightness = 16
        #expect(HT16K33Registers.transactions(from: written, to: dark.written(after: written)) == [[0xEF], [0x85]])
    }

    @Test("A brightness beyond the scale is the brightest", arguments: [17, 255, Int.max])
    func tooBright(level: Int) { #expect(Self.writes { $0.brightness = level } == []) }
}
