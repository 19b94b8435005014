import Testing

@testable import DeviceRuntime

@Suite("What is said over and over")
struct LogLimiterTests {
    private static func entry(_ message: String, _ device: String, _ level: LogEntry.Level = .warning) -> LogEntry {
        LogEntry(level: level, message: message, fields: [("device", device), ("error", "no answer")])
    }

    @Test("The first five pass, then one every two hours, with how many there were since")
    func burst() {
        var limiter = LogLimiter()
        var passed: [(minute: Int, text: String)] = []
        for minute in 0..<360 {
            if let entry = limiter.handle(Self.entry("failed", "bell"), now: .seconds(60 * minute)) {
                passed.append((minute, entry.text))
            }
        }
        #expect(passed.map(\.minute) == [0, 1, 2, 3, 4, 120, 240])
        #expect(passed[4].text == "failed (device: bell, error: no answer)")
        #expect(passed[5].text == "failed (device: bell, error: no answer, times since the last line: 116)")
        #expect(passed[6].text.hasSuffix("times since the last line: 120)"))
    }

    @Test("What happens once an hour, of another device, or is only information, always passes")
    func others() {
        var limiter = LogLimiter()
        for count in 0..<100 {
            #expect(limiter.handle(Self.entry("failed", "device\(count)"), now: .seconds(count)) != nil)
            #expect(limiter.handle(Self.entry("pressed", "bell", .info), now: .seconds(count)) != nil)
        }
        for count in 0..<100 {
            #expect(limiter.handle(Self.entry("rare", "bell"), now: .seconds(7200 * count)) != nil)
        }
    }

    @Test("After two quiet hours for each line that has passed, it is as if nothing had been")
    func recovery() {
        var limiter = LogLimiter()
        for _ in 0..<100 { _ = limiter.handle(Self.entry("failed", "bell"), now: .zero) }
        let passed = (0..<100).count { _ in limiter.handle(Self.entry("failed", "bell"), now: .seconds(36_000)) != nil }
        #expect(passed == LogLimiter.burst)
    }

    @Test("It forgets rather than to grow without end")
    func memory() {
        var limiter = LogLimiter()
        for count in 0..<5000 { _ = limiter.handle(Self.entry("failed", "\(count)"), now: .zero) }
        #expect(limiter.handle(Self.entry("failed", "0"), now: .zero) != nil)
    }
}
