/// A script with times: each peripheral has its lines in their order and at their times; between peripherals only the
/// times count. Everything that the program does must be in it.
struct TimedProgress: ScriptProgress {
    /// What keeps its order: a peripheral, apart from what is waited for beside its other work.
    private struct Lane: Hashable {
        let source: String
        let isReceiving: Bool
    }

    let lines: [ScriptLine]
    /// How much earlier or later than in the script something may be done.
    private let tolerance: Duration
    /// The lines of each lane that are still to come, the next one last.
    private var lanes: [Lane: [Int]] = [:]
    private var isDone: [Bool]
    /// The first line whose time has not come.
    private var arrival = 0
    /// No line before this one is missing.
    private var oldest = 0

    init(_ lines: [ScriptLine], tolerance: Duration) {
        self.lines = lines
        self.tolerance = tolerance
        isDone = lines.map(\.isFrame)
        for (index, line) in lines.enumerated().reversed() where !line.isEvent && !line.isFrame {
            lanes[Lane(source: line.source, isReceiving: line.isReceiving), default: []].append(index)
        }
    }

    func concerns(_ source: String) -> Bool { true }

    mutating func ask(_ source: String, _ request: String, at now: Duration) -> ScriptVerdict {
        let lane = Lane(source: source, isReceiving: ScriptLine.isReceiving(request))
        guard let index = lanes[lane]?.last else { return .difference(.unexpected, nil) }
        let line = lines[index]
        guard line.request == request else {
            // What comes much later has nothing to do with it.
            let isLater = line.begin.map { $0 > now + tolerance } ?? false
            return .difference(isLater ? .unexpected : .different, isLater ? nil : index)
        }
        // What is opened waits for its time: a program starts slower on a board than here.
        let mayBeEarly = lane.isReceiving || line.verb == "open"
        if !mayBeEarly, let begin = line.begin, now < begin - tolerance { return .difference(.early, index) }
        lanes[lane]?.removeLast()
        isDone[index] = true
        return .line(index)
    }

    mutating func advance(to now: Duration, _ audience: ScriptAudience) -> ScriptStep? {
        while arrival < lines.count, let time = lines[arrival].time, time <= now {
            defer { arrival += 1 }
            if lines[arrival].isEvent {
                isDone[arrival] = true
                return .event(arrival)
            }
            if isDone[arrival], !lines[arrival].isFrame { return .end(arrival) }
        }
        while oldest < lines.count, isDone[oldest] { oldest += 1 }
        return overdueTime.map { $0 <= now } == true ? .difference(.missing, oldest) : nil
    }

    /// When the oldest line that has not happened will be missing.
    var overdueTime: Duration? {
        guard oldest < lines.count else { return nil }
        let due = lines[oldest].isReceiving ? lines[oldest].time : lines[oldest].begin
        return due.map { $0 + tolerance + .nanoseconds(1) }
    }

    var leftOver: Int? { isDone.firstIndex(of: false) }

    /// The time of the next line after `now`.
    func nextTime(after now: Duration) -> Duration? {
        lines[arrival...].lazy.compactMap(\.time).first { $0 > now }
    }

    /// When timers had their turn next, from `now` on.
    func nextTimerTime(from now: Duration) -> Duration? {
        lines[arrival...].lazy.filter(\.isOnTimer).compactMap(\.time).first { $0 >= now }
    }

    /// Whether timers had their turn then.
    func hasTimer(at time: Duration) -> Bool {
        lines[arrival...].lazy.prefix { line in line.time.map { $0 <= time } ?? false }.contains(where: \.isOnTimer)
    }
}
