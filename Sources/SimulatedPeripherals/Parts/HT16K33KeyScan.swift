/// The key memory of an HT16K33 (datasheet V.1.10 pages 17 to 21, and what owners of the chip observed: a key that is
/// held is in the memory again after a reading; the flag is set by a press and by nothing else).
struct HT16K33KeyScan: Sendable {
    /// A scan follows each frame of the display, of about 10 ms; two have to agree.
    static let confirmation: Duration = .milliseconds(20)

    /// Since when a key is down, and whether scans have found it so.
    private var held: [Int: (since: Duration, isConfirmed: Bool)] = [:]
    private var memory: Set<Int> = []
    private var lastReading: Duration = .zero
    private(set) var isFlagged = false

    mutating func press(_ key: Int, at now: Duration) {
        guard 1...39 ~= key, held[key] == nil else { return }
        held[key] = (now, false)
    }

    /// Two scans have passed since a press.
    mutating func confirm(_ key: Int, at now: Duration) {
        guard let hold = held[key], !hold.isConfirmed, now - hold.since >= Self.confirmation else { return }
        held[key]?.isConfirmed = true
        memory.insert(key)
        isFlagged = true
    }

    mutating func release(_ key: Int, at now: Duration) {
        if held[key]?.isConfirmed == true, now - lastReading >= Self.confirmation { memory.insert(key) }
        held[key] = nil
    }

    /// Three words of thirteen bits. Reading all of them clears memory, flag and interrupt.
    mutating func read(count: Int, at now: Duration) -> [UInt8] {
        if now - lastReading >= Self.confirmation { memory.formUnion(held.filter(\.value.isConfirmed).keys) }
        var words: [UInt16] = [0, 0, 0]
        for key in memory { words[(key - 1) / 13] |= 1 << UInt16((key - 1) % 13) }
        let bytes = words.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        if count >= bytes.count {
            memory = []
            lastReading = now
            isFlagged = false
        }
        return (0..<count).map { bytes[$0 % bytes.count] }
    }
}
