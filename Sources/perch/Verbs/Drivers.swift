import DeviceDaemon
import DeviceKit

extension Verb {
    /// The drivers' own tables: the same that `check` validates against.
    static let drivers = Verb(
        name: "drivers", summary: "lists the drivers, or one driver's options, events and commands", operands: "[NAME]"
    ) { arguments in
        guard let name = arguments.operands.first else {
            Output.print(Table.text(standardDrivers.map { ($0.name, $0.summary) }))
            return .success
        }
        guard let driver = standardDrivers.first(where: { $0.name == name }) else {
            let advice = advice(for: name, among: standardDrivers.map(\.name))
            throw CommandFailure(.usage, "perch drivers: there is no driver '\(name)'; \(advice)")
        }
        Output.print(describe(driver))
        return .success
    }

    private static func describe(_ driver: Driver) -> String {
        var sections = ["\(driver.name): \(driver.summary)"]
        func add(_ title: String, _ rows: [(String, String)]) {
            if !rows.isEmpty { sections.append("\(title)\n\(Table.text(rows, indent: "  "))") }
        }
        add("Options", driver.options.map(Table.row))
        add("Events", driver.events.map(row))
        add("States", driver.states.map { ($0.name, $0.summary + needs($0.need)) })
        add("Commands", driver.commands.map { ($0.name, $0.summary) })
        for command in driver.commands { add("Arguments of \(command.name)", command.arguments.map(Table.row)) }
        guard let model = standardParts.first(where: { $0.driver == driver.name }) else {
            return sections.joined(separator: "\n\n")
        }
        add("What can happen to the simulated part", model.stimuli.map { ($0.name, $0.summary) })
        for stimulus in model.stimuli { add("Arguments of \(stimulus.name)", stimulus.arguments.map(Table.row)) }
        add("What can be seen of it", model.observations.map { ($0.name, $0.summary) })
        return sections.joined(separator: "\n\n")
    }

    private static func needs(_ need: Need?) -> String { need.map { "\nneeds \($0.text)" } ?? "" }

    private static func row(_ event: EventDescription) -> (String, String) {
        let fields = event.fields.map { field in
            "\n\(field.name) (\(([field.kind.rawValue] + unit(of: field)).joined(separator: ", "))): \(field.summary)"
        }
        let recorded = event.recordClass == .alert ? "" : "\nrecorded as a \(event.recordClass.rawValue)"
        return (event.name, event.summary + fields.joined() + needs(event.need) + recorded)
    }

    private static func unit(of field: FieldDescription) -> [String] {
        switch field.unit {
        case nil: []
        case .option(let name): ["in the unit that the option \(name) says"]
        case let unit?: unit.symbol.map { [$0] } ?? []
        }
    }
}
