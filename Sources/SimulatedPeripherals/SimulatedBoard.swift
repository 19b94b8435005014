public import DeviceRuntime
public import Peripherals

/// A board that exists in memory, with the names of a Raspberry Pi's header unless told otherwise, in the loop's time.
///
/// Opens the same peripherals with the same errors as the real board. What is on its wires is up to parts that
/// are attached to it (``SimulatedLine/drive(_:)``, ``SimulatedI2CBus/attach(_:at:)`` …) or to a test.
public final class SimulatedBoard: Board {
    public let name = "simulated"
    public let loop: EventLoop
    public let trace: Trace
    public let camera: SimulatedCamera

    /// By the offset on the chip.
    /// The lines, in the order that the chip has them.
    public let chipLines: [SimulatedLine]
    private let lines: [String: SimulatedLine]
    private let buses: Protected<[String: SimulatedI2CBus]>
    private let channels: [String: SimulatedPWMChannel]
    private let targets: [String: SimulatedSPITarget]
    private let ports: Protected<[String: SimulatedSerialPort]>
    private let sensors = Protected<[KernelSensorName: SimulatedKernelSensor]>([:])
    private let generator: Protected<SeededGenerator>

    /// `lineInterface` is the kernel's interface for the digital lines.
    public init(
        loop: EventLoop, seed: UInt64 = 0, names: Names = Names(), lineInterface: LineInterface = .libgpiod2
    ) {
        self.loop = loop
        let trace = Trace(clock: loop)
        self.trace = trace
        func table<Peripheral>(_ names: [String], _ make: (String) -> Peripheral) -> [String: Peripheral] {
            Dictionary(names.map { ($0, make($0)) }, uniquingKeysWith: { first, _ in first })
        }
        let lines = table(names.lines) {
            SimulatedLine(name: $0, interface: lineInterface, loop: loop, trace: trace)
        }
        self.lines = lines
        chipLines = names.lines.compactMap { lines[$0] }
        buses = Protected(table(names.i2cBuses) { SimulatedI2CBus(name: $0, loop: loop, trace: trace) })
        channels = table(names.pwmChannels) { SimulatedPWMChannel(name: $0, loop: loop, trace: trace) }
        let busyUntil = Protected(Duration.zero)
        targets = table(names.spiTargets) {
            SimulatedSPITarget(name: $0, loop: loop, trace: trace, busyUntil: busyUntil)
        }
        ports = Protected(
            table(names.serialPorts) { SimulatedSerialPort(name: $0, loop: loop, trace: trace) })
        camera = SimulatedCamera(loop: loop, trace: trace)
        generator = Protected(SeededGenerator(seed: seed))
    }

    /// A generator of its own for each part, so that attaching one more leaves the others' numbers alone... as
    /// long as the order in which parts are attached stays the same.
    public func makeGenerator() -> SeededGenerator { generator.withLock { SeededGenerator(seed: $0.next()) } }

    // MARK: The wires' side

    /// The label of the chip that has the lines.
    public static let chipLabel = "simulated"

    /// By its name on the header, by the kernel's name, or by the chip's label and its offset there. Throws
    /// `notFound`, listing the names that exist.
    public func line(_ name: String) throws -> SimulatedLine {
        let headerName = Self.kernelNames.first { $0.value == name }?.key
        if let line = headerName.flatMap({ lines[$0] }) { return line }
        if let colon = name.lastIndex(of: ":"), let offset = Int(name[name.index(after: colon)...]) {
            let label = name[..<colon]
            guard label == Self.chipLabel else {
                throw PeripheralError(.notFound, "there is no GPIO chip '\(label)'; there is \(Self.chipLabel)")
            }
            guard chipLines.indices.contains(offset) else {
                throw PeripheralError(
                    .notFound, "\(label) has no line \(offset); it has 0 to \(chipLines.count - 1)")
            }
            return chipLines[offset]
        }
        return try find(name, in: lines, "digital line")
    }

    /// The kernel calls the lines as the header does, except those of the ID EEPROM on a Raspberry Pi.
    private static let kernelNames = ["GPIO0": "ID_SDA", "GPIO1": "ID_SCL"]

    public func i2cBus(_ name: String) throws -> SimulatedI2CBus {
        try find(name, in: buses.withLock { $0 }, "I2C bus")
    }
    public func pwmChannel(_ name: String) throws -> SimulatedPWMChannel { try find(name, in: channels, "PWM channel") }
    public func spiTarget(_ name: String) throws -> SimulatedSPITarget { try find(name, in: targets, "SPI target") }

    /// A port of the board, or that of any path: one that was not there before is made.
    public func serialPort(_ name: String) throws -> SimulatedSerialPort {
        try ports.withLock { ports in
            if ports[name] == nil, name.hasPrefix("/") {
                ports[name] = SimulatedSerialPort(name: name, loop: loop, trace: trace)
            }
            return try find(name, in: ports, "serial port")
        }
    }

    /// Adds an I2C bus, or gives the one of that name.
    @discardableResult
    public func addI2CBus(_ name: String) -> SimulatedI2CBus {
        buses.withLock { buses in
            let bus = buses[name] ?? SimulatedI2CBus(name: name, loop: loop, trace: trace)
            buses[name] = bus
            return bus
        }
    }

