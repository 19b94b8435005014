/// What is soldered to the chip: which bit of its RAM lights what. The bits of a chip are counted from bit 0 of byte 0
/// to bit 7 of byte 15, so bit 16n + k is ROWk at COMn.
struct HT16K33Layout: Sendable {
    enum Glass: Sendable {
        case digits(DigitGlass)
        case matrix(MatrixGlass)
    }

    /// As a configuration names it: `alphanumeric`.
    let name: String
    let summary: String
    let glass: Glass

    /// How many bits the RAM of a chip has.
    static let bitCount = 8 * HT16K33Registers.ramSize

    /// Whether ROW15, which can be the interrupt's pin instead, lights something.
    var usesRow15: Bool {
        let bits: [Int] =
            switch glass {
            case .digits(let glass): glass.allBits
            case .matrix(let glass): glass.allBits
            }
        return bits.contains { $0 % 16 == 15 }
    }
}

/// Digits of 7 or 14 segments.
struct DigitGlass: Sendable {
    /// A colon or dot that belongs to no digit.
    struct Mark: Sendable {
        /// As the command `dots` names it: `colon`.
        let name: String
        let bits: [Int]
        /// In a text that stands still this character lights it, when `place` digits stand before.
        let character: Character?
        let place: Int
    }

    let font: SegmentFont
    /// The first bit of each digit, from the left.
    let digits: [Int]
    /// Whether each digit has a point.
    let hasPoints: Bool
    let marks: [Mark]

    var allBits: [Int] {
        let count = font.bitCount - (hasPoints ? 0 : 1)
        return digits.flatMap { $0..<$0 + count } + marks.flatMap(\.bits)
    }
}

/// Points in rows and columns, of one or of two colours. A bar graph is one of a single row.
struct MatrixGlass: Sendable {
    let width: Int
    let height: Int
    let isBicolour: Bool
    /// The bit that lights the point at `x` from the left and `y` from above: in one of the two colours, where there
    /// are two.
    let bit: @Sendable (_ x: Int, _ y: Int, _ light: Light) -> Int

    /// What lights a point: one chip of a LED, or both.
    struct Light: OptionSet, Sendable, Hashable {
        let rawValue: UInt8
        static let green = Light(rawValue: 1)
        static let red = Light(rawValue: 2)
        static let yellow: Light = [.green, .red]
        /// Of a matrix with one colour, whichever that is.
        static let single = Light.green
    }

    /// The single lights that a point has.
    var lights: [Light] { isBicolour ? [.green, .red] : [.single] }

    var isBar: Bool { height == 1 }

    var allBits: [Int] {
        (0..<height).flatMap { y in (0..<width).flatMap { x in lights.map { bit(x, y, $0) } } }
    }
}
