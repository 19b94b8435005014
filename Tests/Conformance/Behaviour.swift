public import Testing

/// Something that every board does, written once and run on each.
public struct Behaviour: Sendable, CustomTestStringConvertible {
    /// The table's section: `Digital lines`.
    public let section: String
    /// What holds, as a sentence.
    public let name: String
    /// Shows it on a bench, with `#expect`. Throws ``Unsupported`` where a board has no such thing.
    public let show: @Sendable (any TestBench) async throws -> Void

    public init(
        _ section: String, _ name: String, _ show: @escaping @Sendable (any TestBench) async throws -> Void
    ) {
        self.section = section
        self.name = name
        self.show = show
    }

    public var testDescription: String { "\(section): \(name)" }

    /// All of them, in the order of the table.
    public static let all = digitalLines + pwm + i2c + spi + serialPorts + drivers + parts

    /// Shows it and prints the line that the table in docs/ is made from.
    public func run(on bench: any TestBench) async throws {
        do {
            try await show(bench)
            print("conformance|\(section)|\(name)|yes")
        } catch let unsupported as Unsupported {
            print("conformance|\(section)|\(name)|\(unsupported.reason)")
        }
    }
}

/// A board cannot do this, and says so instead of pretending. The reason stands in the table.
public struct Unsupported: Error {
    public let reason: String
    public init(_ reason: String) { self.reason = reason }
}
