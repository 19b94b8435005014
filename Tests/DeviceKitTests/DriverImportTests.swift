import DeviceRuntime
import Testing

@Suite("Drivers")
struct DriverImportTests {
    /// What a driver may stand on: no board, so it cannot tell on which one it runs.
    private static let allowed: Set<String> = ["Peripherals", "DeviceRuntime", "DeviceKit", "SegmentGlyphs"]

    @Test("No driver imports a board, or anything that is not the same on all of them")
    func imports() throws {
        let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        var drivers = 0
        try Files.forEachEntry(of: "\(root)/drivers") { driver in
            drivers += 1
            try Files.forEachEntry(of: "\(root)/drivers/\(driver)") { file in
                guard file.hasSuffix(".swift") else { return }
                let source = String(decoding: try Files.read("\(root)/drivers/\(driver)/\(file)"), as: UTF8.self)
                for line in source.split(separator: "\n") where line.contains("import ") && !line.hasPrefix("//") {
                    let words = line.split(separator: " ")
                    guard let keyword = words.firstIndex(of: "import"), keyword < 2 else { continue }
                    let module = String(words[keyword + 1])
                    #expect(Self.allowed.contains(module), "\(driver)/\(file) imports \(module)")
                }
            }
        }
        #expect(drivers >= 5)
    }
}
