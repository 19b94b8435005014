extension SimulatedBoard {
    /// What is on a simulated board.
    public struct Names: Sendable, Hashable {
        public var lines = (0...27).map { "GPIO\($0)" }
        public var pwmChannels = (0...3).map { "PWM\($0)" }
        public var i2cBuses = ["I2C0", "I2C1", "I2C3"]
        public var spiTargets = ["SPI0.0", "SPI0.1"]
        public var serialPorts = ["SERIAL0", "SERIAL1"]

        /// A Raspberry Pi's header.
        public init() {}
    }
}
