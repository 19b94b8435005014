public import Peripherals

/// A board whose peripherals are written down as they are used, or are played by a script.
///
/// It records what goes through to another board:
///
///     let recorder = ScriptRecorder(clock: loop) { print($0) }
///     let board = ScriptBoard(recording: realBoard, to: recorder)
///
/// or plays a script: every operation must be the script's next one, whose answer it gets. Peripherals that a script
/// without times does not mention are those of the board below.
///
///     let player = ScriptPlayer(try BoardScript("I2C1 0x44: read 2 -> 61 30"), loop: loop)
///     let board = ScriptBoard(playing: player, over: SimulatedBoard(loop: loop))
///     …
///     try player.finish()
public final class ScriptBoard: Board {
    private let board: any Board
    private let mediator: any Mediator

    public init(recording board: any Board, to recorder: ScriptRecorder) {
        self.board = board
        mediator = recorder
    }

    public init(playing player: ScriptPlayer, over board: any Board) {
        self.board = board
        mediator = player
    }

    public var name: String { board.name }

    public func gpioChips() async throws -> [GPIOChipFacts] { try await board.gpioChips() }

    public func scanI2CBus(_ bus: String) async throws -> I2CScan { try await board.scanI2CBus(bus) }

    public func i2cFunctionality(of bus: String) async throws -> I2CFunctionality {
        guard mediator.mediates(bus) else { return try await board.i2cFunctionality(of: bus) }
        return try await mediator.perform(bus, "functionality", .functionality) {
            try await board.i2cFunctionality(of: bus)
        }
    }

    public func makeDigitalInput(
        _ line: String, _ configuration: DigitalInputConfiguration, consumer: String
    ) async throws -> any DigitalInput {
        guard mediator.mediates(line) else {
            return try await board.makeDigitalInput(line, configuration, consumer: consumer)
        }
        let (input, debouncer) = try await mediator.open(
            line, ScriptText.text(opening: configuration), .debouncer,
            usual: configuration.debounce > .zero ? Debouncer.kernel : .none, facts: { $0.debouncer }
        ) { try await board.makeDigitalInput(line, configuration, consumer: consumer) }
        return MediatedInput(line, configuration.activeLevel, debouncer, input, mediator)
    }

    public func makeDigitalOutput(
        _ line: String, _ configuration: DigitalOutputConfiguration, consumer: String
    ) async throws -> any DigitalOutput {
        guard mediator.mediates(line) else {
            return try await board.makeDigitalOutput(line, configuration, consumer: consumer)
        }
        let output = try await mediator.open(line, ScriptText.text(opening: configuration)) {
            try await board.makeDigitalOutput(line, configuration, consumer: consumer)
        }
        return MediatedOutput(line, output, mediator)
    }

    public func makeDigitalInputGroup(
        _ lines: [String], bias: Bias, consumer: String
    ) async throws -> any DigitalInputGroup {
        let source = lines.joined(separator: "+")
        guard mediator.mediates(source) else {
            return try await board.makeDigitalInputGroup(lines, bias: bias, consumer: consumer)
        }
        let group = try await mediator.open(source, ScriptText.text(openingInputs: bias)) {
            try await board.makeDigitalInputGroup(lines, bias: bias, consumer: consumer)
        }
        return MediatedInputGroup(lines, source, group, mediator)
    }

    public func makeDigitalOutputGroup(
        _ lines: [String], initialLevels: [Level], drive: Drive, consumer: String
    ) async throws -> any DigitalOutputGroup {
        let source = lines.joined(separator: "+")
        guard mediator.mediates(source) else {
            return try await board.makeDigitalOutputGroup(
                lines, initialLevels: initialLevels, drive: drive, consumer: consumer)
        }
        let group = try await mediator.open(source, ScriptText.text(openingOutputs: initialLevels, drive)) {
            try await board.makeDigitalOutputGroup(
                lines, initialLevels: initialLevels, drive: drive, consumer: consumer)
        }
        return MediatedOutputGroup(lines, source, group, mediator)
    }

