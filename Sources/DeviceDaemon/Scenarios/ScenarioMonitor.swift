import CaptureStore
import DeviceKit
import DeviceRuntime
import Peripherals
import SimulatedPeripherals

/// Watches a run of a scenario and judges it: hands what happens to the expectations, and looks at things for them.
final class ScenarioMonitor: Sendable {
    /// A failure as it stood when it came to light; its reason may still get longer.
    private struct Finding {
        let expectation: Int
        let rules: [String]
        let trace: [String]
    }

    private struct State {
        var machines: [ExpectationStateMachine]
        var findings: [Finding] = []
        var mishaps: [ScenarioFailure] = []
        var rules = RuleLog()
        var excerpt = TraceExcerpt()
        var arrived: Set<String> = []
        var isLookDue = false
        var world: SimulatedWorld?
        var daemon: Daemon?
    }

    private let scenario: Scenario
    private let file: String
    /// Wires whose traffic explains something, because an expectation is about them.
    private let wires: Set<String>
    private let state: Protected<State>

    init(_ scenario: Scenario, file: String) {
        self.scenario = scenario
        self.file = file
        let expectations = scenario.steps.flatMap(\.actions).compactMap { action in
            if case .expectation(let expectation) = action { expectation } else { nil }
        }
        wires = Set(
            expectations.compactMap { expectation in
                guard case .condition(let observable, _) = expectation.subject else { return nil }
                switch observable {
                case .level(let name), .pulses(let name): return name
                default: return nil
                }
            })
        state = Protected(State(machines: expectations.map { ExpectationStateMachine($0) }))
    }

    // MARK: The run

    /// The board is there: sets the times at which things are looked at.
    func begin(_ world: SimulatedWorld) {
        let expectations = state.withLock { state in
            state.world = world
            return state.machines.map(\.expectation)
        }
        let loop = world.board.loop
        for (index, expectation) in expectations.enumerated() {
            if case .condition = expectation.subject {
                loop.schedule(at: expectation.start) { [self] in loop.execute { [self] in tick(index) } }
            }
            guard expectation.end < scenario.duration else { continue }
            loop.schedule(at: expectation.end) { [self] in loop.execute { [self] in end(index) } }
        }
    }

    /// The daemon is there.
    func begin(_ daemon: Daemon) { state.withLock { $0.daemon = daemon } }

    /// The scenario is over: judges what is left, and tells what came of it.
    func finish(seed: UInt64) -> ScenarioResult {
        let count = state.withLock { $0.machines.count }
        for index in 0..<count { end(index) }
        return state.withLock { state in
            let failures = state.findings.map { finding in
                let machine = state.machines[finding.expectation]
                return ScenarioFailure(
                    file: file, position: machine.expectation.position, expectation: machine.expectation.description,
                    reason: machine.reason ?? "", rules: finding.rules, trace: finding.trace)
            }
            // Lets go of what holds the loop.
            state.world = nil
            state.daemon = nil
            return ScenarioResult(
                scenario: scenario.name, seed: seed, failures: state.mishaps + failures,
                firedRules: state.rules.firedLines)
        }
    }

    /// A step could not be done.
    func failed(_ step: ScenarioStep, _ deed: String, _ error: any Error) {
        state.withLock { state in
            state.mishaps.append(
                ScenarioFailure(
                    file: file, position: step.position, expectation: "'\(deed)' cannot be done", reason: "\(error)",
                    rules: [], trace: state.excerpt.lines(since: step.time)))
        }
    }

    // MARK: What happens

    func traced(_ entry: Trace.Entry) {
        let loop = state.withLock { state -> EventLoop? in
            if !entry.isWire || wires.contains(entry.source) { state.excerpt.add(entry) }
            guard !state.isLookDue, state.machines.contains(where: \.looks) else { return nil }
            state.isLookDue = true
            return state.world?.board.loop
        }
        // Not at once: whoever writes to the trace may be in the middle of a change.
        loop?.execute { [self] in
            state.withLock { $0.isLookDue = false }
            lookAtAll()
        }
    }

