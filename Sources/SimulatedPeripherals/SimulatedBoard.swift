public import DeviceRuntime
public import Peripherals

/// A board that exists in memory, with the names of a Raspberry Pi's header, in the loop's time.
///
/// Opens the same peripherals with the same errors as the real board. What is on its wires is up to parts that
/// are attached to it (``SimulatedLine/drive(_:)``, ``SimulatedI2CBus/attach(_:at:)`` …) or to a test.
public final class SimulatedBoard: Board {
    public let name = "simulated"
    public let loop: EventLoop
    public let trace: Trace

    /// By the offset on the chip.
    private let chipLines: [SimulatedLine]
    private let lines: [String: SimulatedLine]
    private let buses: [String: SimulatedI2CBus]
    private let channels: [String: SimulatedPWMChannel]
    private let targets: [String: SimulatedSPITarget]
    private let camera: SimulatedCamera
    private let generator: Protected<SeededGenerator>

    /// `lineInterface` is the kernel's interface for the digital lines.
    public init(loop: EventLoop, seed: UInt64 = 0, lineInterface: LineInterface = .libgpiod2) {
        self.loop = loop
        let trace = Trace(clock: loop)
        self.trace = trace
        func table<Peripheral>(_ names: [String], _ make: (String) -> Peripheral) -> [String: Peripheral] {
            Dictionary(uniqueKeysWithValues: names.map { ($0, make($0)) })
        }
        let chipLines = (0...27).map {
            SimulatedLine(name: "GPIO\($0)", interface: lineInterface, loop: loop, trace: trace)
        }
        self.chipLines = chipLines
        lines = Dictionary(uniqueKeysWithValues: chipLines.map { ($0.name, $0) })
        buses = table(["I2C0", "I2C1", "I2C3"]) { SimulatedI2CBus(name: $0, loop: loop, trace: trace) }
        channels = table((0...3).map { "PWM\($0)" }) { SimulatedPWMChannel(name: $0, trace: trace) }
        targets = table(["SPI0.0", "SPI0.1"]) { SimulatedSPITarget(name: $0, loop: loop, trace: trace) }
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
        if let offset = Self.kernelNames.firstIndex(of: name) { return chipLines[offset] }
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

    /// As on a Raspberry Pi, where the first two lines are those of the ID EEPROM.
    private static let kernelNames = ["ID_SDA", "ID_SCL"] + (2...27).map { "GPIO\($0)" }

    public func i2cBus(_ name: String) throws -> SimulatedI2CBus { try find(name, in: buses, "I2C bus") }
    public func pwmChannel(_ name: String) throws -> SimulatedPWMChannel { try find(name, in: channels, "PWM channel") }
    public func spiTarget(_ name: String) throws -> SimulatedSPITarget { try find(name, in: targets, "SPI target") }

    private func find<Peripheral>(_ name: String, in table: [String: Peripheral], _ noun: String) throws -> Peripheral {
        if let peripheral = table[name] { return peripheral }
        let names = table.keys.sorted { ($0.count, $0) < ($1.count, $1) }.joined(separator: ", ")
        throw PeripheralError(.notFound, "board simulated has no \(noun) \(name)", advice: "it has \(names)")
    }

    // MARK: The program's side

    public func gpioChips() async throws -> [GPIOChipFacts] {
        let lines = zip(chipLines, Self.kernelNames).map { line, kernelName in
            GPIOChipFacts.Line(
                name: kernelName, headerName: line.name, direction: line.isOutput ? .output : .input,
                holder: line.holder)
        }
        return [GPIOChipFacts(name: "gpiochip0", label: Self.chipLabel, lines: lines)]
    }

    public func makeDigitalInput(
        _ line: String, _ configuration: DigitalInputConfiguration, consumer: String
    ) async throws -> any DigitalInput {
        try self.line(line).openInput(configuration, consumer: consumer)
    }

    public func makeDigitalOutput(
        _ line: String, _ configuration: DigitalOutputConfiguration, consumer: String
    ) async throws -> any DigitalOutput {
        try self.line(line).openOutput(configuration, consumer: consumer)
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
        try pwmChannel(channel).open(consumer: consumer)
    }

    public func makeI2CDevice(bus: String, address: I2CAddress, consumer: String) async throws -> any I2CDevice {
        try i2cBus(bus).openDevice(address, consumer: consumer)
    }

    public func makeSPIDevice(
        _ target: String, _ configuration: SPIConfiguration, consumer: String
    ) async throws -> any SPIDevice {
        try spiTarget(target).open(configuration, consumer: consumer)
    }

    public func makeStillCamera(
        _ configuration: StillCameraConfiguration, consumer: String
    ) async throws -> any StillCamera {
        camera
    }
}
