/// What the rules make of events, for who watches them.
enum RuleOccurrence: Sendable {
    /// A rule fires, because of this event.
    case fired(Rule, EventReference)
    /// A rule would have fired, if the states were others.
    case heldBack(Rule, EventReference)
    /// A rule gives a command.
    case command(Rule.Action, Rule)
}
