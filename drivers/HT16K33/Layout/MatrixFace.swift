import Peripherals

/// How a matrix or a bar graph shows things.
struct MatrixFace: DisplayFace {
    /// How the board is mounted, and how its points are wired.
    struct Orientation: Sendable, Hashable {
        enum Mirror: Sendable {
            case none
            case horizontal
            case vertical
        }

        /// Quarter turns of the picture, clockwise.
        var turns = 0
        var mirror = Mirror.none
    }

    let glass: MatrixGlass
    let chips: Int
    var orientation = Orientation()
    var glyphs: [Character: [UInt8]] = [:]
    /// What text and bars are drawn with.
    var light = MatrixGlass.Light.single

    /// A character of the font is mostly four points wide, and a gap follows.
    let stepsPerCharacter = 5

    private var isTurned: Bool { orientation.turns % 2 == 1 }
    private var chipWidth: Int { isTurned ? glass.height : glass.width }
    var width: Int { chipWidth * chips }
    var height: Int { isTurned ? glass.width : glass.height }

    // MARK: Text

    /// What may be left out to make a text fit.
    private enum Gaps: CaseIterable {
        case all
        case noneAfterMarks
        case noneBesideMarks
    }

    /// A text's columns with a gap between characters. Colons and points, the marks, can do without.
    private func columns(of text: String, _ gaps: Gaps = .all) -> [UInt8] {
        var columns: [UInt8] = []
        var before: Character?
        for character in text {
            let isNarrow =
                gaps != .all && before.map(":.".contains) ?? false
                || gaps == .noneBesideMarks && ":.".contains(character)
            if before != nil, !isNarrow { columns.append(0) }
            columns += glyphs[character] ?? MatrixFont.glyph(of: character) ?? MatrixFont.glyph(of: "?") ?? []
            before = character
        }
        return columns
    }

    func still(_ text: String, atRight: Bool) -> [UInt8]? {
        guard !glass.isBar else { return nil }
        let fitting = Gaps.allCases.lazy.map { columns(of: text, $0) }.first { $0.count <= width }
        return fitting.map { frame($0[...], from: atRight ? width - $0.count : 0) }
    }

    func moving(_ text: String, isPassing: Bool) throws -> (count: Int, frame: @Sendable (Int) -> [UInt8]) {
        guard !glass.isBar else {
            throw PeripheralError(.unsupported, "a bar graph shows no text", advice: "use 'bar' or 'frame'")
        }
        let margin = [UInt8](repeating: 0, count: isPassing ? width : 0)
        let columns = margin + columns(of: text) + margin
        let width = width
        return (max(1, columns.count - width + 1), { frame(columns.dropFirst($0).prefix(width), from: 0) })
    }

    func text(of time: ClockTime) -> String {
        time.hours + (time.hasColon ? ":" : " ") + time.minutes + (time.isAfternoon ? "." : "")
    }

    private func frame(_ columns: ArraySlice<UInt8>, from left: Int) -> [UInt8] {
        var ram = empty
        let top = (height - 8) / 2
        for (x, column) in columns.enumerated() {
            for y in 0..<8 where column & 1 << UInt8(y) != 0 { set(left + x, top + y, light, in: &ram) }
        }
        return ram
    }

    // MARK: Points

    private var empty: [UInt8] { [UInt8](repeating: 0, count: chips * HT16K33Registers.ramSize) }

    func picture(_ rows: [String]) throws -> [UInt8] {
        guard rows.count <= height, rows.allSatisfy({ $0.count <= width }) else {
            throw PeripheralError(.invalidArgument, "the glass has \(height) rows of \(width) points and no more")
        }
        var ram = empty
        for (y, row) in rows.enumerated() {
            for (x, character) in row.enumerated() {
                guard let light = light(of: character) else {
                    throw PeripheralError(
                        .invalidArgument, "'\(character)' in row \(y + 1) is no point",
                        advice: glass.isBicolour ? "use r, g, y, # and ." : "use # and .")
                }
                set(x, y, light, in: &ram)
            }
        }
        return ram
    }

    private func light(of character: Character) -> MatrixGlass.Light? {
        switch character {
        case ".", " ": []
        case "#": light
        case "r" where glass.isBicolour: .red
        case "g" where glass.isBicolour: .green
        case "y" where glass.isBicolour: .yellow
        default: nil
        }
    }

    func bar(_ part: Double) throws -> [UInt8] {
        guard glass.isBar else {
            throw PeripheralError(.unsupported, "a matrix is no bar graph", advice: "use 'frame'")
        }
        var ram = empty
        for x in 0..<Int((min(max(part, 0), 1) * Double(width)).rounded()) { set(x, 0, light, in: &ram) }
        return ram
    }

    private func set(_ x: Int, _ y: Int, _ light: MatrixGlass.Light, in ram: inout [UInt8]) {
        guard 0..<width ~= x, 0..<height ~= y else { return }
        let (chip, column) = x.quotientAndRemainder(dividingBy: chipWidth)
        let (right, bottom) = (glass.width - 1, glass.height - 1)
        var point =
            switch orientation.turns {
            case 1: (x: right - y, y: column)
            case 2: (x: right - column, y: bottom - y)
            case 3: (x: y, y: bottom - column)
            default: (x: column, y: y)
            }
        switch orientation.mirror {
        case .none: break
        case .horizontal: point.x = right - point.x
        case .vertical: point.y = bottom - point.y
        }
        for single in glass.lights where light.contains(single) {
            ram.set(chip * HT16K33Layout.bitCount + glass.bit(point.x, point.y, single))
        }
    }
}
