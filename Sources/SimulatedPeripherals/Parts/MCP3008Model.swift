import DeviceRuntime

/// An MCP3008 on an SPI target (Microchip DS21295D, section 5.0): bits go in until the start bit and the four that
/// choose the input have come; then a null bit and the ten bits of the number go out.
public final class MCP3008Model: SimulatedSPIPart {
    fileprivate struct State {
        var voltages = [Double](repeating: 0, count: 8)
        var reference = 3.3
        /// The bits that came since the start bit, which is one of them.
        var received: [Bool] = []
        var sending: [Bool] = []
    }

    private let state = Protected(State())

    public init() {}

    /// The voltage at an input, 0 to 7.
    public func setVoltage(_ voltage: Double, at input: Int) {
        state.withLock { if $0.voltages.indices.contains(input) { $0.voltages[input] = voltage } }
    }

    public func setReference(_ voltage: Double) { state.withLock { $0.reference = voltage } }

    public func select() {
        state.withLock { state in
            state.received = []
            state.sending = []
        }
    }

    public func deselect() {}

    public func exchange(_ bytes: [UInt8]) -> [UInt8] {
        state.withLock { state in
            bytes.map { byte in
                var answer: UInt8 = 0
                for bit in (0..<8).reversed() {
                    answer = answer << 1 | (state.clock(byte >> UInt8(bit) & 1 == 1) ? 1 : 0)
                }
                return answer
            }
        }
    }
}

extension MCP3008Model.State {
    /// One clock: takes a bit and gives one.
    fileprivate mutating func clock(_ bit: Bool) -> Bool {
        if !sending.isEmpty { return sending.removeFirst() }
        // After the four bits one more clock passes while it samples; then the null bit is there.
        if received.count == 5 {
            let number = convert()
            sending = [false] + (0..<10).reversed().map { number >> $0 & 1 == 1 }
            received = []
            return false
        }
        if bit || !received.isEmpty { received.append(bit) }
        return false
    }

    private func convert() -> Int {
        let input = received[2...4].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        // The second bit says against what: ground, or the input's neighbour (table 5-2).
        let voltage = received[1] ? voltages[input] : voltages[input] - voltages[input ^ 1]
        let number = (voltage / reference * 1024).rounded(.down)
        return Int(min(max(number, 0), 1023))
    }
}
