import DeviceKit
import MCP3008Driver
import SimulatedPeripherals

/// One input of an MCP3008 on a device's SPI target.
struct MCP3008Part: SimulatedPart {
    private static let volts = Option("to", .measure(.volts, 0...5.5), "what it becomes")

    static let model = PartModel(
        driver: MCP3008.driver.name,
        stimuli: [CommandDescription("voltage", "the voltage at the input changes", arguments: [volts.description])]
    ) { wiring in
        let target = try wiring.board.spiTarget(wiring.options[MCP3008.target])
        // The devices of its other inputs have the same chip.
        let chip = target.part as? MCP3008Model ?? MCP3008Model()
        target.attach(chip)
        chip.setReference(try wiring.options[MCP3008.reference])
        return MCP3008Part(chip: chip, channel: try wiring.options[MCP3008.channel])
    }

    let chip: MCP3008Model
    let channel: Int

    func apply(_ stimulus: Command) throws {
        guard stimulus.name == "voltage" else { throw DeviceError.unknownCommand(stimulus.name) }
        chip.setVoltage(try stimulus.arguments[Self.volts], at: channel)
    }
}
