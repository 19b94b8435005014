public import DeviceKit
public import LinuxPeripherals
internal import SimulatedPeripherals

/// A board that a configuration can name, and the names of what is on it.
public struct BoardDescription: Sendable {
    public var name: String
    /// By kind. Of a kind that is missing only the board itself knows the names.
    public var peripherals: [PeripheralKind: [String]]

    public init(name: String, peripherals: [PeripheralKind: [String]] = [:]) {
        self.name = name
        self.peripherals = peripherals
    }

    public init(_ profile: BoardProfile) {
        func sorted(_ names: some Sequence<String>) -> [String] { names.sorted { ($0.count, $0) < ($1.count, $1) } }
        name = profile.name
        peripherals = [
            .pwmChannel: sorted(profile.pwmChannels.keys), .i2cBus: sorted(profile.i2cBuses.keys),
            .spiTarget: sorted(profile.spiTargets.keys), .serialPort: sorted(profile.serialPorts.keys),
        ]
        // A profile without lines takes them by the kernel's names.
        if !profile.lines.isEmpty { peripherals[.line] = sorted(profile.lines.keys) }
    }

    static let simulated = BoardDescription(
        name: "simulated",
        peripherals: [
            .line: SimulatedBoard.lineNames, .pwmChannel: SimulatedBoard.pwmChannelNames,
            .i2cBus: SimulatedBoard.i2cBusNames, .spiTarget: SimulatedBoard.spiTargetNames,
            .serialPort: SimulatedBoard.serialPortNames,
        ])
}
