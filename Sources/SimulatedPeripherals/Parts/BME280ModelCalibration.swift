/// The calibration of the simulated chip: for temperature and pressure that of the datasheet's worked example (Bosch
/// BST-BMP280-DS001, section 3.12), for humidity one that is usual.
enum BME280ModelCalibration {
    private static let temperature = (t1: 27504.0, t2: 26435.0, t3: -1000.0)
    private static let pressure = [36477.0, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000]
    private static let humidity = (h1: 75.0, h2: 370.0, h3: 0.0, h4: 313.0, h5: 50.0, h6: 30.0)

    /// The registers 0x88 to 0xA1.
    static var firstBlock: [UInt8] {
        let words = [temperature.t1, temperature.t2, temperature.t3] + pressure
        let bytes = words.flatMap { word in
            let bits = UInt16(truncatingIfNeeded: Int(word))
            return [UInt8(bits & 0xFF), UInt8(bits >> 8)]
        }
        return bytes + [0, UInt8(humidity.h1)]
    }

    /// The registers 0xE1 to 0xE7: H4 and H5 have twelve bits each, and share the middle byte.
    static var secondBlock: [UInt8] {
        let (h2, h4, h5) = (Int(humidity.h2), Int(humidity.h4), Int(humidity.h5))
        return [
            UInt8(h2 & 0xFF), UInt8(h2 >> 8), UInt8(humidity.h3), UInt8(h4 >> 4), UInt8(h4 & 0x0F | (h5 & 0x0F) << 4),
            UInt8(h5 >> 4), UInt8(humidity.h6),
        ]
    }

    /// What the chip's converters give in a climate; the ends of their ranges beyond what they can.
    static func raw(_ climate: BME280Model.Climate) -> (temperature: Int, pressure: Int, humidity: Int) {
        let rawTemperature = search(0..<1 << 20) { fineTemperature($0) / 5120 <= climate.celsius }
        let fine = fineTemperature(Double(rawTemperature))
        return (
            rawTemperature,
            // The pressure falls as the number rises.
            search(0..<1 << 20) { pascals($0, fine: fine) >= climate.hectopascals * 100 },
            search(0..<1 << 16) { relativeHumidity($0, fine: fine) <= climate.relativeHumidity }
        )
    }

    /// The last number of the range for which the condition holds, which it does up to somewhere.
    private static func search(_ range: Range<Int>, _ holds: (Double) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while high - low > 1 {
            let middle = (low + high) / 2
            if holds(Double(middle)) { low = middle } else { high = middle }
        }
        return low
    }

    private static func fineTemperature(_ raw: Double) -> Double {
        let linear = (raw / 16384 - temperature.t1 / 1024) * temperature.t2
        let distance = raw / 131_072 - temperature.t1 / 8192
        return linear + distance * distance * temperature.t3
    }

    private static func pascals(_ raw: Double, fine: Double) -> Double {
        let p = pressure
        var first = fine / 2 - 64000
        var second = first * first * p[5] / 32768
        second += first * p[4] * 2
        second = second / 4 + p[3] * 65536
        first = (p[2] * first * first / 524_288 + p[1] * first) / 524_288
        first = (1 + first / 32768) * p[0]
        var value = 1_048_576 - raw
        value = (value - second / 4096) * 6250 / first
        first = p[8] * value * value / 2_147_483_648
        second = value * p[7] / 32768
        return value + (first + second + p[6]) / 16
    }

    private static func relativeHumidity(_ raw: Double, fine: Double) -> Double {
        let h = humidity
        let distance = fine - 76800
        let offset = h.h4 * 64 + h.h5 / 16384 * distance
        let slope = 1 + h.h6 / 67_108_864 * distance * (1 + h.h3 / 67_108_864 * distance)
        let value = (raw - offset) * h.h2 / 65536 * slope
        return value * (1 - h.h1 * value / 524_288)
    }
}
