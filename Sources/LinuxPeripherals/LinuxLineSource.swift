internal import CGPIOD
internal import DeviceRuntime
internal import LineMonitoring
internal import Peripherals

/// A GPIO line that is read and watched, by libgpiod.
final class LinuxLineSource: LineSource {
    private let request: GPIORequest
    private let canWatch: Bool
    private let loop: EventLoop
    private let watch = Protected<DescriptorWatch?>(nil)

    static let facts: LineSourceFacts = perch_gpio_is_version_2() != 0 ? .libgpiod2 : .libgpiod1

    init(_ request: GPIORequest, canWatch: Bool, loop: EventLoop) {
        self.request = request
        self.canWatch = canWatch
        self.loop = loop
    }

    var name: String { request.names.first ?? "" }

    func read() throws -> Level { try request.readOne() }

    func readEvents() throws -> [EdgeEvent] { canWatch ? try request.readEvents() : [] }

    func startWatching(_ isReady: @escaping @Sendable () -> Void) throws {
        guard canWatch else {
            throw PeripheralError(
                .unsupported, "\(name) cannot tell its edges", advice: "its chip has no interrupt: use another line")
        }
        let descriptor = try request.eventDescriptor()
        // A chip that went away shows as an error of the descriptor, and of the read that follows.
        let new = try describingErrors({ PeripheralError($0, "\(name) cannot be watched") }) {
            try loop.watch(descriptor) { _ in isReady() }
        }
        watch.withLock { $0 = new }
    }

    func stopWatching() {
        let watch = watch.withLock { watch in
            defer { watch = nil }
            return watch
        }
        guard let watch else { return }
        // Who lets go of a line last may be on another thread.
        if loop.isCurrent { watch.cancel() } else { loop.execute { watch.cancel() } }
    }

    func checkOpen() throws { try request.checkOpen() }

    func close() { request.release() }
}
