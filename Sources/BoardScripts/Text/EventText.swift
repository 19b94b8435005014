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

    // MARK: Commands

    private static let commandWord = "told"

    /// What a person tells a device to do: `told "move" "to=90deg"`.
    static func text(command words: [String]) -> String {
        ([commandWord] + words.map(quoted)).joined(separator: " ")
    }

    /// The words of a command; `nil` for anything else.
    static func command(_ request: String) -> [String]? {
        let words = Self.words(request)
        guard words.first == commandWord else { return nil }
        let texts = words.dropFirst().compactMap { unquoted($0) }
        return texts.count == words.count - 1 ? texts : nil
    }
}
