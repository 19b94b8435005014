import DeviceDaemon
import DeviceKit

extension Verb {
    /// The drivers' own tables: the same that `check` validates against.
    static let drivers = Verb(
        name: "drivers", summary: "lists the drivers, or one driver's options, events and commands",
        operands: "[NAME]", choices: standardDrivers.map(\.name)
    ) { arguments in
        guard let name = arguments.operands.first else {
            Output.print(Table.text(standardDrivers.map { ($0.name, $0.summary) }))
            return .success
        }
        guard let driver = standardDrivers.first(where: { $0.name == name }) else {
            let advice = advice(for: name, among: standardDrivers.map(\.name))
            throw CommandFailure(.usage, "perch drivers: there is no driver '\(name)'; \(advice)")
        }
        var reference = Reference(driver)
        if let model = standardParts.first(where: { $0.driver == driver.name }) { reference.add(model) }
        Output.print(reference.text)
        return .success
    }
}
