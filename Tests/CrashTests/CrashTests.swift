import CaptureStore
import DeviceRuntime
import Glibc
import TestSupport
import Testing

@Suite("The daemon, killed under load", .boundedHang)
struct CrashTests {
    /// How often it is killed.
    static let kills = 200

    static let configuration = """
        device: porch
        board: simulated
        devices:
          motion: { driver: motion-sensor, pin: GPIO17, warm-up: 0s }
          bell: { driver: button, pin: GPIO27, settle: 0s }
          sign: { driver: ht16k33 }
          camera: { driver: camera }
        rules:
          - { when: bell.pressed, do: [ { sign.show: "HEY!" }, camera.capture ] }
        storage:
          photos: { backend: directory, path: photos }
          copies: { backend: directory, path: copies }
        """

    /// A folder with a configuration, and the daemon in it.
    private struct Site {
        let folder: TemporaryDirectory
        let perch: String

        init() throws {
            folder = try TemporaryDirectory()
            perch = try RunningProcess.perch
            try write(Array(CrashTests.configuration.utf8), to: "\(folder.path)/perch.yaml")
        }

        var state: String { "\(folder.path)/state" }

        func start(visitors: String) throws -> RunningProcess {
            try RunningProcess([
                perch, "run", "--verbose", "--config", "\(folder.path)/perch.yaml", "--state", state, "--visitors",
                visitors,
            ])
        }

        /// What the outbox has accepted and not yet delivered.
        func waiting() throws -> Set<String> {
            var names: Set<String> = []
            try OutboxReader(directory: state).forEachEntry { names.insert("\($0.id)") }
            return names
        }
    }

    @Test("Killed at 200 random moments, it loses no accepted record, doubles none, and leaves nothing behind")
    func kills() throws {
        let site = try Site()
        var generator = SeededGenerator(seed: 2)
        var accepted: Set<String> = []
        for round in 0..<Self.kills {
            let daemon = try site.start(visitors: "5ms")
            // A moment is a number of events that it has told: from its very start to well under way; every tenth
            // time counted from a picture on, however fast the machine is.
            if round.isMultiple(of: 10) { try daemon.line(containing: "captured (device: camera") }
            for _ in 0..<Int.random(in: 0...150, using: &generator) { try daemon.line(containing: "(device: ") }
            #expect(daemon.end(SIGKILL) == 128 + SIGKILL)
            if (try Files.size(of: "\(site.state)/outbox.db")) != nil { accepted.formUnion(try site.waiting()) }
        }

        let daemon = try site.start(visitors: "24h")
        try daemon.line(containing: "running")
        // Each look takes a process's life; the daemon needs far fewer to deliver what is left.
        for _ in 0..<1000 where try !site.waiting().isEmpty {}
        #expect(try site.waiting() == [])
        #expect(daemon.end(SIGTERM) == 0)

        for storage in ["photos", "copies"] {
            let arrived = try Arrivals("\(site.state)/\(storage)")
            #expect(accepted.subtracting(arrived.records) == [], "accepted and lost")
            #expect(arrived.sequences == Array(1...arrived.sequences.count).map { Int64($0) }, "a gap or a double")
            #expect(arrived.missingPayloads == [])
            #expect(arrived.unfinished == [])
            #expect(arrived.sequences.count > Self.kills)
            #expect(arrived.payloadCount > 0)
        }
        #expect(!accepted.isEmpty)
        #expect(try site.folder.files(in: "state/spool") == [])
        #expect(try site.folder.files(in: "state/incoming") == [])
    }

    @Test("SIGTERM under load ends it in an orderly way, with everything on the disk")
    func terminate() throws {
        let site = try Site()
        let daemon = try site.start(visitors: "5ms")
        try daemon.line(containing: "captured")
        daemon.signal(SIGTERM)
        var emitted = 0
        var last = ""
        while let line = try daemon.nextLine() {
            last = line
            emitted += line.contains("(device: ") ? 1 : 0
        }
        #expect(daemon.wait() == 0)
        #expect(last.contains("stopped"))
        let arrived = try Arrivals("\(site.state)/photos")
        let waiting = try site.waiting()
        let sequences = Set(arrived.records).union(waiting).compactMap { $0.split(separator: "/").last }
        #expect(sequences.sorted().compactMap { Int($0) } == Array(1...sequences.count))
    }
}
