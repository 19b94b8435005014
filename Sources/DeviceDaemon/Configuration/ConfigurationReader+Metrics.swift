internal import DeviceKit

/// The options of `metrics:`.
private enum MetricsOptions {
    static let file = Option(
        "file", OptionKind<String>.text, "the path of the file that is written, ending in .prom")
    static let interval = Option(
        "every", .duration(.seconds(1)...(.seconds(3600))), default: "1min", "how often it is written")
    static let table = [file.description, interval.description]
}

extension ConfigurationReader {
    /// `metrics: { file: /run/perch/perch.prom, every: 1min }`
    mutating func metrics(_ node: YAMLNode) -> MetricsFile? {
        let keys = MetricsOptions.table.map(\.name).joined(separator: " and ")
        guard let entries = mapping(node, "a mapping with the keys \(keys)") else { return nil }
        let reading = options(entries, MetricsOptions.table, "option", of: "metrics", at: node.position)
        guard let path = try? reading.values[MetricsOptions.file],
            let interval = try? reading.values[MetricsOptions.interval]
        else { return nil }
        guard path.hasPrefix("/"), path.hasSuffix(".prom") else {
            diagnostics.report(
                reading.positions["file"] ?? node.position,
                "expected a path from / on that ends in .prom, which is what node_exporter looks for; "
                    + "found \(quoted(path))")
            return nil
        }
        return MetricsFile(path: path, interval: interval)
    }
}