    public func makePWMOutput(_ channel: String, consumer: String) async throws -> any PWMOutput {
        guard mediator.mediates(channel) else { return try await board.makePWMOutput(channel, consumer: consumer) }
        let (output, backend) = try await mediator.open(
            channel, "open", .word, usual: PWMBackend.hardware, facts: { $0.backend }
        ) { try await board.makePWMOutput(channel, consumer: consumer) }
        return MediatedPWMOutput(channel, backend, output, mediator)
    }

    public func makeI2CDevice(
        bus: String, address: I2CAddress, _ configuration: I2CConfiguration, consumer: String
    ) async throws -> any I2CDevice {
        let source = "\(bus) \(address)"
        guard mediator.mediates(source) else {
            return try await board.makeI2CDevice(bus: bus, address: address, configuration, consumer: consumer)
        }
        let (device, functionality) = try await mediator.open(
            source, ScriptText.text(opening: configuration), .functionality,
            usual: I2CFunctionality(rawValue: .max), facts: { $0.functionality }
        ) { try await board.makeI2CDevice(bus: bus, address: address, configuration, consumer: consumer) }
        return MediatedI2CDevice(bus, address, functionality, device, mediator)
    }

    public func makeSPIDevice(
        _ target: String, _ configuration: SPIConfiguration, consumer: String
    ) async throws -> any SPIDevice {
        guard mediator.mediates(target) else {
            return try await board.makeSPIDevice(target, configuration, consumer: consumer)
        }
        let (device, facts) = try await mediator.open(
            target, ScriptText.text(opening: configuration), .spiFacts, usual: SPIFacts(), facts: { SPIFacts($0) }
        ) { try await board.makeSPIDevice(target, configuration, consumer: consumer) }
        return MediatedSPIDevice(target, configuration, facts, device, mediator)
    }

    public func makeSerialPort(
        _ port: String, _ configuration: SerialConfiguration, consumer: String
    ) async throws -> any SerialPort {
        guard mediator.mediates(port) else {
            return try await board.makeSerialPort(port, configuration, consumer: consumer)
        }
        let opened = try await mediator.open(port, ScriptText.text(opening: configuration)) {
            try await board.makeSerialPort(port, configuration, consumer: consumer)
        }
        return MediatedSerialPort(port, opened, mediator)
    }

    public func makeKernelSensor(_ name: KernelSensorName, consumer: String) async throws -> any KernelSensor {
        let source = "\(name)"
        guard mediator.mediates(source) else { return try await board.makeKernelSensor(name, consumer: consumer) }
        let sensor = try await mediator.open(source, "open") {
            try await board.makeKernelSensor(name, consumer: consumer)
        }
        return MediatedKernelSensor(name, sensor, mediator)
    }

    /// The board's own: pictures are not part of a script.
    public func makeFrameStream(
        _ configuration: FrameStreamConfiguration, consumer: String
    ) async throws -> any FrameStream {
        try await board.makeFrameStream(configuration, consumer: consumer)
    }

    public func makeStillCamera(
        _ configuration: StillCameraConfiguration, consumer: String
    ) async throws -> any StillCamera {
        // Cameras have no names on a board.
        let source = "camera of \(consumer)"
        guard mediator.mediates(source) else {
            return try await board.makeStillCamera(configuration, consumer: consumer)
        }
        let camera = try await mediator.open(source, ScriptText.text(opening: configuration)) {
            try await board.makeStillCamera(configuration, consumer: consumer)
        }
        return MediatedCamera(source, camera, mediator)
    }
}

extension Mediator {
    /// Opens a peripheral that says nothing of itself.
    fileprivate func open<Peripheral: Sendable>(
        _ source: String, _ request: String, _ live: () async throws -> Peripheral
    ) async throws -> Peripheral? {
        try await open(source, request, .none, usual: (), facts: { _ in }, live).peripheral
    }
}

extension SPIFacts {
    fileprivate init(_ device: any SPIDevice) {
        self.init(largestTransfer: device.largestTransfer, reversesBits: device.reversesBitsInSoftware)
    }
}
