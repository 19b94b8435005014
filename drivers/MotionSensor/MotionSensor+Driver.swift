public import DeviceKit
public import Peripherals

extension MotionSensor {
    /// The jumper of an HC-SR501.
    public enum Jumper: String, Sendable, CaseIterable {
        /// Retriggers: the output is high as long as somebody moves, and falls some seconds later.
        case high = "H"
        /// A single trigger: the output is high for its time, whatever happens; then again.
        case low = "L"

        /// With L, somebody who goes on moving is seen anew after the blind time of 2.5 s to 3 s.
        var holdOff: Duration { self == .high ? .zero : .seconds(5) }

        /// With L the output falls after its time, 300 s at most. With H nobody moves without pause for hours.
        var stuckAfter: Duration { self == .high ? .seconds(4 * 3600) : .seconds(600) }
    }

    public static let pin = Option(
        "pin", .lines, "the line that the sensor's output is connected to, or those of several that watch one zone")
    public static let active = Option(
        "active", .choice(["low": Level.low, "high": .high]), default: "high", "the level when it sees somebody")
    static let pull = Option(
        "pull", .choice(["up": Bias.pullUp, "down": .pullDown, "none": .disabled, "as-is": .asIs]), default: "as-is",
        "the line's pull resistor; `down` lets a wire that has come loose be quiet")
    static let warmUp = Option(
        "warm-up", .duration(.zero ... .seconds(600)), default: "60s",
        "how long after the board's boot the sensor is not to be trusted")
    public static let jumper = Option(
        "jumper", .choice(Dictionary(uniqueKeysWithValues: Jumper.allCases.map { ($0.rawValue, $0) })), default: "H",
        "the module's jumper: H retriggers, L is a single trigger")
    static let holdOff = Option(
        "hold-off", .optional(.duration(.zero ... .seconds(3600)), or: "by-jumper"), default: "by-jumper",
        "how long it must be quiet for a motion to be over; `by-jumper` is 0s with H and 5s with L")
    static let occupiedFor = Option(
        "occupied-for", .optional(.duration(.seconds(1) ... .seconds(86400)), or: "off"), default: "off",
        "how long after the last motion somebody is taken to be there")
    static let stuckAfter = Option(
        "stuck-after", .optional(.duration(.seconds(60) ... .seconds(365 * 86400)), or: "by-jumper"),
        default: "by-jumper",
        "from when on an output that does not fall is faulty; `by-jumper` is 4h with H and 10min with L")

    private static let line = FieldDescription("line", .text, "which sensor, if there are several")
    private static func seconds(_ summary: String) -> FieldDescription {
        FieldDescription("seconds", .number, unit: .seconds, summary)
    }

    public static let driver = Driver(
        name: "motion-sensor",
        summary: "a passive infrared motion sensor (HC-SR501), or several that watch one zone",
        options: [
            pin.description, active.description, pull.description, warmUp.description, jumper.description,
            holdOff.description, occupiedFor.description, stuckAfter.description,
        ],
        events: [
            EventDescription("started", "somebody began to move", fields: [line]),
            EventDescription("ended", "nobody moves any more", fields: [seconds("how long somebody did"), line]),
            EventDescription("occupied", "somebody has come", fields: [line], needs: Need(occupiedFor)),
            EventDescription(
                "vacant", "nobody has moved for as long as `occupied-for` says",
                fields: [seconds("how long it was occupied")], needs: Need(occupiedFor)),
            EventDescription(
                "faulty", "a sensor cannot be believed",
                fields: [FieldDescription("reason", .text, "`stuck` or `chatters`"), line]),
            EventDescription("recovered", "it can be believed again", fields: [line]),
        ],
        states: [
            StateDescription("motion", "somebody moves"),
            StateDescription("occupied", "somebody is taken to be there", needs: Need(occupiedFor)),
            StateDescription("warming-up", "the sensor is not to be trusted yet"),
            StateDescription("faulty", "a sensor cannot be believed"),
        ],
        claims: { try $0[pin].map { Driver.Claim("pin", $0) } },
        makeDevice: { try MotionSensor($0, $1) })
}
