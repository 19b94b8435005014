import DeviceKit
import SimulatedPeripherals

/// Follows one expectation through a run: what happened and what was seen goes in, and once it is settled a verdict
/// comes out. A value: no time, no calls.
struct ExpectationStateMachine: Sendable {
    enum Verdict: Sendable, Hashable {
        case met
        /// With what happened instead: `it was 'HEY' at 00:01:31`.
        case failed(String)
    }

    /// A value, and since when it is so.
    struct Sighting: Sendable, Hashable {
        let time: Duration
        let text: String
    }

    let expectation: ScenarioExpectation
    private(set) var verdict: Verdict?
    private var matches = 0
    private var firstMatch: Duration?
    private var lastMatch: Duration?
    private var sightings: [Sighting] = []
    private var sightingCount = 0

    /// More values are not worth reading.
    private static let mostSightings = 6

    init(_ expectation: ScenarioExpectation) { self.expectation = expectation }

    /// Whether it still waits at this time.
    func isOpen(at time: Duration) -> Bool { verdict == nil && time >= expectation.start && time <= expectation.end }

    /// Whether it ever is, or will be, looked at again.
    var looks: Bool {
        guard case .condition = expectation.subject else { return false }
        return verdict == nil || waitsForLateness
    }

    /// Whether it is to be looked at now.
    func looks(at time: Duration) -> Bool { looks && (isOpen(at: time) || waitsForLateness) }

    private var waitsForLateness: Bool {
        guard case .failed = verdict, case .expect = expectation.mode else { return false }
        return late == nil && expectation.end > expectation.start
    }

    /// What is expected, or must not come, happened. Returns the verdict if there is one now.
    mutating func happened(at time: Duration) -> Verdict? {
        guard time >= expectation.start else { return nil }
        if verdict != nil || time > expectation.end {
            noteLate(time)
            return nil
        }
        matches += 1
        firstMatch = firstMatch ?? time
        lastMatch = time
        switch expectation.mode {
        case .expect(count: nil): return settle(.met)
        case .expect: return nil
        case .never: return settle(.failed("it came at \(time.clockText)"))
        case .always: return nil
        }
    }

    /// This is how it looks now. Returns the verdict if there is one now.
    mutating func saw(_ value: Value?, at time: Duration) -> Verdict? {
        guard case .condition(let observable, let condition) = expectation.subject, time >= expectation.start else {
            return nil
        }
        let isSo = value.map { condition.matches($0) } ?? false
        if verdict != nil || time > expectation.end {
            if isSo { noteLate(time) }
            return nil
        }
        let text = value.map { quoted(observable.text(of: $0)) } ?? "nothing that can be seen"
        if sightings.last?.text != text {
            sightingCount += 1
            sightings.append(Sighting(time: time, text: text))
            if sightings.count > Self.mostSightings { sightings.removeFirst() }
        }
        switch expectation.mode {
        case .expect: return isSo ? settle(.met) : nil
        case .never: return isSo ? settle(.failed("it was at \(time.clockText)")) : nil
        case .always: return isSo ? nil : settle(.failed("it was \(text) at \(time.clockText)"))
        }
    }

    /// Its time is over.
    mutating func ended() -> Verdict? {
        guard verdict == nil else { return nil }
        switch expectation.mode {
        case .never, .always: return settle(.met)
        case .expect(let count?) where count.matches(matches): return settle(.met)
        case .expect(_?):
            let times =
                matches == 0
                ? "" : ", the first time at \(firstMatch?.clockText ?? ""), the last at \(lastMatch?.clockText ?? "")"
            return settle(.failed("it came \(matches) \(matches == 1 ? "time" : "times")" + times))
        case .expect(nil): return settle(.failed(sightings.isEmpty ? "it did not come" : sighted))
        }
    }

    /// `it was '' from 00:01:30 on, then 'HEY' from …`
    private var sighted: String {
        let parts = sightings.map { "\($0.text) from \($0.time.clockText) on" }
        let more = sightingCount > sightings.count ? "at last, after \(sightingCount - sightings.count) others, " : ""
        return sightings.count == 1
            ? "it was \(more)\(sightings[0].text)" : "it was \(more)" + parts.joined(separator: ", then ")
    }

    // MARK: What comes too late

    private var late: Duration?

    private mutating func noteLate(_ time: Duration) {
        guard case .failed = verdict, case .expect(count: nil) = expectation.mode, late == nil else { return }
        late = time
    }

    /// What is to be said of a failure in the end: what it came of, and whether it came after all.
    var reason: String? {
        guard case .failed(let reason) = verdict else { return nil }
        return reason + (late.map { "; it came at \($0.clockText), too late" } ?? "")
    }

    private mutating func settle(_ verdict: Verdict) -> Verdict {
        self.verdict = verdict
        return verdict
    }
}
