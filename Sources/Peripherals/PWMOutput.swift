/// A PWM channel.
///
/// The rules are the kernel's (`Documentation/driver-api/pwm.rst`): the period is set first, the pulse width
/// never exceeds it, and only then is the channel enabled. A step out of order throws
/// ``PeripheralError/Code/invalidArgument`` and changes nothing. Closing more than once is harmless.
public protocol PWMOutput: AnyObject, Sendable {
    /// The channel's name on its board, for messages: `PWM0`.
    var name: String { get }

    /// Sets the time from one pulse's start to the next. Nanosecond resolution; must be above zero and not
    /// shorter than the pulse width that is set.
    func setPeriod(_ period: Duration) async throws

    /// Sets how long the pulse is active, from zero to the period. Nanosecond resolution.
    func setPulseWidth(_ width: Duration) async throws

    /// Starts the pulses. Needs a period.
    func enable() async throws

    /// Ends the pulses. The wire's level is then undefined; for a guaranteed low, set the width to zero and
    /// stay enabled.
    func disable() async throws

    /// Ends the pulses and gives the channel back.
    func close() async
}

extension PWMOutput {
    /// Sets the pulse width as a fraction of `period`.
    public func setDutyCycle(_ duty: DutyCycle, of period: Duration) async throws {
        try await setPulseWidth(period * duty.fraction)
    }
}
