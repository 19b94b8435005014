internal import CLinux
internal import DeviceRuntime
internal import Peripherals

/// A transfer as spidev takes it. Runs on the bus's thread.
struct SPIMessages: Sendable {
    let segments: [SPISegment]
    let plan: SPIPlan
    let configuration: SPIConfiguration
    let reversesBits: Bool

    /// Returns what was read. Throws ``SystemError``.
    func run(_ descriptor: Int32) throws -> [[UInt8]] {
        // All bytes in one piece of memory, one segment after the other.
        var memory: [UInt8] = []
        var starts: [Int] = []
        for segment in segments {
            starts.append(memory.count)
            switch segment.content {
            case .exchange(let bytes), .write(let bytes):
                memory += reversesBits ? configuration.reversingBits(bytes) : bytes
            case .read(let count): memory += repeatElement(0, count: count)
            }
        }
        try memory.withUnsafeMutableBytes { memory in
            let base = UInt64(UInt(bitPattern: memory.baseAddress))
            for message in plan.messages {
                var transfers = message.map { piece in
                    transfer(piece, at: base + UInt64(starts[piece.segment] + piece.bytes.lowerBound))
                }
                _ = try systemCall("SPI_IOC_MESSAGE") {
                    perch_spi_transfer(descriptor, &transfers, UInt32(transfers.count))
                }
            }
        }
        return zip(segments, starts).compactMap { segment, start in
            if case .write = segment.content { return nil }
            let bytes = Array(memory[start..<start + segment.count])
            return reversesBits ? configuration.reversingBits(bytes) : bytes
        }
    }

    /// What comes back replaces what was sent: spidev copies both.
    private func transfer(_ piece: SPIPlan.Piece, at address: UInt64) -> spi_ioc_transfer {
        var transfer = spi_ioc_transfer()
        switch segments[piece.segment].content {
        case .exchange:
            transfer.tx_buf = address
            transfer.rx_buf = address
        case .write: transfer.tx_buf = address
        case .read: transfer.rx_buf = address
        }
        transfer.len = UInt32(piece.bytes.count)
        transfer.speed_hz = piece.hertz
        transfer.bits_per_word = UInt8(configuration.wordSize)
        transfer.delay_usecs = piece.delayMicroseconds
        transfer.cs_change = piece.changesSelect ? 1 : 0
        return transfer
    }
}
