import DeviceKit
import DeviceRuntime
import HT16K33Driver
import LinuxPeripherals
import Peripherals
import Testing

extension OnTheKernel {
    /// Takes a device's events and states and drops them.
    private struct NoSink: DeviceSink {
        func emit(_ event: Event) {}
        func setState(device: String, state: String, _ value: Bool) {}
        func makePayloadPath() -> String { "/tmp/payload" }
    }

    @Suite("Drivers on the kernel", .serialized)
    struct DriverTests {
        @Test("What the HT16K33 driver writes is in the chip's registers, byte for byte")
        func ht16k33() async throws {
            let kernel = try Kernel()
            let address = try #require(I2CAddress(0x70))
            let profile = try kernel.stubProfile(as: "I2C1").profile
            let registers = try await kernel.run(profile) { loop, board in
                // As the chip is after power-on: full of anything.
                let stub = try await board.makeI2CDevice(bus: "I2C1", address: address, consumer: "test")
                try await stub.write([0x00] + [UInt8](repeating: 0xA5, count: 16))
                stub.close()

                let context = DeviceContext(
                    name: "sign", board: board, loop: loop, logger: Logger(RecordingLogSink()), sink: NoSink())
                let sign = try HT16K33.driver.makeDevice(OptionValues(), context)
                let show = try #require(HT16K33.driver.commands.first { $0.name == "show" })
                let text = try #require(show.arguments.first?.parse(.scalar("HI.")))
                try await sign.perform(Command(name: "show", arguments: OptionValues(["text": text])))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let ready = Waiter()
                    group.addTask { try await sign.run { ready.finish() } }
                    try await ready.value()
                    group.cancelAll()
                }

                let reader = try await board.makeI2CDevice(bus: "I2C1", address: address, consumer: "test")
                defer { reader.close() }
                return try await reader.writeRead([0x00], count: 16)
            }
            // H is BCEF12, I is ADJM with the point: little-endian words at the digits' addresses.
            #expect(registers == [0xF6, 0x00, 0x09, 0x52] + [UInt8](repeating: 0, count: 12))
        }
    }
}
