import DeviceRuntime
import Peripherals
import Testing

extension Behaviour {
    static let i2c: [Behaviour] = i2cTransfers + i2cCommands + i2cBuses

    private static func i2c(
        _ name: String, _ show: @escaping @Sendable (any TestBench) async throws -> Void
    ) -> Behaviour { Behaviour("I2C", name, show) }

    private static let i2cTransfers: [Behaviour] = [
        i2c("An address that nobody has does not acknowledge, and the error names bus and address") { bench in
            let device = try await bench.i2c("I2C3", 0x42)
            for transfer in [
                { try await device.write([0x00]) }, { _ = try await device.read(count: 1) },
                { _ = try await device.writeRead([0], count: 2) },
                { _ = try await device.perform(.quick(isRead: false)) },
            ] as [@Sendable () async throws -> Void] {
                let error = await failure(transfer)
                #expect(error?.code == .noAcknowledge)
                #expect(error?.description.contains("I2C3 0x42") == true)
                #expect(error?.cause?.contains("ENXIO (6)") == true)
            }
            device.close()
        },
        i2c("An absent target does not acknowledge on an SMBus controller either") { bench in
            let device = try await bench.i2c("STUB", 0x50)
            #expect(await failure { try await device.write([0x21]) }?.code == .noAcknowledge)
            device.close()
        },
        i2c("Messages combine with repeated starts; each read returns its bytes, in order") { bench in
            let device = try await bench.i2c("I2C1", 0x70)
            let messages: [I2CMessage] = [
                .write([1, 2]), .read(count: 3), .write([4]), .read(count: 1), .read(count: 2),
            ]
            #expect(try await device.transfer(messages) == [[0, 0, 0], [0], [0, 0]])
            #expect(try await device.writeRead([1, 2, 3], count: 40) == [UInt8](repeating: 0, count: 40))
            #expect(try await device.transfer([.write([1]), .write([2])]) == [])
            device.close()
        },
        i2c("42 messages of 8192 bytes are a transfer; more of either, and nothing, is refused before it moves") {
            bench in
            let device = try await bench.i2c("I2C1", 0x70)
            let most = [I2CMessage](repeating: .write([0]), count: 42)
            #expect(try await device.transfer(most) == [])
            #expect(try await device.read(count: 8192).count == 8192)
            for wrong in [
                most + [.read(count: 1)], [], [.write([])], [.read(count: 0)], [.read(count: -1)], [.read(count: 8193)],
                [.write([UInt8](repeating: 0, count: 8193))], [.write([0]), .write([])],
            ] {
                let error = await failure { _ = try await device.transfer(wrong) }
                #expect(error?.code == .invalidArgument)
                #expect(error?.description.contains("I2C1 0x70") == true)
            }
            device.close()
        },
        i2c("Registers of one and of two bytes are written and read in the stated order") { bench in
            let device = try await bench.i2c("STUB", 0x70)
            try await device.writeRegister(0x20, 0xEF)
            #expect(try await device.readRegister(0x20) == 0xEF)
            try await device.writeWordRegister(0x30, 0x1234, .bigEndian)
            #expect(try await device.readRegisters(from: 0x30, count: 2) == [0x12, 0x34])
            #expect(try await device.readWordRegister(0x30, .bigEndian) == 0x1234)
            #expect(try await device.readWordRegister(0x30, .littleEndian) == 0x3412)
            try await device.writeRegisters(from: 0x00, Array(1...32))
            #expect(try await device.readRegisters(from: 0x00, count: 32) == Array(1...32))
            // The first byte of a wide register's number is the register here, the second its value.
            try await device.write(I2CRegister(0x40AB, .bigEndian).bytes)
            #expect(try await device.readRegister(0x40) == 0xAB)
            try await device.write(I2CRegister(0xCD41, .littleEndian).bytes)
            #expect(try await device.readRegister(0x41) == 0xCD)
            device.close()
            let wide = try await bench.i2c("I2C1", 0x50)
            #expect(try await wide.readRegisters(from: I2CRegister(0x1234, .bigEndian), count: 3) == [0, 0, 0])
            wide.close()
        },
        i2c("An address of ten bits is another one than that of seven, and needs a controller that can") { bench in
            let address = try #require(I2CAddress(tenBit: 0x170))
            let device = try await bench.board.makeI2CDevice(bus: "I2C1", address: address, consumer: "test")
            #expect(try await device.writeRead([1], count: 2) == [0, 0])
            try await device.write([1, 2, 3])
            device.close()
            let absent = try await bench.board.makeI2CDevice(bus: "I2C3", address: address, consumer: "test")
            let error = await failure { try await absent.write([1]) }
            #expect(error?.code == .noAcknowledge)
            #expect(error?.description.contains("I2C3 0x170 (10-bit)") == true)
            absent.close()
            let unsupported = await failure {
                _ = try await bench.board.makeI2CDevice(bus: "STUB", address: address, consumer: "test")
            }
            #expect(unsupported?.code == .unsupported)
            let low = try #require(I2CAddress(tenBit: 0x42))
            let both = [
                try await bench.i2c("I2C1", 0x42),
                try await bench.board.makeI2CDevice(bus: "I2C1", address: low, consumer: "test"),
            ]
            for device in both { device.close() }
        },
    ]

