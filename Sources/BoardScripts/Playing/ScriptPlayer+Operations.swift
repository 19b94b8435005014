import DeviceRuntime
import Peripherals

/// What a program does, answered by the script.
extension ScriptPlayer {
    func mediates(_ source: String) -> Bool { state.withLock { $0.progress.concerns(source) } }

    func open<Peripheral: Sendable, Facts: Sendable>(
        _ source: String, _ request: String, _ form: AnswerForm<Facts>, usual: Facts,
        facts: @escaping @Sendable (Peripheral) -> Facts, _ live: () async throws -> Peripheral
    ) async throws -> (peripheral: Peripheral?, facts: Facts) {
        guard let line = try await line(for: source, request) else { return (nil, usual) }
        // By hand nobody writes down what a controller says of itself.
        if line.answer.isEmpty { return (nil, usual) }
        return (nil, try answer(of: line, form))
    }

    func perform<Answer: Sendable>(
        _ source: String, _ request: String, _ form: AnswerForm<Answer>, _ live: () async throws -> Answer
    ) async throws -> Answer {
        guard let line = try await line(for: source, request) else { return try usual(source, request, form) }
        return try answer(of: line, form)
    }

    func performNow<Answer: Sendable>(
        _ source: String, _ request: String, _ form: AnswerForm<Answer>, _ live: () throws -> Answer
    ) throws -> Answer {
        guard case .line(let index) = try ask(source, request) else { return try usual(source, request, form) }
        return try answer(of: state.withLock { $0.progress.lines[index] }, form)
    }

    func noteClosing(_ source: String) {
        state.withLock { $0.handlers[source] = nil }
        _ = try? ask(source, "close")
    }

    func setHandler(
        _ source: String, _ handler: (@Sendable (LineEvent) -> Void)?,
        _ live: ((@Sendable (LineEvent) -> Void)?) throws -> Void
    ) throws {
        state.withLock { $0.handlers[source] = handler }
        if !script.isTimed { advanceSoon() }
    }

    /// The script's line for an operation, once it is over; `nil` if the script leaves it open.
    private func line(for source: String, _ request: String) async throws -> ScriptLine? {
        let index: Int
        switch try ask(source, request) {
        case .line(let line): index = line
        case .wait: index = try await turn(source, request)
        case .free, .difference: return nil
        }
        let line = state.withLock { $0.progress.lines[index] }
        // It had no end: the program was stopped meanwhile.
        if line.answer == "cancelled" { try await Waiter().wait() }
        if let time = line.time, origin + time > loop.now {
            let waiter = Waiter()
            state.withLock { $0.ends[index] = waiter }
            // As on the board: what has begun ends, also when its task is cancelled.
            try await waiter.value()
        }
        return line
    }

    private func turn(_ source: String, _ request: String) async throws -> Int {
        let turn = Turn()
        state.withLock { $0.turns[source, default: []].append(turn) }
        defer { state.withLock { $0.turns[source]?.removeAll { $0 === turn } } }
        advanceSoon()
        let limit = ScriptText.duration(request.dropFirst("receive within ".count))
        let timer = limit.map { limit in
            loop.schedule(after: limit) {
                turn.waiter.finish(
                    .failure(PeripheralError(.timedOut, "\(source): nothing arrived in time: its script has nothing")))
            }
        }
        defer { timer?.cancel() }
        try await turn.waiter.wait()
        guard let index = turn.line.withLock({ $0 }) else { throw CancellationError() }
        advanceSoon()
        return index
    }

    private func ask(_ source: String, _ request: String) throws -> ScriptVerdict {
        let now = loop.now - origin
        let verdict = try state.withLock { state in
            if let difference = state.difference { throw difference }
            return state.progress.ask(source, request, at: now)
        }
        if case .difference(let kind, let index) = verdict {
            throw fail(
                kind, index, found: ScriptLine(time: script.isTimed ? now : nil, source: source, request: request))
        }
        if !script.isTimed { advanceSoon() }
        return verdict
    }

    private func usual<Answer>(_ source: String, _ request: String, _ form: AnswerForm<Answer>) throws -> Answer {
        let text = request == "read" ? state.withLock { $0.levels[source] ?? .low }.rawValue : ""
        guard let answer = form.parse(text) else {
            throw fail(.unexpected, nil, found: ScriptLine(source: source, request: request))
        }
        return answer
    }

    private func answer<Answer>(of line: ScriptLine, _ form: AnswerForm<Answer>) throws -> Answer {
        if let failure = ScriptText.failure(line.answer, of: line.source) { throw failure }
        if let answer = form.parse(line.answer) { return answer }
        let index = state.withLock { $0.progress.lines.firstIndex(of: line) }
        throw fail(.unreadable, index, found: nil)
    }
}
