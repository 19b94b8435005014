import DeviceRuntime
public import SimulatedPeripherals

extension ScenarioFile {
    /// Runs one of its scenarios on the calling thread, in virtual time; `seed` takes the place of the scenario's own,
    /// and `observer` gets the trace as it happens.
    ///
    /// Throws what keeps the daemon from starting at all.
    public func run(
        _ scenario: Scenario, seed: UInt64? = nil, observer: (@Sendable (Trace.Entry) -> Void)? = nil
    ) throws -> ScenarioResult {
        let directory = try Files.makeTemporaryDirectory(prefix: "perch-scenario", inMemory: true)
        defer { try? Files.removeTree(directory) }
        let seed = seed ?? scenario.seed
        let monitor = ScenarioMonitor(scenario, file: path)
        let run = SimulatedRun(
            configuration: scenario.configuration, models: models, seed: seed, directory: directory,
            keepsArrivals: false)
        let watch = SimulatedRun.Watch(
            trace: { entry in
                observer?(entry)
                monitor.traced(entry)
            },
            logged: { monitor.occurred(.log($0)) },
            occurred: { monitor.occurred(.rules($0)) },
            changed: { change in
                if case .event(let event) = change { monitor.occurred(.event(event)) }
            },
            arrived: { monitor.occurred(.record(storage: $0.storage, $0.record)) },
            starting: { monitor.begin($0) })
        let outcome = Protected<ScenarioResult?>(nil)
        try run.run(watch) { world in
            monitor.begin(world)
            ScenarioDirector(scenario, world, monitor).begin()
            return {
                let loop = world.board.loop
                try await withThrowingTaskGroup(of: Void.self) { group in
                    if let interval = scenario.visitInterval {
                        group.addTask { try await world.receiveVisitors(every: interval) }
                    }
                    try await loop.sleep(until: scenario.duration)
                    group.cancelAll()
                }
                let result = monitor.finish(seed: seed)
                outcome.withLock { $0 = result }
            }
        }
        // Without one the daemon's run has thrown.
        guard let result = outcome.withLock({ $0 }) else { throw CancellationError() }
        return result
    }
}

/// Lets the steps of a scenario happen at their times.
private struct ScenarioDirector: Sendable {
    let scenario: Scenario
    let world: SimulatedWorld
    let monitor: ScenarioMonitor
    let performer: StimulusPerformer

    init(_ scenario: Scenario, _ world: SimulatedWorld, _ monitor: ScenarioMonitor) {
        self.scenario = scenario
        self.world = world
        self.monitor = monitor
        performer = StimulusPerformer(world: world)
    }

    /// What is to be so at boot is so before the daemon starts.
    func begin() {
        for step in scenario.steps { schedule(step, at: step.time, left: step.times) }
    }

    private func schedule(_ step: ScenarioStep, at time: Duration, left: Int) {
        if time == .zero { return perform(step, left: left) }
        world.board.loop.schedule(at: time) { perform(step, left: left) }
    }

    private func perform(_ step: ScenarioStep, left: Int) {
        for action in step.actions {
            switch action {
            case .stimulus(let stimulus):
                do { try performer.perform(stimulus) } catch { monitor.failed(step, "\(stimulus)", error) }
            case .fault(let fault):
                // A step that is repeated repeats what the world does.
                guard left == step.times else { continue }
                do { try world.begin(fault) } catch { monitor.failed(step, "\(fault)", error) }
            case .expectation: break
            }
        }
        if left > 1 { schedule(step, at: world.board.loop.now + step.interval, left: left - 1) }
    }
}
