import CaptureStore
import DeviceRuntime

extension Diagnosis {
    /// Looks at this machine and says what it finds, before anything is configured as well as afterwards. With
    /// `isUploading`, each storage is sent a small record, which is overwritten by the next one; otherwise nothing is
    /// changed or sent.
    ///
    /// Throws `SystemError` when the process is out of file descriptors.
    public static func make(
        configurationPath: String, stateDirectory: String, socketPath: String, isUploading: Bool
    ) throws -> Diagnosis {
        var facts = try DoctorFacts.gather(
            configurationPath: configurationPath, stateDirectory: stateDirectory, socketPath: socketPath)
        if case .valid(let configuration, _) = facts.setup, isUploading {
            for storage in configuration.storage {
                facts.trials[storage.name] = .some(try StorageTrial(configuration, stateDirectory).failure(of: storage))
            }
        }
        return Diagnosis(findings: Doctor(facts: facts).findings)
    }
}

/// Asks a storage whether it takes a record, in the way in which the daemon would bring it one.
struct StorageTrial {
    let device: String
    let stateDirectory: String

    init(_ configuration: Configuration, _ stateDirectory: String) {
        device = configuration.name
        self.stateDirectory = stateDirectory
    }

    /// How long it is waited for. Connecting and answering have their own, shorter limits.
    private static let patience = Duration.seconds(60)

    /// What is wrong; `nil` if it took the record.
    func failure(of storage: StorageConfiguration) throws -> String? {
        let loop = try EventLoop()
        let context = StorageContext(
            loop: loop, stateDirectory: stateDirectory, device: device, devices: DeviceDirectory(),
            logger: Logger(SilentLogSink()))
        return try loop.run {
            do {
                let backend = try StorageKind.makeStandardBackend(storage, context)
                let record = Self.record(device)
                // What keeps a connection needs it before it can store.
                let connections = [backend as? any Service].compactMap { $0 }
                try await ServiceGroup(connections, logger: context.logger).run {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { try await backend.store([record]) }
                        group.addTask {
                            try await loop.sleep(for: Self.patience)
                            throw StorageError(
                                .temporary(retryAfter: nil), "\(backend.destination) did not answer in a minute")
                        }
                        defer { group.cancelAll() }
                        try await group.next()
                    }
                }
                return nil
            } catch {
                return "\(error)"
            }
        }
    }

    /// Always the same name: one that is sent again takes the place of the one before.
    private static func record(_ device: String) -> StoredRecord {
        let id = RecordID(device: device, identity: "doctor", sequence: 1)
        let time = WallTime.system
        let document = JSONText.object([
            "device": .text(device), "part": .text("doctor"), "event": .text("test"), "time": .text("\(time)"),
        ]).description
        return StoredRecord(
            id: id, part: "doctor", event: "test", time: time, fields: [.init("ok", .flag(true))], document: document,
            objects: [
                StoredObject(
                    name: "\(device)/doctor/test.json", mediaType: "application/json",
                    body: .bytes(Array(document.utf8)))
            ])
    }
}

/// Takes entries and shows none: what they would say comes as an error too.
private struct SilentLogSink: LogSink {
    func write(_ entry: LogEntry) {}
}
