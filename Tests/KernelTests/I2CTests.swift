import Conformance
import DeviceRuntime
import FoundationEssentials
import LinuxPeripherals
import Peripherals
import Testing

extension OnTheKernel {
    @Suite("I2C on the kernel", .serialized)
    struct I2CTests {
        private let kernel: Kernel
        private let sign: I2CAddress

        init() throws {
            kernel = try Kernel()
            sign = try #require(I2CAddress(0x70))
        }

        @Test("A target that is not there does not acknowledge: bus and address are named")
        func missing() async throws {
            try await kernel.run { [sign] _, board in
                let device = try await board.makeI2CDevice(bus: "I2C3", address: sign, consumer: "sign")
                for transfer in [
                    { try await device.write([0x21]) }, { _ = try await device.read(count: 1) },
                    { _ = try await device.writeRead([0], count: 2) },
                ] as [@Sendable () async throws -> Void] {
                    let error = await failure(transfer)
                    #expect(error?.code == .noAcknowledge)
                    #expect(error?.description.contains("I2C3 0x70") == true)
                }
                device.close()
            }
        }

        @Test("Raw transfers of any length work where the controller has them")
        func raw() async throws {
            try await kernel.run { [sign] _, board in
                let device = try await board.makeI2CDevice(bus: "I2C1", address: sign, consumer: "sign")
                try await device.write([UInt8](repeating: 0xA5, count: 100))
                #expect(try await device.read(count: 100) == [UInt8](repeating: 0, count: 100))
                #expect(try await device.writeRead([1, 2, 3], count: 40) == [UInt8](repeating: 0, count: 40))
                for sizes in [(8193, 0), (0, 8193), (0, 0)] {
                    let error = await failure {
                        if sizes.1 > 0 {
                            _ = try await device.read(count: sizes.1)
                        } else {
                            try await device.write([UInt8](repeating: 0, count: sizes.0))
                        }
                    }
                    #expect(error?.code == .invalidArgument)
                }
                device.close()
                #expect(await failure { try await device.write([0]) }?.code == .closed)
            }
        }

        @Test("What is written to registers by SMBus commands is read back")
        func smbus() async throws {
            let (profile, _) = try kernel.stubProfile(as: "STUB")
            try await kernel.run(profile) { [sign] _, board in
                let device = try await board.makeI2CDevice(bus: "STUB", address: sign, consumer: "sign")
                try await device.write([0x00] + Array(1...16))
                try await device.writeRegister(0x20, 0xEF)
                #expect(try await device.writeRead([0x00], count: 16) == Array(1...16))
                #expect(try await device.readRegister(0x20) == 0xEF)
                // One byte sets the pointer.
                try await device.write([0x03])
                #expect(try await device.read(count: 1) == [4])
                #expect(await failure { _ = try await device.read(count: 2) }?.code == .unsupported)
                device.close()
            }
        }

        @Test("An absent target does not acknowledge on an SMBus controller either")
        func smbusMissing() async throws {
            let (profile, _) = try kernel.stubProfile(as: "STUB")
            let address = try #require(I2CAddress(0x50))
            try await kernel.run(profile) { _, board in
                let device = try await board.makeI2CDevice(bus: "STUB", address: address, consumer: "sign")
                #expect(await failure { try await device.write([0x21]) }?.code == .noAcknowledge)
                device.close()
            }
        }

        @Test("An address that a driver of the kernel, or another device, holds is busy")
        func busy() async throws {
            let (profile, number) = try kernel.stubProfile(as: "STUB")
            let address = try #require(I2CAddress(0x48))
            let adapter = "/sys/class/i2c-dev/i2c-\(number)/device"
            try write("dummy 0x48", to: "\(adapter)/new_device")
            defer { try? write("0x48", to: "\(adapter)/delete_device") }
            try await kernel.run(profile) { [sign] _, board in
                let bound = await failure {
                    _ = try await board.makeI2CDevice(bus: "STUB", address: address, consumer: "thermometer")
                }
                #expect(bound?.code == .busy)
                #expect(bound?.description.contains("STUB 0x48 is held by a driver of the kernel") == true)
                let device = try await board.makeI2CDevice(bus: "STUB", address: sign, consumer: "sign")
                let held = await failure {
                    _ = try await board.makeI2CDevice(bus: "STUB", address: sign, consumer: "clock")
                }
                #expect(held?.code == .busy)
                #expect(held?.description.contains("'sign'") == true)
                device.close()
            }
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
