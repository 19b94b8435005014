internal import CaptureStore
internal import DeviceKit

/// The options of `outbox:` and of the classes in it.
enum OutboxOptions {
    static let groupTime = Option(
        "group-time", .duration(.seconds(1)...(.seconds(3600))), default: "60s", "how long a reading waits for others")
    static let groupSize = Option(
        "group-size", .integer(1...1000), default: "64", "how many readings are written without waiting")
    static let clockWait = Option(
        "clock-wait", .duration(.zero...(.seconds(3600))), default: "2min",
        "how long after boot a record waits for the clock to become right")

    static let table = [groupTime.description, groupSize.description, clockWait.description]

    static let age = Option(
        "age", .either(.duration(.seconds(60)...(.seconds(10 * 365 * 86400))), or: "unlimited"), default: "unlimited",
        "older ones are dropped")
    static let whenFull = Option(
        "when-full", OptionKind<OutboxSettings.FullPolicy>.word, default: "drop-oldest", "what makes room")

    static func size(_ standard: OutboxSettings.Bounds, in range: ClosedRange<Int64>) -> Option<Int64> {
        Option(
            "size", .size(range, example: "100MB"), default: "\(standard.bytes)B", "what they may take, files included")
    }
}

extension ConfigurationReader {
    mutating func outbox(_ node: YAMLNode) -> OutboxSettings {
        var settings = OutboxSettings()
        let classes = RecordClass.allCases.map(\.plural)
        let keys = OutboxOptions.table.map(\.name) + classes
        guard let entries = mapping(node, "a mapping with the keys \(keys.joined(separator: ", "))") else {
            return settings
        }
        _ = reportUnknown("key", in: entries, of: "outbox", known: keys)
        let reading = options(
            entries.filter { OutboxOptions.table.map(\.name).contains($0.key) }, OutboxOptions.table, "option",
            of: "outbox", at: node.position)
        settings.grouping.time = (try? reading.values[OutboxOptions.groupTime]) ?? settings.grouping.time
        settings.grouping.records = (try? reading.values[OutboxOptions.groupSize]) ?? settings.grouping.records
        settings.clockPatience = (try? reading.values[OutboxOptions.clockWait]) ?? settings.clockPatience
        for entry in entries {
            switch entry.key {
            case RecordClass.alert.plural: settings.alerts = bounds(entry, settings.alerts)
            case RecordClass.reading.plural: settings.readings = bounds(entry, settings.readings)
            case RecordClass.diagnostic.plural:
                settings.diagnostics = bounds(entry, settings.diagnostics, isInMemory: true)
            default: break
            }
        }
        return settings
    }

    private mutating func bounds(
        _ entry: YAMLNode.Entry, _ standard: OutboxSettings.Bounds, isInMemory: Bool = false
    ) -> OutboxSettings.Bounds {
        var bounds = standard
        let size = OutboxOptions.size(
            standard, in: isInMemory ? 10_000...100_000_000 : 100_000...1_000_000_000_000)
        let table =
            [size.description]
            + (isInMemory ? [] : [OutboxOptions.age.description, OutboxOptions.whenFull.description])
        guard let entries = mapping(entry.value, "a mapping, such as { size: 100MB }") else { return bounds }
        let reading = options(entries, table, "option", of: entry.key, at: entry.keyPosition)
        bounds.bytes = (try? reading.values[size]) ?? bounds.bytes
        guard !isInMemory else { return bounds }
        bounds.age = (try? reading.values[OutboxOptions.age])?.value
        if entries[OutboxOptions.whenFull.name] != nil {
            bounds.whenFull = (try? reading.values[OutboxOptions.whenFull]) ?? bounds.whenFull
        }
        return bounds
    }
}
