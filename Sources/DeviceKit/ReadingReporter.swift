import DeviceRuntime

/// Tells what a part measures: as events named `reading`, those that its filter lets through; and what cannot be true
/// not as a value but once, as an event named `doubtful`, and as a state and the part's fault for as long as it lasts.
public struct ReadingReporter: Sendable {
    private let fields: [FieldDescription]
    private let context: DeviceContext
    private var filter: ReadingFilter
    private var isDoubtful = false

    /// `fields` are those of the readings, in the order of their values.
    public init(_ fields: [FieldDescription], _ filter: ReadingFilter, _ context: DeviceContext) {
        self.fields = fields
        self.filter = filter
        self.context = context
    }

    /// Tells a reading, if it is to be told. `nil` stands for a value that is not there, `problem` for why one is
    /// missing that should be (it completes "it gave …"); a reading without any value is not told. `isAsked` tells it whatever has changed.
    public mutating func report(_ values: [Double?], problem: String? = nil, isAsked: Bool) {
        let known = zip(fields, values).compactMap { field, value in
            value.map { Event.Field(field.name, .number($0)) }
        }
        if !known.isEmpty, filter.shouldTell(values, at: context.clock.now, isAsked: isAsked) {
            context.emit("reading", known)
        }
        guard isDoubtful != (problem != nil) else { return }
        isDoubtful.toggle()
        context.setState("doubtful", isDoubtful)
        context.setFault(problem.map { "it gave \($0)" })
        if let problem { context.emit("doubtful", [.init("reason", .text(problem))]) }
    }

    /// The events of a part whose readings have these fields.
    public static func events(_ fields: [FieldDescription]) -> [EventDescription] {
        [
            EventDescription("reading", "what it measured", fields: fields, recordedAs: .reading),
            EventDescription(
                "doubtful", "it gave what cannot be true, which is left out of readings",
                fields: [FieldDescription("reason", .text, "what it gave")]),
        ]
    }

    public static let state = StateDescription("doubtful", "what it gave last cannot be true")
}
