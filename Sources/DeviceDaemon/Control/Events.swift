import DeviceKit
import DeviceRuntime

extension ControlVerb {
    /// Tells what happens, until whoever asked goes.
    static let events = ControlVerb(name: "events") { words, site, answer in
        guard words.allSatisfy({ $0 == "--json" }) else {
            throw ControlFailure.usage("expected nothing or --json; found '\(words.joined(separator: " "))'")
        }
        // A reader that is slow loses events and is told so; the daemon waits for nobody.
        let missed = Protected(0)
        let (changes, tell) = AsyncStream<DeviceDirectory.Change>.makeStream(bufferingPolicy: .bufferingOldest(1000))
        let observation = site.daemon.devices.observe { change in
            if case .dropped = tell.yield(change) { missed.withLock { $0 += 1 } }
        }
        defer { observation.cancel() }
        // Said when nothing can be missed any more: the time to ring.
        try await answer.printError("watching \(site.configuration.name); what happens from now on:")
        for await change in changes {
            let count = missed.withLock { missed in
                defer { missed = 0 }
                return missed
            }
            if count > 0 { try await answer.printError("\(count) missed: they came faster than they were read") }
            guard let line = words.isEmpty ? change.text : change.json?.description else { continue }
            try await answer.print(line)
        }
        return 0
    }
}

extension DeviceDirectory.Change {
    /// `bell.pressed`, `arm.moving begins`, `sign fails: …`; `nil` for what nobody watches for.
    var text: String? {
        switch self {
        case .event(let event):
            let fields = event.fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
            return "\(event.device).\(event.name)" + (fields.isEmpty ? "" : " (\(fields))")
        case .state(let state, let holds): return "\(state) \(holds ? "begins" : "ends")"
        case .health(let device, .failing(let reason, failures: 1)): return "\(device) fails: \(printable(reason))"
        case .health(let device, .healthy): return "\(device) runs"
        case .fault(let device, let reason):
            return reason.map { "\(device) is faulty: \($0)" } ?? "\(device) is well again"
        case .command(let device, let command):
            return "\(device).\(command.name) was done" + (command.cause.map { " because of \($0)" } ?? "")
        case .health, .asked, .devices: return nil
        }
    }

    var json: JSONText? {
        switch self {
        case .event(let event):
            .object([
                "event": .text("\(event.device).\(event.name)"),
                "monotonic": .seconds(nanoseconds: Int64(event.timestamp / .nanoseconds(1))),
                "fields": .object(
                    Dictionary(event.fields.map { ($0.name, JSONText($0.value)) }, uniquingKeysWith: { $1 })),
            ])
        case .state(let state, let holds): .object(["state": .text("\(state)"), "holds": .flag(holds)])
        case .health(let device, .failing(let reason, failures: 1)):
            .object(["device": .text(device), "health": .text("failing"), "error": .text(reason)])
        case .health(let device, .healthy): .object(["device": .text(device), "health": .text("running")])
        case .fault(let device, let reason):
            .object(["device": .text(device), "fault": reason.map { .text($0) } ?? .null])
        case .command(let device, let command):
            .object([
                "command": .text("\(device).\(command.name)"), "cause": command.cause.map { .text($0) } ?? .null,
            ])
        case .health, .asked, .devices: nil
        }
    }
}

extension JSONText {
    init(_ value: Value) {
        switch value {
        case .flag(let flag): self = .flag(flag)
        case .integer(let integer): self = .integer(Int64(integer))
        case .number(let number): self = .number(number)
        case .text(let text): self = .text(text)
        }
    }
}
