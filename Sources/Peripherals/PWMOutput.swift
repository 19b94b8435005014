/// A PWM channel.
///
/// The rules are the kernel's (`Documentation/driver-api/pwm.rst`): the period is set first, the pulse width
/// never exceeds it, and only then is the channel enabled. A step out of order throws
/// ``PeripheralError/Code/invalidArgument`` and changes nothing. Times are whole nanoseconds: any other is set to
/// the nearest. Closing more than once is harmless; any other call on a closed channel throws `closed`.
public protocol PWMOutput: AnyObject, Sendable {
    /// The channel's name on its board, for messages: `PWM0`.
    var name: String { get }

    /// What makes the pulses.
    var backend: PWMBackend { get }

    /// Sets the time from one pulse's start to the next. Must be above zero and not shorter than the pulse width
    /// that is set.
    func setPeriod(_ period: Duration) async throws

    /// Sets how long the pulse is active, from zero to the period.
    func setPulseWidth(_ width: Duration) async throws

    /// Sets which level is the active one. Only while disabled. Throws `unsupported` where the chip cannot
    /// inverse its pulses.
    func setPolarity(_ polarity: PWMPolarity) async throws

    /// Starts the pulses. Needs a period.
    func enable() async throws

    /// Ends the pulses. The wire's level is then undefined; for a guaranteed low, set the width to zero and
    /// stay enabled.
    func disable() async throws

    /// What is set. (A chip makes of it what its clock can; that is not told.)
    func settings() async throws -> PWMSettings

    /// Ends the pulses and gives the channel back.
    func close() async
}

extension PWMOutput {
    /// Sets both, in the order that the rules allow from what is set now, whether the channel is enabled or not.
    public func set(period: Duration, pulseWidth: Duration) async throws {
        guard pulseWidth <= period else {
            throw PeripheralError(
                .invalidArgument, "\(name): a pulse width of \(pulseWidth) does not fit in a period of \(period)")
        }
        if period >= (try await settings()).pulseWidth {
            try await setPeriod(period)
            try await setPulseWidth(pulseWidth)
        } else {
            try await setPulseWidth(pulseWidth)
            try await setPeriod(period)
        }
    }

    /// Sets the pulse width as a fraction of `period`.
    public func setDutyCycle(_ duty: DutyCycle, of period: Duration) async throws {
        try await setPulseWidth(period * duty.fraction)
    }
}

/// What makes a channel's pulses.
public enum PWMBackend: String, Sendable, Hashable {
    /// A chip: as exact as its clock, however busy the program is.
    case hardware
    /// The program, by timers: every pulse ends when the loop comes to it.
    case software
}

/// Which level a pulse has.
public enum PWMPolarity: String, Sendable, Hashable, CaseIterable {
    /// High for the pulse's width.
    case normal
    /// Low for the pulse's width. (The kernel's word.)
    case inversed
}

/// What a channel is set to.
public struct PWMSettings: Sendable, Hashable {
    public var period: Duration
    public var pulseWidth: Duration
    public var polarity: PWMPolarity
    public var isEnabled: Bool

    public init(
        period: Duration = .zero, pulseWidth: Duration = .zero, polarity: PWMPolarity = .normal,
        isEnabled: Bool = false
    ) {
        self.period = period
        self.pulseWidth = pulseWidth
        self.polarity = polarity
        self.isEnabled = isEnabled
    }
}

extension PWMSettings {
    /// A time as a channel takes it: the nearest whole number of nanoseconds. Throws `invalidArgument` below `least`
    /// and from an hour on, which is far above every use and far below what the arithmetic takes.
    package static func nanoseconds(
        _ time: Duration, least: Int64, _ what: String, of name: String
    ) throws -> Int64 {
        let (seconds, attoseconds) = time.components
        guard (0..<3600).contains(seconds), attoseconds >= 0 else { throw outOfRange(time, what, name) }
        let nanoseconds = seconds * 1_000_000_000 + (attoseconds + 500_000_000) / 1_000_000_000
        guard nanoseconds >= least else { throw outOfRange(time, what, name) }
        return nanoseconds
    }

    private static func outOfRange(_ time: Duration, _ what: String, _ name: String) -> PeripheralError {
        PeripheralError(.invalidArgument, "\(name): \(what) of \(time) is out of range")
    }
}
