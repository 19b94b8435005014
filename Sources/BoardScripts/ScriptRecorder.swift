public import DeviceKit
public import DeviceRuntime
import Peripherals

/// Writes down what happens on a board: see ``ScriptBoard/init(recording:to:)``.
public final class ScriptRecorder: Mediator {
    private struct State {
        var clock: (any MonotonicClock)?
        /// When the recording began, as time since boot.
        var origin: Duration = .zero
        /// When a timer was due from which nothing has followed yet.
        var timer: Duration?
    }

    private let observer: @Sendable (ScriptLine) -> Void
    private let state = Protected(State())

    /// Hands each line to `observer` as it happens. Nothing is recorded before ``begin(on:_:)``.
    public init(_ observer: @escaping @Sendable (ScriptLine) -> Void) { self.observer = observer }

    /// A recorder that begins at once.
    public convenience init(clock: any MonotonicClock, _ observer: @escaping @Sendable (ScriptLine) -> Void) {
        self.init(observer)
        begin(on: clock)
    }

    /// Begins, with the line that a replay needs if there is a `start`. What is to be played again exactly needs a loop
    /// whose time goes in steps (`EventLoop.init(time:noteTimers:)`, with ``noteTimer(at:)``).
    public func begin(on clock: any MonotonicClock, _ start: (date: String, board: String)? = nil) {
        let now = clock.now
        state.withLock { state in
            state.clock = clock
            state.origin = now
        }
        guard let start else { return }
        observer(RecordingStart(uptime: now, date: start.date, board: start.board).line)
    }

    /// A timer was due then. It is written down if nothing else is that happened at the same time.
    public func noteTimer(at time: Duration) { writeTimer(replacing: time) }

    /// A device tells something.
    public func note(_ event: Event) {
        let (now, origin) = state.withLock { ($0.clock?.now, $0.origin) }
        guard let now else { return }
        note(event.device, ScriptText.text(event, at: now - origin, origin: origin), "", since: nil)
    }

    /// The program was told to stop.
    public func noteStop() {
        guard let now = state.withLock({ state in state.clock.map { $0.now - state.origin } }) else { return }
        writeTimer(replacing: nil)
        observer(.stop(at: now))
    }

    private func note(_ source: String, _ request: String, _ answer: String, since begin: Duration?) {
        let (now, origin) = state.withLock { ($0.clock?.now, $0.origin) }
        guard let now else { return }
        if state.withLock({ $0.timer == now }) { state.withLock { $0.timer = nil } }
        writeTimer(replacing: nil)
        observer(
            ScriptLine(
                time: now - origin, source: source, request: request, answer: answer,
                took: begin.map { now - $0 } ?? .zero))
    }

    private func writeTimer(replacing new: Duration?) {
        let (timer, origin) = state.withLock { state in
            defer { state.timer = new }
            return (state.clock == nil ? nil : state.timer, state.origin)
        }
        if let timer, timer != new, timer >= origin { observer(.timer(at: timer - origin)) }
    }

    private var now: Duration? { state.withLock { $0.clock?.now } }

    // MARK: Mediator

    func mediates(_ source: String) -> Bool { true }

    func open<Peripheral: Sendable, Facts: Sendable>(
        _ source: String, _ request: String, _ form: AnswerForm<Facts>, usual: Facts,
        facts: @escaping @Sendable (Peripheral) -> Facts, _ live: () async throws -> Peripheral
    ) async throws -> (peripheral: Peripheral?, facts: Facts) {
        let peripheral = AnswerForm<Peripheral>(text: { form.text(facts($0)) }, parse: { _ in nil })
        let opened = try await perform(source, request, peripheral, live)
        return (opened, facts(opened))
    }

    func perform<Answer: Sendable>(
        _ source: String, _ request: String, _ form: AnswerForm<Answer>, _ live: () async throws -> Answer
    ) async throws -> Answer {
        // How long somebody waited for something to come in says nothing.
        let begin = ScriptLine.isReceiving(request) ? nil : now
        do {
            let answer = try await live()
            note(source, request, form.text(answer), since: begin)
            return answer
        } catch {
            note(source, request, ScriptText.text(error), since: begin)
            throw error
        }
    }

    func performNow<Answer: Sendable>(
        _ source: String, _ request: String, _ form: AnswerForm<Answer>, _ live: () throws -> Answer
    ) throws -> Answer {
        do {
            let answer = try live()
            note(source, request, form.text(answer), since: nil)
            return answer
        } catch {
            note(source, request, ScriptText.text(error), since: nil)
            throw error
        }
    }

    func noteClosing(_ source: String) { note(source, "close", "", since: nil) }

    func setHandler(
        _ source: String, _ handler: (@Sendable (LineEvent) -> Void)?,
        _ live: ((@Sendable (LineEvent) -> Void)?) throws -> Void
    ) throws {
        guard let handler else { return try live(nil) }
        try live { [weak self] event in
            self?.note(event, of: source)
            handler(event)
        }
    }

    private func note(_ event: LineEvent, of source: String) {
        let (now, origin) = state.withLock { ($0.clock?.now, $0.origin) }
        guard let now else { return }
        note(source, ScriptText.text(event, at: now - origin, origin: origin), "", since: nil)
    }
}
