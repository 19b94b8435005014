public import DeviceDaemon
public import DeviceKit
import DeviceRuntime
import SimulatedPeripherals
import TMP102Driver

/// A TMP102 on a simulated board: its registers, and what a measurement does to them.
public struct TMP102Part: SimulatedPart {
    public static let celsius = Option("to", .measure(.celsius, -55...125), "what it becomes")
    public static let model = PartModel(
        driver: TMP102.driver.name,
        stimuli: [CommandDescription("temperature", "it gets warmer or colder", arguments: [celsius.description])]
    ) { wiring in
        let around = Protected(21.0)
        let temperature = Register("temperature", at: 0x00, bytes: 2, .readOnly)
        let configuration = Register("configuration", at: 0x01, bytes: 2, reset: 0x60A0) { registers, value in
            guard value & 0x8100 == 0x8100 else { return }
            registers.after(.milliseconds(26)) { $0[temperature] = Int(around.withLock { $0 } * 16) << 4 }
        }
        let chip = RegistersModel([temperature, configuration], numbering: .registers, clock: wiring.board.loop)
        try wiring.board.i2cBus(wiring.options[TMP102.bus]).attach(chip, at: wiring.options[TMP102.address])
        return TMP102Part(around: around)
    }

    private let around: Protected<Double>

    public func apply(_ stimulus: Command) throws {
        let celsius = try stimulus.arguments[Self.celsius]
        around.withLock { $0 = celsius }
    }
}
