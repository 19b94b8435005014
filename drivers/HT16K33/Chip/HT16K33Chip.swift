import Peripherals

/// One HT16K33 on a bus: brings it to what it is meant to hold, and writes only what differs.
struct HT16K33Chip {
    let device: any I2CDevice
    /// `nil` while nothing is known of the chip.
    private var written: HT16K33Registers.Written?

    init(_ device: any I2CDevice) { self.device = device }

    /// Brings the chip to these registers; returns whether it had to be set up anew after it did not answer.
    ///
    /// A chip that does not acknowledge may have lost its supply for a moment, and then holds nothing of what was
    /// written before: it is set up from the beginning, once. Throws when it still does not answer.
    mutating func bring(to registers: HT16K33Registers) async throws -> Bool {
        let isKnown = written != nil
        do {
            try await write(registers)
            return false
        } catch let error as PeripheralError
            where isKnown && [.noAcknowledge, .dataNotAcknowledged].contains(error.code)
        {
            try await write(registers)
            return true
        }
    }

    /// Makes the next ``bring(to:)`` write everything.
    mutating func forget() { written = nil }

    /// The keys that the chip has found down since the last reading, from 1 to 39: thirteen for each of KS0 to KS2.
    /// Reading clears them, the flag and the interrupt, and has to be of all six bytes at once (page 21).
    func readKeys() async throws -> Set<Int> {
        let bytes = try await device.writeRead([HT16K33Registers.Code.keyRAM], count: 6)
        var keys: Set<Int> = []
        for source in 0..<3 {
            let word = UInt16(bytes[2 * source]) | UInt16(bytes[2 * source + 1]) << 8
            for key in 0..<Self.keysOfSource where word & 1 << UInt16(key) != 0 {
                keys.insert(source * Self.keysOfSource + key + 1)
            }
        }
        return keys
    }

    static let keysOfSource = 13
    static let keyCount = 39

    /// Darkens the chip and stops its oscillator.
    mutating func standBy() async throws {
        written = nil
        for bytes in HT16K33Registers.standby { try await device.write(bytes) }
    }

    private mutating func write(_ registers: HT16K33Registers) async throws {
        let new = registers.written(after: written)
        let writes = HT16K33Registers.transactions(from: written, to: new)
        // What a failed write has done to the chip is not known.
        written = writes.isEmpty ? written : nil
        for bytes in writes { try await device.write(bytes) }
        written = new
    }
}
