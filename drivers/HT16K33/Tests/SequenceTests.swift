import Testing

@testable import HT16K33Driver

@Suite("HT16K33: frames in time")
struct SequenceTests {
    private static func sequence(count: Int, times: Int?) -> FrameSequence {
        FrameSequence(
            count: count, step: .milliseconds(300), repetition: Repetition(count: times), start: .seconds(1)
        ) { [UInt8($0)] }
    }

    @Test(
        "The frame follows from the time, exactly at each step",
        arguments: [
            (0, 1, 0), (999, 1, 0), (1000, 1, 0), (1299, 1, 0), (1300, 1, 1), (1600, 1, 2), (1900, 1, 2),
            (99_999, 1, 2),
            (1900, 2, 0), (2200, 2, 1), (2500, 2, 2), (9000, 2, 2), (1900, nil, 0), (3100, nil, 1),
        ] as [(Int, Int?, UInt8)])
    func frames(milliseconds: Int, times: Int?, frame: UInt8) {
        #expect(Self.sequence(count: 3, times: times).frame(at: .milliseconds(milliseconds)) == [frame])
    }

    @Test("The next change is the next step, and none after the last frame")
    func changes() {
        let once = Self.sequence(count: 3, times: 1)
        #expect(once.nextChange(after: .milliseconds(1000)) == .milliseconds(1300))
        #expect(once.nextChange(after: .milliseconds(1301)) == .milliseconds(1600))
        #expect(once.nextChange(after: .milliseconds(1600)) == nil)
        #expect(Self.sequence(count: 3, times: nil).nextChange(after: .milliseconds(1900)) == .milliseconds(2200))
        // One frame for ever stands, and is no reason to wake up.
        #expect(Self.sequence(count: 1, times: nil).nextChange(after: .seconds(5)) == nil)
    }

    @Test("A display that was away for a year shows what is due, at once")
    func late() {
        let year: Duration = .seconds(365 * 86400)
        #expect(Self.sequence(count: 3, times: 1000).frame(at: year) == [2])
        let forever = Self.sequence(count: 3, times: nil)
        #expect(forever.nextChange(after: year).map { $0 > year && $0 <= year + .milliseconds(300) } == true)
    }
}
