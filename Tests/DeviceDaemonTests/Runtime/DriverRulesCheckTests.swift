import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SimulatedPeripherals
import TestSupport
import Testing

/// Drives a line, with a fault of its author's.
private actor SloppyDevice: Device {
    enum Fault: String, CaseIterable {
        case none, leavesOpen, neverReady, readyTwice, ends, fails, cannotRunAgain, looksAtAnotherClock
    }

    private let context: DeviceContext
    private let fault: Fault
    private var left: (any DigitalOutput)?
    private var runs = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ fault: Fault, _ context: DeviceContext) {
        self.fault = fault
        self.context = context
    }

    static func driver(_ fault: Fault) -> Driver {
        Driver(
            name: "sloppy", summary: "", options: [], commands: [CommandDescription("blink", "")], claims: { _ in [] },
            makeDevice: { SloppyDevice(fault, $1) })
    }

    func run(ready: @escaping @Sendable () -> Void) async throws {
        runs += 1
        if fault == .cannotRunAgain, runs > 1 { throw DeviceError.notReady("") }
        let output = try await context.board.makeDigitalOutput(
            "GPIO5", DigitalOutputConfiguration(initialLevel: .low), consumer: context.name)
        defer { if fault != .leavesOpen { output.close() } }
        if fault == .leavesOpen { left = output }
        if fault != .neverReady { ready() }
        if fault == .readyTwice { ready() }
        if fault == .looksAtAnotherClock {
            // By the time since boot, which is another one each time.
            try await context.clock.sleep(for: EventLoop.monotonicNow() / 1_000_000)
            try output.write(.high)
        }
        if fault == .ends { return }
        if fault == .fails { throw PeripheralError(.io, "the wire is loose") }
        try await context.waitUntilStopped()
    }

    func perform(_ command: Command) async throws {}
}

@Suite("The check of drivers' rules")
struct DriverRulesCheckTests {
    @Test(
        "A device's fault is found, and none where there is none",
        arguments: [
            ("none", []),
            ("leavesOpen", ["sloppy, run 1: it has not closed GPIO5", "run 2: it failed: line GPIO5 is held"]),
            ("neverReady", ["run 1: it was ready 0 times", "run 2: it was ready 0 times"]),
            ("readyTwice", ["run 1: it was ready 2 times"]), ("ends", ["run 1: it ended by itself"]),
            ("fails", ["run 1: it failed: the wire is loose"]),
            ("cannotRunAgain", ["run 2: it failed", "run 2: it was ready 0"]),
        ])
    func running(fault: String, found: [String]) async throws {
        let driver = SloppyDevice.driver(try #require(SloppyDevice.Fault(rawValue: fault)))
        let problems = try await DriverRules.problems(running: driver) { _, _ in }
        #expect(problems.isEmpty == found.isEmpty, "\(problems)")
        for text in found { #expect(problems.contains { $0.contains(text) }, "\(text) is not in \(problems)") }
    }

    @Test("A device that looks at another clock does not do the same again")
    func anotherClock() async throws {
        let problems = try await DriverRules.problems(running: SloppyDevice.driver(.looksAtAnotherClock)) { _, _ in }
        #expect(problems.contains { $0.contains("it does not do the same again: first '") }, "\(problems)")
    }

    @Test("Words of the source that no driver says are found with their line, and not where they are something else")
    func sources() throws {
        let folder = try TemporaryDirectory()
        try folder.write(
            """
            import Peripherals
            public import DeviceKit
            import Glibc
            // A Date( in a comment, and Task { too.
            let update = lastUpdate(of: part)  // not Date(
            let now = Date()
            func printAll() { imprint(1) }
            Task { print("x") }
            """, to: "Part.swift")
        let problems = try DriverRules.problems(inSources: folder.path)
        let lines = problems.map { $0.dropFirst(folder.path.count + "/Part.swift:".count) }
        #expect(
            lines.map { $0.prefix(14) }
                == ["3: import Glibc", "6: 'Date(': tim", "8: 'Task {': a ", "8: 'print(': te"].map { $0.prefix(14) })
    }

    @Test("What the README leaves out is found")
    func readme() throws {
        let folder = try TemporaryDirectory()
        let option = Option("pin", .line, "")
        let bad = Option("for", .duration(.zero...(.seconds(1))), default: "2s", "how long")
        let driver = Driver(
            name: "part", summary: "", options: [option.description, bad.description],
            events: [EventDescription("pressed", "", fields: [FieldDescription("count", .integer, "")])],
            commands: [CommandDescription("blink", "")], claims: { _ in [] },
            makeDevice: { SloppyDevice(.none, $1) })
        let path = "\(folder.path)/README.md"
        #expect(try DriverRules.problems(of: driver, readme: path) == ["\(path) is missing"])
        try folder.write("# Part\n\n`pin`, `for`, `pressed`, `blink`\n\n    x: { driver: part }\n", to: "README.md")
        #expect(
            try DriverRules.problems(of: driver, readme: path) == [
                "\(path): `count` is not in it", "part: option 'pin' has no summary",
                "part: option 'for' does not take its own default, '2s'",
            ])
    }
}
