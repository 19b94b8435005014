import DeviceRuntime
import Testing

@Suite("What took how long")
struct DurationHistogramTests {
    @Test("Each duration is counted once, at the first bound that it does not exceed")
    func counts() {
        var histogram = DurationHistogram()
        for duration: Duration in [.zero, .milliseconds(1), .microseconds(1001), .seconds(10), .seconds(11)] {
            histogram.add(duration)
        }
        #expect(histogram.counts == [2, 1, 0, 0, 1, 1])
        #expect(histogram.count == 5)
        #expect(histogram.sum == .microseconds(21_002_001))
        #expect(histogram.longest == .seconds(11))
    }

    @Test("A loop in real time counts each time it was woken, one in virtual time none", arguments: [true, false])
    func turns(isReal: Bool) throws {
        let loop = try EventLoop(time: isReal ? .real : .virtual)
        try loop.run { for _ in 0..<3 { try await loop.sleep(for: .milliseconds(1)) } }
        // The last one is not over when the loop ends.
        #expect(loop.turns.count == (isReal ? 2 : 0))
    }

    @Test("What a process takes is known, and grows with what it does")
    func usage() throws {
        let before = ProcessUsage.now()
        let file = try FileDescriptor(opening: "/dev/null", flags: 0)
        let after = ProcessUsage.now()
        #expect(after.cpu > before.cpu)
        let resident = try #require(after.residentBytes)
        #expect(resident > 1_000_000)
        // Other tests open and close some meanwhile.
        #expect(try #require(after.openFiles) > 0)
        file.close()
    }
}
