import DeviceKit
import DeviceRuntime
import Testing

@testable import DeviceDaemon

/// A device that fails as often as it is told to.
private actor FlakyDevice: Device {
    private var failuresLeft: Int
    private let loop: EventLoop
    private(set) var starts: [Duration] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(failures: Int, loop: EventLoop) {
        failuresLeft = failures
        self.loop = loop
    }

    struct Broken: Error, CustomStringConvertible { let description = "the wire is loose" }

    func run(ready: @escaping @Sendable () -> Void) async throws {
        starts.append(loop.now)
        failuresLeft -= 1
        if failuresLeft >= 0 { throw Broken() }
        ready()
        try await Waiter().wait()
    }

    func perform(_ command: Command) async throws {}
}

/// Tells when it runs and when it has ended, a while after it was told to.
private actor OrderedDevice: Device {
    private let name: String
    private let order: Protected<[String]>
    private let loop: EventLoop

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(name: String, order: Protected<[String]>, loop: EventLoop) {
        self.name = name
        self.order = order
        self.loop = loop
    }

    func run(ready: @escaping @Sendable () -> Void) async throws {
        order.withLock { $0.append("\(name) runs") }
        ready()
        try? await Waiter().wait()
        // As a servo takes a moment to detach.
        let detached = Waiter()
        loop.schedule(at: loop.now + .milliseconds(20)) { detached.finish() }
        try await detached.value()
        order.withLock { $0.append("\(name) ends") }
    }

    func perform(_ command: Command) async throws { order.withLock { $0.append("\(name) \(command.name)") } }
}

@Suite("Supervision of devices")
struct SupervisionTests {
    static func supervise(
        failures: Int, for duration: Duration
    ) async throws -> (
        starts: [Duration], log: [LogEntry], summaries: [String]
    ) {
        try await EventLoop.run(time: .virtual) { loop in
            let sink = RecordingLogSink()
            let summaries = Protected<[String]>([])
            let device = FlakyDevice(failures: failures, loop: loop)
            let directory = DeviceDirectory()
            directory.replace([Self.entry("part", device)])
            let observation = directory.observe { change in
                if case .health = change { summaries.withLock { $0.append(directory.summary) } }
            }
            defer { observation.cancel() }
            let devices = DeviceSet(directory, clock: loop, logger: Logger(sink))
            try await ServiceGroup([devices], logger: Logger(sink)).run { try await loop.sleep(for: duration) }
            return (await device.starts, sink.entries, summaries.withLock { $0 })
        }
    }

    private static func entry(_ name: String, _ device: any Device, _ option: String = "") -> DeviceDirectory.Entry {
        let driver = Driver(
            name: "flaky", summary: "", options: [], claims: { _ in [] }, makeDevice: { _, _ in device })
        let configuration = DeviceConfiguration(
            name: name, driver: driver, options: OptionValues(), texts: [OptionText(name: "option", text: option)],
            claims: [], position: SourcePosition(line: 1, column: 1))
        return DeviceDirectory.Entry(configuration: configuration, device: device)
    }

    @Test("A failed device is tried again with growing pauses, up to a minute")
    func pauses() async throws {
        let starts = try await Self.supervise(failures: .max, for: .seconds(300)).starts
        let expected: [Duration] = [0, 1, 3, 7, 15, 31, 63, 123].map { .seconds($0) }
        #expect(Array(starts.prefix(8)) == expected)
        #expect(zip(starts.dropFirst(), starts).allSatisfy { $0 - $1 <= .seconds(60) })
    }

    @Test("A failure and the recovery are each logged once, and show in the summary")
    func log() async throws {
        let result = try await Self.supervise(failures: 3, for: .seconds(60))
        #expect(result.log.map(\.message) == ["device failed; it is tried again", "device recovered"])
        #expect(result.log.first?.text.contains("the wire is loose") == true)
        #expect(
            result.summaries == [
                "0 of 1 devices running; failing: part", "0 of 1 devices running; failing: part",
                "0 of 1 devices running; failing: part", "1 of 1 devices running",
            ])
    }

    @Test("Of changed devices those that are the same go on, and one that goes has ended before another comes")
    func change() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let order = Protected<[String]>([])
            @Sendable func device(_ name: String) -> OrderedDevice {
                OrderedDevice(name: name, order: order, loop: loop)
            }
            let directory = DeviceDirectory()
            directory.replace([
                Self.entry("a", device("a")), Self.entry("b", device("b")), Self.entry("c", device("c")),
            ])
            let devices = DeviceSet(directory, clock: loop, logger: Logger(RecordingLogSink()))
            try await ServiceGroup([devices], logger: Logger(RecordingLogSink())).run {
                try await loop.sleep(for: .seconds(1))
                try await devices.replace([
                    Self.entry("a", device("another a")), Self.entry("b", device("new b"), "changed"),
                    Self.entry("d", device("d")),
                ])
                try await loop.sleep(for: .seconds(1))
                #expect(directory.entries.map(\.health) == [.healthy, .healthy, .healthy])
                try await directory.perform(Command(name: "x"), on: "a")
            }
            let told = order.withLock { $0 }
            #expect(told.prefix(3) == ["a runs", "b runs", "c runs"])
            #expect(Set(told[3..<5]) == ["b ends", "c ends"])
            #expect(told[5..<8] == ["new b runs", "d runs", "a x"])
            #expect(Set(told[8...]) == ["a ends", "new b ends", "d ends"])
        }
    }
}
