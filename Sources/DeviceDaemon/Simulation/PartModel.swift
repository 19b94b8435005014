public import DeviceKit
public import DeviceRuntime
import Peripherals
public import SimulatedPeripherals

/// How the part behind a driver is simulated: what can happen to it, what can be seen of it, and how it is connected to
/// the wires of a device. The tables are the one source for scenarios, for `perch sim` and for the documentation.
public struct PartModel: Sendable {
    /// The name of the driver whose part this is: `button`.
    public let driver: String
    /// What the world does to it: `press`.
    public let stimuli: [CommandDescription]
    /// What a person sees of it: `text`.
    public let observations: [ObservationDescription]
    /// Makes the part and connects it.
    public let connect: @Sendable (PartWiring) throws -> any SimulatedPart

    public init(
        driver: String, stimuli: [CommandDescription] = [], observations: [ObservationDescription] = [],
        connect: @escaping @Sendable (PartWiring) throws -> any SimulatedPart
    ) {
        self.driver = driver
        self.stimuli = stimuli
        self.observations = observations
        self.connect = connect
    }
}

extension PartModel {
    /// Connects a part for a device with these options: for a driver's test.
    public func connect(to board: SimulatedBoard, _ options: OptionValues) throws -> any SimulatedPart {
        try connect(PartWiring(name: driver, options: options, board: board, generator: board.makeGenerator()))
    }
}

/// An entry of a model's table of what can be seen of the part.
public struct ObservationDescription: Sendable {
    public let name: String
    /// With the unit, if it has one: `where the horn points, in degrees`.
    public let summary: String

    public init(_ name: String, _ summary: String) {
        self.name = name
        self.summary = summary
    }
}

/// What a part is connected with.
public struct PartWiring: Sendable {
    /// The device's name in the configuration: `bell`.
    public let name: String
    /// The device's options: they say which wires.
    public let options: OptionValues
    public let board: SimulatedBoard
    /// For what follows from chance; drawn for this part alone, so that another part does not change it.
    public let generator: SeededGenerator

    public init(name: String, options: OptionValues, board: SimulatedBoard, generator: SeededGenerator) {
        self.name = name
        self.options = options
        self.board = board
        self.generator = generator
    }
}

/// A part on the simulated board.
public protocol SimulatedPart: Sendable {
    /// Lets something of the model's table of stimuli happen to it.
    func apply(_ stimulus: Command) throws

    /// What can be seen of it, by a name of the model's table; `nil` for any other.
    func observe(_ name: String) -> Value?

    /// What it looks like, as an SVG document; `nil` for a part that does not change its looks.
    var picture: String? { get }

    /// It was unplugged and has its power again: what it does not keep is gone. Not for what is on an I2C bus, which
    /// tells its target by itself (``SimulatedI2CTarget/powerOn()``).
    func powerOn()
}

extension SimulatedPart {
    public func apply(_ stimulus: Command) throws { throw DeviceError.unknownCommand(stimulus.name) }
    public func observe(_ name: String) -> Value? { nil }
    public var picture: String? { nil }
    public func powerOn() {}
}
