import SegmentGlyphs

/// What a person sees on a glass, in text. `lit` are the bits of the RAM that are on.
extension HT16K33Glass {
    private func isLit(_ dot: Dot, _ lit: Set<Int>) -> Bool {
        lamps.contains { $0.place == .dot(dot) && lit.contains($0.bit) }
    }

    private func fourteen(_ lit: Set<Int>) -> [FourteenSegment] {
        var digits = [FourteenSegment](repeating: [], count: 4)
        for lamp in lamps where lit.contains(lamp.bit) {
            if case .fourteen(let digit, let segment) = lamp.place { digits[digit].insert(segment) }
        }
        return digits
    }

    private func seven(_ lit: Set<Int>) -> [SevenSegment] {
        var digits = [SevenSegment](repeating: [], count: 4)
        for lamp in lamps where lit.contains(lamp.bit) {
            if case .seven(let digit, let segment) = lamp.place { digits[digit].insert(segment) }
        }
        return digits
    }

    /// What can be read: a point belongs to the character before it, and `\u{FFFD}` stands for segments that form no
    /// character. `nil` for a glass that shows pictures.
    func text(_ lit: Set<Int>) -> String? {
        func word(_ read: (character: Character, hasPoint: Bool)?) -> String {
            guard let (character, hasPoint) = read else { return "\u{FFFD}" }
            return hasPoint ? "\(character)." : "\(character)"
        }
        switch kind {
        case .fourteen: return fourteen(lit).map { word($0.character) }.joined()
        case .seven:
            let digits = seven(lit).map { word($0.character) }
            let left =
                switch (isLit(.upperLeft, lit), isLit(.lowerLeft, lit)) {
                case (true, true): ":"
                case (true, false): "'"
                case (false, true): "."
                case (false, false): ""
                }
            let (colon, right) = (isLit(.colon, lit) ? ":" : "", isLit(.upperRight, lit) ? "°" : "")
            return left + digits[0] + digits[1] + colon + digits[2] + right + digits[3]
        case .points, .bar: return nil
        }
    }

    /// What it looks like, in rows of text: digits as they are, points as `#`, or as `r`, `g` and `y` where they have
    /// colours.
    func rows(_ lit: Set<Int>) -> [String] {
        switch kind {
        case .fourteen: return Self.side(by: fourteen(lit).map(\.drawing))
        case .seven(let isLarge):
            let digits = seven(lit).map(\.drawing)
            func dots(_ upper: Bool, _ lower: Bool) -> [String] {
                ["  ", upper ? "o " : "  ", "  ", lower ? "o " : "  ", "  "]
            }
            let colon = isLit(.colon, lit)
            let left = isLarge ? [dots(isLit(.upperLeft, lit), isLit(.lowerLeft, lit))] : []
            let right = isLarge ? [[isLit(.upperRight, lit) ? "o " : "  "] + [String](repeating: "  ", count: 4)] : []
            return Self.side(by: left + digits[..<2] + [dots(colon, colon)] + [digits[2]] + right + [digits[3]])
        case .points(let width, let height): return pointRows(width, height, lit)
        case .bar: return pointRows(24, 1, lit)
        }
    }

    private func pointRows(_ width: Int, _ height: Int, _ lit: Set<Int>) -> [String] {
        let colours = colours(lit)
        let isSingle = Set(lamps.map(\.colour)).count == 1
        return (0..<height).map { y in
            (0..<width).map { x in
                switch colours[.point(x: x, y: y)] {
                case nil: "."
                case .some where isSingle: "#"
                case .red: "r"
                case .green: "g"
                case .yellow: "y"
                }
            }.joined()
        }
    }

    /// The colour that each lit place has: red and green together are yellow.
    func colours(_ lit: Set<Int>) -> [Place: Colour] {
        lamps.reduce(into: [:]) { colours, lamp in
            guard lit.contains(lamp.bit) else { return }
            colours[lamp.place] = colours[lamp.place].map { $0 == lamp.colour ? $0 : .yellow } ?? lamp.colour
        }
    }

    /// Drawings of the same height beside each other.
    static func side(by drawings: [[String]]) -> [String] {
        (0..<(drawings.first?.count ?? 0)).map { row in drawings.map { $0[row] }.joined() }
    }
}
