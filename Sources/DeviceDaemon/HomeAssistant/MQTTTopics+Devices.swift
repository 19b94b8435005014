import StorageBackends

// What is neither a record nor a file has five levels, or three: whoever subscribes to records (four) does not get it.

extension MQTTTopics {
    /// The records of all events of a part, to subscribe to.
    func events(of part: String) -> String { "\(level(part))/+" }

    /// Whether a state holds, `on` or `off`: `perch/porch/bell/state/pressed`.
    func state(_ part: String, _ state: String) -> String { "\(level(part))/state/\(Self.level(state))" }

    /// The last value of an event's field: `perch/porch/climate/reading/temperature`.
    func reading(_ part: String, _ field: String) -> String { "\(level(part))/reading/\(Self.level(field))" }

    /// Whether a part works, `online` or `offline`: `perch/porch/bell/health/availability`.
    func health(_ part: String) -> String { "\(level(part))/health/availability" }

    /// Where a part is told to do something: `perch/porch/sign/command/show`.
    func command(_ part: String, _ command: String) -> String { "\(level(part))/command/\(Self.level(command))" }

    /// The same for all parts and commands, to subscribe to.
    var allCommands: String { "\(base)/+/command/+" }

    /// The part and the command that a topic is for; `nil` for one that is for something else.
    func command(in topic: String) -> (part: String, command: String)? {
        guard topic.hasPrefix(base + "/") else { return nil }
        let levels = topic.dropFirst(base.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count == 3, levels[1] == "command" else { return nil }
        return (String(levels[0]), String(levels[2]))
    }

    private func level(_ part: String) -> String { "\(base)/\(Self.level(part))" }
}
