import DeviceDaemon
import DeviceRuntime

/// Reading the configuration, for all verbs that need one.
enum ConfigurationFile {
    static let defaultPath = "/etc/perch/perch.yaml"

    static let flag = Verb.Flag(
        name: "config", letter: "c", value: "FILE", summary: "the configuration (default: \(defaultPath))")

    static func read(_ path: String) throws -> Configuration {
        try explaining(path) { try Configuration.read(path) }
    }

    /// Turns what is wrong with a configuration into a failure that says so.
    static func explaining<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as ConfigurationError {
            throw CommandFailure(.configuration, "\(error)")
        } catch let error as SystemError where error.call.hasSuffix(path) {
            throw CommandFailure(.configuration, "\(path): \(error.reason); name a configuration with -c FILE")
        }
    }
}
