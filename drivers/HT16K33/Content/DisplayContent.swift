import Peripherals

/// What a display is meant to show, before it is known how.
enum DisplayContent: Sendable, Hashable {
    case nothing
    /// Stands where it fits, otherwise moves through once, from its beginning to its end.
    case text(String)
    /// Stands at the right, where it fits.
    case figures(String)
    case time(ClockTime)
    /// Comes in at the right and leaves at the left, that many times.
    case scrolling(String, Repetition)
    /// A row of points or a digit's segments each.
    case picture([String])
    /// The lit part of a bar graph, from 0 to 1.
    case bar(Double)
}

/// How often a text passes by.
struct Repetition: Sendable, Hashable {
    /// `nil` is for ever.
    let count: Int?
    static let once = Repetition(count: 1)
}

/// How one kind of glass shows things: on one chip, or on several side by side. A frame is the RAM of all of them.
protocol DisplayFace: Sendable {
    /// How many steps a moving text takes for the width of a character.
    var stepsPerCharacter: Int { get }

    /// A text as one frame; `nil` where it does not fit.
    func still(_ text: String, atRight: Bool) -> [UInt8]?

    /// A text as frames from its beginning to its end; `isPassing` begins and ends with an empty glass.
    func moving(_ text: String, isPassing: Bool) throws -> (count: Int, frame: @Sendable (Int) -> [UInt8])

    /// A time as it is written on this glass.
    func text(of time: ClockTime) -> String

    /// Rows of points, or the segments of each digit. Throws `invalidArgument` for what the glass does not have.
    func picture(_ rows: [String]) throws -> [UInt8]

    /// A part of a bar graph, from 0 to 1. Throws `unsupported` where there is none.
    func bar(_ part: Double) throws -> [UInt8]
}

extension DisplayFace {
    /// The frames of a content that begins at `start`; a character takes `pace` to pass its own width.
    func sequence(of content: DisplayContent, pace: Duration, from start: Duration) throws -> FrameSequence {
        func moving(_ text: String, isPassing: Bool, _ repetition: Repetition) throws -> FrameSequence {
            let (count, frame) = try self.moving(text, isPassing: isPassing)
            return FrameSequence(
                count: count, step: pace / stepsPerCharacter, repetition: repetition, start: start, frame: frame)
        }
        switch content {
        case .nothing: return FrameSequence(try picture([]))
        case .text(let text):
            if let frame = still(text, atRight: false) { return FrameSequence(frame) }
            return try moving(text, isPassing: false, .once)
        case .figures(let text):
            if let frame = still(text, atRight: true) { return FrameSequence(frame) }
            return try moving(text, isPassing: false, .once)
        case .time(let time): return try sequence(of: .figures(text(of: time)), pace: pace, from: start)
        case .scrolling(let text, let repetition): return try moving(text, isPassing: true, repetition)
        case .picture(let rows): return FrameSequence(try picture(rows))
        case .bar(let part): return FrameSequence(try bar(part))
        }
    }
}
