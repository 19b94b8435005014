/// What the factory measured of one chip, and how it turns the chip's raw numbers into quantities (Bosch
/// BST-BME280-DS002 revision 1.6, sections 4.2.2 and 4.2.3, pages 24 to 26).
///
/// The datasheet's integer formulas, in 64 bits. Numbers from a chip whose memory is damaged may overflow them: they
/// wrap round then, and what comes out is not in the chip's range.
struct BME280Calibration: Equatable {
    var t1: Int64 = 0
    var t2: Int64 = 0
    var t3: Int64 = 0
    /// P1 to P9.
    var pressure = [Int64](repeating: 0, count: 9)
    var humidity: Humidity?

    /// A BMP280 has none.
    struct Humidity: Equatable {
        var h1: Int64
        var h2: Int64
        var h3: Int64
        var h4: Int64
        var h5: Int64
        var h6: Int64
    }

    /// The registers of the two blocks, 0x88 to 0xA1 and 0xE1 to 0xE7. `nil` if they are too short, or say what no chip
    /// says.
    init?(_ first: [UInt8], humidity second: [UInt8]?) {
        guard first.count >= 26 else { return nil }
        func unsigned(_ place: Int) -> Int64 { Int64(first[place]) | Int64(first[place + 1]) << 8 }
        func signed(_ bytes: [UInt8], _ place: Int) -> Int64 {
            Int64(Int16(truncatingIfNeeded: Int(bytes[place]) | Int(bytes[place + 1]) << 8))
        }
        t1 = unsigned(0)
        (t2, t3) = (signed(first, 2), signed(first, 4))
        pressure = [unsigned(6)] + (1..<9).map { signed(first, 6 + 2 * $0) }
        // Erased or empty memory.
        guard t1 != 0, t1 != 0xFFFF || pressure[0] != 0xFFFF, pressure[0] != 0 else { return nil }
        guard let second else { return }
        guard second.count >= 7 else { return nil }
        // H4 and H5 have twelve bits with a sign, and share the byte in their middle.
        humidity = Humidity(
            h1: Int64(first[25]), h2: signed(second, 0), h3: Int64(second[2]),
            h4: Int64(Int8(bitPattern: second[3])) << 4 | Int64(second[4] & 0x0F),
            h5: Int64(Int8(bitPattern: second[5])) << 4 | Int64(second[4] >> 4), h6: Int64(Int8(bitPattern: second[6])))
    }

    /// The temperature in the unit that the other formulas take: 1/5120 °C.
    func fineTemperature(_ raw: Int64) -> Int64 {
        let linear = (((raw >> 3) - (t1 << 1)) &* t2) >> 11
        let distance = (raw >> 4) - t1
        return linear &+ (((distance &* distance) >> 12) &* t3) >> 14
    }

    /// In °C, in steps of 0.01.
    static func celsius(fine: Int64) -> Double { Double((fine &* 5 &+ 128) >> 8) / 100 }

    /// In hectopascals; `nil` where the formula would divide by zero.
    func hectopascals(_ raw: Int64, fine: Int64) -> Double? {
        let p = pressure
        var first = fine &- 128_000
        var second = first &* first &* p[5]
        second = second &+ (first &* p[4]) << 17
        second = second &+ p[3] << 35
        first = ((first &* first &* p[2]) >> 8) &+ (first &* p[1]) << 12
        first = (((1 << 47) &+ first) &* p[0]) >> 33
        guard first > 0 else { return nil }
        var value = 1_048_576 - raw
        value = ((value << 31 &- second) &* 3125) / first
        first = (p[8] &* (value >> 13) &* (value >> 13)) >> 25
        second = (p[7] &* value) >> 19
        // Pascals with eight bits after the point.
        value = ((value &+ first &+ second) >> 8) &+ p[6] << 4
        return Double(value) / 256 / 100
    }

    /// In percent, held between 0 and 100 as the datasheet does; `nil` for a chip that does not measure it.
    func relativeHumidity(_ raw: Int64, fine: Int64) -> Double? {
        guard let h = humidity else { return nil }
        let distance = fine &- 76_800
        let slope = ((distance &* h.h6) >> 10) &* (((distance &* h.h3) >> 11) &+ 32_768)
        let scale = (((slope >> 10) &+ 2_097_152) &* h.h2 &+ 8192) >> 14
        var value = ((raw << 14 &- h.h4 << 20 &- h.h5 &* distance &+ 16_384) >> 15) &* scale
        value = value &- (((((value >> 15) &* (value >> 15)) >> 7) &* h.h1) >> 4)
        // Percent with 22 bits after the point, of which 10 are kept.
        return Double(min(max(value, 0), 419_430_400) >> 12) / 1024
    }
}
