import LinuxPeripherals
import Peripherals
import Testing

extension OnTheKernel {
    @Suite("Board facts on the kernel", .serialized)
    struct BoardFactsTests {
        private let kernel: Kernel

        init() throws { kernel = try Kernel() }

        @Test("They are this board's: chips, buses, targets, channels, with their names in the kernel")
        func facts() throws {
            let facts = BoardFacts.gather()
            let allowed = BoardFacts.Access(isAllowed: true)
            #expect(facts.model == "Raspberry Pi 4 Model B Rev 1.4")
            let release = try text("/proc/sys/kernel/osrelease")
            #expect(facts.kernelRelease == release)
            #expect(facts.gpioChips.contains { $0.chip?.label == "pinctrl-bcm2711" && $0.chip?.lines.count == 58 })
            #expect(facts.gpioChips.allSatisfy { $0.access == allowed })
            let buses = Dictionary(uniqueKeysWithValues: facts.i2cBuses.map { ($0.path, $0) })
            // Plain I2C on the bit-banged buses, SMBus commands alone on the stub (I2C_FUNC_I2C is 1).
            #expect(buses["/dev/i2c-1"]?.functionality.map { $0 & 1 } == 1)
            let stub = try kernel.stubProfile(as: "STUB").number
            #expect(buses["/dev/i2c-\(stub)"]?.functionality.map { $0 & 1 } == 0)
            #expect(buses["/dev/i2c-\(stub)"]?.adapter == "SMBus stub driver")
            #expect(facts.spiTargets.map(\.path) == ["/dev/spidev0.0"])
            #expect(facts.spiBufferSize == 4096)
            #expect(facts.pwmChips.map(\.device) == ["fe20c000.pwm"])
            #expect(facts.pwmChips.map(\.channelCount) == [1])
            #expect(facts.pwmChips.map(\.isReserved) == [false])
        }

        @Test("Asking takes nothing from who has it, and what is held is told all the same")
        func harmless() async throws {
            try await kernel.run { _, board in
                let line = try await board.makeDigitalOutput("GPIO17", .init(initialLevel: .high), consumer: "test")
                let output = try await board.makePWMOutput("PWM0", consumer: "test")
                let speed = try #require(Frequency(hertz: 1_000_000))
                let device = try await board.makeSPIDevice("SPI0.0", .init(maximumSpeed: speed), consumer: "test")
                let before = try kernel.openFiles()
                let facts = BoardFacts.gather()
                #expect(try kernel.openFiles() == before)
                #expect(facts.pwmChips.count == 1 && facts.spiTargets.count == 1)
                let held = facts.gpioChips.compactMap(\.chip).flatMap(\.lines).first { $0.headerName == "GPIO17" }
                #expect(held?.holder == "test")
                // The same of the board, which is asked the same way.
                #expect(try await board.gpioChips() == facts.gpioChips.compactMap(\.chip))
                #expect(try kernel.header(17).value == "1")
                _ = try await device.transfer([0])
                try await output.setPeriod(.milliseconds(20))
                line.close()
                device.close()
                await output.close()
            }
        }
    }
}
