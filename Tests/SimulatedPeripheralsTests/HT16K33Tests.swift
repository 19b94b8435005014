import DeviceRuntime
import Peripherals
import Testing

@testable import SimulatedPeripherals

@Suite("Simulated HT16K33")
struct HT16K33ModelTests {
    private static func display(
        _ glass: HT16K33Glass = .alphanumeric, count: Int = 1, seed: UInt64 = 0, loop: EventLoop? = nil,
        interrupt: SimulatedLine? = nil
    ) throws -> HT16K33Display {
        HT16K33Display(
            name: "glass", glass: glass, count: count, loop: try loop ?? EventLoop(time: .virtual),
            interrupt: interrupt, generator: SeededGenerator(seed: seed))
    }

    private static func light(_ chip: HT16K33Model, _ ram: [UInt8]) {
        for bytes in [[0x21], [0x00] + ram, [0x81]] { chip.write(bytes) }
    }

    @Test("The RAM is random at power-on and after a glitch, and another one for each chip and seed")
    func random() throws {
        let displays = try (0..<10).map { try Self.display(count: 2, seed: UInt64($0)) }
        #expect(Set(displays.flatMap(\.chips).map(\.ram)).count == 20)
        let chip = displays[0].chips[0]
        let before = chip.ram
        Self.light(chip, [UInt8](repeating: 0, count: 16))
        chip.write([0xE3])
        chip.powerOn()
        #expect(chip.ram != before && chip.ram.contains { $0 != 0 })
        #expect(!chip.isLit && chip.brightness == 16 && chip.blinkFrequency == nil)
        #expect(try Self.display(seed: 3).chips[0].ram == displays[3].chips[0].ram)
    }

    @Test("It is dark until both oscillator and display are on, whatever the RAM holds")
    func dark() throws {
        let display = try Self.display(seed: 5)
        let chip = display.chips[0]
        for (bytes, isLit) in [([0x81], false), ([0x21], true), ([0x80], false), ([0x87], true), ([0x20], false)]
            as [([UInt8], Bool)]
        {
            chip.write(bytes)
            #expect(chip.isLit == isLit)
            #expect((display.litCount > 0) == isLit)
            #expect(display.brightness == (isLit ? 16 : 0))
        }
    }

    @Test("The pointer moves on and wraps after 0x0F, writing and reading")
    func wrap() throws {
        let chip = try Self.display().chips[0]
        chip.write([0x0E, 1, 2, 3, 4])
        #expect(Array(chip.ram[14...15] + chip.ram[0...1]) == [1, 2, 3, 4])
        chip.write([0x0F])
        #expect(chip.read(count: 3) == [2, 3, 4])
        #expect(chip.read(count: 1) == [chip.ram[2]])
    }

    @Test("Setup registers cannot be read: a read gives the RAM")
    func writeOnly() throws {
        let chip = try Self.display().chips[0]
        chip.write([0x00] + [UInt8](repeating: 0x55, count: 16))
        for command: UInt8 in [0x21, 0x83, 0xA0, 0xE5] {
            chip.write([command])
            #expect(chip.read(count: 1) == [0x55])
        }
    }

    @Test("Dimming has sixteen steps, blinking three speeds; what is no command does nothing")
    func settings() throws {
        let chip = try Self.display().chips[0]
        for duty in 0...15 {
            chip.write([0xE0 | UInt8(duty)])
            #expect(chip.brightness == duty + 1)
        }
        for (code, frequency) in [(0x83, 2), (0x85, 1), (0x87, 0.5), (0x81, nil)] as [(UInt8, Double?)] {
            chip.write([code])
            #expect(chip.blinkFrequency == frequency)
        }
        let ram = chip.ram
        for code: UInt8 in [0x10, 0x30, 0x50, 0x70, 0xC0, 0xD9, 0xF0] { chip.write([code, 0xFF]) }
        chip.write([])
        #expect(chip.ram == ram && chip.brightness == 16 && chip.blinkFrequency == nil)
    }

    // MARK: Keys

    private static func keys(_ chip: HT16K33Model) -> [UInt8] {
        chip.write([0x40])
        return chip.read(count: 6)
    }

    private static func flag(_ chip: HT16K33Model) -> Bool {
        chip.write([0x60])
        return chip.read(count: 1) != [0]
    }

