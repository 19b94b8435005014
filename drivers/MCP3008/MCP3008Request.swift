/// What an MCP3008 is asked, and what it answers (Microchip DS21295D, section 5.0 and figure 6-1: three bytes, so that
/// the number's low byte is the last one).
struct MCP3008Request: Equatable {
    let channel: Int
    /// Whether the input is measured against its neighbour: CH0 against CH1 and so on (table 5-2).
    let isDifferential: Bool

    var bytes: [UInt8] { [0x01, (isDifferential ? 0x00 : 0x80) | UInt8(channel & 7) << 4, 0x00] }

    /// The ten bits; `nil` where the bit before them is not zero, as it always is if the chip is there.
    static func number(in answer: [UInt8]) -> Int? {
        guard answer.count == 3, answer[1] & 0x04 == 0 else { return nil }
        return Int(answer[1] & 0x03) << 8 | Int(answer[2])
    }
}

/// What a number stands for.
struct MCP3008Scale: Equatable {
    /// The voltage at VREF.
    let reference: Double
    /// Two voltages, and the values that they stand for.
    let voltages: [Double]
    let values: [Double]

    /// The mean of the samples. 1024 would be the reference (section 4.2), so the largest number is a step less.
    func volts(of numbers: [Int]) -> Double {
        let sum = numbers.reduce(0, +)
        return rounded(reference * Double(sum) / (1024 * Double(max(numbers.count, 1))))
    }

    /// On the straight line through the two, and on beyond them.
    func value(at volts: Double) -> Double {
        let slope = (values[1] - values[0]) / (voltages[1] - voltages[0])
        return rounded(values[0] + (volts - voltages[0]) * slope)
    }

    /// To six digits after the point: what lies below is of the arithmetic.
    private func rounded(_ number: Double) -> Double { (number * 1e6).rounded() / 1e6 }
}
