import ButtonDriver
import DeviceKit
import DeviceRuntime
import Glibc
import LinuxPeripherals
import Peripherals

/// How long an edge takes from the kernel's time stamp to whoever wants it.
///
///     line-benchmark handler|sequence OFFSET COUNT
///
/// says `ready`, and after COUNT edges of the line prints each one's latency in ns. `handler` is the button's driver
/// without a debounce, from the edge to the event that its state machine makes of it.
@main
enum LineBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[3]) else {
            throw SystemError(code: EINVAL, call: "usage: handler|sequence OFFSET COUNT")
        }
        let loop = try EventLoop()
        let board = LinuxBoard(.raspberryPi4, loop: loop)
        let line = "GPIO\(arguments[2])"
        let latencies = Latencies(count: count, loop: loop)
        try loop.run {
            if arguments[1] == "handler" {
                try await runDriver(line, board, latencies)
            } else {
                try await readSequence(line, board, latencies)
            }
        }
        latencies.tell()
    }

    private static func runDriver(_ line: String, _ board: LinuxBoard, _ latencies: Latencies) async throws {
        let values = OptionValues([
            "pin": line, "pull": Bias.asIs, "active": Level?.some(.high), "settle": Duration?.some(.zero),
        ])
        let context = DeviceContext(
            name: "button", board: board, loop: latencies.loop, logger: Logger(RecordingLogSink()),
            sink: EventSink(latencies: latencies))
        let device = try Button.driver.makeDevice(values, context)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await device.run { latencies.begin() } }
            try await latencies.done.wait()
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
    }

    private static func readSequence(_ line: String, _ board: LinuxBoard, _ latencies: Latencies) async throws {
        let input = try await board.makeDigitalInput(line, DigitalInputConfiguration(), consumer: "benchmark")
        defer { input.close() }
        let events = try input.events()
        latencies.begin()
        for try await event in events {
            guard let edge = event.edge else { continue }
            if latencies.add(since: edge.timestamp) { return }
        }
    }
}

private struct EventSink: DeviceSink {
    let latencies: Latencies

    func emit(_ event: Event) { latencies.add(since: event.timestamp) }
    func setState(device: String, state: String, _ value: Bool) {}
    func setFault(device: String, _ reason: String?) {}
    func follow(device: String, _ handler: @escaping @Sendable (Event) -> Passing) -> Following { Following {} }
    func makePayloadPath() -> String { "/tmp/payload" }
}

/// Used on the loop's thread only.
private final class Latencies: @unchecked Sendable {
    let loop: EventLoop
    let done = Waiter()
    private let count: Int
    private var nanoseconds: [Int64] = []

    init(count: Int, loop: EventLoop) {
        self.count = count
        self.loop = loop
        nanoseconds.reserveCapacity(count)
    }

    func begin() {
        print("ready")
        fflush(nil)
    }

    /// Returns whether this was the last one.
    @discardableResult
    func add(since timestamp: Duration) -> Bool {
        let latency = loop.now - timestamp
        guard nanoseconds.count < count else { return true }
        nanoseconds.append(Int64(latency / .nanoseconds(1)))
        guard nanoseconds.count == count else { return false }
        done.finish()
        return true
    }

    func tell() {
        for latency in nanoseconds { print(latency) }
    }
}
