import TestSupport

/// A configuration, a state folder, and a stand-in for systemd.
struct Site {
    let folder: TemporaryDirectory
    let manager: DatagramSocket

    init(_ configuration: String) throws {
        folder = try TemporaryDirectory()
        manager = try DatagramSocket("\(folder.path)/notify")
        try write(configuration)
    }

    func write(_ configuration: String) throws { try folder.write(configuration, to: "perch.yaml") }

    /// Starts the daemon on the simulated board.
    func start(_ environment: [String] = []) throws -> RunningProcess {
        try RunningProcess(
            [
                RunningProcess.perch, "run", "--config", "\(folder.path)/perch.yaml", "--board", "simulated",
                "--state", state,
            ], environment: ["NOTIFY_SOCKET=\(folder.path)/notify"] + environment)
    }

    var state: String { "\(folder.path)/state" }

    /// What a verb that asks the daemon says, and how it ends.
    func ask(_ words: String...) throws -> (text: String, code: Int32) {
        let (lines, code) = try RunningProcess.run([RunningProcess.perch] + words + ["--state", state])
        return (lines.joined(separator: "\n"), code)
    }
}
