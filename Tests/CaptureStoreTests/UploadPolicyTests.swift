import DeviceRuntime
import Testing

@testable import CaptureStore

/// Always the same number: its fraction of the range of `UInt64` is the fraction of the longest pause.
private struct Fixed: RandomNumberGenerator, Sendable {
    var value: UInt64
    mutating func next() -> UInt64 { value }
}

@Suite("Upload policy")
struct UploadPolicyTests {
    private let half = UploadPolicy(random: Fixed(value: 1 << 63))

    private func failure(retryAfter: Duration? = nil) -> UploadPolicy.Event {
        .failed(StorageError(.temporary(retryAfter: retryAfter), "away"))
    }

    private func length(_ action: UploadPolicy.Action) -> Duration? {
        if case .pause(let pause, _) = action { pause } else { nil }
    }

    @Test("Pauses double from half a second on average to two and a half minutes")
    func backoff() {
        var policy = half
        let pauses = (0..<12).map { _ in length(policy.handle(failure(), now: .zero)) }
        let seconds = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 150, 150, 150]
        #expect(pauses == seconds.map { Duration.seconds($0) })
    }

    @Test(
        "A pause is anywhere from nothing to its limit, so that a fleet does not come back in step",
        arguments: [(0, 0.0), (UInt64.max / 4, 0.25), (.max, 1.0)] as [(UInt64, Double)])
    func jitter(random: UInt64, fraction: Double) throws {
        var policy = UploadPolicy(shortest: .seconds(8), random: Fixed(value: random))
        let pause = try #require(length(policy.handle(failure(), now: .zero)))
        #expect(abs((pause - .seconds(8 * fraction)) / .seconds(1)) < 0.001)
    }

    @Test(
        "What the server asks for comes on top, up to an hour",
        arguments: [(10, 10.5), (7200, 3600.5), (0, 0.5)])
    func retryAfter(seconds: Int, expected: Double) {
        var policy = half
        #expect(length(policy.handle(failure(retryAfter: .seconds(seconds)), now: .zero)) == .seconds(expected))
    }

    @Test("A thousand failures in a row do not overflow")
    func manyFailures() {
        var policy = half
        for _ in 0..<1000 { _ = policy.handle(failure(), now: .zero) }
        #expect(length(policy.handle(failure(), now: .zero)) == .seconds(150))
    }

    @Test("Success starts the pauses over")
    func success() {
        var policy = half
        for _ in 0..<5 { _ = policy.handle(failure(), now: .zero) }
        _ = policy.handle(.stored, now: .zero)
        #expect(length(policy.handle(failure(), now: .zero)) == .seconds(0.5))
    }

    @Test("An outage is announced once, and its end with its length")
    func announcement() {
        var policy = half
        var announced: [Bool] = []
        for second in 0..<5 {
            guard case .pause(_, let isAnnounced) = policy.handle(failure(), now: .seconds(second)) else { continue }
            announced.append(isAnnounced)
        }
        #expect(announced == [true, false, false, false, false])
        guard case .confirm(let ended) = policy.handle(.stored, now: .seconds(9)) else { return #expect(Bool(false)) }
        #expect(ended?.start == .zero)
        #expect(ended?.failures == 5)
        #expect(policy.handle(.stored, now: .seconds(10)) == .confirm(ended: nil))
    }

    @Test("A connection that comes and goes is announced once a minute")
    func flapping() {
        var policy = half
        var lines = 0
        for second in 0..<600 {
            if case .pause(_, isAnnounced: true) = policy.handle(failure(), now: .seconds(second)) { lines += 1 }
            if case .confirm(.some) = policy.handle(.stored, now: .seconds(second)) { lines += 1 }
        }
        #expect(lines == 20)
    }

    @Test("A rejection is not a pause, and many of them are few lines")
    func rejections() {
        var policy = half
        let actions = (0..<1000).map { _ in policy.handle(.failed(StorageError(.permanent, "no")), now: .zero) }
        #expect(actions.filter { $0 == .reject(isAnnounced: true) }.count == 4)
        #expect(actions.filter { $0 == .reject(isAnnounced: false) }.count == 996)
    }
}
