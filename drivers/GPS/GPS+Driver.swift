public import DeviceKit

extension GPS {
    public static let port = Option("port", .serialPort, default: "SERIAL0", "the serial port, or its path")
    static let baudRate = Option(
        "baud-rate", .integer(300...4_000_000), default: "9600", "how fast it talks; some talk at 4800, 38400 or 115200"
    )
    static let every = Option(
        "every", .duration(.zero...(.seconds(7 * 86400))), default: "60s", "how often its position is told at most")
    static let distance = Option(
        "distance", .measure(.metres, 0...1_000_000), default: "0m",
        "how far it must have moved since the position that was told last; with 0 it need not")
    static let patience = Option(
        "patience", .duration(.seconds(1)...(.seconds(86400))), default: "5min",
        "how long it may not know where it is before that is told; after a night without power some minutes are usual")

    private static let positionFields = [
        FieldDescription("latitude", .number, unit: .degrees, "north is positive"),
        FieldDescription("longitude", .number, unit: .degrees, "east is positive"),
        FieldDescription("altitude", .number, unit: .metres, "above the sea"),
        FieldDescription("speed", .number, unit: .metresPerSecond, "over ground"),
        FieldDescription("course", .number, unit: .degrees, "from north, clockwise; means nothing while it stands"),
        FieldDescription("dilution", .number, "of precision, horizontally: 1 is ideal, above 5 is poor"),
        FieldDescription("satellites", .integer, "how many it uses"),
        FieldDescription("time", .text, "by the satellites, in UTC"),
    ]

    public static let driver = Driver(
        name: "gps",
        summary: "a satellite receiver (GPS, Galileo …) on a serial port",
        options: [
            port.description, baudRate.description, every.description, distance.description,
            ReadingOptions.atLeastEvery.description, patience.description,
        ],
        events: [
            EventDescription("position", "where it is", fields: positionFields, recordedAs: .reading),
            EventDescription(
                "fixed", "it knows where it is",
                fields: [FieldDescription("seconds", .number, unit: .seconds, "how long it did not")]),
            EventDescription(
                "no-fix", "it has not known where it is for as long as `patience` says",
                fields: [FieldDescription("satellites", .integer, "how many it hears; with none, see to its antenna")]),
            EventDescription(
                "silent", "for 10 s nothing came that could be understood",
                fields: [FieldDescription("reason", .text, "what may be wrong")]),
            EventDescription(
                "damaged", "lines could not be understood; told once a minute at most",
                fields: [FieldDescription("lines", .integer, "how many since the last time")], recordedAs: .diagnostic),
        ],
        states: [
            StateDescription("fix", "it knows where it is"),
            StateDescription("silent", "nothing comes that could be understood"),
        ],
        commands: [ReadingOptions.read],
        claims: { [Driver.Claim("port", try $0[port])] },
        makeDevice: { try GPS($0, $1) })
}
