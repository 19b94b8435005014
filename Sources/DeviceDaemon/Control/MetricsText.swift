/// Text in Prometheus' exposition format (https://prometheus.io/docs/instrumenting/exposition_formats): families of
/// samples, each with what it means.
struct MetricsText {
    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    struct Sample {
        /// What follows the family's name: `_bucket` of a histogram.
        var suffix = ""
        var labels: KeyValuePairs<String, String> = [:]
        var value: Double
    }

    private(set) var text = ""

    /// Adds a family. One without samples is left out: what is not known has no value.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
            text += "\(name)\(sample.suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.text(sample.value))\n"
        }
    }

    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        add(name, kind, help, value.map { [Sample(value: $0)] } ?? [])
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    /// Whole numbers without a fraction, however large.
    static func text(_ value: Double) -> String {
        if let whole = Int64(exactly: value) { return "\(whole)" }
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return "\(value)"
    }
}
