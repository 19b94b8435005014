/// Where a driver of the kernel offers what it measures.
public enum KernelSensorClass: String, Sendable, Hashable, CaseIterable {
    /// Hardware monitoring, `/sys/class/hwmon`.
    case hwmon
    /// Industrial I/O, `/sys/bus/iio/devices`.
    case iio
    /// 1-Wire, `/sys/bus/w1/devices`.
    case w1
}

/// Which sensor of the kernel is meant. Never by its number, which may change from boot to boot.
public struct KernelSensorName: Sendable, Hashable, CustomStringConvertible {
    public let sensorClass: KernelSensorClass
    /// What its driver calls it (`cpu_thermal`), and behind an `@` the device that it belongs to, where several are called
    /// the same (`lm75@1-0048`); of a 1-Wire sensor its number (`28-0316a2794aff`).
    public let name: String

    public init(_ sensorClass: KernelSensorClass, _ name: String) {
        self.sensorClass = sensorClass
        self.name = name
    }

    /// `hwmon:cpu_thermal`
    public var description: String { "\(sensorClass.rawValue):\(name)" }
}

/// A sensor that a driver of the kernel reads: a folder of sysfs with a text for each thing that it can tell.
///
/// Not exclusive: several may read one. Closing more than once is harmless; any other call on a closed sensor throws
/// ``PeripheralError/Code/closed``. One that is unplugged throws `notFound` from then on.
public protocol KernelSensor: AnyObject, Sendable {
    var name: KernelSensorName { get }

    /// The names of what it can tell: `temp1_input`, `in_humidityrelative_raw`, `w1_slave`.
    func attributes() async throws -> [String]

    /// The text of one, without the white space at its end. Takes as long as the sensor measures; a DS18B20 needs 750
    /// ms. Readings of one sensor follow each other. Throws `notFound` for one that is not there, and what the driver says
    /// when the sensor does not answer, as a rule `io`.
    func read(_ attribute: String) async throws -> String

    func close()
}

extension Board {
    /// A board without sensors of the kernel.
    public func makeKernelSensor(_ name: KernelSensorName, consumer: String) async throws -> any KernelSensor {
        throw PeripheralError(.unsupported, "\(self.name) has no sensors of the kernel")
    }
}

extension PeripheralError {
    /// A sensor that is not there; `names` are those of its class.
    package static func noSensor(_ name: KernelSensorName, among names: [String]) -> PeripheralError {
        let overlay =
            name.sensorClass == .w1
            ? "check its wires, and that 1-Wire is switched on (on a Raspberry Pi dtoverlay=w1-gpio in config.txt)"
            : "check its wires, and that its driver is loaded (on a Raspberry Pi by an overlay in config.txt)"
        return PeripheralError(
            .notFound,
            "there is no sensor \(name); there is \(names.isEmpty ? "none" : names.joined(separator: ", "))",
            advice: overlay)
    }
}
