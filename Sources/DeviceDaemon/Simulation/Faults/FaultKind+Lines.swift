import DeviceKit
import Peripherals
import SimulatedPeripherals

// What goes wrong with digital lines.

extension FaultKind {
    static let dropEdge = edgeFault(
        "drop-edge", "the kernel misses an edge; the level changes all the same", .droppedEdge)
    static let doubleEdge = edgeFault("double-edge", "the kernel reports an edge twice", .doubledEdge)

    static let glitch: FaultKind = {
        let width = Option(
            "width", .duration(.microseconds(1)...(.seconds(60))), default: "50us", "how long the pulse is")
        return FaultKind(
            "glitch", "a wire catches a pulse of the other level", .wires([.line]),
            [line.description, width.description]
        ) { site in
            let width = try site[width]
            return try site.atEachLine { line in
                line.glitch(for: width)
                return {}
            }
        }
    }()

    static let stall = FaultKind(
        "stall", "the program is not told of a line's edges, as if it stood still; the kernel's queue fills up",
        .wires([.line]), [line.description, Fault.duration.description]
    ) { site in
        try site.atEachLine { line in
            line.setStalled(true)
            return { line.setStalled(false) }
        }
    }

    private static let line = Option("line", .target("a line, such as GPIO17, or the device on it"), "which line")

    private static func edgeFault(_ name: String, _ summary: String, _ effect: LineFault.Effect) -> FaultKind {
        let edge = Option(
            "edge", .choice(["rising": Edge?.some(.rising), "falling": .some(.falling), "any": .none]), default: "any",
            "which edges count")
        return FaultKind(
            name, summary, .wires([.line]), [line.description, edge.description] + OccasionOptions.descriptions
        ) { site in
            let fault = LineFault(effect, of: try site[edge], try OccasionOptions.read(site.values))
            return try site.atEachLine { $0.inject(fault) }
        }
    }
}

extension FaultSite {
    fileprivate func atEachLine(_ body: (SimulatedLine) throws -> EndOfFault) throws -> EndOfFault {
        try atEachWire { wire in
            guard case .line(let name) = wire else { return {} }
            return try body(try board.line(name))
        }
    }
}