    /// A sensor of the kernel, which is plugged in if it was not there before.
    @discardableResult
    public func addKernelSensor(_ name: KernelSensorName) -> SimulatedKernelSensor {
        sensors.withLock { sensors in
            let sensor = sensors[name] ?? SimulatedKernelSensor(name, loop: loop)
            sensors[name] = sensor
            return sensor
        }
    }

    /// Takes a sensor of the kernel away.
    public func removeKernelSensor(_ name: KernelSensorName) {
        sensors.withLock {
            $0[name]?.unplug(); $0[name] = nil
        }
    }

    private func find<Peripheral>(_ name: String, in table: [String: Peripheral], _ noun: String) throws -> Peripheral {
        if let peripheral = table[name] { return peripheral }
        let names = table.keys.sorted { ($0.count, $0) < ($1.count, $1) }.joined(separator: ", ")
        throw PeripheralError(.notFound, "board simulated has no \(noun) \(name)", advice: "it has \(names)")
    }

    // MARK: The program's side

    public func gpioChips() async throws -> [GPIOChipFacts] {
        let lines = chipLines.map { line in
            GPIOChipFacts.Line(
                name: Self.kernelNames[line.name] ?? line.name, headerName: line.name,
                direction: line.isOutput ? .output : .input,
                holder: line.holder)
        }
        return [GPIOChipFacts(name: "gpiochip0", label: Self.chipLabel, lines: lines)]
    }

    public func makeDigitalInput(
        _ line: String, _ configuration: DigitalInputConfiguration, consumer: String
    ) async throws -> any DigitalInput {
        try checkChipSelect(line)
        return try self.line(line).openInput(configuration, consumer: consumer)
    }

    public func makeDigitalOutput(
        _ line: String, _ configuration: DigitalOutputConfiguration, consumer: String
    ) async throws -> any DigitalOutput {
        try checkChipSelect(line)
        return try self.line(line).openOutput(configuration, consumer: consumer)
    }

    public func makeDigitalInputGroup(
        _ lines: [String], bias: Bias, consumer: String
    ) async throws -> any DigitalInputGroup {
        try SimulatedInputGroup(try group(lines), bias: bias, consumer: consumer)
    }

    public func makeDigitalOutputGroup(
        _ lines: [String], initialLevels: [Level], drive: Drive, consumer: String
    ) async throws -> any DigitalOutputGroup {
        try checkGroup(lines, levels: initialLevels.count)
        return try SimulatedOutputGroup(
            try group(lines), initialLevels: initialLevels, drive: drive, consumer: consumer)
    }

    private func group(_ names: [String]) throws -> [SimulatedLine] {
        try checkGroup(names)
        let lines = try names.map { try line($0) }
        guard Set(lines.map(\.name)).count == lines.count else {
            throw PeripheralError(.invalidArgument, "\(names.joined(separator: " and ")) name a line twice")
        }
        return lines
    }

    public func makePWMOutput(_ channel: String, consumer: String) async throws -> any PWMOutput {
        try await pwmChannel(channel).open(consumer: consumer)
    }

    public func makeI2CDevice(
        bus: String, address: I2CAddress, _ configuration: I2CConfiguration, consumer: String
    ) async throws -> any I2CDevice {
        try i2cBus(bus).openDevice(address, configuration, consumer: consumer)
    }

    public func i2cFunctionality(of bus: String) async throws -> I2CFunctionality {
        try i2cBus(bus).conditions.functionality
    }

    public func scanI2CBus(_ bus: String) async throws -> I2CScan { try await i2cBus(bus).scan() }

    public func makeSPIDevice(
        _ target: String, _ configuration: SPIConfiguration, consumer: String
    ) async throws -> any SPIDevice {
        try spiTarget(target).open(configuration, consumer: consumer)
    }

    public func makeSerialPort(
        _ port: String, _ configuration: SerialConfiguration, consumer: String
    ) async throws -> any SerialPort {
        try serialPort(port).open(configuration, consumer: consumer)
    }

    public func makeKernelSensor(_ name: KernelSensorName, consumer: String) async throws -> any KernelSensor {
        let (sensor, names) = sensors.withLock { sensors in
            (sensors[name], sensors.keys.filter { $0.sensorClass == name.sensorClass }.map(\.name).sorted())
        }
        guard let sensor else { throw PeripheralError.noSensor(name, among: names) }
        return SimulatedKernelSensorOpening(sensor)
    }

    /// A Raspberry Pi's kernel holds these lines while SPI is on; here it is on while one of its targets is open.
    private func checkChipSelect(_ line: String) throws {
        guard let select = ["GPIO8": 0, "GPIO7": 1][line], targets.values.contains(where: { $0.holder != nil }) else {
            return
        }
        throw PeripheralError(
            .busy, "\(line) is held by 'spi0 CS\(select)'", cause: "EBUSY (16)",
            advice: "it is a chip select of SPI: choose another line")
    }

    public func makeStillCamera(
        _ configuration: StillCameraConfiguration, consumer: String
    ) async throws -> any StillCamera {
        camera.open(configuration)
    }

    public func makeFrameStream(
        _ configuration: FrameStreamConfiguration, consumer: String
    ) async throws -> any FrameStream {
        SimulatedFrameStream(configuration, loop: loop)
    }
}
