import Testing

@testable import CaptureStore

/// Always the same number: its fraction of the range of `UInt64` is the fraction of the longest pause.
struct FixedGenerator: RandomNumberGenerator, Sendable {
    var value: UInt64
    mutating func next() -> UInt64 { value }

    /// Half of each limit.
    static let half = FixedGenerator(value: 1 << 63)
}

@Suite("Backoff")
struct BackoffTests {
    private let half = Backoff(shortest: .seconds(1), longest: .seconds(300), random: FixedGenerator.half)

    @Test("Pauses double from half a second on average to two and a half minutes")
    func doubling() {
        var backoff = half
        let pauses = (1...12).map { backoff.pause(failures: $0) }
        let seconds = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 150, 150, 150]
        #expect(pauses == seconds.map { Duration.seconds($0) })
    }

    @Test(
        "A pause is anywhere from nothing to its limit, so that a fleet does not come back in step",
        arguments: [(0, 0.0), (UInt64.max / 4, 0.25), (.max, 1.0)] as [(UInt64, Double)])
    func jitter(random: UInt64, fraction: Double) {
        var backoff = Backoff(shortest: .seconds(8), longest: .seconds(300), random: FixedGenerator(value: random))
        #expect(abs((backoff.pause(failures: 1) - .seconds(8 * fraction)) / .seconds(1)) < 0.001)
    }

    @Test(
        "What the server asks for comes on top, up to an hour",
        arguments: [(10, 10.5), (7200, 3600.5), (0, 0.5)])
    func retryAfter(seconds: Int, expected: Double) {
        var backoff = half
        #expect(backoff.pause(failures: 1, retryAfter: .seconds(seconds)) == .seconds(expected))
    }

    @Test("Neither no failure nor a million in a row is a special case")
    func extremes() {
        var backoff = half
        #expect(backoff.pause(failures: 0) == .seconds(0.5))
        #expect(backoff.pause(failures: 1_000_000) == .seconds(150))
        #expect(backoff.pause(failures: .max) == .seconds(150))
    }
}

@Suite("Outages")
struct OutageLogTests {
    @Test("An outage is announced once, and its end with its length")
    func announcement() {
        var log = OutageLog()
        #expect((0..<5).map { log.fail(now: .seconds($0)) } == [true, false, false, false, false])
        let ended = log.succeed()
        #expect(ended?.start == .zero)
        #expect(ended?.failures == 5)
        #expect(log.succeed() == nil)
    }

    @Test("A connection that comes and goes is announced once a minute")
    func flapping() {
        var log = OutageLog()
        var lines = 0
        for second in 0..<600 {
            if log.fail(now: .seconds(second)) { lines += 1 }
            if log.succeed() != nil { lines += 1 }
        }
        #expect(lines == 20)
    }
}
