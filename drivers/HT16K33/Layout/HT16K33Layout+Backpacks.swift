extension HT16K33Layout {
    /// The common backpacks. Their wiring is that of Adafruit's boards, which the others copy: read from its libraries
    /// (adafruit_ht16k33 4.6, Adafruit_LED_Backpack 1.5) and the Linux kernel's `ht16k33.c`.
    static let all = [
        HT16K33Layout(
            name: "alphanumeric", summary: "four 14-segment characters with points (0.54\")",
            glass: .digits(
                DigitGlass(font: .fourteen, digits: [0, 16, 32, 48], hasPoints: true, marks: []))),
        HT16K33Layout(
            name: "7-segment", summary: "four 7-segment digits with points and a colon (0.56\", 0.39\")",
            glass: .digits(
                DigitGlass(
                    font: .seven, digits: [0x00 * 8, 0x02 * 8, 0x06 * 8, 0x08 * 8], hasPoints: true,
                    marks: [.init(name: "colon", bits: [0x04 * 8 + 1], character: ":", place: 2)]))),
        HT16K33Layout(
            name: "7-segment-large",
            summary: "four 7-segment digits without points, two colons and a dot (1.2\")",
            glass: .digits(
                DigitGlass(
                    font: .seven, digits: [0x00 * 8, 0x02 * 8, 0x06 * 8, 0x08 * 8], hasPoints: false,
                    // Adafruit's guide has upper and lower left the other way round; its library, and who has tried
                    // the board, have them so.
                    marks: [
                        .init(name: "colon", bits: [0x04 * 8 + 1], character: ":", place: 2),
                        .init(name: "left-colon", bits: [0x04 * 8 + 2, 0x04 * 8 + 3], character: ":", place: 0),
                        .init(name: "upper-left", bits: [0x04 * 8 + 2], character: nil, place: 0),
                        .init(name: "lower-left", bits: [0x04 * 8 + 3], character: nil, place: 0),
                        .init(name: "upper-right", bits: [0x04 * 8 + 4], character: "°", place: 3),
                    ]))),
        HT16K33Layout(
            name: "8x8", summary: "a matrix of 8 by 8 points (0.8\" mini and 1.2\")",
            // Each row is turned by one column.
            glass: .matrix(MatrixGlass(width: 8, height: 8, isBicolour: false) { x, y, _ in 16 * y + (x + 7) % 8 })),
        HT16K33Layout(
            name: "16x8", summary: "a matrix of 16 by 8 points on a backpack",
            glass: .matrix(MatrixGlass(width: 16, height: 8, isBicolour: false) { x, y, _ in 16 * y + x })),
        HT16K33Layout(
            name: "16x8-wing", summary: "a matrix of 16 by 8 points as two of 8 by 8, on a FeatherWing",
            // Columns and rows are exchanged in each half.
            glass: .matrix(
                MatrixGlass(width: 16, height: 8, isBicolour: false) { x, y, _ in 16 * (x % 8) + 8 * (x / 8) + y })),
        HT16K33Layout(
            name: "8x8-bicolour", summary: "a matrix of 8 by 8 points, each red, green or yellow",
            glass: .matrix(
                MatrixGlass(width: 8, height: 8, isBicolour: true) { x, y, light in
                    16 * y + (light == .red ? 8 : 0) + x
                })),
        HT16K33Layout(
            name: "bar-24", summary: "a bar graph of 24 bars, each red, green or yellow",
            // Two packages of twelve, each of three groups of four: a group is a COM, a package half of its rows.
            // Unlike on the matrix, red comes first.
            glass: .matrix(
                MatrixGlass(width: 24, height: 1, isBicolour: true) { x, _, light in
                    16 * (x % 12 / 4) + (light == .green ? 8 : 0) + x % 4 + 4 * (x / 12)
                })),
    ]
}
