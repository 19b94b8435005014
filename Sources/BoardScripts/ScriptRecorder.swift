public import DeviceKit
public import DeviceRuntime
import Peripherals

/// Writes down what happens on a board: see ``ScriptBoard/init(recording:to:)``.
public final class ScriptRecorder: Mediator {
    private struct State {
        var clock: (any MonotonicClock)?
        /// When the recording began, as time since boot; `nil` before.
        var origin: Duration?
        /// What is to be said of the beginning.
        var start: RecordingStart?
        /// When a timer was due from which nothing has followed yet.
        var timer: Duration?
    }

    private let observer: @Sendable (ScriptLine) -> Void
    private let state = Protected(State())

    /// Hands each line to `observer` as it happens. Nothing is recorded before ``begin(on:date:board:)``.
    public init(_ observer: @escaping @Sendable (ScriptLine) -> Void) { self.observer = observer }

    /// A recorder that begins at once, for scripts that are not replayed as a whole.
    public init(clock: any MonotonicClock, _ observer: @escaping @Sendable (ScriptLine) -> Void) {
        self.observer = observer
        state.withLock { state in
            state.clock = clock
            state.origin = clock.now
        }
    }

    /// Begins a recording that can be replayed with the first thing that happens; its first line says when that was, on
    /// what `date` about (RFC 3339) and on which board. Wants a loop whose time goes in steps
    /// (`EventLoop.init(time:noteTimers:)`, with ``noteTimer(at:)``).
    public func begin(on clock: any MonotonicClock, date: String, board: String) {
        state.withLock { state in
            state.clock = clock
            state.start = RecordingStart(uptime: .zero, date: date, board: board)
        }
    }

    /// A timer was due then. The next thing that happens at the same time says so; without one it has a line of its own.
    public func noteTimer(at time: Duration) {
        guard let origin = state.withLock({ $0.origin }) else { return }
        writeTimer(next: time - origin)
    }

    /// A device tells something.
    public func note(_ event: Event) {
        guard let (now, origin) = moment() else { return }
        note(ScriptLine(source: event.device, request: ScriptText.text(event, at: now, origin: origin)))
    }

    /// A person gives a device a command, in these words.
    public func noteCommand(_ words: [String], for device: String) {
        note(ScriptLine(source: device, request: ScriptText.text(command: words)))
    }

    /// The program was told to stop.
    public func noteStop() { note(.stop) }

    /// The time now and the beginning; begins if it is to.
    private func moment() -> (now: Duration, origin: Duration)? {
        let (moment, start) = state.withLock { state -> ((Duration, Duration)?, RecordingStart?) in
            guard let now = state.clock?.now else { return (nil, nil) }
            defer { state.start = nil }
            let origin = state.origin ?? now
            state.origin = origin
            state.start?.uptime = origin
            return ((now - origin, origin), state.start)
        }
        if let start { observer(start.line) }
        return moment
    }

    /// Writes a line down, with the time.
    private func note(_ line: ScriptLine, since begin: Duration? = nil) {
        guard let (now, _) = moment() else { return }
        var line = line
        line.isOnTimer = state.withLock { $0.timer == now }
        if !line.isOnTimer { writeTimer(next: nil) }
        state.withLock { $0.timer = nil }
        line.time = now
        line.took = begin.map { now - $0 } ?? .zero
        observer(line)
    }

    /// Writes down the timer that nothing followed from.
    private func writeTimer(next: Duration?) {
        let timer = state.withLock { state in
            defer { state.timer = next }
            return state.timer
        }
        if let timer, timer != next { observer(.timer(at: timer)) }
    }

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
        let begin = ScriptLine.isReceiving(request) ? nil : moment()?.now
        do {
            let answer = try await live()
            note(ScriptLine(source: source, request: request, answer: form.text(answer)), since: begin)
            return answer
        } catch {
            note(ScriptLine(source: source, request: request, answer: ScriptText.text(error)), since: begin)
            throw error
        }
    }

    func performNow<Answer: Sendable>(
        _ source: String, _ request: String, _ form: AnswerForm<Answer>, _ live: () throws -> Answer
    ) throws -> Answer {
        do {
            let answer = try live()
            note(ScriptLine(source: source, request: request, answer: form.text(answer)))
            return answer
        } catch {
            note(ScriptLine(source: source, request: request, answer: ScriptText.text(error)))
            throw error
        }
    }

    func noteClosing(_ source: String) { note(ScriptLine(source: source, request: "close")) }

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
        guard let (now, origin) = moment() else { return }
        note(ScriptLine(source: source, request: ScriptText.text(event, at: now, origin: origin)))
    }
}
