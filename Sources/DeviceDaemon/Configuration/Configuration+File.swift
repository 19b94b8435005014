public import DeviceKit
import DeviceRuntime
import LinuxPeripherals

extension Configuration {
    /// The boards that there are by name.
    public static let boards =
        [BoardDescription(name: "auto"), .simulated] + BoardProfile.all.map { BoardDescription($0) }

    /// Reads the file at `path` for the standard storage and the boards that there are.
    ///
    /// Throws `SystemError` when the file cannot be read, and ``ConfigurationError`` with all that is wrong in it.
    public static func read(_ path: String, drivers: [Driver] = standardDrivers) throws -> Configuration {
        try read(
            try Files.read(path), file: path, drivers: drivers, backends: standardStorage.map(\.description),
            boards: boards)
    }
}
