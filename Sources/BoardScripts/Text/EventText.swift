import DeviceKit

/// What a device tells, as it stands in a script: `tells released at 1.250000000 seconds=0.2`.
extension ScriptText {
    static func text(_ event: Event, at now: Duration, origin: Duration) -> String {
        let time = event.timestamp - origin == now ? [] : ["at \(text(time: event.timestamp - origin))"]
        let fields = event.fields.map { "\($0.name)=\(text($0.value))" }
        return (["tells \(event.name)"] + time + fields + (event.payload.map { ["with \($0.mediaType)"] } ?? []))
            .joined(separator: " ")
    }

    private static func text(_ value: Value) -> String {
        if case .text(let text) = value { quoted(text) } else { "\(value)" }
    }
}
