internal import CLinux
internal import DeviceRuntime
internal import Glibc

/// Tells a board's lines when a GPIO chip goes away, by the chip's node in /dev. Linux 6.1 does not wake who waits for
/// the line itself.
///
/// One inotify for all lines, kept for as long as the board: the kernel takes milliseconds to end one.
final class GPIOChipWatch: Sendable {
    private struct State {
        var inotify: FileDescriptor?
        var watch: DescriptorWatch?
        var listeners: [UInt64: @Sendable () -> Void] = [:]
        var nextID: UInt64 = 0
    }

    private let loop: EventLoop
    private let state = Protected(State())

    init(loop: EventLoop) { self.loop = loop }

    deinit {
        let watch = state.withLock { $0.watch }
        // Who lets go of a board last may be on another thread.
        if loop.isCurrent { watch?.cancel() } else { loop.execute { watch?.cancel() } }
    }

    /// Calls `listener` on the loop whenever something happened to a chip's node, also another one's. On the loop's
    /// thread. Returns what ``stop(_:)`` takes. Throws ``SystemError``: inotify's instances are limited.
    func start(_ path: String, _ listener: @escaping @Sendable () -> Void) throws -> UInt64 {
        let inotify = try state.withLock { $0.inotify } ?? open()
        let number = try inotify.open()
        // The same node a second time is the same watch.
        try systemCall("inotify_add_watch \(path)") {
            inotify_add_watch(number, path, UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF))
        }
        return state.withLock { state in
            state.nextID += 1
            state.listeners[state.nextID] = listener
            return state.nextID
        }
    }

    func stop(_ id: UInt64) { state.withLock { $0.listeners[id] = nil } }

    private func open() throws -> FileDescriptor {
        let inotify = FileDescriptor(
            taking: try systemCall("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) })
        // The closure keeps the descriptor open until the watch is cancelled.
        let watch = try loop.watch(inotify.open()) { [weak self] _ in
            var events = [UInt8](repeating: 0, count: 4096)
            if let number = inotify.number { while Glibc.read(number, &events, events.count) > 0 {} }
            self?.tell()
        }
        state.withLock { state in
            state.inotify = inotify
            state.watch = watch
        }
        return inotify
    }

    private func tell() {
        // A listener may stop itself or others.
        for id in state.withLock({ $0.listeners.keys.sorted() }) { state.withLock { $0.listeners[id] }?() }
    }
}
