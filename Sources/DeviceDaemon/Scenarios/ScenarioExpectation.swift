import CaptureStore
import DeviceKit
import DeviceRuntime
import Peripherals

/// What has to come, must not come, or has to be so.
struct ScenarioExpectation: Sendable {
    enum Subject: Sendable {
        /// Something that happens at a moment.
        case occurrence(OccurrencePattern)
        /// Something that can be looked at, at any time.
        case condition(Observable, ValueCondition)
    }

    enum Mode: Sendable {
        /// At least once, or as often as this.
        case expect(count: ValueCondition?)
        case never
        /// All the time.
        case always
    }

    let subject: Subject
    let mode: Mode
    let start: Duration
    /// Equal to ``start`` for what is looked at just then.
    let end: Duration
    /// Where the file has it.
    let position: SourcePosition
    /// How the file says when, for messages: `within 2s of 00:01:30.000000`.
    let window: String

    /// `expected sign.text to be 'HEY!' within 2s of 00:01:30.000000`
    var description: String {
        switch (subject, mode) {
        case (.occurrence(let pattern), .expect(let count)):
            "expected \(pattern)" + (count.map { ", \($0.text ?? $0.description) times" } ?? "") + ", \(window)"
        case (.occurrence(let pattern), _): "expected never \(pattern), \(window)"
        case (.condition(let observable, let condition), .expect):
            "expected \(observable) to be \(condition) \(window)"
        case (.condition(let observable, let condition), .never):
            "expected \(observable) never to be \(condition), \(window)"
        case (.condition(let observable, let condition), .always):
            "expected \(observable) always to be \(condition), \(window)"
        }
    }

    /// The devices that it is about.
    var device: String? {
        switch subject {
        case .occurrence(let pattern): pattern.device
        case .condition(let observable, _): observable.device
        }
    }
}

/// Something that can be looked at.
enum Observable: Sendable, Hashable, CustomStringConvertible {
    /// What a person sees of the part.
    case observation(device: String, String)
    /// What the driver says of it.
    case state(StateReference)
    case health(device: String)
    case level(line: String)
    /// `off`, or how long the pulses are, in seconds.
    case pulses(channel: String)

    var description: String {
        switch self {
        case .observation(let device, let name): "\(device).\(name)"
        case .state(let reference): "\(reference)"
        case .health(let device): "\(device).health"
        case .level(let name), .pulses(let name): name
        }
    }

    /// A value of it, as a person would write it.
    func text(of value: Value) -> String {
        if case .pulses = self, case .number(let seconds) = value { return Duration.seconds(seconds).configurationText }
        return value.description
    }

    var device: String? {
        switch self {
        case .observation(let device, _), .health(let device): device
        case .state(let reference): reference.device
        case .level, .pulses: nil
        }
    }
}

/// Something that happened, and that a scenario can speak of.
enum ScenarioOccurrence: Sendable {
    case event(Event)
    case rules(RuleOccurrence)
    case log(LogEntry)
    /// The first time that a storage got a record's document, its file, or both.
    case record(storage: String, StoredRecord)
}

/// Which occurrences are meant.
struct OccurrencePattern: Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        case event(EventReference)
        case rule(String)
        case command(device: String, String)
        case record(EventReference, storage: String?)
        case log(String, level: LogEntry.Level?, source: String?)
    }

    struct Field: Sendable {
        let name: String
        let condition: ValueCondition
    }

    let kind: Kind
    /// Of an event or a record, or arguments of a command.
    let fields: [Field]
    /// The media type of the record's file.
    let file: ValueCondition?

    func matches(_ occurrence: ScenarioOccurrence) -> Bool {
        switch (kind, occurrence) {
        case (.event(let reference), .event(let event)):
            reference == EventReference(device: event.device, event: event.name)
                && match { name in event.fields.first { $0.name == name }?.value }
        case (.rule(let name), .rules(.fired(let rule, _))): rule.name == name
        case (.command(let device, let name), .rules(.command(let action, _))):
            action.device == device && action.command.name == name
                && match { name in action.texts.first { $0.name == name }.map { .text($0.plain) } }
        case (.record(let reference, let storage), .record(let arrived, let record)):
            reference == EventReference(device: record.part, event: record.event) && storage ?? arrived == arrived
                && match { name in record.fields.first { $0.name == name }.map { Value($0.value) } }
                && isMeant(record)
        case (.log(let text, let level, let source), .log(let entry)):
            entry.text.contains(text) && level ?? entry.level == entry.level
                && (source == nil || entry.fields.contains { $0.value == source })
        default: false
        }
    }

    private func match(_ value: (String) -> Value?) -> Bool {
        fields.allSatisfy { field in value(field.name).map { field.condition.matches($0) } ?? false }
    }

    /// Whether what arrived is what is asked for: the file where one is, and otherwise the document.
    private func isMeant(_ record: StoredRecord) -> Bool {
        let (documents, files) = (record.documents, record.files)
        return file.map { file in files.contains { file.matches(.text($0.mediaType)) } } ?? !documents.isEmpty
    }

    var device: String? {
        switch kind {
        case .event(let reference), .record(let reference, _): reference.device
        case .command(let device, _): device
        case .rule, .log: nil
        }
    }

    var description: String {
        let text =
            switch kind {
            case .event(let reference): "the event \(reference)"
            case .rule(let name): "the rule \(quoted(name)) to fire"
            case .command(let device, let name): "the command \(device).\(name)"
            case .record(let reference, let storage): "a record of \(reference)" + (storage.map { " at \($0)" } ?? "")
            case .log(let text, let level, let source):
                "the log to say \(quoted(text))" + (level.map { " as \($0)" } ?? "")
                    + (source.map { " of \($0)" } ?? "")
            }
        let rest = fields.map { "\($0.name) \($0.condition)" } + (file.map { ["file \($0)"] } ?? [])
        return text + (rest.isEmpty ? "" : " with \(rest.joined(separator: " and "))")
    }
}

extension Value {
    init(_ value: CaptureValue) {
        switch value {
        case .flag(let flag): self = .flag(flag)
        case .integer(let integer): self = .integer(integer)
        case .number(let number): self = .number(number)
        case .text(let text): self = .text(text)
        }
    }
}

extension StoredRecord {
    private static let documentType = "application/json"

    var documents: [StoredObject] { objects.filter { $0.mediaType == Self.documentType } }
    var files: [StoredObject] { objects.filter { $0.mediaType != Self.documentType } }
}

extension OptionText {
    /// Without the quotes that it is shown in.
    var plain: String {
        text.count > 1 && text.first == "\"" && text.last == "\"" ? String(text.dropFirst().dropLast()) : text
    }
}
