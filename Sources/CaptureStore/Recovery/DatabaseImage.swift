internal import DeviceRuntime
internal import Glibc

/// An SQLite file and its log as pages, read without SQLite: what is there when SQLite refuses to read it.
///
/// By SQLite's documents "Database File Format" and "WAL-mode File Format". Only for a file that no connection of
/// this process has open: closing it here would take that connection's locks away.
struct DatabaseImage {
    /// Where a page's content lies.
    enum Place: Hashable {
        case file(page: Int)
        case log(offset: Int)
    }

    let pageSize: Int
    /// What SQLite sees: each page's place, and how many pages there are.
    let pageCount: Int
    private var logged: [Int: Int] = [:]
    /// Content that SQLite does not see (any more): older versions of pages, and what follows damage in the log.
    private(set) var stale: [Place] = []
    /// Whether the log goes on, with its own mark, after a frame that is not what was written.
    private(set) var isLogDamaged = false
    private let file: FileDescriptor
    private let log: FileDescriptor?
    private let filePages: Int

    init(_ path: String) throws {
        file = try FileDescriptor(opening: path, flags: O_RDONLY)
        let logSize = try Files.size(of: path + "-wal") ?? 0
        log = logSize > 0 ? try FileDescriptor(opening: path + "-wal", flags: O_RDONLY) : nil
        let header = try Self.read(file, at: 0, count: 100)
        let stated = header.count == 100 ? Int(header[16]) << 8 | Int(header[17]) : 0
        pageSize = [512, 1024, 2048, 4096, 8192, 16384, 32768].contains(stated) ? stated : 1024
        let size = try Files.size(of: path) ?? 0
        let pages = (size + pageSize - 1) / pageSize
        filePages = pages
        var count = pages
        if let log {
            let frames = try LogFrames(log, size: logSize, pageSize: pageSize)
            for frame in frames.valid { logged[frame.page] = frame.offset }
            count = frames.pageCount ?? count
            let live = Set(logged.values)
            stale = frames.all.filter { !live.contains($0) }.map { .log(offset: $0) }
            stale += logged.keys.sorted().filter { $0 <= pages }.map { .file(page: $0) }
            isLogDamaged = frames.isDamaged
        }
        pageCount = count
    }

    /// A page as SQLite sees it; short or empty where the file has less.
    func page(_ number: Int) throws -> [UInt8] {
        try content(logged[number].map { .log(offset: $0) } ?? .file(page: number))
    }

    func content(_ place: Place) throws -> [UInt8] {
        switch place {
        case .file(let page):
            return page > 0 ? try Self.read(file, at: (page - 1) * pageSize, count: pageSize) : []
        case .log(let offset):
            guard let log else { return [] }
            return try Self.read(log, at: offset, count: pageSize)
        }
    }

    /// The pages that are free: what lies in them was deleted.
    func freePages() throws -> Set<Int> {
        let header = try page(1)
        var free: Set<Int> = []
        var trunk = header.bigEndian(at: 32) ?? 0
        while trunk > 0, trunk <= pageCount, free.insert(trunk).inserted {
            let content = try page(trunk)
            let count = min(content.bigEndian(at: 4) ?? 0, pageSize / 4 - 2)
            for index in 0..<max(0, count) { free.insert(content.bigEndian(at: 8 + 4 * index) ?? 0) }
            trunk = content.bigEndian(at: 0) ?? 0
        }
        return free
    }

    fileprivate static func read(_ file: FileDescriptor, at offset: Int, count: Int) throws -> [UInt8] {
        let number = try file.open()
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try bytes.withUnsafeMutableBytes { buffer in
            try systemCall("pread") { pread(number, buffer.baseAddress, count, offset) }
        }
        bytes.removeLast(count - got)
        return bytes
    }
}

/// The frames of a log.
private struct LogFrames {
    /// Those that SQLite takes: unbroken from the start to the last commit.
    var valid: [(page: Int, offset: Int)] = []
    /// Where each frame's page lies, valid or not.
    var all: [Int] = []
    /// After the last commit.
    var pageCount: Int?
    var isDamaged = false

    private static let headerSize = 32
    private static let frameHeaderSize = 24

    init(_ log: FileDescriptor, size: Int, pageSize: Int) throws {
        let header = try DatabaseImage.read(log, at: 0, count: Self.headerSize)
        guard header.count == Self.headerSize else { return }
        let frameSize = Self.frameHeaderSize + pageSize
        var checksum = LogChecksum(header)
        var isUnbroken = checksum.matches(header, at: 24)
        var uncommitted: [(page: Int, offset: Int)] = []
        for start in stride(from: Self.headerSize, through: size - frameSize, by: frameSize) {
            let frame = try DatabaseImage.read(log, at: start, count: frameSize)
            guard frame.count == frameSize else { return }
            let offset = start + Self.frameHeaderSize
            all.append(offset)
            let isMarked = frame[8..<16] == header[16..<24]
            if isUnbroken, isMarked {
                checksum.add(frame[0..<8])
                checksum.add(frame[Self.frameHeaderSize...])
                if checksum.matches(frame, at: 16), let page = frame.bigEndian(at: 0) {
                    uncommitted.append((page, offset))
                    if let count = frame.bigEndian(at: 4), count > 0 {
                        valid += uncommitted
                        uncommitted = []
                        pageCount = count
                    }
                    continue
                }
            }
            // Frames of an earlier round of the log follow its end, with another mark.
            if isMarked, !isUnbroken { isDamaged = true }
            isUnbroken = false
        }
    }
}

/// The checksum of a log: two sums over pairs of words, whose byte order the header's magic number says.
private struct LogChecksum {
    private var sums: (UInt32, UInt32) = (0, 0)
    private let isBigEndian: Bool

    init(_ header: [UInt8]) {
        isBigEndian = (header.bigEndian(at: 0) ?? 0) & 1 == 1
        if header.count >= 24 { add(header[0..<24]) }
    }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        var index = bytes.startIndex
        while index + 8 <= bytes.endIndex {
            sums.0 = sums.0 &+ word(bytes, index) &+ sums.1
            sums.1 = sums.1 &+ word(bytes, index + 4) &+ sums.0
            index += 8
        }
    }

    func matches(_ bytes: [UInt8], at offset: Int) -> Bool {
        bytes.bigEndian(at: offset) == Int(sums.0) && bytes.bigEndian(at: offset + 4) == Int(sums.1)
    }

    private func word(_ bytes: ArraySlice<UInt8>, _ index: Int) -> UInt32 {
        let word =
            UInt32(bytes[index]) << 24 | UInt32(bytes[index + 1]) << 16 | UInt32(bytes[index + 2]) << 8
            | UInt32(bytes[index + 3])
        return isBigEndian ? word : word.byteSwapped
    }
}

extension [UInt8] {
    /// Four bytes as a number, the highest first; `nil` beyond the end.
    func bigEndian(at offset: Int) -> Int? {
        guard offset >= 0, offset + 4 <= count else { return nil }
        return self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
