import CaptureStore
import DeviceRuntime

extension Status {
    /// One object on one line.
    var json: String { json(with: [:]) }

    /// With more members.
    func json(with more: [String: JSONText]) -> String {
        let members: [String: JSONText] = [
            "device": .text(name), "board": .text(board), "version": .text(perchVersion), "well": .flag(isWell),
            "uptime": .seconds(uptime), "devices": .array(devices.map(\.json)), "storage": .array(storage.map(object)),
            "outbox": outboxObject,
        ]
        return JSONText.object(members.merging(more) { $1 }).description
    }

    private var outboxObject: JSONText {
        var members: [String: JSONText] = [
            "slow": .flag(outbox.isSlow), "inMemory": .integer(Int64(outbox.waiting)),
            "dropped": .integer(Int64(outbox.dropped)),
        ]
        members["failure"] = outbox.failure.map { .text($0) }
        return .object(members)
    }

    private func object(_ storage: Storage) -> JSONText {
        var members: [String: JSONText] = [
            "name": .text(storage.name), "backend": .text(storage.backend),
            "waiting": .integer(Int64(storage.waiting)), "rejected": .integer(Int64(storage.rejected)),
        ]
        members["oldest"] = storage.oldest.map { .seconds($0) }
        members["lastUpload"] = storage.uploads.lastSuccess.map { .seconds(now - $0) }
        members["failing"] = storage.failure.map {
            .object(["since": .text("\($0.since)"), "error": .text($0.reason)])
        }
        return .object(members)
    }
}

extension Status.Device {
    fileprivate var json: JSONText {
        var members: [String: JSONText] = [
            "name": .text(name), "driver": .text(driver), "states": .array(states.map { .text($0) }),
        ]
        switch health {
        case .starting: members["health"] = .text("starting")
        case .healthy:
            members["health"] = .text("running")
            members["fault"] = fault.map { .text($0) }
        case .failing(let reason, let failures):
            members["health"] = .text("failing")
            members["error"] = .text(reason)
            members["failures"] = .integer(Int64(failures))
        }
        members["lastEvent"] = lastEvent.map { .object(["name": .text($0.name), "monotonic": .seconds($0.at)]) }
        return .object(members)
    }
}

extension JSONText {
    static func seconds(_ duration: Duration) -> JSONText {
        .seconds(nanoseconds: Int64(duration / .nanoseconds(1)))
    }
}
