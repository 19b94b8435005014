internal import CLinux
internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// A serial port, by the kernel's terminals. An actor of the loop, so that it can be called from any task.
actor LinuxSerialPort: SerialPort {
    nonisolated let name: String
    private nonisolated let loop: EventLoop
    private nonisolated let device: SerialDevice
    private nonisolated let isClosed = Protected(false)
    private let byteTime: Duration

    private var marks = SerialMarks()
    private var arrived: [SerialInput] = []
    /// How many bytes the driver had lost when it was last asked; `nil` where it does not count them.
    private var lostCount: UInt64?
    private var isReading = false
    private var isWriting = false
    /// What ends the waits that are under way.
    private var waits: [ObjectIdentifier: (waiter: Waiter, watch: DescriptorWatch?)] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ device: SerialDevice, _ configuration: SerialConfiguration, loop: EventLoop) {
        self.device = device
        self.loop = loop
        name = device.name
        byteTime = configuration.byteTime
        lostCount = device.lostCount
    }

    func read(timeout: Duration?) async throws -> SerialInput {
        try checkOpen()
        if isReading { throw inUse("read") }
        isReading = true
        defer { isReading = false }
        let deadline = timeout.map { loop.now + $0 }
        while arrived.isEmpty {
            if let raw = try describing("cannot be read", { try device.read() }) {
                arrived = marks.decode(raw)
                noteLoss()
            } else {
                try await wait(for: .readable, of: device.input, until: deadline)
            }
        }
        return arrived.removeFirst()
    }

    func write(_ bytes: [UInt8]) async throws {
        try checkOpen()
        if isWriting { throw inUse("written to") }
        isWriting = true
        defer { isWriting = false }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try describing("cannot be written to") { try device.write(rest) }
            rest = rest.dropFirst(count)
            if count == 0 { try await wait(for: .writable, of: device.output) }
        }
    }

    func drain() async throws {
        try checkOpen()
        // The kernel has no event for this, only a call that blocks. It says how much is left, and the baud rate how
        // long that takes at least.
        while case let count = try describing("cannot be drained", { try device.unsentCount() }), count > 0 {
            let time = min(max(byteTime * count, .milliseconds(1)), .milliseconds(100))
            try await wait(until: loop.now + time)
        }
    }

    nonisolated func close() {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        if wasClosed { return }
        if loop.isCurrent { return assumeIsolated { $0.endWaits() } }
        loop.execute { self.assumeIsolated { $0.endWaits() } }
    }

    private func endWaits() {
        for wait in waits.values {
            wait.watch?.cancel()
            wait.waiter.finish(.failure(closed))
        }
        waits = [:]
        arrived = []
        device.close()
    }

    // MARK: Waiting

    /// Waits until the descriptor is ready. Throws `timedOut` at the deadline.
    private func wait(
        for readiness: Readiness, of descriptor: FileDescriptor, until deadline: Duration? = nil
    ) async throws {
        let waiter = Waiter()
        let watch = try describing("cannot be watched") {
            try loop.watch(try descriptor.open(), for: readiness) { _ in waiter.finish() }
        }
        let timer = deadline.map { [timedOut] deadline in
            loop.schedule(at: deadline) { waiter.finish(.failure(timedOut)) }
        }
        defer {
            watch.cancel()
            timer?.cancel()
        }
        try await wait(waiter, watch)
    }

    /// Waits for a time.
    private func wait(until deadline: Duration) async throws {
        let waiter = Waiter()
        let timer = loop.schedule(at: deadline) { waiter.finish() }
        defer { timer.cancel() }
        try await wait(waiter, nil)
    }

    private func wait(_ waiter: Waiter, _ watch: DescriptorWatch?) async throws {
        waits[ObjectIdentifier(waiter)] = (waiter, watch)
        defer { waits[ObjectIdentifier(waiter)] = nil }
        try await waiter.wait()
        try checkOpen()
    }

    // MARK: Errors

    /// Adds what the driver says that it lost since it was last asked.
    private func noteLoss() {
        guard let before = lostCount, let now = device.lostCount else { return }
        if now != before { arrived.append(.overrun) }
        lostCount = now
    }

    private nonisolated var closed: PeripheralError { PeripheralError(.closed, "\(name) was closed before") }

    private nonisolated var timedOut: PeripheralError {
        PeripheralError(
            .timedOut, "\(name): nothing arrived in time",
            advice: "check the wires and the other end's baud rate")
    }

    private func inUse(_ verb: String) -> PeripheralError {
        PeripheralError(.busy, "\(name) is being \(verb) by another task", advice: "one at a time")
    }

    private func checkOpen() throws { if isClosed.withLock({ $0 }) { throw closed } }

    private func describing<Value>(_ failure: String, _ body: () throws -> Value) throws -> Value {
        try describingErrors(
            { error in
                switch error.code {
                case EBADF: closed
                case EIO, ENODEV, ENXIO:
                    PeripheralError(error, "\(name) was unplugged", code: .io, advice: "plug it in and open it again")
                default: PeripheralError(error, "\(name) \(failure)")
                }
            }, body)
    }
}
