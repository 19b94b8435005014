import CaptureStore
import DeviceKit
import DeviceRuntime

/// Where the drivers' side meets the rest: each event goes to the outbox first, then to the rules and to
/// whoever observes the devices.
final class Router: DeviceSink {
    private let outbox: Outbox
    private let rules: RuleEngine
    private let directory: DeviceDirectory
    private let followers = Followers()
    private let logger: Logger

    init(outbox: Outbox, rules: RuleEngine, directory: DeviceDirectory, logger: Logger) {
        self.outbox = outbox
        self.rules = rules
        self.directory = directory
        self.logger = logger
    }

    func emit(_ event: Event) {
        guard followers.pass(event) == .passOn else { return }
        logger.debug(
            event.name, ["device": event.device], more: event.fields.map { (name: $0.name, value: "\($0.value)") })
        let recordClass = directory[event.device]?.configuration.recordClasses[event.name] ?? .alert
        outbox.enqueue(Capture(event, recordClass))
        rules.handle(event)
        directory.note(event)
    }

    func setState(device: String, state: String, _ value: Bool) {
        directory.set(StateReference(device: device, state: state), value)
    }

    func setFault(device: String, _ reason: String?) {
        guard directory.setFault(device, reason) else { return }
        if let reason {
            logger.warning("part is faulty", ["device": device, "fault": reason])
        } else {
            logger.notice("part is well again", ["device": device])
        }
    }

    func follow(device: String, _ handler: @escaping @Sendable (Event) -> Passing) -> Following {
        followers.follow(device, handler)
    }

    func makePayloadPath() -> String { outbox.makePayloadPath() }
}

extension Capture {
    init(_ event: Event, _ recordClass: EventClass) {
        self.init(
            part: event.device, event: event.name, recordClass: RecordClass(recordClass), timestamp: event.timestamp,
            fields: event.fields.map { Field($0.name, CaptureValue($0.value)) },
            payload: event.payload.map { Payload(path: $0.path, mediaType: $0.mediaType) })
    }
}

extension CaptureValue {
    init(_ value: Value) {
        switch value {
        case .flag(let flag): self = .flag(flag)
        case .integer(let integer): self = .integer(integer)
        case .number(let number): self = .number(number)
        case .text(let text): self = .text(text)
        }
    }
}

extension RecordClass {
    init(_ eventClass: EventClass) {
        switch eventClass {
        case .alert: self = .alert
        case .reading: self = .reading
        case .diagnostic: self = .diagnostic
        }
    }
}
