import DeviceDaemon
import DeviceRuntime

/// Reading the configuration, for all verbs that need one.
enum ConfigurationFile {
    static let defaultPath = "/etc/perch/perch.yaml"

    static let flag = Verb.Flag(
        name: "config", letter: "c", value: "FILE", summary: "the configuration (default: \(defaultPath))")

    /// Reads the file; what is wrong in it is one failure that lists everything.
    static func read(_ path: String) throws -> Configuration {
        let source: [UInt8]
        do {
            source = try Files.read(path)
        } catch let error as SystemError {
            throw CommandFailure(.configuration, "\(path): \(error.reason); name a configuration with -c FILE")
        }
        do {
            return try Configuration.read(
                source, file: path, drivers: standardDrivers, backends: standardStorage.map(\.description),
                boards: Boards.names)
        } catch {
            throw CommandFailure(.configuration, "\(error)")
        }
    }
}
