internal import CLinux
internal import Glibc

/// The signals by which a service manager or a person talks to a daemon.
public enum Signal: Sendable, Hashable, CaseIterable {
    /// SIGTERM: stop in an orderly way.
    case terminate
    /// SIGINT: the same, from a terminal.
    case interrupt
    /// SIGHUP: read the configuration again.
    case hangUp

    var number: Int32 {
        switch self {
        case .terminate: SIGTERM
        case .interrupt: SIGINT
        case .hangUp: SIGHUP
        }
    }
}

/// Signals as events of the loop, by signalfd: no handler runs in the middle of anything.
public struct SignalWatch: Sendable {
    private let watch: DescriptorWatch
    private let descriptor: FileDescriptor

    /// Takes the signals away from their default action and hands each to `handler` on the loop. Also makes a
    /// write to a closed connection an error instead of the end of the program (SIGPIPE).
    ///
    /// Call it on the loop before other threads start: they inherit that the signals are blocked.
    public init(loop: EventLoop, _ handler: @escaping @Sendable (Signal) -> Void) throws {
        signal(SIGPIPE, SIG_IGN)
        var set = sigset_t()
        sigemptyset(&set)
        for signal in Signal.allCases { sigaddset(&set, signal.number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let descriptor = FileDescriptor(
            taking: try systemCall("signalfd") {
                signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
            })
        self.descriptor = descriptor
        watch = try loop.watch(try descriptor.open()) { _ in
            guard let number = descriptor.number else { return }
            var info = signalfd_siginfo()
            while read(number, &info, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size {
                if let signal = Signal.allCases.first(where: { $0.number == Int32(info.ssi_signo) }) { handler(signal) }
            }
        }
    }

    /// Ends the watch. The signals stay blocked: what arrives from here on is ignored.
    public func cancel() {
        watch.cancel()
        descriptor.close()
    }
}
