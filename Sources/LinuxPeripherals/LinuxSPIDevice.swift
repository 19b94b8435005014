internal import CLinux
internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// One target on an SPI bus, by spidev.
final class LinuxSPIDevice: SPIDevice {
    let name: String
    let configuration: SPIConfiguration
    let largestTransfer: Int
    let reversesBitsInSoftware: Bool
    private let descriptor: FileDescriptor
    private let thread: BlockingThread
    private let claim: Claim

    /// Opens the target and sets mode, bit order and word size; nothing moves on the wire.
    init(
        name: String, path: String, _ configuration: SPIConfiguration, sysfs: String, thread: BlockingThread,
        claim: Claim
    ) throws {
        self.name = name
        self.configuration = configuration
        self.thread = thread
        self.claim = claim
        _ = try configuration.checkedHertz(for: name)
        let descriptor = try describingErrors({ Self.openingError($0, name, path) }) {
            try FileDescriptor(opening: path, flags: O_RDWR)
        }
        self.descriptor = descriptor
        // 4096 unless the module's parameter says otherwise (`drivers/spi/spidev.c`).
        let limit = try? SystemFiles.text(of: "\(sysfs)/module/spidev/parameters/bufsiz")
        largestTransfer = limit.flatMap { Int($0) } ?? 4096
        reversesBitsInSoftware = try Self.setUp(descriptor, configuration, name)
    }

    /// Sets what the kernel keeps for the target, whoever has set it before. Returns whether the bit order was refused.
    private static func setUp(
        _ descriptor: FileDescriptor, _ configuration: SPIConfiguration, _ name: String
    ) throws -> Bool {
        func setting<Value>(_ what: String, _ body: () throws -> Value) throws -> Value {
            try describingErrors(
                { PeripheralError($0, "\(name) cannot be used \(what)", code: $0.code == EINVAL ? .unsupported : nil) },
                body)
        }
        let number = try setting("any more") { try descriptor.open() }
        func set(_ mode: UInt8) throws {
            var mode = mode
            try systemCall("SPI_IOC_WR_MODE") { perch_spi_set_mode(number, &mode) }
        }
        let mode = configuration.mode.rawValue
        var isReversed = false
        try setting("in \(configuration.mode)") {
            do {
                try set(mode | (configuration.bitOrder == .leastSignificantFirst ? perch_spi_lsb_first : 0))
            } catch let error as SystemError
                where error.code == EINVAL && configuration.bitOrder != .mostSignificantFirst
            {
                try set(mode)
                isReversed = true
            }
        }
        try setting("with words of \(configuration.wordSize) bits") {
            var bits = UInt8(configuration.wordSize)
            _ = try systemCall("SPI_IOC_WR_BITS_PER_WORD") { perch_spi_set_word_size(number, &bits) }
        }
        return isReversed
    }

    func transfer(_ segments: [SPISegment], splitting: SPISplitting) async throws -> [[UInt8]] {
        guard descriptor.number != nil else { throw PeripheralError(.closed, "\(name) was closed before") }
        let plan = try SPIPlan(segments, splitting, largestTransfer: largestTransfer, configuration, name: name)
        let transfer = SPIMessages(
            segments: segments, plan: plan, configuration: configuration, reversesBits: reversesBitsInSoftware)
        // One piece of work, so that no other device of the bus comes between its messages.
        return try await thread.run { [name, descriptor] in
            try describingErrors({ Self.transferError($0, name) }) { try descriptor.use(transfer.run) }
        }
    }

    func close() {
        descriptor.close()
        claim.release()
    }

    private static func transferError(_ error: SystemError, _ name: String) -> PeripheralError {
        switch error.code {
        case EMSGSIZE:
            PeripheralError(
                error,
                "\(name): the transfer does not fit in spidev's buffer, in which each segment takes up to 128 bytes",
                advice: "use fewer segments, or raise spidev.bufsiz on the kernel's command line")
        case ESHUTDOWN: PeripheralError(error, "\(name) is gone: its driver was unbound", code: .notFound)
        case EBADF: PeripheralError(.closed, "\(name) was closed before")
        default: PeripheralError(error, "\(name): the transfer failed")
        }
    }

    static func openingError(_ error: SystemError, _ name: String, _ path: String) -> PeripheralError {
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
