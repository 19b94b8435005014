/// Frames that follow each other in equal steps, as a function of time: nothing is counted, so nothing is lost when a
/// display is away for a while.
struct FrameSequence: Sendable {
    let count: Int
    let step: Duration
    let repetition: Repetition
    let start: Duration
    let frame: @Sendable (Int) -> [UInt8]

    init(
        count: Int, step: Duration, repetition: Repetition, start: Duration, frame: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.count = max(count, 1)
        self.step = max(step, .milliseconds(1))
        self.repetition = repetition
        self.start = start
        self.frame = frame
    }

    /// One that stands.
    init(_ frame: [UInt8]) {
        self.init(count: 1, step: .seconds(1), repetition: .once, start: .zero) { _ in frame }
    }

    func frame(at now: Duration) -> [UInt8] { frame(isOver(at: now) ? count - 1 : steps(at: now) % count) }

    /// Whether the last frame has come, which stays.
    func isOver(at now: Duration) -> Bool {
        guard let times = repetition.count else { return count == 1 }
        let (last, isHuge) = count.multipliedReportingOverflow(by: times)
        return !isHuge && steps(at: now) >= last - 1
    }

    /// When the next frame comes, if one does.
    func nextChange(after now: Duration) -> Duration? {
        isOver(at: now) ? nil : start + step * (steps(at: now) + 1)
    }

    /// In whole nanoseconds: a quotient of floating-point numbers could fall short of a step that is just due.
    private func steps(at now: Duration) -> Int { Int(max(0, (now - start).nanoseconds / step.nanoseconds)) }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
