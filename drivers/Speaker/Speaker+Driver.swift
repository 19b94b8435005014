public import DeviceKit

extension Speaker {
    public static let pwm = Option("pwm", .pwmChannel, "the PWM channel that the speaker is connected to")
    static let volume = Option(
        "volume", volumeKind, default: "100%", "how loud at the start, as a part of the loudest")

    private static let volumeKind = OptionKind.percent(0.01...1)
    static let level = Option("level", volumeKind, "how loud, as a part of the loudest")
    // What people hear.
    static let frequency = Option("frequency", .measure(.hertz, 20...20_000), "how high")
    static let duration = Option(
        "for", .optional(.duration(.milliseconds(10) ... .seconds(3600)), or: "ever"), default: "500ms", "how long")
    static let melody = Option("melody", .melody, "the notes")
    static let times = Option("times", .integer(0...1000), default: "1", "how often; 0 is until told otherwise")

    public static let driver = Driver(
        name: "speaker",
        summary: "a speaker or a passive buzzer on a PWM channel: tones and melodies",
        options: [pwm.description, volume.description],
        events: [
            EventDescription(
                "finished", "a tone or a melody is over, unless something else cut in", recordedAs: .diagnostic)
        ],
        states: [StateDescription("sounding", "a tone or a melody is played, its rests included")],
        commands: [
            CommandDescription("tone", "sounds a tone", arguments: [frequency.description, duration.description]),
            CommandDescription("play", "plays a melody", arguments: [melody.description, times.description]),
            CommandDescription("stop", "is silent at once"),
            CommandDescription("volume", "sets how loud it is", arguments: [level.description]),
        ],
        claims: { [Driver.Claim("pwm", try $0[pwm])] },
        makeDevice: { try Speaker($0, $1) })
}

extension OptionKind<Melody> {
    fileprivate static var melody: OptionKind {
        OptionKind("a melody in RTTTL, such as d=4,o=5,b=120:e,c") { input in
            // A list is a melody that was written without quotes: [e, c].
            switch input {
            case .scalar(let text): Melody(text)
            case .list(let notes): Melody(notes.joined(separator: ","))
            }
        }
    }
}
