/// The segments of a 7-segment digit, with the bits that the common backpacks wire them to.
///
///      --A--
///     |     |      F   B
///      --G--
///     |     |      E   C
///      --D--  DP
public struct SevenSegment: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let top = SevenSegment(rawValue: 1 << 0)  // A
    public static let upperRight = SevenSegment(rawValue: 1 << 1)  // B
    public static let lowerRight = SevenSegment(rawValue: 1 << 2)  // C
    public static let bottom = SevenSegment(rawValue: 1 << 3)  // D
    public static let lowerLeft = SevenSegment(rawValue: 1 << 4)  // E
    public static let upperLeft = SevenSegment(rawValue: 1 << 5)  // F
    public static let middle = SevenSegment(rawValue: 1 << 6)  // G
    public static let point = SevenSegment(rawValue: 1 << 7)  // DP

    /// The glyph of a printable ASCII character or of `°`; `nil` for any other. Seven segments tell the digits apart,
    /// and from most capitals; other characters are as near as they get.
    public init?(_ character: Character) {
        guard let glyph = Self.font[character] else { return nil }
        self = glyph
    }

    /// Segments by their letters and `.`: `ABGED.`; `nil` if there are others.
    public init?(letters text: String) {
        var glyph: SevenSegment = []
        for letter in text {
            guard let segment = Self.letters[letter] else { return nil }
            glyph.formUnion(segment)
        }
        self = glyph
    }

    /// The character that these segments show, and whether a point stands behind it; `nil` where they show none. Of
    /// those that look alike the one that stands first in the table is returned: a digit, then a capital.
    public var character: (character: Character, hasPoint: Bool)? {
        if let character = Self.characters[self] { return (character, false) }
        return Self.characters[subtracting(.point)].map { ($0, true) }
    }

    /// Perch's own font, in the order in which characters are told from segments.
    private static let table: [(character: Character, segments: String)] = [
        (" ", ""), ("0", "ABCDEF"), ("1", "BC"), ("2", "ABDEG"), ("3", "ABCDG"), ("4", "BCFG"), ("5", "ACDFG"),
        ("6", "ACDEFG"), ("7", "ABC"), ("8", "ABCDEFG"), ("9", "ABCDFG"), ("-", "G"), (".", "."), ("_", "D"),
        ("=", "DG"), ("°", "ABFG"),
        ("A", "ABCEFG"), ("B", "CDEFG"), ("C", "ADEF"), ("D", "BCDEG"), ("E", "ADEFG"), ("F", "AEFG"), ("G", "ACDEF"),
        ("H", "BCEFG"), ("I", "EF"), ("J", "BCDE"), ("K", "ACEFG"), ("L", "DEF"), ("M", "ACEG"), ("N", "ABCEF"),
        ("O", "ABCDEF"), ("P", "ABEFG"), ("Q", "ABCFG"), ("R", "AEF"), ("S", "ACDFG"), ("T", "DEFG"), ("U", "BCDEF"),
        ("V", "BEFG"), ("W", "BDFG"), ("X", "BCEF"), ("Y", "BCDFG"), ("Z", "ABDEG"),
        ("a", "ABCDEG"), ("b", "CDEFG"), ("c", "DEG"), ("d", "BCDEG"), ("e", "ABDEFG"), ("f", "AEFG"), ("g", "ABCDFG"),
        ("h", "CEFG"), ("i", "C"), ("j", "CD"), ("k", "ACEFG"), ("l", "EF"), ("m", "ACEG"), ("n", "CEG"), ("o", "CDEG"),
        ("p", "ABEFG"), ("q", "ABCFG"), ("r", "EG"), ("s", "ACDFG"), ("t", "DEFG"), ("u", "CDE"), ("v", "CDE"),
        ("w", "ACDE"), ("x", "BCEF"), ("y", "BCDFG"), ("z", "ABDEG"),
        // A comma is the same mark as a point, where there is only one.
        (",", "."), ("!", "B."), ("\"", "BF"), ("#", "BDEFG"), ("$", "ACDF"), ("%", "BE"), ("&", "ACDEG"), ("'", "B"),
        ("(", "ADEF"), (")", "ABCD"), ("*", "ABFG"), ("+", "BCG"), ("/", "BEG"), (":", "AD"), (";", "ACD"),
        ("<", "AFG"), (">", "ABG"), ("?", "ABEG"), ("@", "ABCDEG"), ("[", "ADEF"), ("\\", "CFG"), ("]", "ABCD"),
        ("^", "ABF"), ("`", "F"), ("{", "ADEG"), ("|", "EF"), ("}", "ABCD"), ("~", "A"),
    ]

    private static let letters: [Character: SevenSegment] = [
        "A": .top, "B": .upperRight, "C": .lowerRight, "D": .bottom, "E": .lowerLeft, "F": .upperLeft, "G": .middle,
        ".": .point,
    ]

    private static let font: [Character: SevenSegment] = Dictionary(
        table.map { ($0.character, SevenSegment(letters: $0.segments) ?? []) }, uniquingKeysWith: { first, _ in first })

    private static let characters: [SevenSegment: Character] = Dictionary(
        table.compactMap { entry in font[entry.character].map { ($0, entry.character) } },
        uniquingKeysWith: { first, _ in first })
}
