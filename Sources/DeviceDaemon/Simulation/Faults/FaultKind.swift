public import DeviceKit
import SimulatedPeripherals

/// A kind of fault, as a driver is a kind of part: its table of options, and how to bring it about.
///
/// The tables are the one source for scenarios, for `perch simulate --fault`, for `perch faults` and for the
/// documentation.
public struct FaultKind: Sendable {
    /// What the first option names.
    public enum Target: Sendable, Hashable {
        /// Wires of these kinds, by their own name or by that of the device that is connected to them.
        case wires([Wire.Kind])
        case storage
        /// Nothing: it is a value.
        case none
    }

    /// As a scenario names it: `unplug`.
    public let name: String
    /// One line: what goes wrong.
    public let summary: String
    public let target: Target
    /// The first one stands behind the kind's name: `unplug: sign`.
    public let options: [OptionDescription]
    /// Brings it about, and returns what ends it.
    let begin: @Sendable (FaultSite) throws -> EndOfFault

    init(
        _ name: String, _ summary: String, _ target: Target, _ options: [OptionDescription],
        begin: @escaping @Sendable (FaultSite) throws -> EndOfFault
    ) {
        self.name = name
        self.summary = summary
        self.target = target
        self.options = options
        self.begin = begin
    }
}

/// Where a fault is brought about.
struct FaultSite: Sendable {
    /// What the first option names, if that is wires.
    let wires: [Wire]
    let values: OptionValues
    let world: SimulatedWorld

    var board: SimulatedBoard { world.board }

    subscript<Value>(option: Option<Value>) -> Value {
        get throws { try values[option] }
    }

    /// Brings a fault about at each wire; what is returned ends it at all of them.
    func atEachWire(_ body: (Wire) throws -> EndOfFault) throws -> EndOfFault {
        let ends = try wires.map(body)
        return { for end in ends { end() } }
    }
}

/// Why a fault cannot be brought about.
struct FaultError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
