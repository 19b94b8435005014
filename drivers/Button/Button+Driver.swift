public import DeviceKit
public import Peripherals

extension Button {
    public static let pin = Option("pin", .line, "the line that the button is connected to")
    public static let pull = Option(
        "pull", .choice(["up": Bias.pullUp, "down": .pullDown, "none": .disabled, "as-is": .asIs]), default: "up",
        "the line's pull resistor; `none` if there is one on the board")
    public static let active = Option(
        "active", .choice(["low": Level?.some(.low), "high": .some(.high), "by-pull": .none]), default: "by-pull",
        "the level when pressed; `by-pull` is low with a pull-up and high with a pull-down")
    static let settle = Option(
        "settle", .optional(.duration(.zero ... .seconds(1)), or: "by-lock-out"), default: "by-lock-out",
        "wait before: how long the contact must be quiet before its state counts; `by-lock-out` is 20ms without "
            + "`lock-out` and 0s with it")
    static let standardSettle: Duration = .milliseconds(20)
    static let lockOut = Option(
        "lock-out", .optional(.duration(.milliseconds(1) ... .seconds(1)), or: "off"), default: "off",
        "hold after: how long nothing counts after a state that did; the press is then told with its first edge")
    static let clicks = Option(
        "clicks", .integer(0...10), default: "0",
        "up to how many clicks in a row are one event; 0 tells no clicks, 1 tells each at once")
    static let clickGap = Option(
        "click-gap", .duration(.milliseconds(50) ... .seconds(5)), default: "300ms",
        "how long after a click the next one may begin to be counted with it")
    static let longPress = Option(
        "long-press", .optional(.duration(.milliseconds(100) ... .seconds(600)), or: "off"), default: "off",
        "from when on a press is a long one, and no click")
    static let repetition = Option(
        "repeat", .optional(.duration(.milliseconds(20) ... .seconds(600)), or: "off"), default: "off",
        "how long between two repetitions while the button is down")
    static let repeatAfter = Option(
        "repeat-after", .duration(.milliseconds(20) ... .seconds(600)), default: "500ms",
        "how long it must be down before the first repetition")

    public static let driver = Driver(
        name: "button",
        summary: "a push button or any other contact",
        options: [
            pin.description, pull.description, active.description, settle.description, lockOut.description,
            clicks.description, clickGap.description, longPress.description, repetition.description,
            repeatAfter.description,
        ],
        events: [
            EventDescription("pressed", "the button went down"),
            EventDescription(
                "released", "the button came up",
                fields: [FieldDescription("seconds", .number, unit: .seconds, "how long it was down, if that was seen")]
            ),
            EventDescription("clicked", "it was pressed and released", needs: Need(clicks, "of 1 or more") { $0 > 0 }),
            EventDescription(
                "double-clicked", "it was clicked twice in a row", needs: Need(clicks, "of 2 or more") { $0 > 1 }),
            EventDescription(
                "multi-clicked", "it was clicked three times in a row or more",
                fields: [FieldDescription("count", .integer, "how often")],
                needs: Need(clicks, "of 3 or more") { $0 > 2 }),
            EventDescription(
                "long-pressed", "it has been down for as long as `long-press` says", needs: Need(longPress)),
            EventDescription(
                "repeated", "it is still down", fields: [FieldDescription("count", .integer, "1 for the first time")],
                needs: Need(repetition)),
            EventDescription(
                "glitched", "pulses were too short to be presses; told once a minute at most",
                fields: [FieldDescription("count", .integer, "how many")], recordedAs: .diagnostic),
        ],
        states: [StateDescription("pressed", "the button is down")],
        claims: { [Driver.Claim("pin", try $0[pin])] },
        makeDevice: { try Button($0, $1) })
}