    func occurred(_ occurrence: ScenarioOccurrence) {
        state.withLock { state in
            guard let now = state.world?.board.loop.now else { return }
            switch occurrence {
            case .rules(.fired(let rule, let cause)): state.rules.note(rule, cause, at: now, isHeldBack: false)
            case .rules(.heldBack(let rule, let cause)): state.rules.note(rule, cause, at: now, isHeldBack: true)
            case .record(let storage, let record):
                // Its document and its file come one after the other; what comes again is no other record.
                let names = record.objects.map { "\(storage) \($0.name)" }.filter { !state.arrived.contains($0) }
                if names.isEmpty { return }
                state.arrived.formUnion(names)
            default: break
            }
            for index in state.machines.indices {
                guard case .occurrence(let pattern) = state.machines[index].expectation.subject,
                    pattern.matches(occurrence)
                else { continue }
                let verdict = state.machines[index].happened(at: now)
                settle(index, verdict, &state)
            }
        }
    }

    // MARK: Looking

    private func lookAtAll() {
        let (indices, now) = state.withLock { state -> ([Int], Duration) in
            let now = state.world?.board.loop.now ?? .zero
            return (state.machines.indices.filter { state.machines[$0].looks(at: now) }, now)
        }
        for index in indices { look(index, at: now) }
    }

    private func look(_ index: Int, at now: Duration) {
        let (observable, world, daemon) = state.withLock { state -> (Observable?, SimulatedWorld?, Daemon?) in
            guard case .condition(let observable, _) = state.machines[index].expectation.subject else {
                return (nil, nil, nil)
            }
            return (observable, state.world, state.daemon)
        }
        guard let observable, let world else { return }
        // Outside the lock: a part may write to the trace.
        let value = observable.value(world, daemon)
        state.withLock { state in
            let verdict = state.machines[index].saw(value, at: now)
            settle(index, verdict, &state)
        }
    }

    /// Looks, and does so again in a while: what moves by itself writes nothing into the trace.
    private func tick(_ index: Int) {
        guard let loop = state.withLock({ $0.world?.board.loop }) else { return }
        let now = loop.now
        look(index, at: now)
        let machine = state.withLock { $0.machines[index] }
        let step = max(.milliseconds(10), (machine.expectation.end - machine.expectation.start) / 10_000)
        guard machine.isOpen(at: now + step) else { return }
        loop.schedule(after: step) { [self] in tick(index) }
    }

    private func end(_ index: Int) {
        guard let now = state.withLock({ $0.world?.board.loop.now }) else { return }
        if state.withLock({ $0.machines[index].looks(at: now) }) { look(index, at: now) }
        state.withLock { state in
            let verdict = state.machines[index].ended()
            settle(index, verdict, &state)
        }
    }

    private func settle(_ index: Int, _ verdict: ExpectationStateMachine.Verdict?, _ state: inout State) {
        guard case .failed = verdict else { return }
        let expectation = state.machines[index].expectation
        state.findings.append(
            Finding(
                expectation: index, rules: state.rules.notes(on: expectation, since: expectation.start, scenario),
                trace: state.excerpt.lines(since: expectation.start)))
    }
}

extension Observable {
    /// How it is now; `nil` if there is nothing to be seen.
    fileprivate func value(_ world: SimulatedWorld, _ daemon: Daemon?) -> Value? {
        switch self {
        case .observation(let device, let name): world.parts.first { $0.name == device }?.part.observe(name)
        case .state(let reference): daemon.map { .flag($0.devices.holds(reference)) }
        case .health(let device): daemon?.devices[device].map { .text($0.healthWord) }
        case .level(let name): (try? world.board.line(name)).map { .text("\($0.level)") }
        case .pulses(let name):
            (try? world.board.pwmChannel(name).signal).map { signal in
                // Pulses of no length are none.
                signal.isEnabled && signal.pulseWidth > .zero
                    ? .number(signal.pulseWidth / .seconds(1)) : .text("off")
            }
        }
    }
}

extension DeviceDirectory.Entry {
    /// How it does, in a word of ``healthWords``.
    fileprivate var healthWord: String {
        switch health {
        case .starting: "starting"
        case .healthy: fault == nil ? "healthy" : "faulty"
        case .failing: "failing"
        }
    }

    static let healthWords = ["starting", "healthy", "faulty", "failing"]
}
