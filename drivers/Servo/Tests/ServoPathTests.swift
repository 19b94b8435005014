import DeviceKit
import Peripherals
import Testing

@testable import ServoDriver

@Suite("A servo's way")
struct ServoPathTests {
    @Test(
        "An angle becomes a pulse, held at the ends of the range",
        arguments: [(0, 1000), (90, 1500), (180, 2000), (45, 1250), (-30, 1000), (400, 2000)])
    func calibration(degrees: Double, microseconds: Int) {
        let angles = Angle.degrees(0)...Angle.degrees(180)
        let (first, last) = (Duration.milliseconds(1), Duration.milliseconds(2))
        let upright = ServoCalibration(angles: angles, firstPulse: first, lastPulse: last)
        #expect(upright.pulseWidth(for: .degrees(degrees)) == .microseconds(microseconds))
        let mirrored = .microseconds(3000 - microseconds) as Duration
        let inverted = ServoCalibration(angles: angles, firstPulse: first, lastPulse: last, isInverted: true)
        #expect(inverted.pulseWidth(for: .degrees(degrees)) == mirrored)
        let swapped = ServoCalibration(angles: angles, firstPulse: last, lastPulse: first)
        #expect(swapped.pulseWidth(for: .degrees(degrees)) == mirrored)
    }

    /// Where it is every quarter of its time.
    private static func quarters(_ path: ServoPath) -> [Double?] {
        (0...4).map { path.angle(at: path.duration * $0 / 4)?.degrees }
    }

    @Test("A move is even, or slow at both ends")
    func easing() {
        for (easing, expected) in [
            (Easing.linear, [0, 25, 50, 75, 100]), (.smooth, [0, 15.625, 50, 84.375, 100]),
        ] as [(Easing, [Double])] {
            var path = ServoPath(from: .degrees(0), easing: easing)
            path.move(to: .degrees(100), over: .seconds(1))
            #expect(Self.quarters(path) == expected)
        }
    }

    @Test("A move takes as long as said, or longer where the speed would be too high", arguments: Easing.allCases)
    func speed(easing: Easing) throws {
        let limit = try #require(AngularSpeed(degreesPerSecond: 50))
        var path = ServoPath(from: .degrees(0), easing: easing, speed: limit)
        path.move(to: .degrees(100), over: .seconds(1))
        path.move(to: .degrees(90), over: .seconds(5))
        #expect(path.duration == .seconds(5) + .seconds(easing == .linear ? 2 : 3))
        // Nowhere faster than that, over any 10 ms.
        var last = 0.0
        for step in 1...Int(path.duration / .milliseconds(10)) {
            let angle = try #require(path.angle(at: .milliseconds(10 * step))?.degrees)
            #expect(abs(angle - last) <= 0.5 + 1e-9)
            last = angle
        }
    }

    @Test("Legs follow each other, and a wait says when it ends")
    func legs() {
        var path = ServoPath(from: .degrees(10))
        path.move(to: .degrees(20), over: .seconds(1))
        path.wait(.seconds(3))
        path.move(to: .degrees(0), over: .seconds(2))
        #expect(path.duration == .seconds(6))
        let times: [Double] = [0, 0.5, 1, 3.9, 4, 5, 6, 100]
        #expect(times.map { path.angle(at: .seconds($0))?.degrees } == [10, 15, 20, 20, 20, 10, 0, 0])
        #expect(path.waitsUntil(.milliseconds(500)) == nil)
        #expect(path.waitsUntil(.milliseconds(1500)) == .seconds(4))
        #expect(path.waitsUntil(.seconds(4)) == nil)
        #expect(path.waitsUntil(.seconds(6)) == nil)
    }

    @Test(
        "Where nobody knows where it stands it jumps, as where no time is said: sent at once, over when it can be there"
    )
    func jumps() {
        var path = ServoPath(from: nil)
        path.wait(.seconds(5))
        #expect(path.angle(at: .zero) == nil)
        path.move(to: .degrees(40), over: .seconds(5))
        #expect(path.duration == .milliseconds(600))
        path.move(to: .degrees(50), over: .seconds(1))
        path.move(to: .degrees(110))
        let times: [Double] = [0, 0.5, 1.1, 1.6, 1.79, 1.8]
        #expect(times.map { path.angle(at: .seconds($0))?.degrees } == [40, 40, 45, 110, 110, 110])
        #expect(path.duration == .milliseconds(1800))
        #expect(path.waitsUntil(.zero) == .milliseconds(600))
    }

    @Test(
        "Speeds and sequences are read as they are written, or refused",
        arguments: [
            ("90deg/s", true), ("0.1deg/s", true), ("0deg/s", false), ("-1deg/s", false), ("90deg", false),
            ("90", false), ("1e9deg/s", false),
        ])
    func speedTexts(text: String, isValid: Bool) {
        #expect((OptionKind<AngularSpeed>.angularSpeed.parse(.scalar(text)) != nil) == isValid)
    }

    @Test(
        "A sequence is read as it is written, or refused",
        arguments: [
            (["20deg", "90deg over 1s", "wait 500ms"], true), (["20deg"], true), ([], false), (["90"], false),
            (["90deg in 1s"], false), (["wait"], false), (["wait 90deg"], false), (["400deg"], false),
            (["90deg over 11min"], false), (["20deg, 90deg over 1s,wait 500ms"], true), (["20deg,"], false),
            (["20deg", ""], false),
        ])
    func sequences(texts: [String], isValid: Bool) {
        #expect((OptionKind<[ServoMove]>.servoSteps.parse(.list(texts)) != nil) == isValid)
    }
}
