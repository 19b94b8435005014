internal import CLinux
internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// One target on an SPI bus, by spidev.
final class LinuxSPIDevice: SPIDevice {
    let name: String
    private let speed: UInt32
    private let largestTransfer: Int
    private let descriptor: FileDescriptor
    private let thread: BlockingThread
    private let claim: Claim

    /// Opens the target and sets the mode; nothing moves on the wire.
    init(
        name: String, path: String, _ configuration: SPIConfiguration, sysfs: String, thread: BlockingThread,
        claim: Claim
    ) throws {
        self.name = name
        self.thread = thread
        self.claim = claim
        // Zero would mean the device tree's limit.
        guard let speed = UInt32(exactly: configuration.maximumSpeed.hertz.rounded(.down)), speed > 0 else {
            throw PeripheralError(
                .invalidArgument, "\(name): a clock of \(configuration.maximumSpeed.hertz) Hz is out of range",
                advice: "choose from 1 Hz to 4 GHz")
        }
        self.speed = speed
        let descriptor = try describingErrors({ Self.openingError($0, name, path) }) {
            try FileDescriptor(opening: path, flags: O_RDWR)
        }
        self.descriptor = descriptor
        // 4096 unless the module's parameter says otherwise (`drivers/spi/spidev.c`).
        let limit = try? SystemFiles.text(of: "\(sysfs)/module/spidev/parameters/bufsiz")
        largestTransfer = limit.flatMap { Int($0) } ?? 4096
        var mode = configuration.mode.rawValue
        try describingErrors({
            PeripheralError(
                $0, "\(name) cannot be used in \(configuration.mode)", code: $0.code == EINVAL ? .unsupported : nil)
        }) {
            let number = try descriptor.open()
            try systemCall("SPI_IOC_WR_MODE") { perch_spi_set_mode(number, &mode) }
        }
    }

    func transfer(_ bytes: [UInt8]) async throws -> [UInt8] {
        guard descriptor.number != nil else { throw PeripheralError(.closed, "\(name) was closed before") }
        guard 1...largestTransfer ~= bytes.count else {
            throw PeripheralError(
                .invalidArgument, "\(name): a transfer has from 1 to \(largestTransfer) bytes, not \(bytes.count)",
                advice: "send it in parts, or raise spidev.bufsiz on the kernel's command line")
        }
        return try await thread.run { [name, speed, descriptor] in
            try describingErrors({ PeripheralError($0, "\(name): the transfer failed") }) {
                try descriptor.use { try Self.transfer($0, bytes, speed: speed) }
            }
        }
    }

    func close() {
        descriptor.close()
        claim.release()
    }

    private static func transfer(_ descriptor: Int32, _ bytes: [UInt8], speed: UInt32) throws -> [UInt8] {
        var received = [UInt8](repeating: 0, count: bytes.count)
        try bytes.withUnsafeBytes { sent in
            try received.withUnsafeMutableBytes { received in
                var transfer = spi_ioc_transfer()
                transfer.tx_buf = UInt64(UInt(bitPattern: sent.baseAddress))
                transfer.rx_buf = UInt64(UInt(bitPattern: received.baseAddress))
                transfer.len = UInt32(sent.count)
                transfer.speed_hz = speed
                transfer.bits_per_word = 8
                _ = try systemCall("SPI_IOC_MESSAGE") { perch_spi_transfer(descriptor, &transfer) }
            }
        }
        return received
    }

    private static func openingError(_ error: SystemError, _ name: String, _ path: String) -> PeripheralError {
        switch PeripheralError.code(of: error.code) {
        case .notFound:
            PeripheralError(
                error, "\(name): there is no \(path)",
                advice: "switch the bus on (on a Raspberry Pi dtparam=spi=on in config.txt)")
        case .permissionDenied:
            PeripheralError(error, "\(name): \(path) may not be opened", advice: AccessGroup.spi.advice)
        default:
            PeripheralError(error, "\(name): \(path) cannot be opened")
        }
    }
}
