public import DeviceKit
import Peripherals

extension HT16K33 {
    private static let key = FieldDescription(
        "key", .integer, "which one: 1 to 13 at KS0, to 26 at KS1, to 39 at KS2, and 39 further for each chip")
    /// A release is known only to who reads the keys again and again.
    private static let watch = Need(HT16K33Setup.releaseCheck, or: HT16K33Setup.keyPoll)

    public static let driver = Driver(
        name: "ht16k33",
        summary: "a display with an HT16K33: digits of 7 or 14 segments, a matrix or a bar graph, and keys",
        options: [
            HT16K33Setup.bus.description, HT16K33Setup.address.description, HT16K33Setup.layout.description,
            HT16K33Setup.brightness.description, HT16K33Setup.blink.description, HT16K33Setup.colour.description,
            HT16K33Setup.rotate.description, HT16K33Setup.mirror.description, HT16K33Setup.pace.description,
            HT16K33Setup.glyphs.description, HT16K33Setup.refresh.description, HT16K33Setup.atStop.description,
            HT16K33Setup.interrupt.description, HT16K33Setup.interruptLevel.description,
            HT16K33Setup.releaseCheck.description, HT16K33Setup.keyPoll.description,
        ],
        events: [
            EventDescription(
                "key-pressed", "a key was pressed", fields: [key],
                needs: Need(HT16K33Setup.interrupt, or: HT16K33Setup.keyPoll)),
            EventDescription(
                "key-released", "a key was released", fields: [key], needs: watch),
        ],
        states: [
            StateDescription("moving", "a text is moving through"),
            StateDescription("key-down", "a key is down", needs: watch),
        ],
        commands: [
            CommandDescription(
                "show", "shows a text; one that does not fit moves through once and its end stays",
                arguments: [HT16K33Setup.text.description]),
            CommandDescription(
                "scroll", "lets a text come in at the right and leave at the left",
                arguments: [HT16K33Setup.text.description, HT16K33Setup.times.description]),
            CommandDescription(
                "number", "shows a number at the right, or OL if it does not fit",
                arguments: [HT16K33Setup.number.description, HT16K33Setup.decimals.description]),
            CommandDescription(
                "hex", "shows a whole number in hexadecimal",
                arguments: [HT16K33Setup.whole.description, HT16K33Setup.digits.description]),
            CommandDescription(
                "time", "shows a time of day, or minutes and seconds",
                arguments: [HT16K33Setup.time.description, HT16K33Setup.colon.description]),
            CommandDescription(
                "frame", "shows a picture, or single segments", arguments: [HT16K33Setup.rows.description]),
            CommandDescription(
                "bar", "lights a part of a bar graph",
                arguments: [HT16K33Setup.number.description, HT16K33Setup.full.description]),
            CommandDescription("clear", "shows nothing"),
            CommandDescription("brightness", "sets the brightness", arguments: [HT16K33Setup.level.description]),
            CommandDescription("blink", "lets it blink, or not", arguments: [HT16K33Setup.rate.description]),
            CommandDescription(
                "colour", "sets the colour of text and bars", arguments: [HT16K33Setup.paint.description]),
            CommandDescription(
                "dots", "lights colons and dots of their own whatever is shown, and no others",
                arguments: [HT16K33Setup.dots.description]),
            CommandDescription("glyph", "defines a character", arguments: [HT16K33Setup.glyph.description]),
        ],
        claims: { options in
            let setup = try HT16K33Setup(options)
            // Glyphs are read there: a wrong one is an error of the configuration, not of the running device.
            _ = try DisplayState(options, setup)
            return setup.claims
        },
        makeDevice: { try HT16K33($0, $1) })
}