    @Test("A key counts after two scans; it is there again after each reading, and the flag is raised once")
    func held() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let chip = try Self.display(loop: loop).chips[0]
            chip.write([0x21])
            chip.press(15, for: .milliseconds(500))
            try await loop.sleep(for: .milliseconds(19))
            #expect(Self.keys(chip) == [0, 0, 0, 0, 0, 0] && !Self.flag(chip))
            try await loop.sleep(for: .milliseconds(2))
            #expect(Self.flag(chip))
            #expect(Self.keys(chip) == [0, 0, 2, 0, 0, 0])
            #expect(!Self.flag(chip))
            #expect(Self.keys(chip) == [0, 0, 0, 0, 0, 0])
            try await loop.sleep(for: .milliseconds(50))
            #expect(!Self.flag(chip))
            #expect(Self.keys(chip) == [0, 0, 2, 0, 0, 0])
            try await loop.sleep(for: .milliseconds(500))
            // What was down since the last reading is in the memory until it is read.
            #expect(Self.keys(chip) == [0, 0, 2, 0, 0, 0])
            try await loop.sleep(for: .milliseconds(50))
            #expect(Self.keys(chip) == [0, 0, 0, 0, 0, 0])
        }
    }

    @Test("Nothing is scanned in standby, and a part of the memory clears nothing")
    func standby() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let chip = try Self.display(loop: loop).chips[0]
            chip.press(1, for: .milliseconds(100))
            try await loop.sleep(for: .milliseconds(50))
            #expect(!Self.flag(chip))
            chip.write([0x21])
            chip.press(2, for: .seconds(1))
            try await loop.sleep(for: .milliseconds(50))
            chip.write([0x40])
            #expect(chip.read(count: 1) == [2])
            #expect(Self.flag(chip))
        }
    }

    @Test("The interrupt has the polarity that it is given, ends with a reading, and can be shared")
    func interrupt() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            for (code, active) in [(0xA1, Level.low), (0xA3, .high)] as [(UInt8, Level)] {
                let board = SimulatedBoard(loop: loop)
                let line = try board.line("GPIO22")
                let input = try await board.makeDigitalInput(
                    "GPIO22", DigitalInputConfiguration(bias: .pullUp), consumer: "test")
                let display = try Self.display(count: 2, loop: loop, interrupt: line)
                let chips = display.chips
                for chip in chips {
                    chip.write([0x21])
                    chip.write([code])
                }
                #expect(try input.read() != active)
                for chip in chips { chip.press(1, for: .seconds(1)) }
                try await loop.sleep(for: .milliseconds(30))
                #expect(try input.read() == active)
                _ = Self.keys(chips[0])
                #expect(try input.read() == active)
                _ = Self.keys(chips[1])
                #expect(try input.read() != active)
                // While somebody looks, its pins are connected.
                #expect(display.litCount == 0)
                input.close()
            }
        }
    }

    // MARK: Pictures

    @Test("Each LED is in the picture once, lit or dark as its bit is", arguments: HT16K33Glass.all.map(\.name))
    func picture(name: String) throws {
        let glass = try #require(HT16K33Glass.all.first { $0.name == name })
        let wired = Set(glass.lamps.map(\.bit))
        #expect(wired.count == glass.lamps.count)
        #expect(wired.allSatisfy { 0..<128 ~= $0 })
        for seed in UInt64(0)..<5 {
            let display = try Self.display(glass, seed: seed)
            display.chips[0].write([0x21])
            display.chips[0].write([0x81])
            let ram = display.chips[0].ram
            var seen: [Int] = []
            for line in display.svg.split(separator: "\n") {
                guard let range = line.firstRange(of: "data-bits=\"") else { continue }
                let bits = line[range.upperBound...].prefix { $0 != "\"" }.split(separator: " ").compactMap { Int($0) }
                seen += bits
                let isLit = bits.contains { ram[$0 / 8] & 1 << UInt8($0 % 8) != 0 }
                #expect(line.contains("class=\"lit ") == isLit)
                #expect(line.contains("class=\"dark\"") == !isLit)
            }
            #expect(seen.sorted() == wired.sorted())
            #expect(display.litCount == wired.count { ram[$0 / 8] & 1 << UInt8($0 % 8) != 0 })
        }
    }

    @Test("A picture of two colours has a third, blinks as the display does, and is dimmed with it")
    func look() throws {
        let display = try Self.display(.bicolour)
        Self.light(display.chips[0], [0b011, 0b101] + [UInt8](repeating: 0, count: 14))
        #expect(display.drawing.hasPrefix("ygr.....\n"))
        #expect(display.svg.contains("\"lit yellow\"") && display.svg.contains("\"lit green\""))
        #expect(!display.svg.contains("animation"))
        let bright = display.svg
        display.chips[0].write([0xE0])
        #expect(display.svg != bright)
        display.chips[0].write([0x83])
        #expect(display.svg.contains("animation:blink 0.5s"))
    }
}
