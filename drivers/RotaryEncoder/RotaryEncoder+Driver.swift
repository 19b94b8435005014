public import DeviceKit
public import Peripherals

extension RotaryEncoder {
    public static let a = Option("a", .line, "the line of contact A (CLK)")
    public static let b = Option("b", .line, "the line of contact B (DT)")
    public static let pull = Option(
        "pull", .choice(["up": Bias.pullUp, "down": .pullDown, "none": .disabled, "as-is": .asIs]), default: "up",
        "the lines' pull resistors; `none` if there are some on the board")
    static let reverse = Option("reverse", .flag, default: "no", "whether the direction is the other one")
    public static let changesPerStep = Option(
        "changes-per-step", .choice(["1": 1, "2": 2, "4": 4]), default: "4",
        "how many changes of the contacts lie between two detents; 2 if every second step is missing, 1 if three of four are"
    )
    static let range = Option(
        "range", .integers(-1_000_000_000...1_000_000_000), default: "-1000000000, 1000000000",
        "the lowest and the highest position; it begins at 0 or as near as it can")
    static let wrap = Option("wrap", .flag, default: "no", "whether the position goes on at the other end")
    static let value = Option("position", .integer(-1_000_000_000...1_000_000_000), "the position from now on")

    private static let fields = [
        FieldDescription("steps", .integer, "how many; more than one if it is turned fast"),
        FieldDescription("position", .integer, "where it stands now"),
    ]

    public static let driver = Driver(
        name: "rotary-encoder",
        summary: "a rotary encoder: a knob that turns without end",
        options: [
            a.description, b.description, pull.description, reverse.description, changesPerStep.description,
            range.description, wrap.description,
        ],
        events: [
            EventDescription("clockwise", "it was turned clockwise", fields: fields, recordedAs: .reading),
            EventDescription("counterclockwise", "it was turned the other way", fields: fields, recordedAs: .reading),
            EventDescription(
                "missed", "changes of the contacts were lost: the position may be wrong by some steps",
                fields: [FieldDescription("count", .integer, "how many, at least")], recordedAs: .diagnostic),
        ],
        commands: [CommandDescription("set", "sets the position", arguments: [value.description])],
        claims: { [Driver.Claim("a", try $0[a]), Driver.Claim("b", try $0[b])] },
        makeDevice: { try RotaryEncoder($0, $1) })
}
