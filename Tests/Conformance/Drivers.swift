import CameraDriver
import DeviceKit
import DeviceRuntime
import HT16K33Driver
import Peripherals
import Testing

extension Behaviour {
    /// Each driver that Perch comes with, unchanged on the board, seen from the outside of its wires.
    static let drivers = buttons + motionSensors + servos + displaysAndCameras

    private static let displaysAndCameras = [
        Behaviour("Drivers", "ht16k33: a text is in the chip's memory, byte for byte") { bench in
            let bus = try await bench.connectDisplay()
            try await DeviceOnBench.run(HT16K33.driver, ["bus": .scalar(bus)], on: bench) { sign in
                #expect(try await bench.displayMemory() == [UInt8](repeating: 0, count: 16))
                try await sign.perform("show", ["text": .scalar("HI.")])
                // H is BCEF12, I is ADJM with the point: little-endian words at the digits' addresses.
                let text: [UInt8] = [0xF6, 0x00, 0x09, 0x52] + [UInt8](repeating: 0, count: 12)
                for _ in 0..<200 where try await bench.displayMemory() != text { try await bench.settle() }
                #expect(try await bench.displayMemory() == text)
            }
        },
        Behaviour("Drivers", "ht16k33: what changes on each glass is in the chip's memory, and nothing else") { bench in
            let bus = try await bench.connectDisplay()
            for (layout, steps) in displaySteps {
                let options = ["bus": OptionInput.scalar(bus), "layout": .scalar(layout)]
                try await DeviceOnBench.run(HT16K33.driver, options, on: bench) { sign in
                    for (command, arguments, bytes) in steps {
                        try await sign.perform(command, arguments)
                        let memory = bytes + [UInt8](repeating: 0, count: 16 - bytes.count)
                        for _ in 0..<200 where try await bench.displayMemory() != memory { try await bench.settle() }
                        #expect(try await bench.displayMemory() == memory)
                    }
                }
            }
        },
        Behaviour("Drivers", "ht16k33: a key of its matrix is pressed and released") { bench in
            let bus = try await bench.connectDisplay()
            let options = ["bus": OptionInput.scalar(bus), "layout": .scalar("8x8"), "key-poll": .scalar("20ms")]
            for key in [1, 9, 13, 14, 39] {
                try await DeviceOnBench.run(HT16K33.driver, options, on: bench) { keys in
                    try await bench.pressKey(key)
                    #expect(try await keys.event(1).name == "key-pressed")
                    let released = try await keys.event(2)
                    #expect(released.name == "key-released")
                    #expect(released.fields.first?.value == .integer(key))
                }
            }
        },
        Behaviour("Drivers", "camera: a picture is an event with a file and its kind") { bench in
            // A board with a real camera runs the program; the simulated one draws a picture of its own.
            let command = ["sh", "-c", #"printf '\211PNG\r\n\032\n' > "$0""#, "{}"]
            try await DeviceOnBench.run(Camera.driver, ["command": .list(command)], on: bench) { camera in
                try await camera.perform("capture", [:])
                let event = try await camera.event(1)
                #expect(event.name == "captured")
                #expect(event.payload?.mediaType == "image/png")
                let path = try #require(event.payload?.path)
                #expect(try Files.read(path).prefix(4) == [0x89, 0x50, 0x4E, 0x47])
                try Files.remove(path)
            }
        },
    ]
}

/// What is shown on a layout, step by step, and what the chip's memory begins with then.
private let displaySteps: [(layout: String, steps: [(String, [String: OptionInput], [UInt8])])] = [
    (
        "7-segment",
        [
            ("time", ["value": .scalar("12:34")], [0x06, 0, 0x5B, 0, 0x02, 0, 0x4F, 0, 0x66]),
            ("time", ["value": .scalar("12:35")], [0x06, 0, 0x5B, 0, 0x02, 0, 0x4F, 0, 0x6D]),
            ("number", ["value": .scalar("-1.5")], [0, 0, 0x40, 0, 0, 0, 0x86, 0, 0x6D]),
            ("clear", [:], []),
        ]
    ),
    (
        "7-segment-large",
        [("dots", ["names": .list(["colon", "upper-left", "upper-right"])], [0, 0, 0, 0, 0b1_0110])]
    ),
    ("8x8", [("frame", ["rows": .list(["#.......", ".#......", ".......#"])], [0x80, 0, 0x01, 0, 0x40])]),
    ("16x8", [("frame", ["rows": .list(["#..............#", "........#"])], [0x01, 0x80, 0, 0x01])]),
    ("16x8-wing", [("frame", ["rows": .list([".#.......#", ".#"])], [0, 0, 0x03, 0x01])]),
    ("8x8-bicolour", [("frame", ["rows": .list(["rgy"])], [0b110, 0b101])]),
    ("bar-24", [("frame", ["rows": .list(["rg..y.......g"])], [0b1, 0b1_0010, 0b1, 0b1])]),
]

/// A device that runs on a bench's board.
final class DeviceOnBench: DeviceSink {
    private struct State {
        var events: [Event] = []
        var states: [String: Bool] = [:]
        var fault: String?
        var device: (any Device)?
        /// Who waits for how many events.
        var waiter: (count: Int, waiter: Waiter)?
    }

