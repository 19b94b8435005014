import DeviceRuntime
import Peripherals

/// A simulated port while the program has it open.
final class SimulatedSerialOpening: SerialPort {
    private let port: SimulatedSerialPort
    private let opening: UInt64
    private let loop: EventLoop
    private let use = Protected((isReading: false, isWriting: false))

    var name: String { port.name }

    init(port: SimulatedSerialPort, opening: UInt64, loop: EventLoop) {
        self.port = port
        self.opening = opening
        self.loop = loop
    }

    deinit { port.close(opening) }

    func read(timeout: Duration?) async throws -> SerialInput {
        try port.access(opening) { _ in }
        try begin(\.isReading, "read")
        defer { use.withLock { $0.isReading = false } }
        let deadline = timeout.map { loop.now + $0 }
        while true {
            if let input = try port.access(opening, { $0.takeArrived() }) {
                // There is room again for what was held up.
                port.pumpIn()
                return input
            }
            if let deadline, loop.now >= deadline {
                throw PeripheralError(
                    .timedOut, "\(name): nothing arrived in time",
                    advice: "check the wires and the other end's baud rate")
            }
            try await waitForChange(until: deadline)
        }
    }

    func write(_ bytes: [UInt8]) async throws {
        try port.access(opening) { _ in }
        try begin(\.isWriting, "written to")
        defer { use.withLock { $0.isWriting = false } }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try port.access(opening) { $0.accept(rest) }
            rest = rest.dropFirst(count)
            port.pumpOut()
            if count == 0 { try await waitForChange() }
        }
    }

    func drain() async throws {
        while try port.access(opening, { $0.hasUnsent }) { try await waitForChange() }
    }

    func close() { port.close(opening) }

    private func waitForChange(until deadline: Duration? = nil) async throws {
        let waiter = Waiter()
        try port.access(opening) { $0.add(waiter) }
        let timer = deadline.map { loop.schedule(at: $0) { waiter.finish() } }
        defer { timer?.cancel() }
        try await waiter.wait()
    }

    private func begin(_ flag: WritableKeyPath<(isReading: Bool, isWriting: Bool), Bool>, _ verb: String) throws {
        let isBusy = use.withLock { use in
            defer { use[keyPath: flag] = true }
            return use[keyPath: flag]
        }
        if isBusy {
            throw PeripheralError(.busy, "\(name) is being \(verb) by another task", advice: "one at a time")
        }
    }
}
