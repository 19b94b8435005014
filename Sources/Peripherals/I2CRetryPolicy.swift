/// Which failures of an I2C transfer are tried again, how often and for how long.
///
/// A transfer is repeated as a whole. One that failed in its middle may have had a part of its effect: choose codes
/// that a repetition cannot hurt.
public struct I2CRetryPolicy: Sendable, Hashable {
    /// The first one included; less than 1 counts as 1.
    public var attempts: Int
    public var codes: Set<PeripheralError.Code>
    /// Before each further attempt.
    public var pause: Duration
    /// No attempt begins later than this after the first.
    public var limit: Duration

    public init(
        attempts: Int, codes: Set<PeripheralError.Code> = [.noAcknowledge, .arbitrationLost],
        pause: Duration = .milliseconds(1), limit: Duration = .seconds(1)
    ) {
        self.attempts = attempts
        self.codes = codes
        self.pause = pause
        self.limit = limit
    }

    public static let never = I2CRetryPolicy(attempts: 1, codes: [], pause: .zero, limit: .zero)

    /// Runs `body` until it succeeds or the policy is at its end. The one place where it is applied.
    package func run<Value: Sendable>(
        now: () -> Duration, sleep: (Duration) async throws -> Void, _ body: () async throws -> Value
    ) async throws -> Value {
        if attempts <= 1 { return try await body() }
        let start = now()
        var attempt = 1
        while true {
            do { return try await body() } catch var error as PeripheralError {
                guard attempt < attempts, codes.contains(error.code), now() - start + pause <= limit else {
                    if attempt > 1 { error.message += " (\(attempt) attempts)" }
                    throw error
                }
                attempt += 1
                try await sleep(pause)
            }
        }
    }
}
