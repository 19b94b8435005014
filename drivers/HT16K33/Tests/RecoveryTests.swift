import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SimulatedPeripherals
import Testing

@testable import HT16K33Driver

@Suite("HT16K33: what comes back after a failure")
struct RecoveryTests {
    /// A display whose device is run again a second after it has failed, as the daemon does.
    private struct Supervised: Sendable {
        let device: any Device
        let display: HT16K33Display
        let bus: SimulatedI2CBus
        let address: I2CAddress
        let loop: EventLoop
        let log: RecordingLogSink

        func show(_ text: String) async throws {
            let arguments = OptionValues().setting(HT16K33Setup.text, text)
            try await device.perform(Command(name: "show", arguments: arguments))
            try await loop.sleep(for: .milliseconds(20))
        }

        func unplug() { bus.detach(address) }

        /// What comes back has lost its supply.
        func plugIn() {
            display.chips[0].powerOn()
            bus.attach(display.chips[0], at: address)
        }
    }

    private static func run(
        _ options: OptionValues = OptionValues(), _ body: @escaping @Sendable (Supervised) async throws -> Void
    ) async throws {
        let address = try #require(I2CAddress(0x70))
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let bus = try board.i2cBus("I2C1")
            let display = HT16K33Display(name: "glass", loop: loop, generator: SeededGenerator(seed: 3))
            bus.attach(display.chips[0], at: address)
            let log = RecordingLogSink()
            let device = try HT16K33.driver.makeDevice(
                options,
                DeviceContext(
                    name: "sign", board: board, loop: loop, logger: Logger(log),
                    sink: DriverHarness(loop: loop, board: board)))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while !Task.isCancelled {
                        do { try await device.run {} } catch is PeripheralError {}
                        try await loop.sleep(for: .seconds(1))
                    }
                }
                try await loop.sleep(for: .milliseconds(20))
                try await body(
                    Supervised(device: device, display: display, bus: bus, address: address, loop: loop, log: log))
                group.cancelAll()
                do { try await group.waitForAll() } catch is CancellationError {}
            }
        }
    }

    @Test("esphome#16819: unplugged and plugged in again, it shows what it is meant to, and never its random RAM")
    func unplug() async throws {
        let settings = OptionValues().setting(HT16K33Setup.brightness, 5).setting(HT16K33Setup.blink, .oneHertz)
        try await Self.run(settings) { sign in
            try await sign.show("HI")
            sign.unplug()
            try await sign.show("BYE")
            try await sign.loop.sleep(for: .seconds(10))
            sign.plugIn()
            #expect(sign.display.litCount == 0)
            try await sign.loop.sleep(for: .seconds(2))
            #expect(sign.display.text == "BYE ")
            #expect(sign.display.brightness == 5)
            #expect(sign.display.blink == "1Hz")
        }
    }

    @Test("A text that moved through while the display was away shows its end")
    func movedMeanwhile() async throws {
        try await Self.run { sign in
            try await sign.show("HELLO YOU")
            sign.unplug()
            try await sign.loop.sleep(for: .seconds(60))
            sign.plugIn()
            try await sign.loop.sleep(for: .seconds(2))
            #expect(sign.display.text == " YOU")
        }
    }

    @Test("tarablessd1306#2: a display that is absent from the start is there when it comes, with what it missed")
    func late() async throws {
        try await Self.run { sign in
            sign.unplug()
            try await sign.show("LATE")
            try await sign.loop.sleep(for: .seconds(5))
            sign.plugIn()
            try await sign.loop.sleep(for: .seconds(2))
            #expect(sign.display.text == "LATE")
        }
    }

    /// Refuses a byte of one write after the supply has failed, as a chip does that is just coming up.
    private final class ComingUp: SimulatedI2CTarget {
        let chip: HT16K33Model
        let refusals = Protected(0)
        init(_ chip: HT16K33Model) { self.chip = chip }

        func write(_ bytes: [UInt8]) throws {
            let refuses = refusals.withLock { refusals in
                defer { refusals = max(0, refusals - 1) }
                return refusals > 0
            }
            if refuses { throw PeripheralError(.dataNotAcknowledged, "") }
            chip.write(bytes)
        }

        func read(count: Int) throws -> [UInt8] { chip.read(count: count) }
    }

    @Test("A refused write is taken for a failed supply: everything is written again at once, and said so once")
    func refused() async throws {
        try await Self.run { sign in
            try await sign.show("HI")
            let chip = ComingUp(sign.display.chips[0])
            sign.bus.attach(chip, at: sign.address)
            sign.display.chips[0].powerOn()
            chip.refusals.withLock { $0 = 1 }
            try await sign.show("HO")
            #expect(sign.display.text == "HO  ")
            #expect(sign.log.entries.filter { $0.message.contains("everything was written again") }.count == 1)
        }
    }

    @Test("A supply that fails unnoticed is made up for by the next refresh, where one is asked for")
    func refresh() async throws {
        for isAsked in [false, true] {
            let options = OptionValues().setting(HT16K33Setup.refresh, isAsked ? .seconds(10) : nil)
            try await Self.run(options) { sign in
                try await sign.show("HI")
                sign.display.chips[0].powerOn()
                #expect(sign.display.litCount == 0)
                try await sign.loop.sleep(for: .seconds(11))
                #expect(sign.display.text == (isAsked ? "HI  " : "    "))
            }
        }
    }

    @Test("A bus that is stuck fails the device with its name, and it comes back")
    func stuck() async throws {
        try await Self.run { sign in
            try await sign.show("HI")
            sign.bus.setConditions { $0.isStuck = true }
            try await sign.show("HO")
            try await sign.loop.sleep(for: .seconds(5))
            #expect(sign.display.text == "HI  ")
            sign.bus.setConditions { $0.isStuck = false }
            try await sign.loop.sleep(for: .seconds(5))
            #expect(sign.display.text == "HO  ")
        }
    }
}
