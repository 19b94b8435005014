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

    static let simulated: BoardDescription = {
        let names = SimulatedBoard.Names()
        return BoardDescription(
            name: "simulated",
            peripherals: [
                .line: names.lines, .pwmChannel: names.pwmChannels, .i2cBus: names.i2cBuses,
                .spiTarget: names.spiTargets, .serialPort: names.serialPorts,
            ])
    }()
}

extension Configuration {
    /// What is on the simulated board in place of the configuration's own: of a board's file what that names, and
    /// otherwise a Raspberry Pi's header.
    var simulatedNames: SimulatedBoard.Names {
        var names = SimulatedBoard.Names()
        guard let boardProfile else { return names }
        let board = BoardDescription(boardProfile)
        names.lines = board.peripherals[.line] ?? names.lines
        names.pwmChannels = board.peripherals[.pwmChannel] ?? []
        names.i2cBuses = board.peripherals[.i2cBus] ?? []
        names.spiTargets = board.peripherals[.spiTarget] ?? []
        names.serialPorts = board.peripherals[.serialPort] ?? []
        return names
    }
}
