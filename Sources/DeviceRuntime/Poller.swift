internal import CLinux
internal import Glibc

/// What a file descriptor is ready for.
public struct Readiness: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// An exceptional condition, as sysfs attributes and GPIO chips that went away report it.
    public static let priority = Readiness(rawValue: EPOLLPRI.rawValue)
    /// Reported once when it becomes so, not for as long as it is so (epoll(7)).
    static let edgeTriggered = Readiness(rawValue: EPOLLET.rawValue)
    /// The other end is gone; always reported, asked for or not.
    public static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
    /// The descriptor is in error; always reported, asked for or not.
    public static let error = Readiness(rawValue: EPOLLERR.rawValue)
}

/// The loop's epoll, with the descriptors that are watched, the timer that ends a wait, and the eventfd by
/// which other threads do.
final class Poller {
    private typealias Handler = @Sendable (Readiness) -> Void

    private let epoll: FileDescriptor
    private let timer: FileDescriptor
    private let waker: FileDescriptor
    private var armedDeadline: Duration?
    /// When the last wait ended.
    private(set) var lastWaking: Duration?
    /// What one call of epoll_wait brings.
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Poller.mostEvents)
    private static let mostEvents = 64
    /// By a number that is never used again, not by descriptor: an event of one that was closed in the same
    /// batch finds nobody, even if its descriptor has a new owner.
    private var handlers: [UInt64: Handler] = [:]
    private var nextID: UInt64 = 2

    private static let wakerID: UInt64 = 0
    private static let timerID: UInt64 = 1

    init() throws {
        epoll = FileDescriptor(taking: try systemCall("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
        timer = FileDescriptor(
            taking: try systemCall("timerfd_create") {
                timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
            })
        waker = FileDescriptor(
            taking: try systemCall("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
        // Edge-triggered: a write, or the timer's end, is told once, and nobody has to read it to make it go away.
        try control(EPOLL_CTL_ADD, waker.open(), [.readable, .edgeTriggered], id: Self.wakerID)
        try control(EPOLL_CTL_ADD, timer.open(), [.readable, .edgeTriggered], id: Self.timerID)
    }

    deinit { events.deallocate() }

    /// Whether there is a descriptor that somebody waits for.
    var isWatching: Bool { !handlers.isEmpty }

    /// Ends a wait. The only call for other threads.
    func wake() {
        guard let descriptor = waker.number else { return }
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    func add(
        _ descriptor: Int32, _ readiness: Readiness, _ handler: @escaping @Sendable (Readiness) -> Void
    ) throws
        -> UInt64
    {
        let id = nextID
        try control(EPOLL_CTL_ADD, descriptor, readiness, id: id)
        nextID += 1
        handlers[id] = handler
        return id
    }

    func remove(_ descriptor: Int32, id: UInt64) {
        guard handlers.removeValue(forKey: id) != nil else { return }
        // Fails harmlessly if the owner has closed the descriptor already: epoll has then forgotten it.
        try? control(EPOLL_CTL_DEL, descriptor, [], id: id)
    }

    enum Wait {
        /// Look and return.
        case none
        /// Until something is ready or the deadline has come; without one, until something is ready.
        case until(Duration?)
    }

    /// Calls the handlers of what is ready, after waiting for it.
    func poll(_ wait: Wait) throws {
        var timeout: Int32 = 0
        if case .until(let deadline) = wait {
            try arm(deadline)
            timeout = -1
        }
        let epoll = try epoll.open()
        let count = try systemCall("epoll_wait") {
            epoll_wait(epoll, events, Int32(Self.mostEvents), timeout)
        }
        if timeout != 0 { lastWaking = EventLoop.monotonicNow() }
        for event in UnsafeBufferPointer(start: events, count: Int(count)) {
            switch event.data.u64 {
            case Self.wakerID: break
            case Self.timerID: armedDeadline = nil
            case let id: handlers[id]?(Readiness(rawValue: event.events))
            }
        }
    }

    private func arm(_ deadline: Duration?) throws {
        guard deadline != armedDeadline else { return }
        var setting = itimerspec()
        if let deadline {
            let (seconds, attoseconds) = deadline.components
            // A deadline of zero would disarm the timer; one nanosecond after boot has passed as well.
            setting.it_value = timespec(tv_sec: Int(seconds), tv_nsec: max(Int(attoseconds / 1_000_000_000), 1))
        }
        let timer = try timer.open()
        try systemCall("timerfd_settime") {
            timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil)
        }
        armedDeadline = deadline
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ readiness: Readiness, id: UInt64) throws {
        var event = epoll_event()
        event.events = readiness.rawValue
        event.data.u64 = id
        let epoll = try epoll.open()
        try systemCall("epoll_ctl") { epoll_ctl(epoll, operation, descriptor, &event) }
    }
}
