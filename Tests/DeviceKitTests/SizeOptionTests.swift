import DeviceKit
import Testing

@Suite("Sizes as options")
struct SizeOptionTests {
    @Test(
        "A size has a number and a unit",
        arguments: [
            ("64MB", 64_000_000), ("500kB", 500_000), ("1.5GB", 1_500_000_000), ("0B", 0), ("2 MB", 2_000_000),
            ("64", nil), ("64mb", nil), ("MB", nil), ("-1MB", nil), ("nanGB", nil), ("2TB", nil), ("1e9TB", nil),
        ] as [(String, Int?)])
    func sizes(text: String, expected: Int?) {
        #expect(OptionKind<Int>.size(0...1_000_000_000_000).parse(.scalar(text)) == expected)
    }

    @Test("The limits are shown in the units that a person would use")
    func expectation() {
        #expect(OptionKind<Int>.size(0...5_000_000).expectation == "a size from 0B to 5MB, such as 64MB")
    }
}
