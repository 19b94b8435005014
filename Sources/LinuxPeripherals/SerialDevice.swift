internal import CLinux
internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// An open serial device: its system calls, none of which blocks. Throws ``SystemError``, or ``PeripheralError`` while
/// it is opened.
final class SerialDevice: Sendable {
    let name: String
    let input: FileDescriptor
    /// The same device once more: a loop watches a descriptor for one purpose at a time.
    let output: FileDescriptor
    private let claim: Claim

    init(name: String, path: String, _ configuration: SerialConfiguration, claim: Claim) throws {
        guard 1...UInt32.max ~= UInt32(clamping: configuration.baudRate) else {
            throw PeripheralError(
                .invalidArgument, "\(name): a baud rate of \(configuration.baudRate) is out of range",
                advice: "choose one above zero, such as 9600")
        }
        self.name = name
        self.claim = claim
        // Without waiting for a modem to answer, and without becoming this process's terminal.
        let input = try describingErrors({ Self.openingError($0, name, path) }) {
            try FileDescriptor(opening: path, flags: O_RDWR | O_NOCTTY | O_NONBLOCK)
        }
        self.input = input
        output = try describingErrors({
            PeripheralError(
                $0, "\(name): \(path) is no serial port", code: $0.code == ENOTTY ? .unsupported : nil)
        }) {
            let number = try input.open()
            var settings = perch_termios2()
            try systemCall("TCGETS2 \(path)") { perch_serial_get(number, &settings) }
            // Before anything is changed: it may be somebody else's.
            try SerialLock.take(number, name: name)
            try SerialSettings.apply(configuration, to: number, name: name)
            // What came before belongs to nobody.
            try systemCall("tcflush \(path)") { tcflush(number, TCIFLUSH) }
            return FileDescriptor(taking: try systemCall("dup \(path)") { perch_duplicate(number) })
        }
    }

    deinit { close() }

    /// What is there; `nil` when that is nothing.
    func read() throws -> ArraySlice<UInt8>? {
        let number = try input.open()
        var bytes = [UInt8](repeating: 0, count: 4096)
        do {
            let count = try systemCall("read \(name)") { Glibc.read(number, &bytes, bytes.count) }
            // The end of a terminal is a hang-up: the device is gone.
            guard count > 0 else { throw SystemError(code: EIO, call: "read \(name)") }
            return bytes[..<count]
        } catch let error as SystemError where error.code == EAGAIN {
            return nil
        }
    }

    /// How many of the bytes the kernel takes now.
    func write(_ bytes: ArraySlice<UInt8>) throws -> Int {
        let number = try output.open()
        do {
            return try bytes.withUnsafeBytes { bytes in
                try systemCall("write \(name)") { Glibc.write(number, bytes.baseAddress, bytes.count) }
            }
        } catch let error as SystemError where error.code == EAGAIN {
            return 0
        }
    }

    /// How many bytes the kernel has taken and not sent.
    func unsentCount() throws -> Int {
        let number = try output.open()
        var count: Int32 = 0
        try systemCall("TIOCOUTQ \(name)") { perch_serial_unsent(number, &count) }
        return Int(count)
    }

    /// How often the driver has lost bytes since it was loaded; `nil` where it does not count.
    var lostCount: UInt64? {
        guard let number = input.number else { return nil }
        var counts = serial_icounter_struct()
        guard perch_serial_counts(number, &counts) == 0 else { return nil }
        return UInt64(UInt32(bitPattern: counts.overrun)) + UInt64(UInt32(bitPattern: counts.buf_overrun))
    }

    func close() {
        if let number = input.number {
            // Otherwise closing may wait for it, up to 30 s.
            tcflush(number, TCOFLUSH)
            _ = perch_serial_set_exclusive(number, 0)
        }
        output.close()
        input.close()
        claim.release()
    }

    private static func openingError(_ error: SystemError, _ name: String, _ path: String) -> PeripheralError {
        switch PeripheralError.code(of: error.code) {
        case .notFound:
            PeripheralError(
                error, "\(name): there is no \(path)",
                advice: "plug the adapter in, or switch the port on (on a Raspberry Pi enable_uart=1 in config.txt)")
        case .permissionDenied:
            PeripheralError(error, "\(name): \(path) may not be opened", advice: AccessGroup.tty.advice)
        case .busy: SerialLock.busy(error, name, holder: nil)
        default: PeripheralError(error, "\(name): \(path) cannot be opened")
        }
    }
}
