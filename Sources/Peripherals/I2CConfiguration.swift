/// How to talk to an I2C target.
public struct I2CConfiguration: Sendable, Hashable {
    /// Whether SMBus commands (``I2CDevice/perform(_:)``) carry a check byte, PEC, at their end. Raw transfers carry
    /// what they are given; the kernel leaves it out of quick commands and I2C blocks, too. Opening throws
    /// `unsupported` where the controller cannot.
    public var checksPackets: Bool
    public var retries: I2CRetryPolicy
    /// How long the controller waits for the bus, in steps of 10 ms, rounded up; `nil` leaves it (1 s with most
    /// controllers). The kernel has one for each bus: what was set last holds for all of its devices.
    public var timeout: Duration?
    /// How often the kernel itself tries again when another controller won the bus (`I2C_RETRIES`), and with some
    /// controllers when the address is not acknowledged; `nil` leaves it. One for each bus, like the timeout.
    public var kernelRetries: Int?

    public init(
        checksPackets: Bool = false, retries: I2CRetryPolicy = .never, timeout: Duration? = nil,
        kernelRetries: Int? = nil
    ) {
        self.checksPackets = checksPackets
        self.retries = retries
        self.timeout = timeout
        self.kernelRetries = kernelRetries
    }

    /// The timeout in the kernel's steps of 10 ms. Throws `invalidArgument` when it is not above zero or does not fit.
    package func timeoutSteps(for target: String) throws -> Int? {
        guard let timeout else { return nil }
        let step: Duration = .milliseconds(10)
        // What i2c-dev takes: INT_MAX milliseconds.
        guard timeout > .zero, timeout <= .milliseconds(Int(Int32.max)) else {
            throw PeripheralError(
                .invalidArgument, "\(target): a timeout of \(timeout) is out of range",
                advice: "choose 10 ms to 24 days")
        }
        return Int((timeout / step).rounded(.up))
    }

    /// Throws `invalidArgument` below zero and for what does not fit.
    package func checkedKernelRetries(for target: String) throws -> Int? {
        guard let kernelRetries else { return nil }
        guard 0...Int(Int32.max) ~= kernelRetries else {
            throw PeripheralError(.invalidArgument, "\(target): the kernel cannot retry \(kernelRetries) times")
        }
        return kernelRetries
    }
}
