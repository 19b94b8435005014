public import DeviceKit
import DeviceRuntime

/// How a device does.
public enum DeviceHealth: Sendable, Hashable {
    case starting
    case healthy
    /// Why, and how often in a row.
    case failing(String, failures: Int)
}

/// The devices that run: what each one is, how it does, which of its states hold, and the way to tell it something.
///
/// Whoever shows or controls a device does it through this. Used on the loop.
public final class DeviceDirectory: Sendable {
    public struct Entry: Sendable {
        public let configuration: DeviceConfiguration
        public internal(set) var health: DeviceHealth = .starting
        /// Why its part is not as it should be, though the device runs.
        public internal(set) var fault: String?
        /// Those of the driver's table that hold.
        public internal(set) var states: Set<String> = []
        public internal(set) var lastEvent: Event?
        public internal(set) var tally = DeviceTally()
        let device: any Device

        public var name: String { configuration.name }
        public var driver: Driver { configuration.driver }
    }

    /// What has come of a device since it was made.
    public struct DeviceTally: Sendable, Hashable {
        /// How often each event was told, by its name.
        public internal(set) var events: [String: Int] = [:]
        /// Commands that were carried out.
        public internal(set) var commands = 0
        /// How often it could not go on, or not begin.
        public internal(set) var failures = 0
        /// How often its part was found not to be as it should.
        public internal(set) var faults = 0
    }

    /// Something that observers are told.
    public enum Change: Sendable {
        case event(Event)
        case state(StateReference, Bool)
        case health(device: String, DeviceHealth)
        /// Its part is not as it should be, or is well again.
        case fault(device: String, String?)
        /// A command that is about to be carried out.
        case asked(device: String, Command)
        /// A command that was carried out, and who asked for it.
        case command(device: String, Command)
        /// Devices came or went.
        case devices
    }

    private struct State {
        /// In the order of the configuration.
        var entries: [Entry] = []
        var observers: [Int: @Sendable (Change) -> Void] = [:]
        var nextObserver = 0
    }

    private let state = Protected(State())

    /// Without any device.
    public init() {}

    public var entries: [Entry] { state.withLock { $0.entries } }

    public subscript(device: String) -> Entry? { state.withLock { $0.entries.first { $0.name == device } } }

    /// Lets a device carry a command out. Throws what the device throws, and ``DeviceError/unknownDevice(_:)``.
    public func perform(_ command: Command, on device: String) async throws {
        guard let entry = self[device] else { throw DeviceError.unknownDevice(device) }
        tell(.asked(device: device, command))
        try await entry.device.perform(command)
        change(device) { $0.tally.commands += 1 }
        tell(.command(device: device, command))
    }

    /// Calls `observer` with each change until the observation is cancelled.
    public func observe(_ observer: @escaping @Sendable (Change) -> Void) -> Observation {
        let number = state.withLock { state in
            state.observers[state.nextObserver] = observer
            state.nextObserver += 1
            return state.nextObserver - 1
        }
        return Observation { [weak self] in self?.state.withLock { $0.observers[number] = nil } }
    }

    /// `3 of 4 devices running; failing: sign; faulty: motion`
    public var summary: String {
        let entries = entries
        let failing = entries.filter { if case .failing = $0.health { true } else { false } }.map(\.name)
        let faulty = entries.filter { $0.fault != nil }.map(\.name)
        let running = entries.count { $0.health == .healthy }
        let lists = [("failing", failing), ("faulty", faulty)].filter { !$0.1.isEmpty }
        return "\(running) of \(entries.count) devices running"
            + lists.map { "; \($0): \($1.joined(separator: ", "))" }.joined()
    }

    // MARK: For those who run the devices

    /// Takes the place of what was there before.
    func replace(_ entries: [Entry]) {
        state.withLock { $0.entries = entries }
        tell(.devices)
    }

    func note(_ event: Event) {
        change(event.device) { entry in
            entry.lastEvent = event
            entry.tally.events[event.name, default: 0] += 1
        }
        tell(.event(event))
    }

    func set(_ reference: StateReference, _ value: Bool) {
        let isNew = change(reference.device) { entry in
            value ? entry.states.insert(reference.state).inserted : entry.states.remove(reference.state) != nil
        }
        if isNew == true { tell(.state(reference, value)) }
    }

    func holds(_ reference: StateReference) -> Bool {
        self[reference.device]?.states.contains(reference.state) ?? false
    }

    /// Sets a device's health and returns what it was.
    @discardableResult
    func set(_ device: String, _ health: DeviceHealth) -> DeviceHealth {
        let before = change(device) { entry in
            defer { entry.health = health }
            if case .failing = health { entry.tally.failures += 1 }
            return entry.health
        }
        if before != health { tell(.health(device: device, health)) }
        return before ?? .starting
    }

    /// Sets or clears a part's fault, and returns whether it was another one before.
    func setFault(_ device: String, _ reason: String?) -> Bool {
        let isNew = change(device) { entry in
            defer { entry.fault = reason }
            if reason != nil, entry.fault == nil { entry.tally.faults += 1 }
            return entry.fault != reason
        }
        if isNew == true { tell(.fault(device: device, reason)) }
        return isNew == true
    }

    @discardableResult
    private func change<Value>(_ device: String, _ body: (inout Entry) -> Value) -> Value? {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.name == device }) else { return nil }
            return body(&state.entries[index])
        }
    }

    private func tell(_ change: Change) {
        for observer in state.withLock({ $0.observers.values }) { observer(change) }
    }
}

/// Something that is observed until it is cancelled.
public final class Observation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    public func cancel() { end() }
}
