import Peripherals

/// Lines that are opened as one: all or none.
final class SimulatedInputGroup: DigitalInputGroup {
    private let inputs: [any DigitalInput]

    init(_ lines: [SimulatedLine], bias: Bias, consumer: String) throws {
        let configuration = DigitalInputConfiguration(bias: bias, edges: [])
        // Those before one that is refused are given back as the array is let go of.
        inputs = try lines.map { try $0.openInput(configuration, consumer: consumer) }
    }

    var names: [String] { inputs.map(\.name) }

    func read() throws -> [Level] { try inputs.map { try $0.read() } }

    func close() { for input in inputs { input.close() } }
}

/// Lines that are opened as one: all or none.
final class SimulatedOutputGroup: DigitalOutputGroup {
    private let outputs: [SimulatedDigitalOutput]

    init(_ lines: [SimulatedLine], initialLevels: [Level], drive: Drive, consumer: String) throws {
        // No line changes if another one is refused.
        if let held = lines.first(where: { $0.holder != nil }) { try held.ownership.hold(by: consumer) }
        outputs = try zip(lines, initialLevels).map { line, level in
            try line.openOutput(DigitalOutputConfiguration(initialLevel: level, drive: drive), consumer: consumer)
        }
    }

    var names: [String] { outputs.map(\.name) }

    func write(_ levels: [Level]) throws {
        // Closed is told before a wrong number is.
        if levels.count != outputs.count { try outputs.first?.checkOpen() }
        try checkGroup(names, levels: levels.count)
        for (output, level) in zip(outputs, levels) { try output.write(level) }
    }

    func close() { for output in outputs { output.close() } }
}
