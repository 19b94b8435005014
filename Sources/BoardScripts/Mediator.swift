import DeviceRuntime
import Peripherals

/// Stands between a program and a board's peripherals: writes down what goes through, or answers in the board's place.
protocol Mediator: Sendable {
    /// Whether it has to do with this peripheral; the program gets the board's own otherwise.
    func mediates(_ source: String) -> Bool

    /// Opens a peripheral; the facts are what it says of itself when it is opened. There is no peripheral behind
    /// what is answered in the board's place.
    func open<Peripheral: Sendable, Facts: Sendable>(
        _ source: String, _ request: String, _ form: AnswerForm<Facts>, usual: Facts,
        facts: @escaping @Sendable (Peripheral) -> Facts, _ live: () async throws -> Peripheral
    ) async throws -> (peripheral: Peripheral?, facts: Facts)

    func perform<Answer: Sendable>(
        _ source: String, _ request: String, _ form: AnswerForm<Answer>, _ live: () async throws -> Answer
    ) async throws -> Answer

    /// What does not wait.
    func performNow<Answer: Sendable>(
        _ source: String, _ request: String, _ form: AnswerForm<Answer>, _ live: () throws -> Answer
    ) throws -> Answer

    /// A peripheral is closed for the first time.
    func noteClosing(_ source: String)

    /// Sets or takes away who hears what a line tells.
    func setHandler(
        _ source: String, _ handler: (@Sendable (LineEvent) -> Void)?,
        _ live: ((@Sendable (LineEvent) -> Void)?) throws -> Void
    ) throws
}

/// What stands behind a mediated peripheral. Throws `closed` where a script answers in its place: then nobody asks.
func behind<Peripheral>(_ peripheral: Peripheral?, _ name: String) throws -> Peripheral {
    guard let peripheral else { throw PeripheralError(.closed, "\(name) has no peripheral behind it") }
    return peripheral
}

/// Whether a peripheral is still open: only the first closing counts.
final class Opening: Sendable {
    private let isClosed = Protected(false)

    func closeNow(_ source: String, _ mediator: any Mediator, _ live: () -> Void) {
        if end() { mediator.noteClosing(source) }
        live()
    }

    func close(_ source: String, _ mediator: any Mediator, _ live: () async -> Void) async {
        if end() { mediator.noteClosing(source) }
        await live()
    }

    private func end() -> Bool {
        isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
    }
}