    private static let i2cCommands: [Behaviour] = [
        i2c("SMBus commands reach the registers") { bench in
            let device = try await bench.i2c("STUB", 0x70)
            #expect(try await device.perform(.quick(isRead: false)) == [])
            #expect(try await device.perform(.quick(isRead: true)) == [])
            #expect(try await device.perform(.writeByte(0x10, 0xA5)) == [])
            #expect(try await device.readByte(0x10) == 0xA5)
            _ = try await device.perform(.writeWord(0x10, 0x1234))
            #expect(try await device.readWord(0x10) == 0x1234)
            #expect(try await device.readByte(0x10) == 0x34)
            _ = try await device.perform(.writeI2CBlock(0x80, Array(1...32)))
            #expect(try await device.perform(.readI2CBlock(0x80, count: 32)) == Array(1...32))
            _ = try await device.perform(.sendByte(0x81))
            #expect(try await device.perform(.receiveByte) == [2])
            #expect(try await device.perform(.receiveByte) == [3])
            device.close()
        },
        i2c("A raw controller runs SMBus commands as messages") { bench in
            let device = try await bench.i2c("I2C1", 0x70)
            #expect(try await device.perform(.quick(isRead: false)) == [])
            #expect(try await device.perform(.receiveByte) == [0])
            #expect(try await device.readWord(0x10) == 0)
            #expect(try await device.processCall(0x10, 0x1234) == 0)
            #expect(try await device.perform(.writeBlock(0x10, [1, 2, 3])) == [])
            #expect(try await device.perform(.readI2CBlock(0x10, count: 5)) == [0, 0, 0, 0, 0])
            device.close()
        },
        i2c("A block in which the target promises no bytes breaks the protocol, and the error says so") { bench in
            let device = try await bench.i2c("I2C1", 0x70)
            for command in [SMBusCommand.readBlock(0x10), .blockProcessCall(0x10, [1])] {
                let error = await failure { _ = try await device.perform(command) }
                #expect(error?.code == .io)
                #expect(error?.description.contains("1 to 32") == true)
            }
            device.close()
        },
        i2c("A block has from 1 to 32 bytes") { bench in
            for bus in ["I2C1", "STUB"] {
                let device = try await bench.i2c(bus, 0x70)
                let long = [UInt8](repeating: 1, count: 33)
                for command in [
                    .writeI2CBlock(0, []), .writeI2CBlock(0, long), .readI2CBlock(0, count: 0),
                    .readI2CBlock(0, count: 33), .writeBlock(0, long), .blockProcessCall(0, []),
                ] as [SMBusCommand] {
                    #expect(await failure { _ = try await device.perform(command) }?.code == .invalidArgument)
                }
                device.close()
            }
        },
        i2c("What the controller has no command for is unsupported, and says so before it touches the bus") { bench in
            let device = try await bench.i2c("STUB", 0x70)
            let commands: [SMBusCommand] = [
                .processCall(0, 1), .readBlock(0), .writeBlock(0, [1]), .blockProcessCall(0, [1]),
            ]
            for command in commands {
                #expect(await failure { _ = try await device.perform(command) }?.code == .unsupported)
            }
            device.close()
        },
        i2c("A transfer that is no SMBus command is unsupported by a controller that has nothing else") { bench in
            let device = try await bench.i2c("STUB", 0x70)
            let transfers: [[I2CMessage]] = [
                [.read(count: 2)], [.write([0, 1]), .read(count: 1)], [.write([UInt8](repeating: 0, count: 34))],
                [.write([0]), .read(count: 33)], [.write([0]), .write([1])],
                [.write([0]), .read(count: 1), .read(count: 1)],
            ]
            for messages in transfers {
                let error = await failure { _ = try await device.transfer(messages) }
                #expect(error?.code == .unsupported)
                #expect(error?.description.contains("SMBus commands only") == true)
            }
            device.close()
        },
        i2c("A check byte that fits is taken, and one that does not is an error of its own") { bench in
            let checked = I2CConfiguration(checksPackets: true)
            let device = try await bench.i2c("I2C1", 0x70, checked)
            // All that is read is zero: with this code the check byte over all of it is zero too, with others not.
            let fitting = try #require((UInt8.min...UInt8.max).first { check([0xE0, $0, 0xE1, 0x00]) == 0 })
            #expect(try await device.readByte(fitting) == 0)
            #expect(await failure { _ = try await device.readByte(fitting ^ 1) }?.code == .corrupted)
            #expect(await failure { _ = try await device.readWord(fitting ^ 1) }?.code == .corrupted)
            // No check byte in what is written, which is acknowledged, in raw transfers and in I2C blocks.
            _ = try await device.perform(.writeByte(1, 2))
            #expect(try await device.readRegister(I2CRegister(fitting ^ 1)) == 0)
            #expect(try await device.perform(.readI2CBlock(fitting ^ 1, count: 2)) == [0, 0])
            device.close()
            #expect(await failure { _ = try await bench.i2c("STUB", 0x70, checked) }?.code == .unsupported)
        },
    ]

