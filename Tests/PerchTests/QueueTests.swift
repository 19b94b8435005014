import DeviceRuntime
import Glibc
import TestSupport
import Testing

@Suite("perch queue and perch verify")
struct QueueTests {
    /// Two storages, one of which cannot take anything: its folder is a file.
    private static let configuration = """
        device: porch
        devices:
          bell: { driver: button, pin: GPIO27 }
        outbox: { clock-wait: 0s }
        storage:
          photos: { backend: directory, path: photos }
          stick: { backend: directory, path: stick }

        """

    /// A daemon on which somebody has rung, and which has brought the record to one of the two storages.
    private func start() throws -> (Site, RunningProcess) {
        let site = try Site(Self.configuration)
        try site.folder.write("", to: "state/stick")
        let daemon = try site.start()
        try site.manager.receive(containing: "STATUS=1 of")
        #expect(try site.ask("sim", "press", "bell", "for=100ms").code == 0)
        try site.wait(for: "2 waiting") { $0.contains("stick: 2 waiting") && !$0.contains("photos:") }
        return (site, daemon)
    }

    @Test("Beside a daemon that runs: what waits is listed, shown, exported, flushed and given up")
    func running() throws {
        let (site, daemon) = try start()
        let list = try site.ask("queue", "list").text
        #expect(list.contains("bell.pressed  stick: waits"))
        #expect(list.contains("stick: 2 waiting, 0 rejected; uploads fail since"))
        let (document, code) = try site.ask("queue", "show", "1")
        #expect(code == 0 && document.contains(#""event":"pressed""#) && document.contains(#""sequence":1"#))
        #expect(try site.ask("queue", "show", "77").code == 65)

        let folder = "\(site.folder.path)/export"
        #expect(try site.ask("queue", "export", folder, "--storage", "stick").text == "2 records are in \(folder)")
        #expect(try site.folder.tree().filter { $0.hasPrefix("export/porch/") }.count == 2)

        // The second one is given up, and the stick comes back.
        #expect(try site.ask("queue", "drop", "2") == ("1 record is gone", 0))
        try Files.remove("\(site.state)/stick")
        #expect(try site.ask("queue", "flush") == ("what waits is tried now", 0))
        try site.wait(for: "nothing waits") { $0.contains("is empty") }
        #expect(try site.folder.tree().filter { $0.hasPrefix("state/stick/porch/") }.count == 1)
        #expect(try site.ask("queue", "list").text.contains("dropped: 1 alert,"))
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("Without a daemon the same is done to the file, and what needs one says so")
    func stopped() throws {
        let (site, daemon) = try start()
        #expect(daemon.end(SIGTERM) == 0)
        #expect(try site.ask("queue", "drop", "2") == ("1 record is gone", 0))
        #expect(try site.ask("queue", "retry") == ("0 dead letters wait again", 0))
        let (text, code) = try site.ask("queue", "flush")
        #expect(code == 69 && text.contains("no perch runs"))
        #expect(try site.ask("queue", "list").text.contains("stick: 1 waiting"))
    }

    @Test("What was delivered and is not there any more is found")
    func verify() throws {
        let (site, daemon) = try start()
        #expect(daemon.end(SIGTERM) == 0)
        let config = "\(site.folder.path)/perch.yaml"
        let (text, code) = try site.ask("verify", "-c", config, "--storage", "photos")
        #expect(code == 0 && text == "photos: 2 of 2 objects are in \(site.state)/photos")
        let files = try site.folder.tree().filter { $0.hasPrefix("state/photos/porch/") }
        try Files.remove("\(site.folder.path)/\(files[0])")
        try site.folder.write("short", to: files[1])
        let wrong = try site.ask("verify", "-c", config, "--storage", "photos")
        #expect(wrong.code == 1)
        #expect(wrong.text.contains("photos: missing: porch/"))
        #expect(wrong.text.contains("has 5 bytes instead of"))
        #expect(wrong.text.hasSuffix("photos: 0 of 2 objects are in \(site.state)/photos"))
        #expect(try site.ask("verify", "-c", config, "--storage", "tape").code == 64)
    }
}

extension Site {
    /// Looks at the queue until it is as expected; each look takes a process's life.
    fileprivate func wait(for what: String, _ isThere: (String) -> Bool) throws {
        var text = ""
        for _ in 0..<1000 {
            text = try ask("queue", "list").text
            if isThere(text) { return }
        }
        Issue.record("\(what) did not come: \(text)")
    }
}
