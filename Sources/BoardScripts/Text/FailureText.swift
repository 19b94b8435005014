import Peripherals

extension ScriptText {
    /// `! noAcknowledge "I2C1 0x70 did not acknowledge" cause "EREMOTEIO (121)" advice "check its wiring"`
    static func text(_ error: any Error) -> String {
        if error is CancellationError { return "cancelled" }
        guard let error = error as? PeripheralError else { return "! io \(quoted("\(error)"))" }
        return "! \(error.code.rawValue) \(quoted(error.message))" + (error.cause.map { " cause \(quoted($0))" } ?? "")
            + (error.advice.map { " advice \(quoted($0))" } ?? "")
    }

    /// The error that stands in an answer; `nil` where it has none. One that is written by hand may leave out all but
    /// the code.
    static func failure(_ answer: String, of source: String) -> (any Error)? {
        if answer == "cancelled" { return CancellationError() }
        var words = Self.words(answer)[...]
        guard words.popFirst() == "!", let code = words.popFirst().flatMap({ PeripheralError.Code(rawValue: $0) })
        else { return nil }
        var error = PeripheralError(code, "\(source) fails as its script says")
        if let message = words.first.flatMap({ unquoted($0) }) {
            error.message = message
            words = words.dropFirst()
        }
        while words.count >= 2 {
            let (name, text) = (words.removeFirst(), words.removeFirst())
            switch (name, unquoted(text)) {
            case ("cause", let text?): error.cause = text
            case ("advice", let text?): error.advice = text
            default: return nil
            }
        }
        return words.isEmpty ? error : nil
    }
}
