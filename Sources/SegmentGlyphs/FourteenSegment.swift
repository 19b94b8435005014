/// The segments of a 14-segment digit, with the bits that the common backpacks wire them to.
///
///      --A--
///     |\ | /|      F H J K B
///      -G1 G2-
///     |/ | \|      E L M N C
///      --D--  DP
public struct FourteenSegment: OptionSet, Sendable, Hashable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let top = FourteenSegment(rawValue: 1 << 0)  // A
    public static let upperRight = FourteenSegment(rawValue: 1 << 1)  // B
    public static let lowerRight = FourteenSegment(rawValue: 1 << 2)  // C
    public static let bottom = FourteenSegment(rawValue: 1 << 3)  // D
    public static let lowerLeft = FourteenSegment(rawValue: 1 << 4)  // E
    public static let upperLeft = FourteenSegment(rawValue: 1 << 5)  // F
    public static let middleLeft = FourteenSegment(rawValue: 1 << 6)  // G1
    public static let middleRight = FourteenSegment(rawValue: 1 << 7)  // G2
    public static let upperLeftDiagonal = FourteenSegment(rawValue: 1 << 8)  // H
    public static let upperVertical = FourteenSegment(rawValue: 1 << 9)  // J
    public static let upperRightDiagonal = FourteenSegment(rawValue: 1 << 10)  // K
    public static let lowerLeftDiagonal = FourteenSegment(rawValue: 1 << 11)  // L
    public static let lowerVertical = FourteenSegment(rawValue: 1 << 12)  // M
    public static let lowerRightDiagonal = FourteenSegment(rawValue: 1 << 13)  // N
    public static let point = FourteenSegment(rawValue: 1 << 14)  // DP

    /// The glyph of a printable ASCII character or of `°`; `nil` for any other.
    public init?(_ character: Character) {
        guard let glyph = Self.font[character] else { return nil }
        self = glyph
    }

    /// Segments by their letters in the drawing above, with `1` and `2` for G1 and G2, and `.`; `nil` if there are
    /// others.
    public init?(letters text: String) {
        var glyph: FourteenSegment = []
        for letter in text {
            guard let segment = Self.letters[letter] else { return nil }
            glyph.formUnion(segment)
        }
        self = glyph
    }

    /// The character that these segments show, and whether a point stands behind it; `nil` where they show none.
    ///
    /// A few characters look alike (`C` and `[`, `:` and `|`): the one that stands first in ASCII is returned.
    public var character: (character: Character, hasPoint: Bool)? {
        if let character = Self.characters[self] { return (character, false) }
        return Self.characters[subtracting(.point)].map { ($0, true) }
    }

    /// Perch's own font: each character with its segments, in the letters of the drawing above; `1` and `2`
    /// are G1 and G2, `.` is the point.
    private static let table: [(character: Character, segments: String)] = [
        (" ", ""), ("!", "BC."), ("\"", "BF"), ("#", "BCD12JM"), ("$", "ACDF12JM"), ("%", "CFKL"), ("&", "ADEHKN"),
        ("'", "J"), ("(", "KN"), (")", "HL"), ("*", "12HJKLMN"), ("+", "12JM"), (",", "L"), ("-", "12"), (".", "."),
        ("/", "KL"), ("0", "ABCDEFKL"), ("1", "BCK"), ("2", "ABDE12"), ("3", "ABCD2"), ("4", "BCF12"), ("5", "ADF1N"),
        ("6", "ACDEF12"), ("7", "ABC"), ("8", "ABCDEF12"), ("9", "ABCDF12"), (":", "JM"), (";", "JL"), ("<", "1KN"),
        ("=", "D12"), (">", "2HL"), ("?", "AB2M"), ("@", "ABDEF2J"), ("A", "ABCEF12"), ("B", "ABCD2JM"), ("C", "ADEF"),
        ("D", "ABCDJM"), ("E", "ADEF12"), ("F", "AEF1"), ("G", "ACDEF2"), ("H", "BCEF12"), ("I", "ADJM"), ("J", "BCDE"),
        ("K", "EF1KN"), ("L", "DEF"), ("M", "BCEFHK"), ("N", "BCEFHN"), ("O", "ABCDEF"), ("P", "ABEF12"),
        ("Q", "ABCDEFN"), ("R", "ABEF12N"), ("S", "ACDF12"), ("T", "AJM"), ("U", "BCDEF"), ("V", "EFKL"),
        ("W", "BCEFLN"), ("X", "HKLN"), ("Y", "HKM"), ("Z", "ADKL"), ("[", "ADEF"), ("\\", "HN"), ("]", "ABCD"),
        ("^", "LN"), ("_", "D"), ("`", "H"), ("a", "DE1M"), ("b", "CDEF12"), ("c", "DE12"), ("d", "BCDE12"),
        ("e", "DE1L"), ("f", "12KM"), ("g", "BCD2K"), ("h", "CEF12"), ("i", "M"), ("j", "BCD"), ("k", "JKMN"),
        ("l", "EF"), ("m", "CE12M"), ("n", "CE12"), ("o", "CDE12"), ("p", "EF1H"), ("q", "BC2K"), ("r", "E1"),
        ("s", "D2N"), ("t", "DEF1"), ("u", "CDE"), ("v", "EL"), ("w", "CELN"), ("x", "12LN"), ("y", "BCD2J"),
        ("z", "D1L"), ("{", "AD1KN"), ("|", "JM"), ("}", "AD2HL"), ("~", "1K"), ("°", "ABF12"),
    ]

    private static let letters: [Character: FourteenSegment] = [
        "A": .top, "B": .upperRight, "C": .lowerRight, "D": .bottom, "E": .lowerLeft, "F": .upperLeft,
        "1": .middleLeft, "2": .middleRight, "H": .upperLeftDiagonal, "J": .upperVertical, "K": .upperRightDiagonal,
        "L": .lowerLeftDiagonal, "M": .lowerVertical, "N": .lowerRightDiagonal, ".": .point,
    ]

    private static let font: [Character: FourteenSegment] = Dictionary(
        uniqueKeysWithValues: table.map { ($0.character, FourteenSegment(letters: $0.segments) ?? []) })

    private static let characters: [FourteenSegment: Character] = Dictionary(
        table.compactMap { entry in font[entry.character].map { ($0, entry.character) } },
        uniquingKeysWith: { first, _ in first })
}
