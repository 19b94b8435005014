import DeviceDaemon
import DeviceKit

extension Verb {
    /// The drivers' own tables: the same that `check` validates against.
    static let drivers = Verb(
        name: "drivers", summary: "lists the drivers, or one driver's options, events and commands", operands: "[NAME]"
    ) { arguments in
        guard let name = arguments.operands.first else {
            Output.print(table(standardDrivers.map { ($0.name, $0.summary) }, indent: ""))
            return .success
        }
        guard let driver = standardDrivers.first(where: { $0.name == name }) else {
            let names = standardDrivers.map(\.name).joined(separator: ", ")
            throw CommandFailure(.usage, "perch drivers: there is no driver '\(name)'; there are \(names)")
        }
        Output.print(describe(driver))
        return .success
    }

    private static func describe(_ driver: Driver) -> String {
        var sections = ["\(driver.name): \(driver.summary)"]
        func add(_ title: String, _ rows: [(String, String)]) {
            if !rows.isEmpty { sections.append("\(title)\n\(table(rows, indent: "  "))") }
        }
        add("Options", driver.options.map(row))
        add("Events", driver.events.map(row))
        add("States", driver.states.map { ($0.name, $0.summary + needs($0.need)) })
        add("Commands", driver.commands.map { ($0.name, $0.summary) })
        for command in driver.commands { add("Arguments of \(command.name)", command.arguments.map(row)) }
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

    private static func row(_ option: OptionDescription) -> (String, String) {
        let standard = option.defaultText.map { $0.isEmpty ? "none" : $0 }
        return (
            option.name,
            "\(option.summary)\n\(option.expectation); \(standard.map { "default: \($0)" } ?? "must be given")"
        )
    }

    /// Two columns; further lines of the second one are indented below its first.
    private static func table(_ rows: [(String, String)], indent: String) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let margin = indent + String(repeating: " ", count: width + 2)
            let first = indent + name + String(repeating: " ", count: width + 2 - name.count) + (lines.first ?? "")
            return ([first] + lines.dropFirst().map { margin + $0 }).joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
