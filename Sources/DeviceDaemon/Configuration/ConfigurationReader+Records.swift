internal import DeviceKit

extension ConfigurationReader {
    /// How a device's events are recorded: as the driver's table says, unless the file says otherwise, for all of them
    /// or for some.
    mutating func recordClasses(_ node: YAMLNode?, of driver: Driver) -> [String: EventClass] {
        var classes = Dictionary(driver.events.map { ($0.name, $0.recordClass) }, uniquingKeysWith: { $1 })
        guard let node else { return classes }
        let names = driver.events.map(\.name)
        if let entries = node.entries {
            _ = reportUnknown("event", in: entries, of: "driver \(driver.name)", known: names)
            for entry in entries where classes[entry.key] != nil {
                classes[entry.key] = eventClass(entry.value) ?? classes[entry.key]
            }
        } else if let recordClass = eventClass(node) {
            for name in names { classes[name] = recordClass }
        }
        return classes
    }

    private mutating func eventClass(_ node: YAMLNode) -> EventClass? {
        if let recordClass = node.text.flatMap({ EventClass(rawValue: $0) }) { return recordClass }
        let names = EventClass.allCases.map(\.rawValue).joined(separator: ", ")
        diagnostics.report(
            node.position, "records: expected one of \(names), or one for each event; found \(node.found)")
        return nil
    }
}
