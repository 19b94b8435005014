public import DeviceKit
public import Peripherals

extension HT16K33 {
    public static let bus = HT16K33Setup.bus
    public static let address = HT16K33Setup.address
    /// What is soldered to the chip, by its name: `alphanumeric`.
    public static func layoutName(_ options: OptionValues) throws -> String { try options[HT16K33Setup.layout].name }
    /// The line of the key interrupt, if there is one, and its active level.
    public static func interrupt(_ options: OptionValues) throws -> (line: String, activeLevel: Level)? {
        let setup = try HT16K33Setup(options)
        return setup.keys.flatMap { keys in keys.line.map { ($0, keys.activeLevel) } }
    }
}

extension HT16K33Setup {
    static let bus = Option("bus", .i2cBus, default: "I2C1", "the I2C bus")
    static let address = Option(
        "address", .addresses, default: "0x70",
        "the address, set by jumpers; a list of up to eight joins displays to one, from left to right")
    static let layout = Option(
        "layout", .choice(Dictionary(HT16K33Layout.all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })),
        default: "alphanumeric", "what is connected to the chip")
    static let brightness = Option(
        "brightness", .integer(0...16), default: "16", "the brightness at the start, in sixteenths; 0 is dark")
    static let blink = Option("blink", blinkKind, default: "off", "whether and how fast it blinks at the start")
    static let colour = Option(
        "colour", colourKind, default: "green", "the colour of text and bars on a glass with two")
    static let rotate = Option(
        "rotate", .choice(["0deg": 0, "90deg": 1, "180deg": 2, "270deg": 3]), default: "0deg",
        "turns the picture of a matrix clockwise")
    static let mirror = Option(
        "mirror", .choice(["none": .none, "horizontal": .horizontal, "vertical": .vertical] as [String: Mirror]),
        default: "none", "mirrors each matrix, for boards that are wired the other way round")
    static let pace = Option(
        "pace", .duration(.milliseconds(20) ... .seconds(10)), default: "300ms",
        "how long a moving text takes for the width of a character")
    static let glyphs = Option(
        "glyphs", .texts("a list of glyphs, such as [\"°=ABFG\"]; on a matrix [\"♥=.#.#./#####/.###./..#..\"]"),
        default: "", "characters of your own")
    static let refresh = Option(
        "refresh", .optional(.duration(.milliseconds(100) ... .seconds(86400)), or: "off"), default: "off",
        "writes everything again that often, for a display that loses its supply without anybody noticing")
    static let atStop = Option(
        "at-stop", .choice(["dark": false, "keep": true]), default: "dark", "what is left on the glass at the end")
    static let interrupt = Option(
        "interrupt", .optional(.line, or: "none"), default: "none",
        "the line that the chip's INT pin is connected to, for its keys")
    static let interruptLevel = Option(
        "interrupt-level", .choice(["low": Level.low, "high": Level.high]), default: "low",
        "the level of INT when a key was pressed")
    static let releaseCheck = Option(
        "release-check", .optional(keyInterval, or: "off"), default: "off",
        "how often the keys are read while one is down: the chip does not tell of a release")
    static let keyPoll = Option(
        "key-poll", .optional(keyInterval, or: "off"), default: "off",
        "how often the keys are read where INT is not connected")

    typealias Mirror = MatrixFace.Orientation.Mirror
    private static let blinkKind = OptionKind.choice(
        ["off": .off, "2Hz": .twoHertz, "1Hz": .oneHertz, "0.5Hz": .halfHertz] as [String: HT16K33Registers.Blink])
    private static let colourKind = OptionKind.choice(
        ["green": .green, "red": .red, "yellow": .yellow] as [String: MatrixGlass.Light])
    // Two scans of about 10 ms each have to agree before the chip believes a key.
    private static let keyInterval = OptionKind.duration(.milliseconds(20) ... .seconds(10))

    // The commands' arguments.

    static let text = Option("text", .text, "what to show")
    static let times = Option("times", .repetition, default: "1", "how often it passes by, or 'forever'")
    static let number = Option("value", .decimal, "the number")
    static let decimals = Option(
        "decimals", .optional(.integer(0...9), or: "fitting"), default: "fitting",
        "how many; fitting are as many as it has and fit")
    static let whole = Option("value", .integer(0...Int(UInt32.max)), "the number, written in decimal")
    static let digits = Option("digits", .integer(1...8), default: "1", "how many digits at least, with zeros before")
    static let time = Option("value", .time, "the time")
    static let colon = Option("colon", .choice(["on": true, "off": false]), default: "on", "whether the colon is lit")
    static let rows = Option(
        "rows", .texts("a list of rows such as [\"#..#\"] (r, g, y for colours), or of a digit's segments each"),
        "rows of points from above, or segments from the left")
    static let full = Option("of", .decimal, default: "100", "what lights the whole bar")
    static let level = Option("level", .integer(0...16), "the brightness in sixteenths; 0 is dark")
    static let rate = Option("rate", blinkKind, "how fast")
    static let paint = Option("colour", colourKind, "the colour")
    static let dots = Option("names", .texts("a list of dots, such as [colon, upper-right]"), "those that are lit")
    static let glyph = Option("glyph", .text, "a character, = and its glyph, as in the option 'glyphs'")
}
