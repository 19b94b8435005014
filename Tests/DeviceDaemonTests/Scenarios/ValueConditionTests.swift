import DeviceKit
import Testing

@testable import DeviceDaemon

@Suite("What a value has to be like")
struct ValueConditionTests {
    @Test(
        "A number is equal when it rounds to what is written, in whatever unit",
        arguments: [
            ("90", 90.4, true), ("90", 90.6, false), ("90.0", 90.06, false), ("90deg", 89.9, true),
            ("80ms", 0.0804, true), ("80ms", 0.0806, false), ("0.08s", 0.0806, true), ("1min", 61, true),
            ("-5", -5, true),
            ("ninety", 90, false), ("", 0, false),
        ] as [(String, Double, Bool)])
    func numbers(text: String, number: Double, isEqual: Bool) {
        #expect(ValueCondition.equal(text).matches(.number(number)) == isEqual)
        #expect(ValueCondition.not(text).matches(.number(number)) == !isEqual)
    }

    @Test(
        "A text is equal without the spaces that a glass ends with",
        arguments: [
            ("HI", "HI  ", true), ("", "    ", true), ("HI", "HIM ", false), (" HI", "HI", false), ("HI  ", "HI", true),
        ])
    func texts(text: String, found: String, isEqual: Bool) {
        #expect(ValueCondition.equal(text).matches(.text(found)) == isEqual)
    }

    @Test(
        "Flags are yes and no",
        arguments: [
            ("yes", true, true), ("on", true, true), ("true", false, false), ("no", false, true),
            ("maybe", false, false),
        ])
    func flags(text: String, flag: Bool, isEqual: Bool) {
        #expect(ValueCondition.equal(text).matches(.flag(flag)) == isEqual)
    }

    @Test("Ranges have one end or two, for numbers only")
    func ranges() {
        let (two, five) = (WrittenNumber("2"), WrittenNumber("5"))
        let between = ValueCondition.range(from: two, to: five)
        #expect([1.9, 2, 5, 5.1].map { between.matches(.number($0)) } == [false, true, true, false])
        #expect(ValueCondition.range(from: five, to: nil).matches(1_000_000))
        #expect(ValueCondition.range(from: nil, to: two).matches(-3))
        #expect(!between.matches(.flag(true)))
        #expect(!between.matches(.text("three")))
    }
}
