public import DeviceKit
public import DeviceRuntime
import Peripherals

/// Plays a script in a board's place: see ``ScriptBoard/init(playing:over:)``.
///
/// A script without times says what happens in which order; opening, closing and reading a level may be left out. What a
/// line tells and a port brings in comes as soon as everything before it has happened; `perch: pause 20ms` lets what
/// follows come that much later.
///
/// A script with times, such as a recording, says everything. Each peripheral has to be asked for the same things in the
/// same order and at the same times; what comes in does so at its time. Virtual time goes from line to line.
public final class ScriptPlayer: Mediator, TimeLeader {
    /// An operation that waits for its turn.
    final class Turn: Sendable {
        let waiter = Waiter()
        let line = Protected<Int?>(nil)
    }

    struct State {
        var progress: any ScriptProgress
        var handlers: [String: @Sendable (LineEvent) -> Void] = [:]
        var commandHandler: (@Sendable (_ device: String, _ words: [String]) -> Void)?
        var levels: [String: Level] = [:]
        var ends: [Int: Waiter] = [:]
        var turns: [String: [Turn]] = [:]
        var difference: ScriptDifference?
        let found = Waiter()

        var audience: ScriptAudience {
            ScriptAudience(lines: Set(handlers.keys), ports: Set(turns.filter { !$0.value.isEmpty }.keys))
        }
    }

    let script: BoardScript
    let loop: EventLoop
    /// When the script begins, as time since boot.
    let origin: Duration
    let state: Protected<State>

    /// How late a timer of a recording may have been.
    private static let mostLateness: Duration = .seconds(1)

    /// Begins now. On the loop, which for a script with times has to be one of virtual time. `tolerance` is how much
    /// earlier or later than such a script says something may be asked for.
    public init(_ script: BoardScript, loop: EventLoop, tolerance: Duration = .milliseconds(20)) {
        self.script = script
        self.loop = loop
        origin = loop.now
        let lines = script.lines
        state = Protected(
            State(
                progress: script.isTimed
                    ? TimedProgress(lines, tolerance: tolerance) : OrderedProgress(lines)))
        state.withLock { state in
            for line in lines.reversed() where line.isEvent {
                // Before its first edge a line has the other level.
                if let edge = Edge(rawValue: String(line.verb)) { state.levels[line.source] = edge.level.inverted }
            }
        }
        if script.isTimed { loop.follow(self) } else { advanceSoon() }
    }

    /// Calls `handler` with the commands that a person gives to devices.
    public func setCommandHandler(_ handler: (@Sendable (_ device: String, _ words: [String]) -> Void)?) {
        state.withLock { $0.commandHandler = handler }
    }

    /// The first difference, as soon as there is one.
    public var difference: ScriptDifference? { state.withLock { $0.difference } }

    /// Waits for the first difference, and throws it.
    public func waitForDifference() async throws {
        try await state.withLock { $0.found }.wait()
        if let difference { throw difference }
    }

    /// Throws ``ScriptDifference``: the first one, or the first line that has not happened.
    public func finish() throws {
        if script.isTimed { loop.follow(nil) }
        if let difference { throw difference }
        let (lines, leftOver) = state.withLock { ($0.progress.lines, $0.progress.leftOver) }
        if let leftOver { throw ScriptDifference(.missing, in: lines, at: leftOver, found: nil) }
    }

    /// A device tells something, which has to be the script's next line of the device if it speaks of it.
    public func note(_ event: Event) {
        guard mediates(event.device) else { return }
        let request = ScriptText.text(event, at: loop.now - origin, origin: origin)
        // The difference is noted; nobody is there to be told.
        try? performNow(event.device, request, .none) {}
    }

    // MARK: Time

    public func next(after now: Duration, timer: Duration?) -> LedMoment? {
        guard let progress = state.withLock({ $0.progress as? TimedProgress }) else { return nil }
        let line = progress.nextTime(after: now - origin)
        let isRecorded = script.start != nil
        // In a recording timers were late until their turn; in a script of another kind they are on time.
        let turn = timer.map { timer in
            let due = max(timer, now) - origin
            let recorded = isRecorded ? progress.nextTimerTime(from: due) : nil
            return recorded.flatMap { $0 - due <= Self.mostLateness ? $0 : nil } ?? due
        }
        let overdue = progress.overdueTime.flatMap { $0 + origin > now ? $0 : nil }
        guard let time = [line, turn, overdue].compactMap({ $0 }).min() else { return nil }
        return LedMoment(
            time: origin + time, firesTimers: time == turn || !isRecorded || progress.hasTimer(at: time))
    }

    public func arrive(at now: Duration) { advance() }

    func advanceSoon() { loop.execute { [weak self] in self?.advance() } }

    /// Lets happen what is due. Never within a call of the program.
    private func advance() {
        let now = loop.now - origin
        while let step = state.withLock({ $0.difference == nil ? $0.progress.advance(to: now, $0.audience) : nil }) {
            switch step {
            case .event(let index): deliver(index, now)
            case .end(let index): end(index)
            case .pause(let time): loop.schedule(at: origin + time) { [weak self] in self?.advance() }
            case .difference(let kind, let index): fail(kind, index, found: nil)
            }
        }
    }

    private func deliver(_ index: Int, _ now: Duration) {
        let line = state.withLock { $0.progress.lines[index] }
        if let words = ScriptText.command(line.request) {
            state.withLock { $0.commandHandler }?(line.source, words)
            return
        }
        guard let event = ScriptText.event(line.request, of: line.source, at: now, origin: origin) else {
            _ = fail(.unreadable, index, found: nil)
            return
        }
        let handler = state.withLock { state in
            if let edge = event.edge { state.levels[line.source] = edge.edge.level }
            return state.handlers[line.source]
        }
        handler?(event)
    }

    /// The answer to what was asked in a line has come, or somebody's turn.
    private func end(_ index: Int) {
        if script.isTimed {
            state.withLock { $0.ends.removeValue(forKey: index) }?.finish()
            return
        }
        let turn = state.withLock { state in
            let source = state.progress.lines[index].source
            return state.turns[source]?.isEmpty == false ? state.turns[source]?.removeFirst() : nil
        }
        turn?.line.withLock { $0 = index }
        turn?.waiter.finish()
    }

    /// Notes the first difference, and wakes whoever waits.
    @discardableResult
    func fail(_ kind: ScriptDifference.Kind, _ index: Int?, found: ScriptLine?) -> ScriptDifference {
        let (difference, waiters) = state.withLock { state -> (ScriptDifference, [Waiter]) in
            if let earlier = state.difference { return (earlier, []) }
            let difference = ScriptDifference(kind, in: state.progress.lines, at: index, found: found)
            state.difference = difference
            defer {
                state.ends = [:]
                state.turns = [:]
            }
            return (difference, [state.found] + state.ends.values + state.turns.values.joined().map(\.waiter))
        }
        for waiter in waiters { waiter.finish() }
        return difference
    }
}
