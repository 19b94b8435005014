internal import DeviceRuntime
internal import Peripherals

/// A GPIO line that is read and watched, by libgpiod.
///
/// Unchecked: used on the loop's thread only, as ``DigitalInput`` says.
final class LinuxDigitalInput: DigitalInput, @unchecked Sendable {
    let activeLevel: Level
    private let line: GPIOLine
    private let canWatch: Bool
    private let loop: EventLoop
    private var watch: DescriptorWatch?

    init(_ line: GPIOLine, canWatch: Bool, activeLevel: Level, loop: EventLoop) {
        self.line = line
        self.canWatch = canWatch
        self.activeLevel = activeLevel
        self.loop = loop
    }

    var name: String { line.name }

    func read() throws -> Level { try line.read() }

    func setEdgeHandler(_ handler: (@Sendable (EdgeEvent) -> Void)?) throws {
        try line.checkOpen()
        watch?.cancel()
        watch = nil
        guard let handler else { return }
        guard canWatch else {
            throw PeripheralError(
                .unsupported, "\(name) cannot tell its edges", advice: "its chip has no interrupt: use another line")
        }
        let descriptor = try line.eventDescriptor()
        // The kernel queues from the request on: what is in the queue is older than this call, and would keep
        // newer edges out of it.
        let start = loop.now
        while try !line.readEvents().isEmpty {}
        watch = try loop.watch(descriptor) { [weak self] _ in self?.deliver(since: start, to: handler) }
    }

    private func deliver(since start: Duration, to handler: @Sendable (EdgeEvent) -> Void) {
        let watch = watch
        do {
            for event in try line.readEvents() where event.timestamp >= start {
                handler(event)
                // The handler may have closed the line or set another one.
                guard self.watch === watch else { return }
            }
        } catch {
            // The chip is gone. Its descriptor stays ready for ever; the next read() says why nothing comes.
            watch?.cancel()
        }
    }

    func close() {
        watch?.cancel()
        watch = nil
        line.release()
    }
}
