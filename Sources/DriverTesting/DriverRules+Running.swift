import BoardScripts
public import DeviceKit
import DeviceRuntime
public import SimulatedPeripherals

extension DriverRules {
    /// What is wrong with what a device does: it is started on a simulated board and stopped, twice, and given the commands
    /// that need no arguments; then all of that again.
    ///
    /// It has to be ready once in each run, to give back all that it has opened, however often it is run, and to do
    /// exactly the same again: whoever looks at another clock, or draws numbers of their own, does not.
    public static func problems<Part: Sendable>(
        running driver: Driver, _ options: OptionValues = OptionValues(),
        connecting connect: @escaping @Sendable (SimulatedBoard, OptionValues) throws -> Part
    ) async throws -> [String] {
        let first = try await life(of: driver, options, connect)
        let second = try await life(of: driver, options, connect)
        let change = zip(first.script, second.script).first { $0 != $1 }.map { ": first '\($0)', then '\($1)'" } ?? ""
        let isRepeatable = first.script == second.script
        return first.problems + (isRepeatable ? [] : ["\(driver.name): it does not do the same again\(change)"])
    }

    private static func life<Part: Sendable>(
        of driver: Driver, _ options: OptionValues,
        _ connect: @escaping @Sendable (SimulatedBoard, OptionValues) throws -> Part
    ) async throws -> (script: [String], problems: [String]) {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop, seed: 1)
            let part = try connect(board, options)
            defer { withExtendedLifetime(part) {} }
            let lines = Protected<[ScriptLine]>([])
            let recorder = ScriptRecorder(clock: loop) { line in lines.withLock { $0.append(line) } }
            let sink = DriverHarness(loop: loop, board: board)
            defer { try? Files.remove(sink.makePayloadPath()) }
            let device = try driver.makeDevice(
                options,
                DeviceContext(
                    name: "part", board: ScriptBoard(recording: board, to: recorder), loop: loop,
                    logger: Logger(RecordingLogSink()), sink: sink))
            var problems: [String] = []
            for round in 1...2 {
                problems += try await run(device, of: driver, on: loop).map { "\(driver.name), run \(round): \($0)" }
                problems += BoardScript(lines.withLock { $0 }).leftOpen.map {
                    "\(driver.name), run \(round): it has not closed \($0)"
                }
            }
            return (lines.withLock { $0.map(\.description) }, problems)
        }
    }

    private static func run(_ device: any Device, of driver: Driver, on loop: EventLoop) async throws -> [String] {
        let readiness = Protected(0)
        let ended = Protected<String?>(nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await device.run { readiness.withLock { $0 += 1 } }
                    if !Task.isCancelled { ended.withLock { $0 = "it ended by itself" } }
                } catch {
                    if !Task.isCancelled { ended.withLock { $0 = "it failed: \(error)" } }
                }
            }
            try await loop.sleep(for: .seconds(100))
            for command in driver.commands where !command.arguments.contains(where: \.isRequired) {
                try? await device.perform(Command(name: command.name))
                try await loop.sleep(for: .seconds(10))
            }
            group.cancelAll()
        }
        let count = readiness.withLock { $0 }
        return [ended.withLock { $0 }, count == 1 ? nil : "it was ready \(count) times"].compactMap { $0 }
    }
}
