import DeviceRuntime

/// A part on an SPI target that gives a byte for each byte it gets: converters, shift registers, strips of lamps,
/// displays.
///
/// An MCP3008, whose second and third byte carry what it has measured (datasheet, figure 6-1):
///
///     let converter = SPIStreamModel { frame in
///         switch frame.count {
///         case 2: UInt8(measured(channel: frame[1] >> 4 & 7) >> 8)
///         case 3: UInt8(measured(channel: frame[1] >> 4 & 7) & 0xFF)
///         default: 0
///         }
///     }
///     try board.spiTarget("SPI0.0").attach(converter)
public final class SPIStreamModel: SimulatedSPIPart {
    private struct State {
        var frame: [UInt8] = []
        var frames: [[UInt8]] = []
    }

    private let state = Protected(State())
    private let answer: @Sendable (_ frame: [UInt8]) -> UInt8
    private let finished: @Sendable (_ frame: [UInt8]) -> Void

    /// `answer` is given all bytes since chip select became active, the present one last, and returns what is sent back
    /// with it; `finished` gets all of them when chip select is released.
    public init(
        _ answer: @escaping @Sendable (_ frame: [UInt8]) -> UInt8 = { _ in 0 },
        finished: @escaping @Sendable (_ frame: [UInt8]) -> Void = { _ in }
    ) {
        self.answer = answer
        self.finished = finished
    }

    /// What came under each chip select that has been released, the oldest first.
    public var frames: [[UInt8]] { state.withLock { $0.frames } }

    public func select() { state.withLock { $0.frame = [] } }

    public func exchange(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { byte in
            let frame = state.withLock { state in
                state.frame.append(byte)
                return state.frame
            }
            return answer(frame)
        }
    }

    public func deselect() {
        let frame = state.withLock { state in
            state.frames.append(state.frame)
            return state.frame
        }
        finished(frame)
    }
}
