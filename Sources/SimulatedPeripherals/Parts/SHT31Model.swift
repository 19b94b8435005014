public import DeviceRuntime
import Peripherals

/// An SHT31 on a bus (Sensirion SHT3x-DIS version 5, pages 9 to 14): single shots with and without clock stretching,
/// check bytes, the status register and the heater.
public final class SHT31Model: SimulatedI2CTarget {
    /// What is around it.
    public struct Climate: Sendable, Hashable {
        public var celsius = 21.0
        /// In percent.
        public var relativeHumidity = 45.0

        public init() {}
    }

    fileprivate struct State {
        var climate = Climate()
        var isHeating = false
        var answer: [UInt8] = []
        /// When the answer is there.
        var answerAt: Duration = .zero
        var hasFailed = false
        var damagedAnswers = 0
    }

    private let clock: any MonotonicClock
    private let state = Protected(State())

    public init(clock: any MonotonicClock) { self.clock = clock }

    public var climate: Climate {
        get { state.withLock { $0.climate } }
        set { state.withLock { $0.climate = newValue } }
    }

    /// The heater warms the chip by some degrees.
    public var isHeating: Bool { state.withLock { $0.isHeating } }

    /// A bit of so many of the answers that follow is turned on their way.
    public func damageAnswers(_ count: Int) { state.withLock { $0.damagedAnswers = count } }

    public func write(_ bytes: [UInt8]) throws {
        let now = clock.now
        state.withLock { state in
            state.answer = []
            let hadFailed = state.hasFailed
            state.hasFailed = false
            switch bytes {
            case [0x30, 0xA2], [0x30, 0x66]: state.isHeating = false
            case [0x30, 0x6D]: state.isHeating = true
            case [0xF3, 0x2D]:
                let status: UInt16 = (state.isHeating ? 1 << 13 : 0) | (hadFailed ? 2 : 0)
                state.answer = Self.checked(status)
                state.answerAt = now
            // The longest times (table 4).
            case [0x24, 0x16], [0x2C, 0x10]: state.measure(until: now + .milliseconds(4))
            case [0x24, 0x0B], [0x2C, 0x0D]: state.measure(until: now + .milliseconds(6))
            case [0x24, 0x00], [0x2C, 0x06]: state.measure(until: now + .milliseconds(15))
            default: state.hasFailed = true
            }
            // It holds the clock, and so the bus: here the answer is simply there.
            if bytes.first == 0x2C { state.answerAt = now }
        }
    }

    /// Without an answer it does not acknowledge (page 10).
    public func read(count: Int) throws -> [UInt8] {
        let now = clock.now
        return try state.withLock { state in
            guard !state.answer.isEmpty, now >= state.answerAt else {
                throw PeripheralError(.noAcknowledge, "it has nothing to read yet")
            }
            var answer = state.answer
            state.answer = []
            if state.damagedAnswers > 0 {
                state.damagedAnswers -= 1
                answer[1] ^= 0x10
            }
            return Array((answer + [UInt8](repeating: 0xFF, count: count)).prefix(count))
        }
    }

    fileprivate static func checked(_ word: UInt16) -> [UInt8] {
        let bytes = [UInt8(word >> 8), UInt8(word & 0xFF)]
        // CRC-8 by long division of the 16 bits and eight zeros; the start value 0xFF turns the first eight bits.
        var rest = (UInt32(word) ^ 0xFF00) << 8
        for bit in (8..<24).reversed() where rest & (1 << bit) != 0 { rest ^= 0x131 << (bit - 8) }
        return bytes + [UInt8(rest & 0xFF)]
    }
}

extension SHT31Model.State {
    fileprivate mutating func measure(until end: Duration) {
        let celsius = climate.celsius + (isHeating ? 3 : 0)
        func word(_ part: Double) -> UInt16 { UInt16((min(max(part, 0), 1) * 65535).rounded()) }
        answer =
            SHT31Model.checked(word((celsius + 45) / 175)) + SHT31Model.checked(word(climate.relativeHumidity / 100))
        answerAt = end
    }
}
