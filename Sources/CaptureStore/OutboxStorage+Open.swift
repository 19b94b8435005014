internal import DeviceRuntime

extension OutboxStorage {
    private static func path(_ directory: String) -> String { "\(directory)/outbox.db" }

    /// Opens the outbox's file, whatever it holds: one that is damaged is set aside and a fresh one begun,
    /// because a board that no longer captures is worse off than one whose old records need a person's help.
    static func open(_ directory: String, identity: String?, logger: Logger) throws -> RecordDatabase {
        let path = path(directory)
        if try Files.size(of: path) != nil {
            do {
                return try RecordDatabase.open(path)
            } catch let error as DatabaseError where error.isForeignContent {
                try setAside(directory, cause: "\(error)", logger: logger)
            }
        } else if try hasRemains(directory) {
            try setAside(directory, cause: "outbox.db is missing", logger: logger)
        }
        try PayloadSpool(directory: directory).open()
        return try create(directory, identity: identity, lastSequence: 0)
    }

    static func create(_ directory: String, identity: String?, lastSequence: Int64) throws -> RecordDatabase {
        let number = try firstUnusedNumber(directory) - 1
        // A given identity is told apart from the one of the file that was set aside.
        let identity = identity.map { number == 0 ? $0 : "\($0)-d\(number)" } ?? randomIdentity()
        let path = path(directory)
        try RecordDatabase.create(path, identity: identity, lastSequence: lastSequence)
        return try RecordDatabase.open(path)
    }

    static func randomIdentity() -> String {
        let digits = String(UInt32.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Moves the file, its log and the spool into a directory of their own, and returns that.
    @discardableResult
    static func setAside(_ directory: String, cause: String, logger: Logger) throws -> String {
        let aside = "\(directory)/damaged-\(try firstUnusedNumber(directory))"
        try Files.makeDirectory(aside)
        for name in ["outbox.db", "outbox.db-wal", "outbox.db-shm", "spool"]
        where try Files.size(of: "\(directory)/\(name)") != nil {
            try Files.rename("\(directory)/\(name)", to: "\(aside)/\(name)")
        }
        try Files.sync(aside)
        try Files.sync(directory)
        logger.error(
            "the outbox is damaged and was set aside; a fresh one is begun, and its records are not uploaded",
            ["cause": cause, "kept in": aside])
        return aside
    }

    /// Whether a spool or a log is there that a missing file must have left.
    private static func hasRemains(_ directory: String) throws -> Bool {
        if try Files.size(of: path(directory) + "-wal") != nil { return true }
        var isEmpty = true
        try Files.forEachEntry(of: PayloadSpool(directory: directory).spool) { _ in isEmpty = false }
        return !isEmpty
    }

    private static func firstUnusedNumber(_ directory: String) throws -> Int {
        var number = 1
        while try Files.size(of: "\(directory)/damaged-\(number)") != nil { number += 1 }
        return number
    }
}
