/// How far the playing of a script has come: what a program does is compared with what is next.
protocol ScriptProgress: Sendable {
    var lines: [ScriptLine] { get }

    /// Whether the script has to do with this peripheral or device.
    func concerns(_ source: String) -> Bool

    /// The program does something.
    mutating func ask(_ source: String, _ request: String, at now: Duration) -> ScriptVerdict

    /// What has to happen by itself at this moment, one step at a time; `nil` when there is nothing more.
    mutating func advance(to now: Duration, _ audience: ScriptAudience) -> ScriptStep?

    /// The first line that should have happened by the end and did not.
    var leftOver: Int? { get }
}

/// What a script says to an operation of the program.
enum ScriptVerdict: Sendable, Equatable {
    /// The line of this index is it.
    case line(Int)
    /// Its turn may come: for what waits for something to come in.
    case wait
    /// The script leaves it open: it gets the usual answer.
    case free
    /// It is not what the script says, which is in the line of the index if there is one.
    case difference(ScriptDifference.Kind, Int?)
}

/// What happens by itself.
enum ScriptStep: Sendable, Equatable {
    /// The line of this index comes in.
    case event(Int)
    /// What the program asked for in the line of this index is over.
    case end(Int)
    /// Nothing until then.
    case pause(until: Duration)
    case difference(ScriptDifference.Kind, Int)
}

/// Who is there for what comes in.
struct ScriptAudience: Sendable {
    /// The lines that have a handler.
    var lines: Set<String> = []
    /// The ports that are waited at.
    var ports: Set<String> = []
}

extension ScriptLine {
    /// What waits for something to come in on a port: asking for it early or late says nothing.
    static func isReceiving(_ request: String) -> Bool { request == "receive" || request.hasPrefix("receive ") }

    var isReceiving: Bool { Self.isReceiving(request) }

    /// What happens to the program, and is nothing that it does.
    var isEvent: Bool { ScriptText.isEvent(request) || ScriptText.command(request) != nil }

    /// `open`, `write`, `read`
    var verb: Substring { Self.verb(of: request) }

    static func verb(of request: String) -> Substring { request.prefix { $0 != " " } }
}
