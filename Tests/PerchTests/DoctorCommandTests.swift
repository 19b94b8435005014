import Glibc
import TestSupport
import Testing

@Suite("perch doctor and perch logs")
struct DoctorCommandTests {
    @Test("It works before anything is configured, and says what to do")
    func nothing() throws {
        let folder = try TemporaryDirectory()
        let (lines, code) = try RunningProcess.run([
            RunningProcess.perch, "doctor", "--config", "\(folder.path)/perch.yaml", "--state", folder.path,
        ])
        #expect(code == 1)
        let text = lines.joined(separator: "\n")
        #expect(text.contains("there is no configuration at \(folder.path)/perch.yaml"), "\(text)")
        #expect(text.contains("-> sudoedit \(folder.path)/perch.yaml"), "\(text)")
    }

    @Test("For programs it prints one object, and a storage takes its record")
    func json() throws {
        let folder = try TemporaryDirectory()
        try folder.write(
            "device: porch\nboard: simulated\nstorage: { photos: { backend: directory, path: photos } }\n",
            to: "perch.yaml")
        let (lines, _) = try RunningProcess.run([
            RunningProcess.perch, "doctor", "--json", "--upload", "--config", "\(folder.path)/perch.yaml", "--state",
            folder.path,
        ])
        #expect(lines.count == 1)
        #expect(
            lines.first?.contains(#""text":"photos took a record of the doctor's","topic":"storage""#) == true,
            "\(lines)")
    }

    @Test("The log is the journal's, asked for by the fields of its entries")
    func logs() throws {
        let folder = try TemporaryDirectory()
        try folder.write("#!/bin/sh\necho \"$@\"\n", to: "journalctl")
        try #require(chmod("\(folder.path)/journalctl", 0o755) == 0)
        let perch = try RunningProcess.perch
        func ask(_ words: String..., path: String) throws -> (lines: [String], code: Int32) {
            try RunningProcess.run([perch, "logs"] + words, environment: ["PATH=\(path)"])
        }
        let usual = "--unit perch --output short --no-hostname --lines"
        #expect(try ask(path: folder.path).lines == ["\(usual) 200"])
        #expect(
            try ask("-f", "-p", "--device", "bell", "--since", "yesterday", path: folder.path).lines
                == ["\(usual) all --follow --priority warning --since yesterday PERCH_DEVICE=bell"])
        let missing = try ask(path: "\(folder.path)/nowhere")
        #expect(missing.code == 69)
        #expect(missing.lines.first?.contains("there is no journalctl here") == true)
    }
}
