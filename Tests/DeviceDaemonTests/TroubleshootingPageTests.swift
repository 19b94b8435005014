import DeviceRuntime
import Testing

@testable import DeviceDaemon

/// Messages whose wording is somebody's search term: the page is held against the program's own texts.
@Suite("docs/troubleshooting.md")
struct TroubleshootingPageTests {
    /// The headings that are messages, each split where something differs.
    private static func messages() throws -> [(heading: String, parts: [String])] {
        let page = String(decoding: try Files.read("\(projectFolder)/docs/troubleshooting.md"), as: UTF8.self)
        return page.split(separator: "\n").filter { $0.hasPrefix("### `") && $0.hasSuffix("`") }.map { line in
            let text = String(line.dropFirst(5).dropLast())
            let parts = text.split(separator: "…").map { $0.drop { $0 == " " } }.map { part in
                String(part.reversed().drop { $0 == " " }.reversed())
            }
            return (text, parts.filter { !$0.isEmpty })
        }
    }

    /// The program's source, with texts that go on in another line put together again.
    private static func sources() throws -> String {
        var text = ""
        func add(_ path: String) throws {
            var names: [String] = []
            do { try Files.forEachEntry(of: path) { names.append($0) } } catch { return }
            for name in names.sorted() {
                if name.hasSuffix(".swift") {
                    text += String(decoding: try Files.read("\(path)/\(name)"), as: UTF8.self)
                } else if name != "Tests", !name.contains(".") {
                    try add("\(path)/\(name)")
                }
            }
        }
        for folder in ["Sources", "drivers"] { try add("\(projectFolder)/\(folder)") }
        return text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
            .replacing("\"\n+ \"", with: "")
    }

    @Test("Each message on it is one that the program prints")
    func messages() throws {
        let sources = try Self.sources()
        let messages = try Self.messages()
        #expect(messages.count > 20)
        for message in messages {
            for part in message.parts {
                #expect(sources.contains(part), "the program never says '\(part)' of '\(message.heading)'")
            }
        }
    }
}
