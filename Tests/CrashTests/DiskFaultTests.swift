import CaptureStore
import DeviceRuntime
import Glibc
import TestSupport
import Testing

@Suite("The daemon on a disk that fails", .boundedHang)
struct DiskFaultTests {
    private static let configuration = """
        device: porch
        board: simulated
        devices:
          bell: { driver: button, pin: GPIO27, settle: 0s }
          sign: { driver: ht16k33 }
        rules:
          - { when: bell.pressed, do: [ { sign.show: "HEY!" } ] }
        outbox: { clock-wait: 0s }
        storage:
          photos: { backend: directory, path: PHOTOS }

        """

    private struct Site {
        let folder: TemporaryDirectory
        let faults: DiskFaults

        init() throws {
            folder = try TemporaryDirectory()
            faults = try DiskFaults(for: "\(folder.path)/state", in: folder)
            let text = DiskFaultTests.configuration.split(separator: "PHOTOS").joined(
                separator: "\(folder.path)/photos")
            try folder.write(text, to: "perch.yaml")
        }

        var state: String { "\(folder.path)/state" }

        func start(visitors: String = "20ms") throws -> RunningProcess {
            try RunningProcess(
                [
                    RunningProcess.perch, "run", "--verbose", "--config", "\(folder.path)/perch.yaml", "--state", state,
                    "--visitors", visitors,
                ], environment: faults.environment + ["RUNTIME_DIRECTORY=\(folder.path)"])
        }

        /// Ends the daemon in an orderly way, and checks that all numbers that were given have arrived or wait.
        func checkComplete(_ daemon: RunningProcess) throws {
            #expect(daemon.end(SIGTERM) == 0)
            var sequences: [Int64] = []
            if try Files.size(of: "\(folder.path)/photos/porch") != nil {
                sequences = try Arrivals("\(folder.path)/photos").sequences
            }
            try OutboxReader(directory: state).forEachEntry { sequences.append($0.id.sequence) }
            #expect(Set(sequences) == Set(1...Int64(Set(sequences).count)))
            #expect(sequences.count > 20)
        }
    }

    /// The part works on: somebody rings, and the sign shows it.
    private func expectLife(_ daemon: RunningProcess, rings: Int = 10) throws {
        for _ in 0..<rings { try daemon.line(containing: "pressed (device: bell)") }
    }

    @Test(
        "While the disk takes nothing, parts work on and captures wait; nothing is lost, and each change is one line",
        arguments: [
            ("full", "write \(ENOSPC)"), ("read-only", "write \(EROFS)\nopen \(EROFS)\nsync \(EROFS)"),
            ("failing at writes", "write \(EIO)"), ("failing at flushes", "sync \(EIO)"),
        ])
    func faults(name: String, faults: String) throws {
        let site = try Site()
        let daemon = try site.start()
        try expectLife(daemon)
        try site.faults.set(faults)
        try daemon.line(containing: "the outbox cannot write; captures wait in memory")
        try expectLife(daemon, rings: 100)
        try site.faults.clear()
        try daemon.line(containing: "the outbox writes again")
        try expectLife(daemon)
        try site.checkComplete(daemon)
        #expect(try !site.folder.files(in: "state").contains { $0.hasPrefix("damaged") })
    }

    @Test("A disk that is full or read-only from the start does not keep the parts from working")
    func atStart() throws {
        for fault in ["write \(ENOSPC)\nopen \(ENOSPC)", "write \(EROFS)\nopen \(EROFS)"] {
            let site = try Site()
            try site.folder.makeDirectory("state")
            try site.faults.set(fault)
            let daemon = try site.start()
            try daemon.line(containing: "the outbox cannot be opened; captures wait in memory")
            try expectLife(daemon)
            try site.faults.clear()
            try daemon.line(containing: "the outbox writes again")
            try expectLife(daemon)
            try site.checkComplete(daemon)
        }
    }

    @Test("A card that takes seconds for a flush is told of, and holds nobody up")
    func slow() throws {
        let site = try Site()
        let daemon = try site.start()
        try expectLife(daemon)
        try site.faults.set("delay 2500")
        try daemon.line(containing: "the disk takes more than 2 s for a write")
        try expectLife(daemon, rings: 50)
        try site.faults.clear()
        try daemon.line(containing: "the disk is quick again")
        try site.checkComplete(daemon)
    }

    @Test("On a tiny disk that is full the device runs on; when storage is back, its space is given back too")
    func fullDisk() throws {
        let site = try Site()
        try site.faults.set("room 300000")
        // Where the storage's folder is to be, there is something else.
        try site.folder.write("", to: "photos")
        let daemon = try site.start(visitors: "5ms")
        try daemon.line(containing: "the outbox cannot write; captures wait in memory (")
        try expectLife(daemon, rings: 100)
        // Now and then it takes some few.
        var status: [String] = []
        while !status.contains(where: { $0.hasPrefix("the disk takes no captures: ") }) {
            status = try ask("status", of: site).lines
        }
        try Files.remove("\(site.folder.path)/photos")
        // Its next try may be minutes away.
        #expect(try ask("queue", "flush", of: site).code == 0)
        var arrived: [Int64] = []
        while arrived.count <= 100 {
            try expectLife(daemon)
            guard try Files.size(of: "\(site.folder.path)/photos/porch") != nil else { continue }
            arrived = try Arrivals("\(site.folder.path)/photos").sequences
        }
        try site.checkComplete(daemon)
    }

    private func ask(_ words: String..., of site: Site) throws -> (lines: [String], code: Int32) {
        try RunningProcess.run([RunningProcess.perch] + words + ["--socket", "\(site.folder.path)/control"])
    }
}
