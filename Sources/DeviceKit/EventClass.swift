/// What losing an event's record would mean.
public enum EventClass: String, Sendable, Hashable, CaseIterable {
    /// It happened once, and somebody wants to know: on the disk at once.
    case alert
    /// One of many, such as a temperature: written in groups, a minute later at most.
    case reading
    /// Helps to understand the device, and is not worth its flash: kept in memory.
    case diagnostic
}
