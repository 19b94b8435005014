import Conformance
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

/// What a simulated bus can show and the kernel of the tests cannot.
@Suite("Simulated I2C")
struct I2CBusTests {
    /// Runs `body` with registers at 0x48 and a device there.
    private func withRegisters(
        _ configuration: I2CConfiguration = I2CConfiguration(), checkingPackets: Bool = false,
        _ body: @escaping @Sendable (EventLoop, SimulatedI2CBus, RegistersModel, any I2CDevice) async throws -> Void
    ) async throws {
        let address = try #require(I2CAddress(0x48))
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let bus = try board.i2cBus("I2C1")
            let registers = RegistersModel(checkingPacketsAt: checkingPackets ? address : nil)
            bus.attach(registers, at: address)
            let device = try await board.makeI2CDevice(bus: "I2C1", address: address, configuration, consumer: "test")
            try await body(loop, bus, registers, device)
            device.close()
            _ = board
        }
    }

    @Test("Bytes take nine clocks each, the address too, at the bus's speed")
    func time() async throws {
        let address = try #require(I2CAddress(0x48))
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let bus = try board.i2cBus("I2C1")
            bus.attach(RegistersModel(), at: address)
            let device = try await board.makeI2CDevice(bus: "I2C1", address: address, consumer: "test")
            var start = loop.now
            _ = try await device.writeRead([0], count: 2)
            #expect(loop.now - start == .microseconds(450))
            bus.setConditions { $0.speed = .fastMode }
            start = loop.now
            _ = try await device.writeRead([0], count: 2)
            #expect(loop.now - start == .nanoseconds(112_500))
            bus.setConditions { $0.clockStretch = .milliseconds(3) }
            start = loop.now
            _ = try await device.writeRead([0], count: 2)
            #expect(loop.now - start == .milliseconds(3) + .nanoseconds(112_500))
        }
    }

    @Test("A clock held for longer than the bus's timeout ends the transfer, and a longer timeout helps")
    func stretching() async throws {
        try await withRegisters(I2CConfiguration(timeout: .milliseconds(15))) { _, bus, _, device async throws in
            // In steps of 10 ms, rounded up.
            bus.setConditions { $0.clockStretch = .milliseconds(20) }
            #expect(try await device.readRegister(0) == 0)
            bus.setConditions { $0.clockStretch = .milliseconds(21) }
            let error = await failure { _ = try await device.readRegister(0) }
            #expect(error?.code == .timedOut)
            #expect(error?.advice?.contains("allow it more") == true)
            bus.setConditions { $0.timeout = .milliseconds(30) }
            #expect(try await device.readRegister(0) == 0)
        }
    }

    @Test("A stuck bus is reported with whom it failed, how often and since when, and works when it is free again")
    func stuck() async throws {
        let other = try #require(I2CAddress(0x50))
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let bus = try board.i2cBus("I2C1")
            bus.attachEverywhere(RegistersModel())
            let devices = [
                try await board.makeI2CDevice(
                    bus: "I2C1", address: try #require(I2CAddress(0x48)), consumer: "sensor"),
                try await board.makeI2CDevice(bus: "I2C1", address: other, consumer: "memory"),
            ]
            try await devices[0].write([0])
            bus.setConditions { $0.isStuck = true }
            for device in devices { #expect(await failure { try await device.write([0]) }?.code == .timedOut) }
            let error = await failure { try await devices[0].write([0]) }
            #expect(error?.message.contains("3 transfers in a row did, to 0x48 and 0x50") == true)
            #expect(error?.message.contains("last worked 3.0 s before") == true)
            #expect(error?.advice?.contains("unplug") == true)
            #expect(await failure { _ = try await board.scanI2CBus("I2C1") }?.code == .timedOut)
            bus.setConditions { $0.isStuck = false }
            for device in devices { try await device.write([0]) }
            bus.setConditions { $0.isStuck = true }
            let again = await failure { try await devices[0].write([0]) }
            #expect(again?.message.contains("1 transfer in a row did, to 0x48,") == true)
            for device in devices { device.close() }
        }
    }

    /// Refuses every byte from the third on, and everything as often as told.
    private final class Refusing: SimulatedI2CTarget {
        let refusals: Protected<Int>
        init(_ refusals: Int) { self.refusals = Protected(refusals) }
        func write(_ bytes: [UInt8]) throws {
            let isRefused = refusals.withLock { refusals in
                refusals -= 1
                return refusals >= 0
            }
            if isRefused || bytes.count > 2 { throw PeripheralError(.dataNotAcknowledged, "busy") }
        }
        func read(count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    }

    @Test("A byte that is refused is told apart from an address that nobody has")
    func refused() async throws {
        try await withRegisters { _, bus, _, device async throws in
            bus.attach(Refusing(0), at: device.address)
            try await device.write([1, 2])
            let error = await failure { try await device.write([1, 2, 3]) }
            #expect(error?.code == .dataNotAcknowledged)
            #expect(error?.message.contains("I2C1 0x48") == true)
            bus.detach(device.address)
            #expect(await failure { try await device.write([1, 2]) }?.code == .noAcknowledge)
        }
    }

    @Test("A policy brings a transfer through when the part is ready in time", arguments: [(2, true), (3, false)])
    func retries(refusals: Int, succeeds: Bool) async throws {
        let policy = I2CRetryPolicy(attempts: 3, codes: [.dataNotAcknowledged], pause: .milliseconds(5))
        try await withRegisters(I2CConfiguration(retries: policy)) { _, bus, _, device async throws in
            bus.attach(Refusing(refusals), at: device.address)
            if succeeds {
                try await device.write([1])
            } else {
                #expect(await failure { try await device.write([1]) }?.message.contains("3 attempts") == true)
            }
        }
    }

    @Test("Check bytes go both ways, and the part and the controller each notice a wrong one")
    func packets() async throws {
        try await withRegisters(I2CConfiguration(checksPackets: true), checkingPackets: true) {
            _, bus, registers, device in
            _ = try await device.perform(.writeByte(0x10, 0xA5))
            #expect(registers[0x10] == 0xA5)
            #expect(try await device.readByte(0x10) == 0xA5)
            _ = try await device.perform(.writeWord(0x10, 0x1234))
            #expect(try await device.readWord(0x10) == 0x1234)
            // Raw transfers carry none: the part takes the last byte for one.
            #expect(await failure { try await device.writeRegister(0x10, 0xEE) }?.code == .dataNotAcknowledged)
            #expect(registers[0x10] == 0x34)
            let plain = RegistersModel()
            bus.attach(plain, at: device.address)
            plain[0x10] = 0xA5
            #expect(await failure { _ = try await device.readByte(0x10) }?.code == .corrupted)
        }
    }

    /// Answers a block read with three bytes, and a block call with the sum of what it got.
    private final class Blocks: SimulatedI2CTarget {
        private let sent = Protected<[UInt8]>([])
        func write(_ bytes: [UInt8]) { sent.withLock { $0 = bytes } }
        func read(count: Int) -> [UInt8] {
            let bytes = sent.withLock { $0 }
            let answer: [UInt8] = bytes.count > 1 ? [1, bytes.dropFirst(2).reduce(0, &+)] : [3, 7, 8, 9]
            return Array((answer + [UInt8](repeating: 0xFF, count: count)).prefix(count))
        }
    }

    @Test("A block is as long as its target says")
    func blocks() async throws {
        try await withRegisters { _, bus, _, device async throws in
            bus.attach(Blocks(), at: device.address)
            #expect(try await device.perform(.readBlock(0x20)) == [7, 8, 9])
            #expect(try await device.perform(.blockProcessCall(0x20, [1, 2, 4])) == [7])
        }
    }

    @Test("A controller that can do nothing opens and does nothing")
    func nothing() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let bus = board.addI2CBus("NONE")
            bus.setConditions { $0.functionality = [] }
            bus.attachEverywhere(RegistersModel())
            let address = try #require(I2CAddress(0x48))
            let device = try await board.makeI2CDevice(bus: "NONE", address: address, consumer: "test")
            #expect(await failure { try await device.write([1]) }?.code == .unsupported)
            #expect(await failure { _ = try await device.perform(.receiveByte) }?.code == .unsupported)
            let findings = try await board.scanI2CBus("NONE").findings
            #expect(findings.count == 112 && findings.values.allSatisfy { $0 == .notAsked })
            // With one of the two questions, only those that it fits are asked.
            bus.setConditions { $0.functionality = .receiveByte }
            let some = try await board.scanI2CBus("NONE").findings
            #expect(
                some.filter { $0.value == .answered }.keys.sorted().map(\.rawValue) == Array(0x30...0x37)
                    + Array(0x50...0x5F))
            device.close()
        }
    }

    @Test("A device that is closed while it waits for the bus does not touch the wire, and one that has begun ends")
    func closing() async throws {
        try await withRegisters { loop, _, registers, device async throws in
            try await withThrowingTaskGroup(of: PeripheralError.Code?.self) { group in
                for value: UInt8 in [1, 2] {
                    group.addTask {
                        do {
                            try await device.writeRegister(0x10, value)
                            return nil
                        } catch let error as PeripheralError { return error.code }
                    }
                }
                // Three bytes take 270 µs.
                try await loop.sleep(for: .microseconds(100))
                device.close()
                var codes: [PeripheralError.Code?] = []
                for try await code in group { codes.append(code) }
                #expect(codes.filter { $0 == .closed }.count == 1)
                #expect(codes.filter { $0 == nil }.count == 1)
            }
            #expect(registers[0x10] != 0)
        }
    }

    @Test(
        "An address of seven bits never becomes one of ten",
        arguments: [(0x170, nil), (0x78, nil), (0x07, nil), (0x70, 0x70)] as [(Int, UInt16?)])
    func addresses(number: Int, expected: UInt16?) throws {
        #expect(I2CAddress(number)?.rawValue == expected)
        let wide = try #require(I2CAddress(tenBit: number))
        #expect(wide != I2CAddress(number))
        #expect(wide.description.hasSuffix("(10-bit)"))
        #expect(I2CAddress(tenBit: 0x400) == nil)
        #expect(I2CAddress(tenBit: -1) == nil)
    }
}