    private let driver: Driver
    private let loop: EventLoop
    private let state = Protected(State())

    private init(_ driver: Driver, loop: EventLoop) {
        self.driver = driver
        self.loop = loop
    }

    /// Runs `body` beside the device, which is stopped afterwards.
    static func run(
        _ driver: Driver, _ options: [String: OptionInput], on bench: any TestBench,
        _ body: @escaping @Sendable (DeviceOnBench) async throws -> Void
    ) async throws {
        let running = DeviceOnBench(driver, loop: bench.loop)
        let context = DeviceContext(
            name: driver.name, board: bench.board, loop: bench.loop, logger: Logger(RecordingLogSink()), sink: running)
        let device = try driver.makeDevice(try values(options, driver.options), context)
        running.state.withLock { $0.device = device }
        try await withThrowingTaskGroup(of: Void.self) { group in
            let ready = Waiter()
            group.addTask {
                do { try await device.run { ready.finish() } } catch {
                    ready.finish(.failure(error))
                    throw error
                }
            }
            try await ready.value()
            try await body(running)
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
        running.state.withLock { $0.device = nil }
    }

    func perform(_ name: String, _ arguments: [String: OptionInput]) async throws {
        let description = driver.commands.first { $0.name == name }
        let values = try Self.values(arguments, description?.arguments ?? [])
        try await state.withLock { $0.device }?.perform(Command(name: name, arguments: values))
    }

    /// The event of that number, counted from one, once it is there. Throws after ten seconds.
    func event(_ number: Int) async throws -> Event {
        let waiter = Waiter()
        let isThere = state.withLock { state in
            state.waiter = (number, waiter)
            return state.events.count >= number
        }
        if isThere { waiter.finish() }
        let timer = loop.schedule(after: .seconds(10)) { waiter.finish(.failure(CancellationError())) }
        defer { timer.cancel() }
        try await waiter.wait()
        return try state.withLock { try #require($0.events.dropFirst(number - 1).first) }
    }

    var events: [Event] { state.withLock { $0.events } }

    var fault: String? { state.withLock { $0.fault } }

    func state(_ name: String) -> Bool? { state.withLock { $0.states[name] } }

    func emit(_ event: Event) {
        let waiter: Waiter? = state.withLock { state in
            state.events.append(event)
            guard let (count, waiter) = state.waiter, state.events.count >= count else { return nil }
            return waiter
        }
        waiter?.finish()
    }

    func setState(device: String, state name: String, _ value: Bool) { state.withLock { $0.states[name] = value } }

    func setFault(device: String, _ reason: String?) { state.withLock { $0.fault = reason } }

    func follow(device: String, _ handler: @escaping @Sendable (Event) -> Passing) -> Following { Following {} }

    func makePayloadPath() -> String { "/tmp/perch-\(driver.name)-\(UInt64.random(in: 0 ... .max))" }

    private static func values(
        _ inputs: [String: OptionInput], _ table: [OptionDescription]
    ) throws -> OptionValues {
        var values: [String: any Sendable] = [:]
        for (name, input) in inputs {
            values[name] = try #require(table.first { $0.name == name }?.parse(input))
        }
        return OptionValues(values)
    }
}
