internal import CGPIOD
internal import CLinux
internal import DeviceRuntime
internal import Glibc
internal import LineMonitoring
internal import Peripherals

/// A GPIO line that is read and watched, by libgpiod.
final class LinuxLineSource: LineSource {
    private let request: GPIORequest
    private let canWatch: Bool
    private let loop: EventLoop
    private let watches = Protected<[DescriptorWatch]>([])

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
        let chip = request.places.first?.chip.path ?? ""
        let line = try describingErrors({ PeripheralError($0, "\(name) cannot be watched") }) {
            try loop.watch(descriptor) { _ in isReady() }
        }
        // Without it (inotify's instances are limited) the next call tells that the chip is gone.
        let node = try? watchNode(chip, isReady)
        watches.withLock { $0 = [line] + (node.map { [$0] } ?? []) }
    }

    /// Calls `isReady` when the chip's node goes away: the read that follows then fails. Linux 6.1 does not wake who
    /// waits for the line itself.
    private func watchNode(_ path: String, _ isReady: @escaping @Sendable () -> Void) throws -> DescriptorWatch {
        let inotify = FileDescriptor(
            taking: try systemCall("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) })
        let number = try inotify.open()
        try systemCall("inotify_add_watch") {
            inotify_add_watch(number, path, UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF))
        }
        return try loop.watch(number) { _ in
            // Kept open by this closure, until the watch is cancelled.
            var events = [UInt8](repeating: 0, count: 4096)
            if let number = inotify.number { while Glibc.read(number, &events, events.count) > 0 {} }
            isReady()
        }
    }

    func stopWatching() {
        let watches = watches.withLock { watches in
            defer { watches = [] }
            return watches
        }
        if watches.isEmpty { return }
        // Who lets go of a line last may be on another thread.
        let cancel: @Sendable () -> Void = { for watch in watches { watch.cancel() } }
        if loop.isCurrent { cancel() } else { loop.execute(cancel) }
    }

    func checkOpen() throws { try request.checkOpen() }

    func close() { request.release() }
}
