import DeviceKit
import SimulatedPeripherals

/// A step as it is read, before it is known when the scenario ends.
struct StepDraft {
    /// The time of an expectation.
    enum Window {
        /// From the step's time on, for so long.
        case span(Duration)
        /// From the step's time to the scenario's end.
        case rest
        /// Where the step names no time.
        case all
    }

    struct Expected {
        let subject: ScenarioExpectation.Subject
        let mode: ScenarioExpectation.Mode
        let window: Window
        let position: SourcePosition
    }

    let position: SourcePosition
    let time: Duration
    let interval: Duration
    let times: Int
    var actions: [ScenarioStep.Action] = []
    var expected: [Expected] = []

    /// The last moment that it names.
    var latest: Duration {
        let spans = expected.compactMap { if case .span(let span) = $0.window { span } else { nil } }
        return time + max(interval * (times - 1), spans.max() ?? .zero)
    }

    func step(end: Duration) -> ScenarioStep {
        let expectations = expected.map { expected -> ScenarioStep.Action in
            let (start, last) =
                switch expected.window {
                case .span(let span): (time, time + span)
                case .rest: (time, end)
                case .all: (.zero, end)
                }
            return .expectation(
                ScenarioExpectation(
                    subject: expected.subject, mode: expected.mode, start: start, end: last,
                    position: expected.position, window: words(expected)))
        }
        return ScenarioStep(
            position: position, time: time, interval: interval, times: times, actions: actions + expectations)
    }

    /// `within 2s of 00:01:30.000000`
    private func words(_ expected: Expected) -> String {
        switch expected.window {
        case .span(.zero): return "at \(time.clockText)"
        case .span(let span):
            if case .expect = expected.mode { return "within \(span.configurationText) of \(time.clockText)" }
            return "from \(time.clockText) to \((time + span).clockText)"
        case .rest: return "from \(time.clockText) on"
        case .all: return "in the whole scenario"
        }
    }
}

extension ScenarioReader {
    private static let span = OptionKind.duration(.zero...(.seconds(365 * 86400)))
    private static let at = Option("at", span, default: "0s", "when, since boot")
    private static let after = Option("after", span, default: "0s", "how long after the step before")
    private static let within = Option("within", span, default: "0s", "how long what is expected may take")
    private static let lasting = Option("for", span, default: "0s", "how long it must not come, or be so")
    private static let until = Option("until", span, default: "0s", "until when, since boot")
    private static let every = Option(
        "every", .duration(.milliseconds(1)...(.seconds(86400))), default: "1s", "how far apart")
    private static let times = Option("times", .integer(1...1_000_000), default: "1", "how often in all")

    /// The keys of a step that say when; the others say what.
    static let stepOptions = [
        at.description, after.description, within.description, lasting.description, until.description,
        every.description, times.description,
    ]
    private static let deeds = ["do", "fault", "expect", "never", "always"]

    mutating func steps(_ node: YAMLNode) -> [StepDraft] {
        guard case .sequence(let nodes) = node.content else {
            base.diagnostics.report(
                node.position, "expected a list of steps, such as '- { at: 90s, do: bell.press }'; found \(node.found)")
            return []
        }
        var drafts: [StepDraft] = []
        for node in nodes {
            if let draft = step(node, after: drafts.last?.time ?? .zero) { drafts.append(draft) }
        }
        return drafts
    }

