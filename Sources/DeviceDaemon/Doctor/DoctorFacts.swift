import CaptureStore
import DeviceRuntime
import Glibc
import LinuxPeripherals

/// All that a look at a machine has shown, before anything is made of it: plain data.
struct DoctorFacts: Sendable {
    enum Setup: Sendable {
        /// There is no file at this path.
        case missing(String)
        /// What is wrong with it.
        case wrong(String, path: String)
        case valid(Configuration, path: String)
    }

    var board: BoardFacts
    /// The user that asks.
    var user: String
    var isRoot: Bool
    var setup: Setup
    var stateDirectory: String
    var space: DiskSpace?
    var isClockRight: Bool
    /// What `perch status` ends with; `nil` if no daemon answers.
    var daemonStatus: Int32?
    /// What keeps uploads from working, by the storage's name.
    var failures: [String: OutboxReader.Backlog.Failure] = [:]
    /// What was wrong with the storages that were asked, by name; `nil` for one that took a record.
    var trials: [String: String?] = [:]
}

extension DoctorFacts {
    /// Looks at this machine. Nothing is changed, taken or sent.
    static func gather(configurationPath path: String, stateDirectory: String, socketPath: String) throws -> DoctorFacts
    {
        let setup: Setup
        do {
            setup = .valid(try Configuration.read(path), path: path)
        } catch let error as SystemError where error.code == ENOENT {
            setup = .missing(path)
        } catch {
            setup = .wrong("\(error)", path: path)
        }
        let backlog = (try? OutboxReader(directory: stateDirectory).backlog()) ?? []
        let loop = try EventLoop()
        return DoctorFacts(
            board: BoardFacts.gather(), user: userName(), isRoot: geteuid() == 0, setup: setup,
            stateDirectory: stateDirectory, space: try? DiskSpace.of(stateDirectory),
            isClockRight: WallClock.system(on: loop).isRight,
            daemonStatus: (try? ControlSocket.ask(["status"], at: socketPath) { _, _ in }).flatMap { $0 },
            failures: Dictionary(
                backlog.compactMap { entry in entry.failure.map { (entry.backend, $0) } }, uniquingKeysWith: { $1 }))
    }

    private static func userName() -> String {
        getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(geteuid())"
    }
}
