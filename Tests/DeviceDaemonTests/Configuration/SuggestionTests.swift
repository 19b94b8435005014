import DeviceDaemon
import Testing

@Suite("What was probably meant")
struct SuggestionTests {
    @Test(
        "A slip for each three letters is close, and more is not",
        arguments: [
            ("raspberry-pi-6", "raspberry-pi-4"), ("raspberrypi5", "raspberry-pi-5"),
            ("Raspberry_Pi_5", "raspberry-pi-5"),
            ("AUTO", "auto"), ("atuo", "auto"), ("aut", "auto"), ("autoo", "auto"), ("genric", "generic"),
            ("simulate", "simulated"), ("ot", nil), ("x", nil), ("pi5", nil), ("beaglebone", nil), ("", nil),
        ] as [(String, String?)])
    func boards(written: String, meant: String?) {
        let advice =
            meant.map { "did you mean '\($0)'?" } ?? "there are \(Sample.boards.map(\.name).joined(separator: ", "))"
        #expect(
            Sample.messages("device: porch\nboard: '\(written)'\n".utf8) == [
                "2:8: unknown board '\(written)'; \(advice)"
            ])
    }

    @Test("A long name is cut, and nothing is meant by it")
    func long() {
        let name = String(repeating: "a", count: 100_000)
        #expect(
            Sample.messages("device: porch\n\(name): 1\n".utf8).map { $0.count < 200 } == [true])
    }
}
