import DeviceKit
import DeviceRuntime
import Testing

@Suite("Readings")
struct ReadingTests {
    /// Which of the values are told, one a minute.
    static func told(_ values: [[Double?]], changes: [Double], atLeastEvery: Duration = .seconds(3600)) -> [Int] {
        var filter = ReadingFilter(changes: changes, atLeastEvery: atLeastEvery)
        var told: [Int] = []
        for (minute, value) in values.enumerated() where filter.shouldTell(value, at: .seconds(60 * minute)) {
            told.append(minute)
        }
        return told
    }

    @Test("Without a change that counts every reading is told")
    func all() { #expect(Self.told([[1, 2], [1, 2], [1, 2]], changes: [0, 0]) == [0, 1, 2]) }

    @Test(
        "What counts is the difference from what was told last, in either direction",
        arguments: [
            ([[1.0], [1.4], [1.49], [1.5], [1.9], [1.01], [1.0]], [0, 3, 6]), ([[1], [0.5], [0.9], [1.0]], [0, 1, 3]),
            ([[0], [0.2], [0.4], [0.6], [0.8], [1.0], [1.2]], [0, 3, 6]), ([[5], [5], [5]], [0]),
        ])
    func difference(values: [[Double?]], expected: [Int]) { #expect(Self.told(values, changes: [0.5]) == expected) }

    @Test("One value is enough, and one that does not count is not")
    func several() {
        #expect(Self.told([[1, 1], [1, 2], [2, 2], [2, 99]], changes: [0.5, 0]) == [0, 2])
        #expect(Self.told([[1, 1], [1, 2], [2, 2], [2, 2]], changes: [0.5, 0.5]) == [0, 1, 2])
    }

    @Test("A value that comes or goes is a change, if it counts")
    func missing() {
        #expect(Self.told([[1, nil], [1, nil], [1, 5], [1, nil]], changes: [0.5, 0.5]) == [0, 2, 3])
        #expect(Self.told([[1, nil], [1, 5], [1, nil]], changes: [0.5, 0]) == [0])
    }

    @Test("After the longest silence one is told although nothing changed, and then anew")
    func silence() {
        let values = [[Double?]](repeating: [1], count: 10)
        #expect(Self.told(values, changes: [0.5], atLeastEvery: .seconds(180)) == [0, 3, 6, 9])
    }

    @Test("What somebody asked for is told, and is what the next ones are compared with")
    func asked() {
        var filter = ReadingFilter(changes: [0.5], atLeastEvery: .seconds(3600))
        let told = [
            filter.shouldTell([1], at: .seconds(0)), filter.shouldTell([1.4], at: .seconds(1), isAsked: true),
            filter.shouldTell([1.6], at: .seconds(2)), filter.shouldTell([1.9], at: .seconds(3)),
        ]
        #expect(told == [true, true, false, true])
    }

    /// When readings begin, in seconds, if each takes that long and somebody asks at those times.
    static func schedule(taking time: Duration, asking: [Int] = [], until end: Duration) async throws -> [Double] {
        try await EventLoop.run(time: .virtual) { loop in
            let schedule = ReadingSchedule(every: .seconds(10), clock: loop)
            let begun = Protected<[Double]>([])
            for second in asking { loop.schedule(at: .seconds(second)) { schedule.ask() } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while true {
                        _ = try await schedule.next()
                        begun.withLock { $0.append(loop.now / .seconds(1)) }
                        try await loop.sleep(for: time)
                    }
                }
                try await loop.sleep(until: end)
                group.cancelAll()
            }
            return begun.withLock { $0 }
        }
    }

    @Test("The first one is at once, and the others keep to the interval, however long one takes")
    func grid() async throws {
        #expect(try await Self.schedule(taking: .milliseconds(700), until: .seconds(45)) == [0, 10, 20, 30, 40])
        #expect(try await Self.schedule(taking: .seconds(25), until: .seconds(95)) == [0, 30, 60, 90])
    }

    @Test("Who asks need not wait; the interval is not moved by it")
    func asking() async throws {
        #expect(
            try await Self.schedule(taking: .seconds(1), asking: [13, 27], until: .seconds(35)) == [
                0, 10, 13, 20, 27, 30,
            ])
        // Asked while one is being taken: one more, whoever asks how often.
        #expect(
            try await Self.schedule(taking: .seconds(5), asking: [11, 12, 13], until: .seconds(25)) == [0, 10, 15, 20])
    }

    @Test(
        "A measure is a number with its unit",
        arguments: [
            ("3.3V", 3.3), ("500mV", 0.5), ("0V", 0), ("5 V", 5), ("-1V", nil), ("3.3", nil), ("V", nil), ("6V", nil),
            ("3.3v", nil), ("infV", nil), ("nanV", nil), ("3.3A", nil),
        ] as [(String, Double?)])
    func measures(text: String, expected: Double?) {
        #expect(OptionKind.measure(.volts, 0...5.5).parse(.scalar(text)) == expected)
    }

    @Test("What a measure may be is said with its unit")
    func expectation() {
        #expect(
            OptionKind.measure(.volts, 0...5.5).expectation == "a voltage from 0V to 5.5V, such as 1V")
        #expect(OptionKind.measure(.celsius, -40...85).parse(.scalar("21.5°C")) == 21.5)
        #expect(OptionKind.measure(.celsius, -40...85).parse(.scalar("21.5C")) == 21.5)
    }
}
