import DeviceKit
import DeviceRuntime

/// Runs the devices of a directory, and changes which ones run while the others go on.
final class DeviceSet: Service {
    let name = "devices"
    let directory: DeviceDirectory
    private let clock: any MonotonicClock
    private let logger: Logger
    private let running = Protected<[String: Run]>([:])
    private let starts: AsyncStream<Run>
    private let start: AsyncStream<Run>.Continuation

    /// A device that is to run until it is told to stop.
    private struct Run: Sendable {
        let entry: DeviceDirectory.Entry
        let stop = Waiter()
        let ended = Waiter()
    }

    init(_ directory: DeviceDirectory, clock: any MonotonicClock, logger: Logger) {
        self.directory = directory
        self.clock = clock
        self.logger = logger
        (starts, start) = AsyncStream.makeStream()
        for entry in directory.entries { add(entry) }
    }

    func run(ready: @escaping @Sendable () -> Void) async throws {
        // Nobody waits for a part: one that is missing must not keep the rest from starting.
        ready()
        await withDiscardingTaskGroup { group in
            for await run in starts { group.addTask { await self.supervise(run) } }
        }
    }

    /// Puts `entries` in the place of the devices that run. A device that is the same as before is not touched, and
    /// keeps its entry; one that goes has made its outputs safe before one that comes is started.
    func replace(_ entries: [DeviceDirectory.Entry]) async throws {
        let kept = entries.compactMap { entry -> DeviceDirectory.Entry? in
            guard let old = directory[entry.name], old.configuration.isSame(as: entry.configuration) else { return nil }
            return old
        }
        let names = Set(kept.map(\.name))
        let going = running.withLock { running in
            defer { running = running.filter { names.contains($0.key) } }
            return running.values.filter { !names.contains($0.entry.name) }
        }
        for run in going { run.stop.finish() }
        for run in going { try await run.ended.wait() }
        directory.replace(entries.map { entry in kept.first { $0.name == entry.name } ?? entry })
        for entry in entries where !names.contains(entry.name) { add(entry) }
    }

    private func add(_ entry: DeviceDirectory.Entry) {
        let run = Run(entry: entry)
        running.withLock { $0[entry.name] = run }
        start.yield(run)
    }

    private func supervise(_ run: Run) async {
        defer { run.ended.finish() }
        let supervisor = DeviceSupervisor(
            name: run.entry.name, device: run.entry.device, clock: clock, directory: directory, logger: logger)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await supervisor.run() }
            group.addTask { try? await run.stop.wait() }
            await group.next()
            group.cancelAll()
        }
    }
}

extension DeviceConfiguration {
    /// Whether what has such a need can ever be told with these options.
    func allows(_ need: Need?) -> Bool { need.map { (try? $0.isMet(options)) ?? true } ?? true }

    /// Whether a device of this configuration would do what one of the other does.
    func isSame(as other: DeviceConfiguration) -> Bool {
        name == other.name && driver.name == other.driver.name && texts == other.texts
    }
}
