import Peripherals

/// What a program asks of its peripherals, as it stands in a script. What is usual is left out.
extension ScriptText {
    private static func joined(_ words: [String?]) -> String { words.compactMap { $0 }.joined(separator: " ") }

    // MARK: Lines

    static func text(opening configuration: DigitalInputConfiguration) -> String {
        joined([
            "open input", word(configuration.bias), configuration.activeLevel == .low ? "active low" : nil,
            edges(configuration.edges),
            configuration.debounce == .zero ? nil : "debounce \(text(configuration.debounce))",
        ])
    }

    static func text(opening configuration: DigitalOutputConfiguration) -> String {
        joined([
            "open output", "\(configuration.initialLevel)", word(configuration.drive), word(configuration.bias),
        ])
    }

    static func text(openingInputs bias: Bias) -> String { joined(["open inputs", word(bias)]) }

    static func text(openingOutputs levels: [Level], _ drive: Drive) -> String {
        joined(["open outputs", text(levels), word(drive)])
    }

    private static func word(_ bias: Bias) -> String? { bias == .asIs ? nil : bias.rawValue }
    private static func word(_ drive: Drive) -> String? { drive == .pushPull ? nil : drive.rawValue }

    private static func edges(_ edges: Set<Edge>) -> String? {
        if edges.isEmpty { return "no edges" }
        return edges.count == 2 ? nil : "\(edges.map(\.rawValue).joined()) edges"
    }

    // MARK: I2C

    static func text(opening configuration: I2CConfiguration) -> String {
        let retries = configuration.retries
        return joined([
            "open", configuration.checksPackets ? "checked" : nil,
            configuration.timeout.map { "timeout \(text($0))" },
            retries.attempts > 1
                ? "\(retries.attempts) attempts at \(retries.codes.map(\.rawValue).sorted().joined(separator: " "))"
                    + " pause \(text(retries.pause)) limit \(text(retries.limit))" : nil,
            configuration.kernelRetries.map { "\($0) kernel retries" },
        ])
    }

    static func text(_ messages: [I2CMessage]) -> String {
        messages.map { message in
            switch message {
            case .write(let bytes): joined(["write", text(bytes)])
            case .read(let count): "read \(count)"
            }
        }.joined(separator: ", ")
    }

    /// Words as they are on the wire, the low byte first.
    static func text(_ command: SMBusCommand) -> String {
        func wire(_ word: UInt16) -> [UInt8] { [UInt8(word & 0xFF), UInt8(word >> 8)] }
        switch command {
        case .quick(let isRead): return isRead ? "quick read" : "quick write"
        case .receiveByte: return "receive-byte"
        case .sendByte(let byte): return "send-byte \(text([byte]))"
        case .readByte(let code): return "read-byte \(text([code]))"
        case .writeByte(let code, let byte): return "write-byte \(text([code, byte]))"
        case .readWord(let code): return "read-word \(text([code]))"
        case .writeWord(let code, let word): return "write-word \(text([code] + wire(word)))"
        case .processCall(let code, let word): return "process-call \(text([code] + wire(word)))"
        case .readBlock(let code): return "read-block \(text([code]))"
        case .writeBlock(let code, let bytes): return "write-block \(text([code] + bytes))"
        case .blockProcessCall(let code, let bytes): return "block-process-call \(text([code] + bytes))"
        case .readI2CBlock(let code, let count): return "read-i2c-block \(text([code])) count \(count)"
        case .writeI2CBlock(let code, let bytes): return "write-i2c-block \(text([code] + bytes))"
        }
    }

    // MARK: SPI

    static func text(opening configuration: SPIConfiguration) -> String {
        joined([
            "open mode \(configuration.mode.rawValue)", text(configuration.maximumSpeed),
            configuration.bitOrder == .leastSignificantFirst ? "least significant bit first" : nil,
            configuration.wordSize == 8 ? nil : "\(configuration.wordSize) bits",
            configuration.sharedBy.map { "shared by \(quoted($0))" },
        ])
    }

    static func text(_ segments: [SPISegment], _ splitting: SPISplitting) -> String {
        let splits: String? =
            switch splitting {
            case .refused: nil
            case .releasingSelect: "split releasing"
            case .keepingSelect: "split keeping"
            }
        return (segments.map(text).map(Optional.some) + [splits]).compactMap { $0 }.joined(separator: ", ")
    }

    private static func text(_ segment: SPISegment) -> String {
        let content =
            switch segment.content {
            case .exchange(let bytes): joined(["exchange", text(bytes)])
            case .write(let bytes): joined(["write", text(bytes)])
            case .read(let count): "read \(count)"
            }
        return joined([
            content, segment.delay == .zero ? nil : "delay \(text(segment.delay))",
            segment.speed.map { "at \(text($0))" }, segment.releasesSelect ? "release" : nil,
        ])
    }

    private static func text(_ frequency: Frequency) -> String {
        "\(frequency.wholeHertz.flatMap { Double($0) == frequency.hertz ? "\($0)" : nil } ?? "\(frequency.hertz)")Hz"
    }

    // MARK: Serial ports

    static func text(opening configuration: SerialConfiguration) -> String {
        let parity =
            switch configuration.parity {
            case .none: "N"
            case .even: "E"
            case .odd: "O"
            }
        let flow: String? =
            switch configuration.flowControl {
            case .none: nil
            case .rtsCTS: "rts-cts"
            case .xonXOFF: "xon-xoff"
            }
        return joined([
            "open", "\(configuration.baudRate)",
            "\(configuration.dataBits.rawValue)\(parity)\(configuration.stopBits.rawValue)", flow,
        ])
    }

    // MARK: Cameras

    static func text(opening configuration: StillCameraConfiguration) -> String {
        joined([
            "open \(configuration.command.map(quoted).joined(separator: " ")) within \(text(configuration.deadline))",
            configuration.size.map { "size \($0)" },
            configuration.rotation == .none ? nil : "turned \(configuration.rotation.rawValue)",
        ])
    }
}
