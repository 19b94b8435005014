import DeviceDaemon
import DeviceKit

/// What a driver or a backend says of itself: shown on a terminal, and in the manual page.
struct Reference {
    let name: String
    let summary: String
    private(set) var sections: [(title: String, rows: [(String, String)])] = []

    private mutating func add(_ title: String, _ rows: [(String, String)]) {
        if !rows.isEmpty { sections.append((title, rows)) }
    }

    init(_ driver: Driver) {
        name = driver.name
        summary = driver.summary
        add("Options", driver.options.map(Table.row))
        add("Events", driver.events.map(Self.row))
        add("States", driver.states.map { ($0.name, $0.summary + Self.needs($0.need)) })
        add("Commands", driver.commands.map { ($0.name, $0.summary) })
        for command in driver.commands { add("Arguments of \(command.name)", command.arguments.map(Table.row)) }
    }

    init(_ backend: BackendDescription) {
        name = backend.name
        summary = backend.summary
        add("Options", backend.options.map(Table.row))
    }

    /// Adds what the part's model on the simulated board can do and show.
    mutating func add(_ model: PartModel) {
        add("What can happen to the simulated part", model.stimuli.map { ($0.name, $0.summary) })
        for stimulus in model.stimuli { add("Arguments of \(stimulus.name)", stimulus.arguments.map(Table.row)) }
        add("What can be seen of it", model.observations.map { ($0.name, $0.summary) })
    }

    mutating func addStorageOptions() { add("Options of every storage", ConfigurationTables.storage.map(Table.row)) }

    /// For a terminal.
    var text: String {
        (["\(name): \(summary)"] + sections.map { "\($0.title)\n\(Table.text($0.rows, indent: "  "))" })
            .joined(separator: "\n\n")
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
