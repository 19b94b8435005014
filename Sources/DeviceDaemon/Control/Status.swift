import CaptureStore
import DeviceKit
import DeviceRuntime

extension ControlVerb {
    static let status = ControlVerb(name: "status") { words, site, answer in
        guard words.isEmpty || words == ["--json"] else {
            throw ControlFailure.usage("expected nothing or --json; found '\(words.joined(separator: " "))'")
        }
        let status = try await Status(site)
        try await answer.print(words.isEmpty ? status.text : status.json)
        // For monitoring: whether all is well, without reading.
        return status.isWell ? 0 : 1
    }
}

/// How a daemon does, at one moment.
struct Status: Sendable {
    private let site: ControlSite
    private let now: Duration
    private let devices: [DeviceDirectory.Entry]
    /// What waits for each storage; `nil` where the outbox cannot be read.
    private let backlog: [OutboxReader.Backlog]?
    private let outbox: OutboxCondition

    init(_ site: ControlSite) async throws {
        self.site = site
        now = site.loop.now
        devices = site.daemon.devices.entries
        outbox = site.daemon.outbox.condition
        let directory = site.daemon.outbox.directory
        // Reading may wait for the disk.
        backlog = try await BlockingThread(named: "status", loop: site.loop).run {
            // Nothing was captured yet where there is no file.
            try? OutboxReader(directory: directory).backlog()
        }
    }

    /// Every device and its part work, the disk takes captures, and nothing was refused by a storage.
    var isWell: Bool {
        devices.allSatisfy(\.isWell) && outbox.isWell && !(backlog ?? []).contains { $0.rejected > 0 }
    }

    var text: String {
        var sections = ["\(site.configuration.name) on board \(site.board), running for \(rough(now - site.start))"]
        if !devices.isEmpty {
            let rows = devices.map { entry in
                [
                    entry.name, entry.driver.name, health(entry), entry.states.sorted().joined(separator: ", "),
                    last(entry),
                ]
            }
            sections.append(aligned([["device", "driver", "health", "states", "last event"]] + rows))
        }
        sections.append(storage)
        return sections.joined(separator: "\n\n")
    }

    private func health(_ entry: DeviceDirectory.Entry) -> String {
        switch entry.health {
        case .starting: "starting"
        case .healthy: entry.fault.map { "running, but faulty: \(printable($0))" } ?? "running"
        case .failing(let reason, let failures): "failing, \(failures)×: \(printable(reason))"
        }
    }

    private func last(_ entry: DeviceDirectory.Entry) -> String {
        entry.lastEvent.map { "\($0.name) \(rough(now - $0.timestamp)) ago" } ?? ""
    }

    private var storage: String {
        guard !site.configuration.storage.isEmpty else { return "no storage: nothing is kept" }
        let rows = site.configuration.storage.map { storage in
            let backlog = backlog?.first { $0.backend == storage.name }
            let rejected = backlog.map { $0.rejected > 0 ? "\($0.rejected) rejected: perch queue list" : "" } ?? ""
            return [storage.name, storage.backend.name, "\(backlog?.pending ?? 0) waiting", rejected]
        }
        return ([aligned([["storage", "backend", "records", ""]] + rows)] + disk).joined(separator: "\n\n")
    }

    /// What is wrong with the disk, in a line for each.
    private var disk: [String] {
        var lines: [String] = []
        if let failure = outbox.failure { lines.append("the disk takes no captures: \(printable(failure))") }
        if outbox.isSlow { lines.append("the disk takes more than 2 s for a write: the card may be failing") }
        if !outbox.isWell { lines.append("\(outbox.waiting) captures wait in memory") }
        if outbox.dropped > 0 { lines.append("\(outbox.dropped) captures were dropped since the start") }
        return lines.isEmpty ? [] : [lines.joined(separator: "\n")]
    }

    /// One object on one line.
    var json: String {
        let storage = site.configuration.storage.map { storage -> JSONText in
            let backlog = backlog?.first { $0.backend == storage.name }
            return .object([
                "name": .text(storage.name), "backend": .text(storage.backend.name),
                "waiting": .integer(Int64(backlog?.pending ?? 0)), "rejected": .integer(Int64(backlog?.rejected ?? 0)),
            ])
        }
        return JSONText.object([
            "device": .text(site.configuration.name), "board": .text(site.board), "well": .flag(isWell),
            "uptime": .seconds(nanoseconds: Int64((now - site.start) / .nanoseconds(1))),
            "devices": .array(devices.map(object)), "storage": .array(storage), "outbox": outboxObject,
        ]).description
    }

    private var outboxObject: JSONText {
        var members: [String: JSONText] = [
            "slow": .flag(outbox.isSlow), "inMemory": .integer(Int64(outbox.waiting)),
            "dropped": .integer(Int64(outbox.dropped)),
        ]
        members["failure"] = outbox.failure.map { .text($0) }
        return .object(members)
    }

    private func object(_ entry: DeviceDirectory.Entry) -> JSONText {
        var members: [String: JSONText] = [
            "name": .text(entry.name), "driver": .text(entry.driver.name),
            "states": .array(entry.states.sorted().map { .text($0) }),
        ]
        switch entry.health {
        case .starting: members["health"] = .text("starting")
        case .healthy:
            members["health"] = .text("running")
            members["fault"] = entry.fault.map { .text($0) }
        case .failing(let reason, let failures):
            members["health"] = .text("failing")
            members["error"] = .text(reason)
            members["failures"] = .integer(Int64(failures))
        }
        if let event = entry.lastEvent {
            members["lastEvent"] = .object([
                "name": .text(event.name), "monotonic": .seconds(nanoseconds: Int64(event.timestamp / .nanoseconds(1))),
            ])
        }
        return .object(members)
    }
}

extension DeviceDirectory.Entry {
    var isWell: Bool { if case .failing = health { false } else { fault == nil } }
}
