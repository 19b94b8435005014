import DeviceRuntime
import Testing

@Suite("Time in steps")
struct TimeStepTests {
    @Test("While the loop works, time that is recorded stands still, and moves on when it sleeps")
    func steps() throws {
        let noted = Protected<[Duration]>([])
        let loop = try EventLoop(noteTimers: { time in noted.withLock { $0.append(time) } })
        try loop.run {
            let begin = loop.now
            while EventLoop.monotonicNow() < begin + .milliseconds(2) {}
            #expect(loop.now == begin)
            try await loop.sleep(for: .milliseconds(3))
            let end = loop.now
            #expect(end >= begin + .milliseconds(3))
            // What follows from a timer has the timer's time.
            #expect(noted.withLock { $0.last } == end)
        }
    }

    /// Goes to the moments of a list; timers have their turn at the marked ones.
    private final class List: TimeLeader {
        let moments: [(time: Int, firesTimers: Bool)]
        let arrivals = Protected<[Duration]>([])

        init(_ moments: [(time: Int, firesTimers: Bool)]) { self.moments = moments }

        func next(after now: Duration, timer: Duration?) -> LedMoment? {
            moments.first { .seconds($0.time) > now }.map {
                LedMoment(time: .seconds($0.time), firesTimers: $0.firesTimers)
            }
        }

        func arrive(at now: Duration) { arrivals.withLock { $0.append(now) } }
    }

    @Test("Virtual time goes where it is led, late timers wait for their turn, and after the end they lead again")
    func led() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let list = List([(1, true), (3, false), (4, true), (9, false)])
            loop.follow(list)
            var times: [Duration] = []
            for seconds in [1, 1, 1, 20] {
                try await loop.sleep(for: .seconds(seconds))
                times.append(loop.now)
            }
            // The second is due at 2 and has its turn at 4; the third is due at 5, when nobody leads to a turn any more.
            #expect(times == [.seconds(1), .seconds(4), .seconds(9), .seconds(29)])
            #expect(list.arrivals.withLock { $0 } == [1, 3, 4, 9].map { .seconds($0) })
        }
    }
}
