import ButtonDriver
import CameraDriver
import DeviceKit
import DeviceRuntime
import HT16K33Driver
import MotionSensorDriver
import Peripherals
import ServoDriver
import Testing

extension Behaviour {
    /// Each driver that Perch comes with, unchanged on the board, seen from the outside of its wires.
    static let drivers = [
        Behaviour("Drivers", "button: a press and a release at the wire are its events") { bench in
            try bench.pull("GPIO17", to: .high)
            try await DeviceOnBench.run(Button.driver, ["pin": .scalar("GPIO17"), "pull": .scalar("up")], on: bench) {
                bell in
                try bench.pull("GPIO17", to: .low)
                #expect(try await bell.event(1).name == "pressed")
                #expect(bell.state("pressed") == true)
                try bench.pull("GPIO17", to: .high)
                #expect(try await bell.event(2).name == "released")
                #expect(bell.state("pressed") == false)
            }
        },
        Behaviour("Drivers", "motion-sensor: a high and a low at the wire are a beginning and an end") { bench in
            try bench.pull("GPIO18", to: .low)
            try await DeviceOnBench.run(
                MotionSensor.driver, ["pin": .scalar("GPIO18"), "warm-up": .scalar("0s")], on: bench
            ) { sensor in
                try await bench.settle()
                try bench.pull("GPIO18", to: .high)
                #expect(try await sensor.event(1).name == "started")
                #expect(sensor.state("motion") == true)
                try bench.pull("GPIO18", to: .low)
                #expect(try await sensor.event(2).name == "ended")
            }
        },
        Behaviour("Drivers", "servo: nothing before the first move, then a pulse of its angle, and nothing at the end")
        {
            bench in
            let pulse = PWMSettings(period: .milliseconds(20), pulseWidth: .microseconds(1500), isEnabled: true)
            try await DeviceOnBench.run(Servo.driver, ["pwm": .scalar("PWM0")], on: bench) { arm in
                #expect(try bench.signal(of: "PWM0") == PWMSettings(period: pulse.period))
                try await arm.perform("move", ["to": .scalar("90deg")])
                #expect(try await arm.event(1).name == "moved")
                #expect(try bench.signal(of: "PWM0") == pulse)
            }
            let next = try await bench.board.makePWMOutput("PWM0", consumer: "test")
            #expect(try await next.settings() == PWMSettings(period: pulse.period))
            await next.close()
        },
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

/// A device that runs on a bench's board.
final class DeviceOnBench: DeviceSink {
    private struct State {
        var events: [Event] = []
        var states: [String: Bool] = [:]
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

    func setFault(device: String, _ reason: String?) {}

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
