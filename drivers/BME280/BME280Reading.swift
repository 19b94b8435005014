/// What a BME280 or BMP280 measured, without what cannot be true.
struct BME280Reading: Equatable {
    private(set) var celsius: Double?
    private(set) var relativeHumidity: Double?
    private(set) var hectopascals: Double?
    /// Why a value is missing that the chip should have.
    private(set) var problem: String?

    // What the chip is made for (Bosch BST-BME280-DS002 revision 1.6, page 2): outside, nothing can be believed.
    private static let celsiusRange = -40.0...85.0
    private static let hectopascalRange = 300.0...1100.0

    // What stands in the registers before the first measurement, and for what was not measured (table 18 and 5.4.5).
    private static let notMeasured: Int64 = 0x80000
    private static let humidityNotMeasured: Int64 = 0x8000

    /// `data` are the registers 0xF7 to 0xFE.
    init(_ data: [UInt8], _ calibration: BME280Calibration) { problem = read(data, calibration) }

    /// Takes over what can be true, and returns what cannot.
    private mutating func read(_ data: [UInt8], _ calibration: BME280Calibration) -> String? {
        guard data.count >= 8 else { return "too few bytes" }
        func twentyBits(_ place: Int) -> Int64 {
            Int64(data[place]) << 12 | Int64(data[place + 1]) << 4 | Int64(data[place + 2]) >> 4
        }
        let (rawPressure, rawTemperature) = (twentyBits(0), twentyBits(3))
        let rawHumidity = Int64(data[6]) << 8 | Int64(data[7])
        guard rawTemperature != Self.notMeasured else { return "no temperature" }
        let fine = calibration.fineTemperature(rawTemperature)
        let celsius = BME280Calibration.celsius(fine: fine)
        // Everything else builds on the temperature.
        guard Self.celsiusRange.contains(celsius) else { return "a temperature of \(celsius) °C" }
        self.celsius = celsius
        if calibration.humidity != nil, rawHumidity != Self.humidityNotMeasured {
            relativeHumidity = rounded(calibration.relativeHumidity(rawHumidity, fine: fine))
        }
        guard rawPressure != Self.notMeasured else { return "no pressure" }
        guard let hectopascals = rounded(calibration.hectopascals(rawPressure, fine: fine)) else {
            return "a pressure that cannot be calculated"
        }
        guard Self.hectopascalRange.contains(hectopascals) else { return "a pressure of \(hectopascals) hPa" }
        self.hectopascals = hectopascals
        return calibration.humidity != nil && relativeHumidity == nil ? "no humidity" : nil
    }
}

/// To hundredths: what lies below is noise.
private func rounded(_ value: Double?) -> Double? { value.map { ($0 * 100).rounded() / 100 } }
