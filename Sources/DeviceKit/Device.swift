/// A part in the daemon.
///
/// An actor of the loop: it names ``DeviceContext/unownedExecutor`` as its executor, so a handler that the
/// loop calls enters it with `assumeIsolated` and nothing has to hop.
///
/// It keeps what it is meant to show or hold (a text, an angle) over failures: each ``run(ready:)`` begins
/// by bringing the part to that intended state.
public protocol Device: Actor {
    /// Opens the peripherals, brings the part to its intended state, calls `ready`, and works until the task is
    /// cancelled. Leaves the outputs safe and everything closed, however it ends.
    ///
    /// Throwing means that the part has failed: it is run again after a pause, while the others go on.
    func run(ready: @escaping @Sendable () -> Void) async throws

    /// Does what a rule or a person asks for. While the part is not ready, what it is meant to show is noted
    /// for the next run, and an action that cannot be made up for throws ``DeviceError/notReady``.
    func perform(_ command: Command) async throws
}

/// Why a command was not carried out.
public enum DeviceError: Error, Sendable, CustomStringConvertible {
    case notReady(String)
    case unknownCommand(String)
    case unknownDevice(String)

    public var description: String {
        switch self {
        case .notReady(let device): "\(device) is not ready"
        case .unknownCommand(let name): "there is no command '\(name)'"
        case .unknownDevice(let name): "there is no device '\(name)'"
        }
    }
}
