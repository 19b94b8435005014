internal import CLinux
internal import Glibc

/// A point in calendar time.
public struct WallTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Since 1970-01-01T00:00:00Z.
    public var sinceEpoch: Duration

    public init(sinceEpoch: Duration) { self.sinceEpoch = sinceEpoch }

    /// Reads what ``description`` writes. `nil` for anything else.
    public init?(_ text: String) {
        let numbers = text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int32($0) }
        guard numbers.count == 7 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] &- 1900, numbers[1] &- 1, numbers[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
        self.init(sinceEpoch: .seconds(timegm(&parts)) + .milliseconds(numbers[6]))
        // What is written differently, or is no date, does not come back as it was.
        guard description == text else { return nil }
    }

    public static func < (left: WallTime, right: WallTime) -> Bool { left.sinceEpoch < right.sinceEpoch }

    public static func - (time: WallTime, duration: Duration) -> WallTime {
        WallTime(sinceEpoch: time.sinceEpoch - duration)
    }

    /// The time of day in the system's time zone, in seconds.
    public var localSecondOfDay: Int {
        var time = time_t(sinceEpoch.components.seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        return Int(parts.tm_hour * 3600 + parts.tm_min * 60 + parts.tm_sec)
    }

    /// RFC 3339 in UTC, to the millisecond: `2026-03-01T07:30:00.250Z`.
    public var description: String {
        // Whole seconds are rounded down, so that times before 1970 keep a positive fraction.
        var (seconds, attoseconds) = sinceEpoch.components
        if attoseconds < 0 {
            seconds -= 1
            attoseconds += 1_000_000_000_000_000_000
        }
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        func padded(_ number: some BinaryInteger, to width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = [
            padded(Int(parts.tm_year) + 1900, to: 4), padded(parts.tm_mon + 1, to: 2), padded(parts.tm_mday, to: 2),
        ]
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded($0, to: 2) }
        let milliseconds = padded(attoseconds / 1_000_000_000_000_000, to: 3)
        return "\(date.joined(separator: "-"))T\(clock.joined(separator: ":")).\(milliseconds)Z"
    }
}

/// Where calendar time comes from. A board has no battery clock: what this says may be years off until a time
/// server has been heard, and may jump. Durations are measured with ``MonotonicClock``.
public struct WallClock: Sendable {
    private let read: @Sendable () -> WallTime
    private let check: @Sendable () -> Bool
    private let startWatch: @Sendable (@escaping @Sendable () -> Void) -> WallClockWatch

    init(
        read: @escaping @Sendable () -> WallTime, check: @escaping @Sendable () -> Bool,
        watch: @escaping @Sendable (@escaping @Sendable () -> Void) -> WallClockWatch
    ) {
        self.read = read
        self.check = check
        startWatch = watch
    }

    /// A clock that shows `start` when `clock` shows zero and then goes with it, and is right: for virtual time.
    public static func starting(at start: WallTime, with clock: any MonotonicClock) -> WallClock {
        SettableClock(at: start, isRight: true, with: clock).wallClock
    }

    public var now: WallTime { read() }

    /// Whether the clock is known to be right: a time server was heard in this boot, or somebody has set the clock
    /// while this program ran. Once it is, it stays so.
    public var isRight: Bool { check() }

    /// Calls `handler` on the loop whenever the clock is set. On the loop, until the watch is cancelled.
    public func observe(_ handler: @escaping @Sendable () -> Void) -> WallClockWatch { startWatch(handler) }
}

/// Ends an observation of a clock.
public struct WallClockWatch: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    public func cancel() { end() }
}
