internal import CLinux
internal import Glibc
internal import CSystemd

/// Readable lines on standard error, for a person at a terminal: `warning: message (field: value)`.
public struct TextLogSink: LogSink {
    public init() {}

    public func write(_ entry: LogEntry) {
        let prefix = entry.level == .info || entry.level == .notice ? "" : "\(entry.level): "
        let line = "\(prefix)\(entry.text)\n"
        // One write per line, so that lines of several threads do not mix.
        _ = line.utf8CString.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count - 1) }
    }
}

/// systemd's journal, with the fields as fields: `journalctl PERCH_DEVICE=bell` finds them.
public struct JournalLogSink: LogSink {
    public init() {}

    /// Whether standard error is connected to the journal: then entries go there directly and keep their
    /// fields. The variable alone is not enough, because programs pass it on to children whose standard error
    /// is something else (`JOURNAL_STREAM`, systemd.exec(5)).
    public static var isConnected: Bool {
        guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
        var status = stat()
        guard fstat(2, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    public func write(_ entry: LogEntry) {
        var parts = ["MESSAGE=\(entry.text)", "PRIORITY=\(entry.level.rawValue)", "SYSLOG_IDENTIFIER=perch"]
        for field in entry.fields {
            let name = String(field.name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
            parts.append("PERCH_\(name)=\(field.value)")
        }
        let buffers = parts.map { part in
            let bytes = Array(part.utf8)
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            _ = copy.initialize(from: bytes)
            return copy
        }
        defer { for buffer in buffers { buffer.deallocate() } }
        let vectors = buffers.map { iovec(iov_base: $0.baseAddress, iov_len: $0.count) }
        sd_journal_sendv(vectors, Int32(vectors.count))
    }
}

/// Keeps entries, for tests.
public final class RecordingLogSink: LogSink {
    private let recorded = Protected<[LogEntry]>([])

    public init() {}

    public func write(_ entry: LogEntry) { recorded.withLock { $0.append(entry) } }

    public var entries: [LogEntry] { recorded.withLock { $0 } }
}
