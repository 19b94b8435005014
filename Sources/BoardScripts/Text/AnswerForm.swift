import Peripherals

/// How an answer of one kind stands in a script.
struct AnswerForm<Answer: Sendable>: Sendable {
    let text: @Sendable (Answer) -> String
    /// `nil` for what is no such answer.
    let parse: @Sendable (String) -> Answer?
}

extension AnswerForm<Void> {
    static var none: AnswerForm { AnswerForm(text: { "" }, parse: { $0.isEmpty ? () : nil }) }
}

extension AnswerForm where Answer: RawRepresentable, Answer.RawValue == String {
    /// By the case's name.
    static var word: AnswerForm { AnswerForm(text: \.rawValue, parse: { Answer(rawValue: $0) }) }
}

extension AnswerForm<String> {
    static var quotedText: AnswerForm {
        AnswerForm(text: { ScriptText.quoted($0) }, parse: { ScriptText.unquoted($0) })
    }
}

extension AnswerForm<[String]> {
    static var words: AnswerForm {
        AnswerForm(text: { $0.joined(separator: " ") }, parse: { ScriptText.words($0) })
    }
}

extension AnswerForm<Debouncer> {
    /// Nothing for nobody.
    static var debouncer: AnswerForm {
        AnswerForm(text: { $0 == .none ? "" : "debounced by \($0.rawValue)" }) { text in
            if text.isEmpty { return Debouncer.none }
            return text.hasPrefix("debounced by ") ? Debouncer(rawValue: String(text.dropFirst(13))) : nil
        }
    }
}

extension AnswerForm<[Level]> {
    static var levels: AnswerForm {
        AnswerForm(text: ScriptText.text) { text in
            let words = text.split(separator: " ")
            let levels = words.compactMap { Level(rawValue: String($0)) }
            return levels.count == words.count ? levels : nil
        }
    }
}

extension AnswerForm<[UInt8]> {
    static var bytes: AnswerForm { AnswerForm(text: { ScriptText.text($0) }, parse: { ScriptText.bytes($0) }) }
}

extension AnswerForm<[[UInt8]]> {
    /// What each read of a transfer has read, behind each other.
    static func reads(_ counts: [Int]) -> AnswerForm {
        AnswerForm(text: { $0.map { ScriptText.text($0) }.joined(separator: ", ") }) { text in
            guard !text.isEmpty else { return counts.isEmpty ? [] : nil }
            let parts = text.split(separator: ",")
            let reads = parts.compactMap { ScriptText.bytes($0) }
            return reads.count == parts.count && reads.map(\.count) == counts ? reads : nil
        }
    }
}

extension AnswerForm<I2CFunctionality> {
    /// The kernel's bits, in hexadecimal.
    static var functionality: AnswerForm {
        AnswerForm(text: { "0x" + String($0.rawValue, radix: 16) }) { text in
            guard text.hasPrefix("0x") else { return nil }
            return UInt(text.dropFirst(2), radix: 16).map { I2CFunctionality(rawValue: $0) }
        }
    }
}

extension AnswerForm<SerialInput> {
    static var serialInput: AnswerForm {
        AnswerForm { input in
            switch input {
            case .bytes(let bytes): ScriptText.textOrBytes(bytes)
            case .damagedByte(let byte): "damaged \(ScriptText.text([byte]))"
            case .lineBreak: "break"
            case .overrun: "overrun"
            }
        } parse: { text in
            switch text {
            case "break": return .lineBreak
            case "overrun": return .overrun
            default: break
            }
            if text.hasPrefix("damaged ") {
                let bytes = ScriptText.bytes(text.dropFirst(8))
                return bytes?.count == 1 ? bytes.map { .damagedByte($0[0]) } : nil
            }
            return ScriptText.textOrBytes(text).flatMap { $0.isEmpty ? nil : .bytes($0) }
        }
    }
}

extension AnswerForm<PWMSettings> {
    static var settings: AnswerForm {
        AnswerForm { settings in
            "period \(ScriptText.text(settings.period)) pulse \(ScriptText.text(settings.pulseWidth))"
                + " \(settings.polarity.rawValue) \(settings.isEnabled ? "enabled" : "disabled")"
        } parse: { text in
            let words = text.split(separator: " ").map(String.init)
            guard words.count == 6, words[0] == "period", words[2] == "pulse",
                let period = ScriptText.duration(words[1]), let pulse = ScriptText.duration(words[3]),
                let polarity = PWMPolarity(rawValue: words[4]), ["enabled", "disabled"].contains(words[5])
            else { return nil }
            return PWMSettings(
                period: period, pulseWidth: pulse, polarity: polarity, isEnabled: words[5] == "enabled")
        }
    }
}

extension AnswerForm<SPIFacts> {
    static var spiFacts: AnswerForm {
        AnswerForm(text: { "\($0.largestTransfer) bytes\($0.reversesBits ? " reversing" : "")" }) { text in
            let words = text.split(separator: " ")
            guard words.count >= 2, words[1] == "bytes", let largest = Int(words[0]) else { return nil }
            return SPIFacts(largestTransfer: largest, reversesBits: words.dropFirst(2).first == "reversing")
        }
    }
}

/// What an SPI target says when it is opened.
struct SPIFacts: Sendable {
    var largestTransfer = 4096
    var reversesBits = false
}

extension ScriptText {
    @Sendable
    static func text(_ levels: [Level]) -> String { levels.map { "\($0)" }.joined(separator: " ") }
}
