// Sizes as a person writes them: in the units of disks and files, each a thousand of the one before.

private let units: [(name: String, bytes: Int)] = [
    ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000), ("B", 1),
]

/// Reads `500kB`, `64MB`, `1.5GB`; `nil` for anything else, a bare number included.
func bytes(configurationText text: String) -> Int? {
    guard let unit = units.first(where: { text.hasSuffix($0.name) }),
        let number = Double(text.dropLast(unit.name.count).filter { $0 != " " }), number >= 0, number < 1e6
    else { return nil }
    return Int((number * Double(unit.bytes)).rounded())
}

/// The shortest text that reads back as so many bytes.
func configurationText(bytes: Int) -> String {
    let unit = units.first { bytes != 0 && bytes.isMultiple(of: $0.bytes) } ?? ("B", 1)
    return "\(bytes / unit.bytes)\(unit.name)"
}

extension OptionKind<Int> {
    /// A number of bytes with its unit.
    public static func size(_ range: ClosedRange<Int>) -> OptionKind {
        let limits = [range.lowerBound, range.upperBound].map { configurationText(bytes: $0) }
        return OptionKind("a size from \(limits[0]) to \(limits[1]), such as 64MB") { input in
            guard case .scalar(let text) = input, let size = bytes(configurationText: text), range.contains(size) else {
                return nil
            }
            return size
        }
    }
}
