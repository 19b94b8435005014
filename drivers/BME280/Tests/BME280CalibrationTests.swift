import DeviceRuntime
import Testing

@testable import BME280Driver

@Suite("A BME280's calibration")
struct BME280CalibrationTests {
    static func words(_ values: [Int]) -> [UInt8] {
        values.flatMap { value in
            let bits = UInt16(truncatingIfNeeded: value)
            return [UInt8(bits & 0xFF), UInt8(bits >> 8)]
        }
    }

    /// The worked example of Bosch BST-BMP280-DS001, section 3.12.
    static let example =
        words(
            [27504, 26435, -1000, 36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000]) + [0, 75]

    @Test("The datasheet's worked example comes out")
    func workedExample() throws {
        let calibration = try #require(BME280Calibration(Self.example, humidity: nil))
        let fine = calibration.fineTemperature(519_888)
        #expect(fine == 128_422)
        #expect(BME280Calibration.celsius(fine: fine) == 25.08)
        // What the integer formula makes of it by hand: Pa with eight bits after the point. The example itself is
        // calculated with floating point, 100653.27 Pa.
        let hectopascals = try #require(calibration.hectopascals(415_148, fine: fine))
        #expect(hectopascals == 25_767_233.0 / 25600)
        #expect(abs(hectopascals - 1006.5327) < 0.0005)
        #expect(calibration.relativeHumidity(30000, fine: fine) == nil)
    }

    @Test(
        "The two numbers of twelve bits that share a byte keep their signs",
        arguments: [
            ([0x13, 0x29, 0x03], 313, 50), ([0x00, 0x00, 0x00], 0, 0), ([0xFF, 0xFF, 0xFF], -1, -1),
            ([0x80, 0x00, 0x7F], -2048, 2032), ([0x7F, 0xFF, 0x80], 2047, -2033),
        ])
    func twelveBits(bytes: [UInt8], h4: Int64, h5: Int64) throws {
        let second = [0x72, 0x01, 0x00] + bytes + [30]
        let humidity = try #require(BME280Calibration(Self.example, humidity: second)?.humidity)
        #expect(humidity == .init(h1: 75, h2: 370, h3: 0, h4: h4, h5: h5, h6: 30))
    }

    @Test(
        "A memory that is empty, erased or cut off is no calibration",
        arguments: [
            [], [UInt8](repeating: 0, count: 26), [UInt8](repeating: 0xFF, count: 26), Array(example.prefix(25)),
        ])
    func empty(first: [UInt8]) {
        #expect(BME280Calibration(first, humidity: nil) == nil)
    }

    @Test("Whatever stands in the chip's memory, nothing overflows", arguments: 0..<2000)
    func damaged(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        func bytes(_ count: Int) -> [UInt8] {
            // The extremes more often than chance would have them.
            (0..<count).map { _ in
                seed.isMultiple(of: 2)
                    ? .random(in: 0...255, using: &generator)
                    : [0x00, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
            }
        }
        guard let calibration = BME280Calibration(bytes(26), humidity: bytes(7)) else { return }
        for _ in 0..<10 {
            let reading = BME280Reading(bytes(8), calibration)
            if let celsius = reading.celsius { #expect((-40...85).contains(celsius)) }
            if let hectopascals = reading.hectopascals { #expect((300...1100).contains(hectopascals)) }
            if let humidity = reading.relativeHumidity { #expect((0...100).contains(humidity)) }
        }
    }
}