    private static let i2cBuses: [Behaviour] = [
        i2c("A bus tells what its controller can do") { bench in
            let raw = try await bench.board.i2cFunctionality(of: "I2C1")
            #expect(raw.isSuperset(of: [.rawMessages, .tenBitAddresses, .packetErrorChecking, .readBlock, .quick]))
            let stub = try await bench.board.i2cFunctionality(of: "STUB")
            #expect(
                stub == [
                    .quick, .receiveByte, .sendByte, .readByte, .writeByte, .readWord, .writeWord, .readI2CBlock,
                    .writeI2CBlock,
                ])
            let device = try await bench.i2c("STUB", 0x70)
            #expect(device.functionality == stub)
            device.close()
            #expect(await failure { _ = try await bench.board.i2cFunctionality(of: "I2C17") }?.code == .notFound)
        },
        i2c("A scan finds who is there, leaves the kernel's drivers alone, and disturbs nobody") { bench in
            let device = try await bench.i2c("STUB", 0x70)
            try await device.writeRegisters(from: 0x00, Array(1...16))
            _ = try await device.perform(.sendByte(0x05))
            let sensor = try #require(I2CAddress(0x70))
            let held = try #require(I2CAddress(0x48))
            #expect(try await bench.board.scanI2CBus("STUB").findings == [sensor: .answered, held: .answered])
            try bench.bindKernelDriver(to: held, on: "STUB")
            defer { try? bench.unbindKernelDriver(from: held, on: "STUB") }
            #expect(
                try await bench.board.scanI2CBus("STUB").findings
                    == [sensor: .answered, held: .heldByKernel(driver: "dummy")])
            #expect(try await device.perform(.receiveByte) == [6])
            #expect(try await device.readRegisters(from: 0x00, count: 16) == Array(1...16))
            device.close()
        },
        i2c("On an empty bus a scan finds nobody, where all acknowledge it finds all of them") { bench in
            #expect(try await bench.board.scanI2CBus("I2C3").findings.isEmpty)
            let all = try await bench.board.scanI2CBus("I2C1").findings
            #expect(all.count == 112)
            #expect(all.values.allSatisfy { $0 == .answered })
        },
        i2c("An address that a driver of the kernel, or another device, holds is busy, and the error says whose it is")
        {
            bench in
            let held = try #require(I2CAddress(0x48))
            try bench.bindKernelDriver(to: held, on: "STUB")
            let bound = await failure { _ = try await bench.i2c("STUB", 0x48) }
            #expect(bound?.code == .busy)
            #expect(bound?.description.contains("STUB 0x48 is held by a driver of the kernel") == true)
            try bench.unbindKernelDriver(from: held, on: "STUB")
            let device = try await bench.board.makeI2CDevice(bus: "STUB", address: held, consumer: "sign")
            let error = await failure { _ = try await bench.i2c("STUB", 0x48) }
            #expect(error?.code == .busy)
            #expect(error?.description.contains("'sign'") == true)
            device.close()
            try await bench.i2c("STUB", 0x48).close()
        },
        i2c("Two devices on a bus at the same time never get each other's bytes") { bench in
            let devices = [try await bench.i2c("STUB", 0x70), try await bench.i2c("STUB", 0x48)]
            try await withThrowingTaskGroup(of: Int.self) { group in
                for (index, device) in devices.enumerated() {
                    group.addTask {
                        var wrong = 0
                        for round in 0..<100 {
                            let bytes = (0..<16).map { UInt8(truncatingIfNeeded: round * 2 + index + $0 * 7) }
                            try await device.writeRegisters(from: 0x40, bytes)
                            if try await device.readRegisters(from: 0x40, count: 16) != bytes { wrong += 1 }
                            if try await device.readByte(0x41) != bytes[1] { wrong += 1 }
                        }
                        return wrong
                    }
                }
                for try await wrong in group { #expect(wrong == 0) }
            }
            for device in devices { device.close() }
        },
        i2c("Timeout and retries of a bus can be set within the kernel's limits") { bench in
            for configuration in [
                I2CConfiguration(timeout: .milliseconds(1)), I2CConfiguration(timeout: .seconds(1), kernelRetries: 0),
                I2CConfiguration(kernelRetries: 3),
            ] {
                let device = try await bench.i2c("I2C1", 0x70, configuration)
                #expect(try await device.read(count: 1) == [0])
                device.close()
            }
            for configuration in [
                I2CConfiguration(timeout: .zero), I2CConfiguration(timeout: .seconds(10_000_000)),
                I2CConfiguration(kernelRetries: -1),
            ] {
                #expect(
                    await failure { _ = try await bench.i2c("I2C1", 0x70, configuration) }?.code == .invalidArgument)
            }
            // As it was, for who comes after.
            try await bench.i2c("I2C1", 0x70, I2CConfiguration(timeout: .seconds(1), kernelRetries: 0)).close()
        },
        i2c("What the policy says is tried again, as often and as long as it says") { bench in
            func attempts(_ policy: I2CRetryPolicy) async throws -> (PeripheralError?, Duration) {
                let device = try await bench.i2c("I2C3", 0x42, I2CConfiguration(retries: policy))
                defer { device.close() }
                let start = bench.loop.now
                let error = await failure { try await device.write([0]) }
                return (error, bench.loop.now - start)
            }
            let (once, _) = try await attempts(.never)
            #expect(once?.message.contains("attempts") == false)
            let (thrice, time) = try await attempts(I2CRetryPolicy(attempts: 3, pause: .milliseconds(20)))
            #expect(thrice?.code == .noAcknowledge)
            #expect(thrice?.message.contains("3 attempts") == true)
            #expect(time >= .milliseconds(40))
            let (other, _) = try await attempts(I2CRetryPolicy(attempts: 3, codes: [.timedOut]))
            #expect(other?.message.contains("attempts") == false)
            let (late, _) = try await attempts(
                I2CRetryPolicy(attempts: 3, pause: .milliseconds(20), limit: .milliseconds(10)))
            #expect(late?.message.contains("attempts") == false)
        },
        i2c("A closed device throws closed, also for what was asked for before and had not begun") { bench in
            let device = try await bench.i2c("I2C1", 0x70)
            try await withThrowingTaskGroup(of: PeripheralError.Code?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        do {
                            return try await device.read(count: 100).count == 100 ? nil : .io
                        } catch let error as PeripheralError { return error.code }
                    }
                }
                group.addTask {
                    device.close()
                    device.close()
                    return .closed
                }
                for try await code in group { #expect(code == nil || code == .closed) }
            }
            #expect(await failure { _ = try await device.read(count: 1) }?.code == .closed)
            #expect(await failure { _ = try await device.perform(.receiveByte) }?.code == .closed)
            try await bench.i2c("I2C1", 0x70).close()
        },
    ]

    /// SMBus's check byte, spelled out bit by bit: CRC-8 by long division with x^8 + x^2 + x + 1.
    private static func check(_ bytes: [UInt8]) -> UInt8 {
        var remainder: UInt16 = 0
        for byte in bytes + [0] {
            for place in 0..<8 {
                remainder = remainder << 1 | UInt16(byte >> UInt8(7 - place) & 1)
                if remainder & 0x100 != 0 { remainder ^= 0x107 }
            }
        }
        return UInt8(remainder)
    }
}

extension TestBench {
    /// Opens a device on a bus.
    func i2c(
        _ bus: String, _ address: Int, _ configuration: I2CConfiguration = I2CConfiguration()
    ) async throws -> any I2CDevice {
        try await board.makeI2CDevice(
            bus: bus, address: try #require(I2CAddress(address)), configuration, consumer: "test")
    }
}
