import DeviceDaemon
import DeviceKit

extension Verb {
    /// The backends' own tables: the same that `check` validates against.
    static let backends = Verb(
        name: "backends", summary: "lists the storage backends, or one backend's options", operands: "[NAME]",
        choices: descriptions.map(\.name)
    ) { arguments in
        guard let name = arguments.operands.first else {
            Output.print(Table.text(descriptions.map { ($0.name, $0.summary) }))
            return .success
        }
        guard let backend = descriptions.first(where: { $0.name == name }) else {
            let advice = advice(for: name, among: descriptions.map(\.name))
            throw CommandFailure(.usage, "perch backends: there is no backend '\(name)'; \(advice)")
        }
        var reference = Reference(backend)
        reference.addStorageOptions()
        Output.print(reference.text)
        return .success
    }

    private static var descriptions: [BackendDescription] { standardStorage.map(\.description) }
}
