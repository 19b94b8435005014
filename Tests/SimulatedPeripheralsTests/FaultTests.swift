import Conformance
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

/// What can be made to go wrong on the wires.
@Suite("Faults of the simulated board")
struct FaultTests {
    /// Runs `body` with registers that hold their own numbers at 0x48, and a device there.
    private func withRegisters(
        _ body: @escaping @Sendable (EventLoop, SimulatedI2CBus, RegistersModel, any I2CDevice) async throws -> Void
    ) async throws {
        let address = try #require(I2CAddress(0x48))
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let bus = try board.i2cBus("I2C1")
            let registers = RegistersModel()
            for register in UInt8.min...UInt8.max { registers[register] = register }
            bus.attach(registers, at: address)
            let device = try await board.makeI2CDevice(bus: "I2C1", address: address, consumer: "test")
            try await body(loop, bus, registers, device)
            device.close()
        }
    }

    @Test("The third write is not acknowledged, the others and all reads are")
    func thirdWrite() async throws {
        try await withRegisters { _, bus, registers, device in
            bus.inject(I2CFault(.addressNotAcknowledged, of: .writes, FaultOccasions(first: 3)), at: device.address)
            var codes: [PeripheralError.Code?] = []
            for number in 1...4 {
                do {
                    try await device.write([0x10, UInt8(number)])
                    codes.append(nil)
                } catch let error as PeripheralError {
                    codes.append(error.code)
                }
                _ = try await device.readRegister(0)
            }
            #expect(codes == [nil, nil, .noAcknowledge, nil])
            #expect(registers[0x10] == 4)
        }
    }

    @Test("A fault is at its address, and only until it is ended")
    func scope() async throws {
        let other = try #require(I2CAddress(0x50))
        try await withRegisters { _, bus, _, device in
            bus.inject(I2CFault(.addressNotAcknowledged, FaultOccasions(count: nil)), at: other)
            try await device.write([0])
            let end = bus.inject(I2CFault(.byteNotAcknowledged, FaultOccasions(count: nil)))
            for _ in 1...3 { #expect(await failure { try await device.write([0]) }?.code == .dataNotAcknowledged) }
            end()
            end()
            try await device.write([0])
        }
    }

    @Test("Flipped bits change what is read, or what is only written, and nothing else")
    func flips() async throws {
        try await withRegisters { _, bus, registers, device in
            bus.inject(I2CFault(.flippedBits(mask: 0x81, byte: 1), of: .reads))
            let found1 = try await device.writeRead([0x20], count: 3)
            #expect(found1 == [0x20, 0x21 ^ 0x81, 0x22])
            let found2 = try await device.writeRead([0x20], count: 3)
            #expect(found2 == [0x20, 0x21, 0x22])
            bus.inject(I2CFault(.flippedBits(mask: 0x0F, byte: 1), of: .writes))
            try await device.write([0x30, 0xA0])
            #expect(registers[0x30] == 0xAF)
            // There is no such byte: nothing happens.
            bus.inject(I2CFault(.flippedBits(mask: 0xFF, byte: 9)))
            let found3 = try await device.readRegister(0x20)
            #expect(found3 == 0x20)
        }
    }

    @Test("A check byte tells that bits were flipped")
    func checkedFlips() async throws {
        let address = try #require(I2CAddress(0x48))
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let bus = try board.i2cBus("I2C1")
            bus.attach(RegistersModel(checkingPacketsAt: address), at: address)
            let device = try await board.makeI2CDevice(
                bus: "I2C1", address: address, I2CConfiguration(checksPackets: true), consumer: "test")
            bus.inject(I2CFault(.flippedBits(mask: 0x01, byte: 0), of: .reads))
            #expect(await failure { _ = try await device.perform(.readByte(0x10)) }?.code == .corrupted)
            bus.inject(I2CFault(.flippedBits(mask: 0x01, byte: 1), of: .writes))
            #expect(await failure { _ = try await device.perform(.writeByte(0x10, 7)) }?.code == .dataNotAcknowledged)
            device.close()
        }
    }

    @Test("An interrupted call is made again, which takes the bus's time again, and nobody else notices")
    func interruption() async throws {
        try await withRegisters { loop, bus, _, device in
            bus.inject(I2CFault(.interruption, FaultOccasions(count: 2)))
            for expected in [Duration.microseconds(720), .microseconds(720), .microseconds(360)] {
                let start = loop.now
                let found4 = try await device.readRegister(0x42)
                #expect(found4 == 0x42)
                #expect(loop.now - start == expected)
            }
        }
    }

    @Test("A bus that is held makes transfers wait, and fail when they have waited for its timeout")
    func heldBus() async throws {
        try await withRegisters { loop, bus, _, device in
            bus.setConditions { $0.heldUntil = .milliseconds(600) }
            let found5 = try await device.readRegister(0x42)
            #expect(found5 == 0x42)
            #expect(loop.now == .milliseconds(600) + .microseconds(360))
            bus.setConditions { $0.heldUntil = .seconds(10) }
            let start = loop.now
            #expect(await failure { _ = try await device.readRegister(0x42) }?.code == .timedOut)
            #expect(loop.now - start == .seconds(1))
        }
    }

    @Test("An unplugged part does not answer, and comes back as after power-on")
    func unpluggedPart() async throws {
        final class Forgetful: SimulatedI2CTarget {
            let value = Protected<UInt8>(0)
            func write(_ bytes: [UInt8]) { value.withLock { $0 = bytes.last ?? 0 } }
            func read(count: Int) -> [UInt8] { [UInt8](repeating: value.withLock { $0 }, count: count) }
            func powerOn() { value.withLock { $0 = 0xEE } }
        }
        let address = try #require(I2CAddress(0x48))
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let bus = try board.i2cBus("I2C1")
            bus.attach(Forgetful(), at: address)
            let device = try await board.makeI2CDevice(bus: "I2C1", address: address, consumer: "test")
            try await device.write([7])
            bus.setPlugged(true, at: address)
            let found6 = try await device.read(count: 1)
            #expect(found6 == [7])
            bus.setPlugged(false, at: address)
            #expect(await failure { _ = try await device.read(count: 1) }?.code == .noAcknowledge)
            bus.setPlugged(true, at: address)
            let found7 = try await device.read(count: 1)
            #expect(found7 == [0xEE])
            device.close()
        }
    }

    @Test("A dropped edge leaves the level and takes no number; a doubled one comes twice")
    func edges() async throws {
        for interface in LineInterface.allCases {
            try await EventLoop.run(time: .virtual) { loop in
                let board = SimulatedBoard(loop: loop, lineInterface: interface)
                let line = try board.line("GPIO5")
                let input = try await board.makeDigitalInput("GPIO5", .init(), consumer: "test")
                let recorder = LineRecorder()
                try input.setEventHandler { recorder.add($0) }
                line.inject(LineFault(.droppedEdge, of: .falling))
                for (number, level) in [Level.high, .low, .high].enumerated() {
                    try await loop.sleep(until: .milliseconds(number + 1))
                    line.drive(level)
                    let found8 = try input.read()
                    #expect(found8 == level)
                }
                try await loop.sleep(for: .seconds(1))
                // Two rising edges in a row show that one between them is missing.
                #expect(recorder.losses.map(\.missingEdge?.edge) == [.falling])
                #expect(recorder.losses.map(\.count) == [nil])
                #expect(recorder.events.compactMap(\.edge?.edge) == [.rising, .falling, .rising])

                line.inject(LineFault(.doubledEdge))
                line.drive(.low)
                try await loop.sleep(for: .seconds(1))
                let found9 = try input.read()
                #expect(found9 == .low)
                #expect(recorder.events.last?.edge?.edge == .falling)
            }
        }
    }

    @Test("A glitch is seen whatever drives the wire, and is over after its time")
    func glitch() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let line = try board.line("GPIO5")
            for level in [Level.low, .high] {
                line.drive(level)
                line.glitch(for: .microseconds(50))
                #expect(line.level == level.inverted)
                // What drives it meanwhile counts afterwards.
                line.drive(level.inverted)
                try await loop.sleep(for: .microseconds(51))
                #expect(line.level == level.inverted)
            }
        }
    }

    @Test("A wire without contact goes to where its bias pulls it, and back to what drives it by then")
    func looseWire() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let line = try board.line("GPIO5")
            let input = try await board.makeDigitalInput("GPIO5", .init(bias: .pullUp), consumer: "test")
            line.drive(.low)
            line.setConnected(false)
            let found10 = try input.read()
            #expect(found10 == .high)
            line.pull(.low)
            let found11 = try input.read()
            #expect(found11 == .high)
            line.setConnected(true)
            let found12 = try input.read()
            #expect(found12 == .low)
        }
    }

    @Test("Without contact a part sees no pulses, and those of the moment when it has contact again")
    func loosePulses() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let channel = try board.pwmChannel("PWM0")
            let seen = Protected<[Bool]>([])
            channel.watch { signal in seen.withLock { $0.append(signal.isEnabled) } }
            let output = try await board.makePWMOutput("PWM0", consumer: "test")
            try await output.setPeriod(.milliseconds(20))
            channel.setConnected(false)
            try await output.setPulseWidth(.milliseconds(1))
            try await output.enable()
            #expect(channel.signal.isEnabled)
            #expect(seen.withLock { $0 } == [false, false])
            channel.setConnected(true)
            #expect(seen.withLock { $0.last } == true)
            await output.close()
        }
    }

    @Test("What another process has, or the process may not open, is refused with the reason until that is over")
    func refusals() async throws {
        let address = try #require(I2CAddress(0x48))
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let openings: [(Ownership, @Sendable () async throws -> Void)] = [
                (
                    try board.line("GPIO5").ownership,
                    { @Sendable in try await board.makeDigitalInput("GPIO5", .init(), consumer: "me").close() }
                ),
                (
                    try board.pwmChannel("PWM0").ownership,
                    { @Sendable in await (try await board.makePWMOutput("PWM0", consumer: "me")).close() }
                ),
                (
                    try board.i2cBus("I2C1").ownership(of: address),
                    { @Sendable in
                        try await board.makeI2CDevice(bus: "I2C1", address: address, consumer: "me").close()
                    }
                ),
                (
                    try board.spiTarget("SPI0.0").ownership,
                    { @Sendable in
                        try await board.makeSPIDevice(
                            "SPI0.0", SPIConfiguration(maximumSpeed: .fastMode), consumer: "me"
                        ).close()
                    }
                ),
                (
                    try board.serialPort("SERIAL0").ownership,
                    { @Sendable in
                        try await board.makeSerialPort("SERIAL0", SerialConfiguration(baudRate: 9600), consumer: "me")
                            .close()
                    }
                ),
            ]
            for (ownership, open) in openings {
                let letGo = try ownership.hold(by: "others")
                let busy = await failure { try await open() }
                #expect(busy?.code == .busy)
                #expect(busy?.message.contains("'others'") == true)
                letGo()
                let allow = ownership.deny()
                let denied = await failure { try await open() }
                #expect(denied?.code == .permissionDenied)
                #expect(denied?.cause == "EACCES (13)")
                allow()
                try await open()
            }
        }
    }

    @Test("A camera that hangs is given up at its deadline; one that cannot write says why")
    func camera() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let camera = try await board.makeStillCamera(
                StillCameraConfiguration(command: ["snap", "{}"], deadline: .seconds(5)), consumer: "test")
            let start = loop.now
            let end = board.camera.inject(.hangs)
            let late = await failure { _ = try await camera.takePicture(to: "/nonexistent/x", caption: "") }
            #expect(late?.code == .timedOut)
            #expect(late?.message.contains("'snap' had not taken the picture") == true)
            #expect(loop.now - start == .seconds(5))
            end()
            board.camera.inject(.cannotWrite("No space left on device"))
            let full = await failure { _ = try await camera.takePicture(to: "/nonexistent/x", caption: "") }
            #expect(full?.cause?.contains("No space left on device") == true)
        }
    }

    @Test("Bits flip in what an SPI part answers, and without contact it answers zeros")
    func spi() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let target = try board.spiTarget("SPI0.0")
            target.attach { $0 }
            let device = try await board.makeSPIDevice(
                "SPI0.0", SPIConfiguration(maximumSpeed: .fastMode), consumer: "test")
            target.inject(SPIFault(flipping: 0x0F, inByte: 1))
            let found13 = try await device.transfer([0xA0, 0xA0])
            #expect(found13 == [0xA0, 0xAF])
            let found14 = try await device.transfer([0xA0, 0xA0])
            #expect(found14 == [0xA0, 0xA0])
            target.setConnected(false)
            let found15 = try await device.transfer([0xA0, 0xA0])
            #expect(found15 == [0, 0])
            target.setConnected(true)
            let found16 = try await device.transfer([0xA0])
            #expect(found16 == [0xA0])
            device.close()
        }
    }

    @Test("Without contact nothing arrives at either end of a serial port")
    func serial() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let port = try board.serialPort("SERIAL0")
            let opening = try await board.makeSerialPort(
                "SERIAL0", SerialConfiguration(baudRate: 9600), consumer: "test")
            port.setConnected(false)
            port.send(Array("lost".utf8))
            try await opening.write(Array("gone".utf8))
            try await opening.drain()
            #expect(port.received == [])
            port.setConnected(true)
            port.send(Array("here".utf8))
            let found17 = try await opening.read(timeout: .seconds(1))
            #expect(found17 == .bytes(Array("here".utf8)))
            opening.close()
        }
    }
}
