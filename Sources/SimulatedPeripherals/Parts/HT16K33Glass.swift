import SegmentGlyphs

/// What is soldered to an HT16K33: which of its 128 LEDs is where. Bit 16n + k of the RAM is the one between COMn and
/// ROWk. The wiring is that of the common backpacks, as their libraries and schematics have it.
public struct HT16K33Glass: Sendable {
    enum Place: Sendable, Hashable {
        case fourteen(digit: Int, FourteenSegment)
        case seven(digit: Int, SevenSegment)
        case dot(Dot)
        case point(x: Int, y: Int)
    }

    /// A dot that belongs to no digit.
    enum Dot: Sendable, Hashable {
        case colon
        case upperLeft
        case lowerLeft
        case upperRight
    }

    enum Colour: String, Sendable, Hashable {
        case red
        case green
        case yellow
    }

    struct Lamp: Sendable {
        let bit: Int
        let place: Place
        let colour: Colour
    }

    enum Kind: Sendable {
        case fourteen
        case seven(isLarge: Bool)
        case points(width: Int, height: Int)
        case bar
    }

    /// As the driver's option names it: `alphanumeric`.
    public let name: String
    let kind: Kind
    let lamps: [Lamp]

    private init(_ name: String, _ kind: Kind, _ lamps: [Lamp]) {
        self.name = name
        self.kind = kind
        self.lamps = lamps
    }

    private static func lamp(com: Int, row: Int, _ place: Place, _ colour: Colour) -> Lamp {
        Lamp(bit: 16 * com + row, place: place, colour: colour)
    }

    /// All that are known, by the names of the driver's option `layout`.
    public static let all = [alphanumeric, sevenSegment, largeSevenSegment, matrix, wideMatrix, wing, bicolour, bar]

    /// Four 14-segment characters: a character is a COM, its segments A to N and the point are ROW0 to ROW14.
    public static let alphanumeric = HT16K33Glass(
        "alphanumeric", .fourteen,
        (0..<4).flatMap { digit in
            (0..<15).map { row in
                lamp(com: digit, row: row, .fourteen(digit: digit, FourteenSegment(rawValue: 1 << row)), .yellow)
            }
        })

    /// Four digits with points: COM0, 1, 3 and 4, ROW0 to ROW7; the colon is ROW1 of COM2.
    public static let sevenSegment = HT16K33Glass(
        "7-segment", .seven(isLarge: false),
        digits(segments: 8) + [lamp(com: 2, row: 1, .dot(.colon), .red)])

    /// Four digits without points, and five dots in COM2.
    public static let largeSevenSegment = HT16K33Glass(
        "7-segment-large", .seven(isLarge: true),
        digits(segments: 7) + [
            lamp(com: 2, row: 1, .dot(.colon), .red), lamp(com: 2, row: 2, .dot(.upperLeft), .red),
            lamp(com: 2, row: 3, .dot(.lowerLeft), .red), lamp(com: 2, row: 4, .dot(.upperRight), .red),
        ])

    private static func digits(segments: Int) -> [Lamp] {
        [0, 1, 3, 4].enumerated().flatMap { digit, com in
            (0..<segments).map { row in
                lamp(com: com, row: row, .seven(digit: digit, SevenSegment(rawValue: 1 << row)), .red)
            }
        }
    }

    /// Each line is a COM; the first column is ROW7, the second ROW0.
    public static let matrix = HT16K33Glass(
        "8x8", .points(width: 8, height: 8),
        points(8, 8).map { x, y in lamp(com: y, row: x == 0 ? 7 : x - 1, .point(x: x, y: y), .red) })

    /// Each line is a COM, each column a ROW.
    public static let wideMatrix = HT16K33Glass(
        "16x8", .points(width: 16, height: 8),
        points(16, 8).map { x, y in lamp(com: y, row: x, .point(x: x, y: y), .red) })

    /// Each column of a half is a COM, each line a ROW: ROW0 to ROW7 in the left half, ROW8 to ROW15 in the right one.
    public static let wing = HT16K33Glass(
        "16x8-wing", .points(width: 16, height: 8),
        points(16, 8).map { x, y in lamp(com: x % 8, row: x < 8 ? y : y + 8, .point(x: x, y: y), .red) })

    /// Each line is a COM; green is ROW0 to ROW7, red ROW8 to ROW15.
    public static let bicolour = HT16K33Glass(
        "8x8-bicolour", .points(width: 8, height: 8),
        points(8, 8).flatMap { x, y in
            [
                lamp(com: y, row: x, .point(x: x, y: y), .green), lamp(com: y, row: x + 8, .point(x: x, y: y), .red),
            ]
        })

    /// Two packages of twelve bars: four bars a COM, red from ROW0 in the first package and from ROW4 in the second,
    /// green eight rows further.
    public static let bar = HT16K33Glass(
        "bar-24", .bar,
        (0..<24).flatMap { index in
            let (package, place) = index.quotientAndRemainder(dividingBy: 12)
            let row = 4 * package + place % 4
            return [
                lamp(com: place / 4, row: row, .point(x: index, y: 0), .red),
                lamp(com: place / 4, row: row + 8, .point(x: index, y: 0), .green),
            ]
        })

    private static func points(_ width: Int, _ height: Int) -> [(Int, Int)] {
        (0..<height).flatMap { y in (0..<width).map { ($0, y) } }
    }
}
