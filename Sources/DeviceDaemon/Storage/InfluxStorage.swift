import DeviceKit
import StorageBackends

private let url = Option(
    "url", OptionKind<String>.httpURL, "the server's address, such as http://influx.local:8086")
private let database = Option(
    "database", .text, default: "", "the database, of InfluxDB 1 and 3 and of what is compatible with them")
private let retentionPolicy = Option(
    "retention-policy", .text, default: "", "that of the database; otherwise its default one")
private let bucket = Option("bucket", .text, default: "", "the bucket, of InfluxDB 2")
private let organization = Option("organization", .text, default: "", "the bucket's organization")
private let version = Option(
    "version", .choice(["1": 1, "2": 2, "3": 3]), default: "1", "of InfluxDB: which way to write it has")
private let measurement = Option(
    "measurement", OptionKind<NamePattern>.names, default: "{part}",
    "what a point belongs to; {device}, {part} and {event} stand for those names")

let influxStorage = StorageKind(
    BackendDescription(
        name: "influxdb",
        summary: "a time series database with InfluxDB's line protocol: InfluxDB 1, 2 and 3, VictoriaMetrics",
        options: [
            url.description, version.description, database.description, retentionPolicy.description,
            bucket.description, organization.description, measurement.description,
        ] + LoginOptions.descriptions + ConnectionOptions.descriptions)
) { storage, context in
    let options = storage.options
    let target: InfluxBackend.Target
    switch try options[version] {
    case 2: target = .bucket(try required(bucket, storage), organization: try required(organization, storage))
    case 3: target = .table(database: try required(database, storage))
    default:
        let policy = try options[retentionPolicy]
        target = .database(try required(database, storage), retentionPolicy: policy.isEmpty ? nil : policy)
    }
    var connection = try ConnectionOptions.settings(options)
    connection.compression = .gzip
    return try InfluxBackend(
        name: storage.name, url: try options[url], target: target,
        credentials: try LoginOptions.credentials(options), measurement: try options[measurement],
        connection: connection, loop: context.loop)
}

/// An option that is needed with the version that was chosen.
private func required(_ option: Option<String>, _ storage: StorageConfiguration) throws -> String {
    let text = try storage.options[option]
    guard !text.isEmpty else { throw MissingStorageOption(storage: storage.name, option: option.name) }
    return text
}

struct MissingStorageOption: Error, CustomStringConvertible {
    let storage: String
    let option: String
    var description: String { "storage '\(storage)' needs the option '\(option)' with these others" }
}

extension OptionKind<NamePattern> {
    static var names: OptionKind {
        OptionKind("a name, in which {device}, {part} and {event} may stand, such as perch_{event}") { input in
            guard case .scalar(let text) = input else { return nil }
            return NamePattern(text)
        }
    }
}
