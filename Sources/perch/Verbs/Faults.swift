import DeviceDaemon
import DeviceKit

extension Verb {
    /// The faults' own tables: the same that scenarios are validated against.
    static let faults = Verb(
        name: "faults", summary: "lists what can go wrong on the simulated board, or one fault's options",
        operands: "[NAME]", choices: standardFaults.map(\.name)
    ) { arguments in
        guard let name = arguments.operands.first else {
            Output.print(Table.text(standardFaults.map { ($0.name, $0.summary) }))
            return .success
        }
        guard let fault = standardFaults.first(where: { $0.name == name }) else {
            let advice = advice(for: name, among: standardFaults.map(\.name))
            throw CommandFailure(.usage, "perch faults: there is no fault '\(name)'; \(advice)")
        }
        let rows = fault.options.enumerated().map { index, option in
            var row = Table.row(option)
            if index == 0 { row.0 = fault.name }
            return row
        }
        Output.print("\(fault.name): \(fault.summary)\n\nOptions\n\(Table.text(rows, indent: "  "))")
        return .success
    }
}
