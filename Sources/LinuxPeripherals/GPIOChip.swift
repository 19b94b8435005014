internal import CGPIOD
internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// A GPIO chip: one `/dev/gpiochipN`. The number may change from boot to boot; the label does not.
struct GPIOChip {
    var path: String
    var label: String
    var lineCount: UInt32

    struct Line {
        /// Empty where the kernel has none.
        var name: String
        /// Who holds it; `nil` when nobody does.
        var consumer: String?
        var isOutput: Bool
    }

    /// Throws ``SystemError``.
    init(path: String) throws {
        var facts = perch_gpio_chip_facts()
        try systemCall("open \(path)") { perch_gpio_read_chip(path, &facts) }
        self.path = path
        label = text(&facts.label)
        lineCount = facts.line_count
    }

    /// All lines, in the order of their offsets. Throws ``SystemError``.
    func lines() throws -> [Line] {
        var facts = [perch_gpio_line_facts](repeating: perch_gpio_line_facts(), count: Int(lineCount))
        try systemCall("read the lines of \(path)") { perch_gpio_read_lines(path, &facts, lineCount) }
        return facts.indices.map { index in
            let consumer = text(&facts[index].consumer)
            let holder = consumer.isEmpty ? "the kernel" : consumer
            return Line(
                name: text(&facts[index].name), consumer: facts[index].is_used != 0 ? holder : nil,
                isOutput: facts[index].is_output != 0)
        }
    }

    /// What the kernel says of it, with the header's names if it is the one among `chips` that has the header. Throws
    /// ``SystemError``.
    func facts(_ profile: BoardProfile?, among chips: [GPIOChip]) throws -> GPIOChipFacts {
        let isHeader = profile?.gpioChips(among: chips, label: \.label).first?.path == path
        let headerNames = Dictionary(
            (isHeader ? profile?.lines ?? [:] : [:]).map { ($0.value, $0.key) }, uniquingKeysWith: { min($0, $1) })
        let lines = try lines().enumerated().map { offset, line in
            GPIOChipFacts.Line(
                name: line.name.isEmpty ? nil : line.name, headerName: headerNames[offset],
                direction: line.isOutput ? .output : .input, holder: line.consumer)
        }
        return GPIOChipFacts(name: path.split(separator: "/").last.map(String.init) ?? path, label: label, lines: lines)
    }

    /// The chips of this system, and the error of the last one that could not be opened.
    static func all() throws -> (chips: [GPIOChip], error: SystemError?) {
        var chips: [GPIOChip] = []
        var failure: SystemError?
        for name in try SystemFiles.names(in: "/dev", prefix: "gpiochip", withLinks: false) {
            do { chips.append(try GPIOChip(path: "/dev/\(name)")) } catch let error as SystemError { failure = error }
        }
        return (chips, failure)
    }
}

/// The text in a C array of characters.
private func text<Characters>(_ characters: inout Characters) -> String {
    withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
