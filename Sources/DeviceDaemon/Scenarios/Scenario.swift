import DeviceKit
import Peripherals

/// A piece of a device's life on the simulated board: what happens to it, what goes wrong, and what has to come of it.
public struct Scenario: Sendable {
    public let name: String
    /// Where the file names it.
    public let position: SourcePosition
    public let configuration: Configuration
    /// The configuration's file, for messages.
    public let configurationPath: String
    /// What follows from chance follows from this.
    public var seed: UInt64
    public let duration: Duration
    /// About how often somebody comes by; `nil` for never.
    let visitInterval: Duration?
    let steps: [ScenarioStep]

    /// The kinds of faults that it has.
    var faultKinds: [String] {
        steps.flatMap(\.actions).compactMap { if case .fault(let fault) = $0 { fault.kind.name } else { nil } }
    }
}

/// What happens or is expected at one moment.
struct ScenarioStep: Sendable {
    enum Action: Sendable {
        case stimulus(Stimulus)
        case fault(Fault)
        case expectation(ScenarioExpectation)
    }

    /// Where the file has it.
    let position: SourcePosition
    /// Since boot.
    let time: Duration
    /// For stimuli that come again: how far apart, and how often in all.
    let interval: Duration
    let times: Int
    let actions: [Action]
}

/// What the world does to the device.
enum Stimulus: Sendable, CustomStringConvertible {
    /// Something of the table of a part's model.
    case part(device: String, Command, texts: [OptionText])
    /// The wire is driven to a level, or let go of (`nil`).
    case level(line: String, Level?)
    /// What an I2C part that has registers reads as, from a register on.
    case registers(bus: String, I2CAddress, [(register: UInt8, bytes: [UInt8])])
    /// What the far end of a serial port sends.
    case serial(port: String, [UInt8])

    /// `bell.press 80ms`
    var description: String {
        switch self {
        case .part(let device, let command, let texts):
            "\(device).\(command.name)" + texts.map { " \($0.name) \($0.text)" }.joined()
        case .level(let line, let level): "\(line) \(level.map { "\($0)" } ?? "is let go")"
        case .registers(let bus, let address, _): "\(bus) \(address) has other contents"
        case .serial(let port, let bytes): "\(port) receives \(bytes.count) bytes"
        }
    }
}
