internal import DeviceKit

extension ConfigurationReader {
    mutating func storage(_ node: YAMLNode) -> [StorageConfiguration] {
        guard let entries = mapping(node, "a mapping of storage names, such as here: { backend: \(exampleBackend) }")
        else { return [] }
        return entries.compactMap { storage($0) }
    }

    private mutating func storage(_ entry: YAMLNode.Entry) -> StorageConfiguration? {
        let isNamed = isName(entry.key, at: entry.keyPosition)
        guard
            let entries = mapping(entry.value, "a mapping with the backend, such as { backend: \(exampleBackend) }"),
            let backend = choice("backend", in: entries, backends, \.name, of: entry)
        else { return nil }
        let reading = options(
            entries.filter { $0.key != "backend" }, backend.options + UploadOptions.table, "option",
            of: "backend \(backend.name)",
            at: entry.keyPosition)
        guard isNamed, reading.isValid else { return nil }
        return StorageConfiguration(
            name: entry.key, backend: backend, options: reading.values, texts: reading.texts,
            limits: UploadOptions.limits(reading.values), position: entry.keyPosition)
    }

    private var exampleBackend: String { backends.first?.name ?? "directory" }
}
