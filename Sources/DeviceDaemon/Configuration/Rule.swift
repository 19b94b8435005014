public import DeviceKit

/// What happens when something happens.
public struct Rule: Sendable {
    /// Something to do: a command for a device.
    public struct Action: Sendable {
        public var device: String
        public var command: Command
        /// The arguments that the file gives, as it gives them.
        public var texts: [OptionText]
    }

    /// As the file names it, otherwise its place: `rule 2`.
    public var name: String
    /// Any of these starts the actions …
    public var when: [EventReference]
    /// … unless one of these states holds …
    public var unless: [StateReference]
    /// … or one of these does not.
    public var onlyWhile: [StateReference]
    /// In this order.
    public var actions: [Action]
    /// Where it begins in the file.
    public var line: Int
}

/// An event of a device: `bell.pressed`.
public struct EventReference: Sendable, Hashable, CustomStringConvertible {
    public var device: String
    public var event: String

    public init(device: String, event: String) {
        self.device = device
        self.event = event
    }

    public var description: String { "\(device).\(event)" }
}

/// A state of a device: `arm.moving`.
public struct StateReference: Sendable, Hashable, CustomStringConvertible {
    public var device: String
    public var state: String

    public init(device: String, state: String) {
        self.device = device
        self.state = state
    }

    public var description: String { "\(device).\(state)" }
}
