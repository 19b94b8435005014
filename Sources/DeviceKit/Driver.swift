/// A kind of part: its tables, and how to make a device of it.
///
/// The tables are the one source for validating a configuration, for `perch drivers`, and for the
/// documentation.
public struct Driver: Sendable {
    /// A peripheral that a device needs for itself, and the option that says which.
    public struct Claim: Sendable, Hashable {
        public let option: String
        /// Two devices that claim the same name collide: `GPIO17`, `I2C1 0x70`.
        public let name: String
        /// Unless both say the same word here: the devices for the inputs of one converter share its SPI target.
        public let sharedBy: String?

        public init(_ option: String, _ name: String, sharedBy: String? = nil) {
            self.option = option
            self.name = name
            self.sharedBy = sharedBy
        }
    }

    /// As a configuration names it: `motion-sensor`.
    public let name: String
    /// One line: what part it is for.
    public let summary: String
    public let options: [OptionDescription]
    public let events: [EventDescription]
    public let states: [StateDescription]
    public let commands: [CommandDescription]
    public let claims: @Sendable (OptionValues) throws -> [Claim]
    /// Makes the device without touching its peripherals.
    public let makeDevice: @Sendable (OptionValues, DeviceContext) throws -> any Device

    public init(
        name: String, summary: String, options: [OptionDescription], events: [EventDescription] = [],
        states: [StateDescription] = [], commands: [CommandDescription] = [],
        claims: @escaping @Sendable (OptionValues) throws -> [Claim],
        makeDevice: @escaping @Sendable (OptionValues, DeviceContext) throws -> any Device
    ) {
        self.name = name
        self.summary = summary
        self.options = options
        self.events = events
        self.states = states
        self.commands = commands
        self.claims = claims
        self.makeDevice = makeDevice
    }
}
