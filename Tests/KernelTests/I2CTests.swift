import Conformance
import DeviceRuntime
import FoundationEssentials
import LinuxPeripherals
import Peripherals
import Testing

extension OnTheKernel {
    /// What only the kernel can show; the rest is in the conformance suite.
    @Suite("I2C on the kernel", .serialized)
    struct I2CTests {
        private let kernel: Kernel
        private let sign: I2CAddress

        init() throws {
            kernel = try Kernel()
            sign = try #require(I2CAddress(0x70))
        }

        @Test("A bus that is not there is told with those that are")
        func unknownBus() async throws {
            try await kernel.run { [sign] _, board in
                let absent = await failure {
                    _ = try await board.makeI2CDevice(bus: "I2C17", address: sign, consumer: "sign")
                }
                #expect(absent?.code == .notFound)
                #expect(absent?.description.contains("/dev/i2c-17") == true)
                let unknown = await failure {
                    _ = try await board.makeI2CDevice(bus: "I2C", address: sign, consumer: "sign")
                }
                #expect(unknown?.code == .notFound)
                #expect(unknown?.description.contains("I2C1, I2C3") == true)
            }
        }

        @Test("A device that is closed during a transfer finishes it, and only then lets go")
        func closingMeanwhile() async throws {
            let kernel = kernel
            try await kernel.run { [sign] _, board in
                let before = try kernel.openFiles()
                let device = try await board.makeI2CDevice(bus: "I2C1", address: sign, consumer: "sign")
                try await withThrowingTaskGroup(of: Int.self) { group in
                    group.addTask { try await device.read(count: 1000).count }
                    group.addTask {
                        device.close()
                        return 1000
                    }
                    // The read has begun, or was refused as closed: never anything else.
                    do { for try await count in group { #expect(count == 1000) } } catch let error as PeripheralError {
                        #expect(error.code == .closed)
                    }
                }
                #expect(try kernel.openFiles() == before)
            }
        }
    }
}
