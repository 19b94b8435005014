import Peripherals

/// How digits show things.
struct DigitFace: DisplayFace {
    let glass: DigitGlass
    let chips: Int
    /// A person's own glyphs, which come before the font's.
    var glyphs: [Character: UInt16] = [:]
    /// Marks that are lit whatever is shown, by their names.
    var dots: Set<String> = []

    let stepsPerCharacter = 1

    var width: Int { glass.digits.count * chips }

    /// A text's digits, and the marks that some of its characters became.
    private struct Line {
        var cells: [UInt16] = []
        var marks: Set<Int> = []
    }

    /// One digit a character. A point is merged into the digit before it, and takes a digit of its own where there is
    /// none or where that one has its point already. A character without a glyph shows as `?`.
    private func line(of text: some StringProtocol, hasMarks: Bool) -> Line {
        let font = glass.font
        return text.reduce(into: Line()) { line, character in
            if hasMarks, let bits = mark(for: character, after: line.cells.count), line.marks.isDisjoint(with: bits) {
                line.marks.formUnion(bits)
                return
            }
            let glyph = glyphs[character] ?? font.glyph(of: character) ?? font.glyph(of: "?") ?? 0
            if glyph != font.point || !glass.hasPoints {
                // On a glass without points a low dash stands for one.
                line.cells.append(glass.hasPoints ? glyph : glyph == font.point ? font.lowMark : glyph & ~font.point)
            } else if let last = line.cells.last, last & font.point == 0 {
                line.cells[line.cells.count - 1] = last | font.point
            } else {
                line.cells.append(glyph)
            }
        }
    }

    private func mark(for character: Character, after count: Int) -> [Int]? {
        let (chip, place) = count.quotientAndRemainder(dividingBy: glass.digits.count)
        guard chip < chips else { return nil }
        let mark = glass.marks.first { $0.character == character && $0.place == place }
        return mark?.bits.map { chip * HT16K33Layout.bitCount + $0 }
    }

    func still(_ text: String, atRight: Bool) -> [UInt8]? {
        // A colon has its place: a shorter number before it moves to the right.
        let colon = glass.marks.first { $0.character == ":" && $0.place > 0 }
        var least = 0
        if !atRight, let colon, let end = text.firstIndex(of: ":") {
            least = max(0, colon.place - line(of: text[..<end], hasMarks: true).cells.count)
        }
        let leads = atRight ? Array((0...width).reversed()) : Set([least, 0]).sorted(by: >)
        for lead in leads {
            let line = line(of: String(repeating: " ", count: lead) + text, hasMarks: true)
            if line.cells.count <= width { return frame(line.cells, line.marks) }
        }
        return nil
    }

    func moving(_ text: String, isPassing: Bool) -> (count: Int, frame: @Sendable (Int) -> [UInt8]) {
        let margin = [UInt16](repeating: 0, count: isPassing ? width : 0)
        let cells = margin + line(of: text, hasMarks: false).cells + margin
        let width = width
        return (max(1, cells.count - width + 1), { frame(Array(cells.dropFirst($0).prefix(width)), []) })
    }

    func text(of time: ClockTime) -> String {
        let hasColon = glass.marks.contains { $0.character == ":" }
        // Without a colon the point of the hours stands for it, and without a dot above, the last point for pm.
        let separator = !time.hasColon ? "" : hasColon ? ":" : "."
        guard time.isAfternoon else { return time.hours + separator + time.minutes }
        if glass.marks.contains(where: { $0.character == "°" }) {
            return time.hours + separator + time.minutes.prefix(1) + "°" + time.minutes.suffix(1)
        }
        return time.hours + separator + time.minutes + "."
    }

    func picture(_ rows: [String]) throws -> [UInt8] {
        guard rows.count <= width else {
            throw PeripheralError(.invalidArgument, "there are \(width) digits, not \(rows.count)")
        }
        return frame(
            try rows.map { row in
                if let cell = glass.font.glyph(letters: row) { return cell }
                throw PeripheralError(
                    .invalidArgument, "'\(row)' names no segments", advice: "their letters are \(glass.font.letters)")
            }, [])
    }

    func bar(_ part: Double) throws -> [UInt8] {
        throw PeripheralError(.unsupported, "digits are no bar graph", advice: "use 'number'")
    }

    private func frame(_ cells: [UInt16], _ marks: Set<Int>) -> [UInt8] {
        var ram = [UInt8](repeating: 0, count: chips * HT16K33Registers.ramSize)
        for (index, cell) in cells.enumerated() {
            let (chip, digit) = index.quotientAndRemainder(dividingBy: glass.digits.count)
            for bit in 0..<glass.font.bitCount where cell & 1 << UInt16(bit) != 0 {
                ram.set(chip * HT16K33Layout.bitCount + glass.digits[digit] + bit)
            }
        }
        for bit in marks { ram.set(bit) }
        for chip in 0..<chips {
            for mark in glass.marks where dots.contains(mark.name) {
                for bit in mark.bits { ram.set(chip * HT16K33Layout.bitCount + bit) }
            }
        }
        return ram
    }
}

extension [UInt8] {
    /// Sets a bit, counted from bit 0 of the first byte.
    mutating func set(_ bit: Int) {
        guard indices.contains(bit / 8) else { return }
        self[bit / 8] |= 1 << UInt8(bit % 8)
    }
}
