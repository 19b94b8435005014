internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// A sensor that a driver of the kernel reads, in its folder of sysfs.
final class SysfsSensor: KernelSensor {
    let name: KernelSensorName
    private let folder: String
    private let thread: BlockingThread
    private let isClosed = Protected(false)

    init(_ name: KernelSensorName, folder: String, thread: BlockingThread) {
        self.name = name
        self.folder = folder
        self.thread = thread
    }

    /// A sensor that there is.
    private struct Found {
        var folder: String
        var name: String
        /// What it belongs to: `1-0048`.
        var device: String?

        var fullName: String { device.map { "\(name)@\($0)" } ?? name }
    }

    /// The sensor's folder. Blocks.
    static func find(_ name: KernelSensorName, sysfs: String) throws -> String {
        let found = try describingErrors({
            PeripheralError($0, "the sensors of \(name.sensorClass.rawValue) cannot be listed")
        }) {
            try all(name.sensorClass, sysfs: sysfs)
        }
        // Some drivers put an @ into their name.
        let same = found.filter { $0.name == name.name }
        let candidates = same.isEmpty ? found.filter { $0.fullName == name.name } : same
        guard let first = candidates.first else { throw PeripheralError.noSensor(name, among: found.map(\.fullName)) }
        if candidates.count > 1 {
            throw PeripheralError(
                .invalidArgument, "there are \(candidates.count) sensors \(name)",
                advice: "say which: \(candidates.map(\.fullName).joined(separator: ", "))")
        }
        return first.folder
    }

    private static func all(_ sensorClass: KernelSensorClass, sysfs: String) throws -> [Found] {
        let (folder, prefix) =
            switch sensorClass {
            case .hwmon: ("\(sysfs)/class/hwmon", "hwmon")
            case .iio: ("\(sysfs)/bus/iio/devices", "iio:device")
            case .w1: ("\(sysfs)/bus/w1/devices", "")
            }
        return try SystemFiles.names(in: folder, prefix: prefix).compactMap { entry in
            let path = "\(folder)/\(entry)"
            if sensorClass == .w1 {
                // Others on the bus have no such file: the controller, memories, switches.
                return SystemFiles.exists("\(path)/w1_slave") ? Found(folder: path, name: entry) : nil
            }
            guard let name = try? SystemFiles.text(of: "\(path)/name") else { return nil }
            return Found(folder: path, name: name, device: try? device(path, sensorClass))
        }
    }

    /// hwmon has a link to it; an IIO device's own folder lies in it.
    private static func device(_ path: String, _ sensorClass: KernelSensorClass) throws -> String? {
        if sensorClass == .hwmon { return try SystemFiles.linkTarget("\(path)/device") }
        return SystemFiles.realPath(path)?.split(separator: "/").dropLast().last.map(String.init)
    }

    func attributes() async throws -> [String] {
        try await use { folder in
            guard SystemFiles.exists(folder) else { throw SystemError(code: ENODEV, call: "open \(folder)") }
            return try SystemFiles.names(in: folder, prefix: "").filter { !$0.hasPrefix(".") }
        }
    }

    func read(_ attribute: String) async throws -> String {
        guard !attribute.contains("/") else { throw PeripheralError(.notFound, "\(name) has no '\(attribute)'") }
        return try await use { try SystemFiles.text(of: "\($0)/\(attribute)") }
    }

    func close() { isClosed.withLock { $0 = true } }

    private func use<Value: Sendable>(_ body: @escaping @Sendable (String) throws -> Value) async throws -> Value {
        if isClosed.withLock({ $0 }) { throw PeripheralError(.closed, "\(name) was closed before") }
        return try await thread.run { [name, folder] in
            try describingErrors({ Self.readingError($0, name) }) { try body(folder) }
        }
    }

    private static func readingError(_ error: SystemError, _ name: KernelSensorName) -> PeripheralError {
        switch error.code {
        case ENOENT: PeripheralError(error, "\(name) has no such attribute, or is gone")
        case ENODEV: PeripheralError(error, "\(name) is gone")
        // What drivers say when the wire between them and the sensor fails.
        case EIO, ENXIO, EREMOTEIO, ETIMEDOUT, ENODATA, EAGAIN:
            PeripheralError(error, "\(name) does not answer", code: .io, advice: "check its wires and its power")
        default: PeripheralError(error, "\(name) cannot be read")
        }
    }
}
