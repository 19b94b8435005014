internal import CLinux
internal import Glibc

extension WallTime {
    /// What the system's clock shows (`CLOCK_REALTIME`), right or not.
    public static var system: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(sinceEpoch: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
    }
}

extension WallClock {
    /// The system's clock (`CLOCK_REALTIME`).
    public static func system(on loop: EventLoop) -> WallClock {
        let isRight = Protected(false)
        return WallClock(
            read: { WallTime.system },
            check: {
                isRight.withLock { isRight in
                    isRight = isRight || isSynchronized
                    return isRight
                }
            },
            watch: { handler in
                let watch = ClockStepWatch(loop: loop) {
                    isRight.withLock { $0 = true }
                    handler()
                }
                return WallClockWatch { watch?.cancel() }
            })
    }

    /// Whether a time server's word has reached the kernel (adjtimex(2)): whoever keeps the clock, be it
    /// systemd-timesyncd, chrony or ntpd, clears this mark.
    private static var isSynchronized: Bool {
        // No mode is set: it only reads, which everybody may.
        var state = timex()
        return adjtimex(&state) >= 0 && state.status & STA_UNSYNC == 0
    }
}

/// Notices when the clock is set (timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`): a timer that is never due is
/// cancelled by it.
private final class ClockStepWatch: Sendable {
    private let descriptor: FileDescriptor
    private let watch: DescriptorWatch

    /// `nil` when the system is out of resources: then the mark of the kernel has to do.
    init?(loop: EventLoop, _ handler: @escaping @Sendable () -> Void) {
        do {
            let descriptor = FileDescriptor(
                taking: try systemCall("timerfd_create") {
                    timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
                })
            let number = try descriptor.open()
            try Self.arm(number)
            watch = try loop.watch(number) { _ in
                var count: UInt64 = 0
                guard read(number, &count, 8) < 0, perch_errno() == ECANCELED else { return }
                try? Self.arm(number)
                handler()
            }
            self.descriptor = descriptor
        } catch {
            return nil
        }
    }

    func cancel() {
        watch.cancel()
        descriptor.close()
    }

    private static func arm(_ number: Int32) throws {
        var setting = itimerspec()
        // Beyond every date that a clock shows.
        setting.it_value.tv_sec = Int(Int32.max) * 4
        try systemCall("timerfd_settime") {
            timerfd_settime(number, Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET), &setting, nil)
        }
    }
}
