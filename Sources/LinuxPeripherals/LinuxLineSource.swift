internal import CGPIOD
internal import DeviceRuntime
internal import LineMonitoring
internal import Peripherals

/// A GPIO line that is read and watched, by libgpiod.
final class LinuxLineSource: LineSource {
    private let request: GPIORequest
    private let canWatch: Bool
    private let loop: EventLoop
    private let chips: GPIOChipWatch

    /// What tells that there may be something to read.
    private struct Watches {
        var line: DescriptorWatch?
        var chip: UInt64?
    }
    private let watches = Protected(Watches())

    static let facts: LineSourceFacts = perch_gpio_is_version_2() != 0 ? .libgpiod2 : .libgpiod1

    init(_ request: GPIORequest, canWatch: Bool, chips: GPIOChipWatch, loop: EventLoop) {
        self.chips = chips
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
        let chip = request.places.first?.chip.path ?? ""
        let line = try describingErrors({ PeripheralError($0, "\(name) cannot be watched") }) {
            try loop.watch(descriptor) { _ in isReady() }
        }
        // Without it the next call tells that the chip is gone; the read that it leads to fails at once.
        let node = try? chips.start(chip, isReady)
        watches.withLock { $0 = Watches(line: line, chip: node) }
    }

    func stopWatching() {
        let watches = watches.withLock { watches in
            defer { watches = Watches() }
            return watches
        }
        if let chip = watches.chip { chips.stop(chip) }
        guard let line = watches.line else { return }
        // Who lets go of a line last may be on another thread.
        if loop.isCurrent { line.cancel() } else { loop.execute { line.cancel() } }
    }

    func checkOpen() throws { try request.checkOpen() }

    func close() { request.release() }
}
