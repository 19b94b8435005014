import CaptureStore
import DeviceDaemon
import DeviceRuntime

extension Verb {
    /// Compares what the outbox has noted as delivered with what the storage has.
    static let verify = Verb(
        name: "verify",
        summary: """
            looks whether what was delivered is where it was delivered: the last 1,000 records of each storage
            Ends with 0 if all is there, 1 if something is missing, 69 if a storage cannot be asked.
            """,
        flags: [
            ConfigurationFile.flag, Flag(name: "storage", value: "NAME", summary: "only this one"),
            StateDirectory.flag,
        ]
    ) { arguments in
        let configuration = try ConfigurationFile.read(arguments["config"] ?? ConfigurationFile.defaultPath)
        let directory = StateDirectory.resolve(arguments)
        let meant = configuration.storage.filter { arguments["storage"] == nil || $0.name == arguments["storage"] }
        guard !meant.isEmpty else {
            throw CommandFailure(.usage, "perch verify: there is no such storage in the configuration")
        }
        do {
            let reader = try OutboxReader(directory: directory)
            let verifier = Verifier(device: configuration.name, stateDirectory: directory)
            var worst = ExitCode.success
            for storage in meant {
                let result = try verifier.verify(storage, try reader.receipts(of: storage.name))
                for line in result.lines { Output.print(line) }
                if result.code.number > worst.number { worst = result.code }
            }
            return worst
        } catch let error as OutboxError {
            throw CommandFailure(.unavailable, "perch verify: \(error)")
        }
    }
}

/// Asks storages for what they should have.
private struct Verifier {
    let device: String
    let stateDirectory: String

    func verify(
        _ storage: StorageConfiguration, _ receipts: [OutboxReader.Receipt]
    ) throws -> (lines: [String], code: ExitCode) {
        let loop = try EventLoop()
        let backend = try StorageKind.makeStandardBackend(
            storage,
            StorageContext(
                loop: loop, stateDirectory: stateDirectory, device: device, devices: DeviceDirectory(),
                logger: Logger(TextLogSink())))
        do {
            return try loop.run { try await compare(backend, receipts) }
        } catch let error as StorageError {
            return (["\(storage.name): cannot be asked: \(error)"], .unavailable)
        }
    }

    private func compare(
        _ backend: any StorageBackend, _ receipts: [OutboxReader.Receipt]
    ) async throws -> (lines: [String], code: ExitCode) {
        var lines: [String] = []
        for receipt in receipts {
            guard let presence = try await backend.lookUp(receipt.name) else {
                return (["\(backend.name): \(backend.destination) cannot tell what it has"], .success)
            }
            switch presence {
            case .absent: lines.append("\(backend.name): missing: \(receipt.name)")
            case .present(let size?) where size != receipt.size:
                lines.append("\(backend.name): \(receipt.name) has \(size) bytes instead of \(receipt.size)")
            case .present: break
            }
        }
        let wrong = lines.count
        lines.append(
            "\(backend.name): \(receipts.count - wrong) of \(receipts.count) objects are in \(backend.destination)")
        return (lines, wrong == 0 ? .success : .failure)
    }
}