    private mutating func step(_ node: YAMLNode, after previous: Duration) -> StepDraft? {
        guard let entries = base.mapping(node, "a step, such as { at: 90s, do: bell.press }") else { return nil }
        let known = Self.stepOptions.map(\.name) + Self.deeds + ["count"]
        let meant = base.reportUnknown("key", in: entries, of: "a step", known: known)
        if meant.isDisjoint(with: Self.deeds) && entries.allSatisfy({ !Self.deeds.contains($0.key) }) {
            base.diagnostics.report(
                node.position, "the step does nothing: it needs one of \(Self.deeds.joined(separator: ", "))")
        }
        let names = Set(Self.stepOptions.map(\.name))
        let reading = base.options(
            entries.filter { names.contains($0.key) }, Self.stepOptions, "key", of: "a step", at: node.position)
        checkTogether(entries)
        let values = reading.values
        func value<Value>(_ option: Option<Value>) -> Value? { entries[option.name] == nil ? nil : try? values[option] }

        let time = value(Self.at) ?? previous + (value(Self.after) ?? .zero)
        var draft = StepDraft(
            position: node.position, time: time, interval: value(Self.every) ?? .zero, times: value(Self.times) ?? 1)
        if let node = entries["do"] { draft.actions += stimuli(node).map { .stimulus($0) } }
        if let node = entries["fault"] {
            for item in node.items {
                guard let entries = base.mapping(item, "a fault, such as { unplug: sign, for: 30s }"),
                    var fault = base.fault(entries, at: item.position, configuration, faults)
                else { continue }
                fault.start = time
                draft.actions.append(.fault(fault))
            }
        }
        let rest: StepDraft.Window = entries["at"] == nil && entries["after"] == nil ? .all : .rest
        if let node = entries["expect"] {
            let count = entries["count"].flatMap { condition($0) }
            for (subject, position) in subjects(node) {
                let window = value(Self.within).map { StepDraft.Window.span($0) }
                if count != nil && !subject.isOccurrence {
                    base.diagnostics.report(position, "'count' is for what happens, such as { event: bell.pressed }")
                }
                draft.expected.append(
                    StepDraft.Expected(
                        subject: subject, mode: .expect(count: count),
                        window: window ?? (subject.isOccurrence ? rest : .span(.zero)), position: position))
            }
        }
        let span = value(Self.until).map { $0 - time } ?? value(Self.lasting)
        let window = span.map { StepDraft.Window.span($0) } ?? rest
        for (key, mode) in [("never", ScenarioExpectation.Mode.never), ("always", .always)] {
            guard let node = entries[key] else { continue }
            for (subject, position) in subjects(node) {
                if case .always = mode, subject.isOccurrence {
                    base.diagnostics.report(
                        position, "'always' is for what can be looked at, such as { sign.text: HEY! }")
                }
                draft.expected.append(
                    StepDraft.Expected(subject: subject, mode: mode, window: window, position: position))
            }
        }
        if let until = value(Self.until), until < time, let node = entries[Self.until.name] {
            base.diagnostics.report(node.position, "until: this is before the step, at \(time.configurationText)")
        }
        return draft
    }

    /// Reports keys that mean nothing without others, or that contradict each other.
    private mutating func checkTogether(_ entries: [YAMLNode.Entry]) {
        func has(_ names: String...) -> Bool { names.contains { entries[$0] != nil } }
        for (key, others) in [
            ("within", ["expect"]), ("count", ["expect"]), ("for", ["never", "always"]),
            ("until", ["never", "always"]),
            ("every", ["do"]), ("times", ["every"]),
        ] where has(key) && !others.contains(where: { has($0) }) {
            base.diagnostics.report(
                entries.first { $0.key == key }?.keyPosition ?? .start,
                "'\(key)' needs \(others.map { "'\($0)'" }.joined(separator: " or ")) beside it")
        }
        for (one, other) in [("at", "after"), ("for", "until")] where has(one) && has(other) {
            base.diagnostics.report(
                entries.first { $0.key == other }?.keyPosition ?? .start, "'\(one)' and '\(other)' exclude each other")
        }
        if has("every") && !has("times") {
            base.diagnostics.report(
                entries.first { $0.key == "every" }?.keyPosition ?? .start,
                "'every' needs 'times' beside it: how often in all")
        }
    }
}

extension ScenarioExpectation.Subject {
    var isOccurrence: Bool { if case .occurrence = self { true } else { false } }
}
