internal import CLinux
internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// Keeps others out of a serial port while it is open: the kernel's own way (`TIOCEXCL`), which does not hold for
/// root, and a lock on the device's file (flock(2)), which other serial programs respect as well.
enum SerialLock {
    /// Throws `busy` with the holder where the kernel tells.
    static func take(_ file: FileDescriptor, name: String) throws {
        let descriptor = try file.open()
        try describingErrors({ error in
            guard error.code == EWOULDBLOCK else { return PeripheralError(error, "\(name) cannot be locked") }
            return busy(error, name, holder: holder(of: descriptor))
        }) {
            try file.lock()
            _ = try systemCall("TIOCEXCL \(name)") { perch_serial_set_exclusive(descriptor, 1) }
        }
    }

    static func busy(_ error: SystemError, _ name: String, holder: String?) -> PeripheralError {
        PeripheralError(
            error, "\(name) is held by \(holder ?? "another program")", code: .busy,
            advice: "end that program, or choose another port")
    }

    /// `'minicom' (process 1234)`, from the kernel's list of locks.
    private static func holder(of descriptor: Int32) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, let locks = try? Files.read("/proc/locks") else { return nil }
        // `1: FLOCK  ADVISORY  WRITE 1234 00:18:6 0 EOF`: the process, and the file as device and inode.
        for line in String(decoding: locks, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", fields[5].hasSuffix(":\(status.st_ino)"),
                fields[5].hasPrefix(deviceText(status.st_dev) + ":"),
                let name = try? SystemFiles.text(of: "/proc/\(fields[4])/comm")
            else { continue }
            return "'\(name)' (process \(fields[4]))"
        }
        return nil
    }

    /// `00:18`, as the list has it.
    private static func deviceText(_ device: dev_t) -> String {
        func pad(_ number: UInt32) -> String { (number < 0x10 ? "0" : "") + String(number, radix: 16) }
        return
            "\(pad(UInt32(truncatingIfNeeded: device >> 8 & 0xFFF))):\(pad(UInt32(truncatingIfNeeded: device & 0xFF)))"
    }
}
