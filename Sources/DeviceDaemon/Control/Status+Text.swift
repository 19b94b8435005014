import CaptureStore
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

extension Status {
    /// For a person.
    var text: String {
        var sections = ["\(name) on board \(board), running for \(rough(uptime))"]
        if !devices.isEmpty {
            let rows = devices.map { device in
                [device.name, device.driver, device.healthText, device.states.joined(separator: ", "), last(device)]
            }
            sections.append(aligned([["device", "driver", "health", "states", "last event"]] + rows))
        }
        sections.append(storageText)
        if !disk.isEmpty { sections.append(disk.joined(separator: "\n")) }
        if !drops.isEmpty {
            sections.append(
                drops.map { drop in
                    "dropped: \(drop.recordClass.counted(drop.records)), the last \(drop.last): \(drop.reason.explanation)"
                }.joined(separator: "\n"))
        }
        return sections.joined(separator: "\n\n")
    }

    /// What is wrong with the disk, in a line for each.
    private var disk: [String] {
        var lines: [String] = []
        if let failure = outbox.failure { lines.append("the disk takes no captures: \(printable(failure))") }
        if outbox.isSlow { lines.append("the disk takes more than 2 s for a write: the card may be failing") }
        if !outbox.isWell { lines.append("\(outbox.waiting) captures wait in memory") }
        if outbox.dropped > 0 { lines.append("\(outbox.dropped) captures were dropped since the start") }
        return lines
    }

    private func last(_ device: Device) -> String {
        device.lastEvent.map { "\($0.name) \(rough(now - $0.at)) ago" } ?? ""
    }

    private var storageText: String {
        guard !storage.isEmpty else { return "no storage: nothing is kept" }
        let rows = storage.map { storage in
            let waiting = "\(storage.waiting) waiting" + (storage.oldest.map { ", the oldest for \(rough($0))" } ?? "")
            let last = storage.uploads.lastSuccess.map { "\(rough(now - $0)) ago" } ?? "none since the start"
            let troubles = [
                storage.failure.map { "uploads fail since \($0.since): \(printable($0.reason))" },
                storage.rejected > 0 ? "\(storage.rejected) rejected: perch queue list --rejected" : nil,
            ]
            return [storage.name, storage.backend, waiting, last, troubles.compactMap { $0 }.joined(separator: "; ")]
        }
        return aligned([["storage", "backend", "records", "last upload", ""]] + rows)
    }
}

extension Status.Device {
    fileprivate var healthText: String {
        switch health {
        case .starting: "starting"
        case .healthy: fault.map { "running, but faulty: \(printable($0))" } ?? "running"
        case .failing(let reason, let failures): "failing, \(failures)×: \(printable(reason))"
        }
    }
}
