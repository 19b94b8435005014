import DeviceKit
import Peripherals

// The kinds of values that only a display has.

extension OptionKind<[I2CAddress]> {
    /// One address, or a list of different ones.
    static var addresses: OptionKind {
        OptionKind("an I2C address from 0x70 to 0x77, or a list of different ones") { input in
            let texts: [String] =
                switch input {
                case .scalar(let text): [text]
                case .list(let texts): texts
                }
            // What the chip's three address pins can set (page 27).
            let addresses = texts.compactMap { OptionKind<I2CAddress>.i2cAddress.parse(.scalar($0)) }
                .filter { 0x70...0x77 ~= $0.rawValue }
            guard !texts.isEmpty, addresses.count == texts.count, Set(addresses).count == addresses.count else {
                return nil
            }
            return addresses
        }
    }
}

extension OptionKind<[String]> {
    /// Any texts; one alone need not be a list, and an empty one is none.
    static func texts(_ expectation: String) -> OptionKind {
        OptionKind(expectation) { input in
            switch input {
            case .scalar(let text): text.isEmpty ? [] : [text]
            case .list(let texts): texts
            }
        }
    }
}

extension OptionKind<DecimalNumber> {
    static var decimal: OptionKind {
        OptionKind("a number such as 21.5") { input in
            guard case .scalar(let text) = input else { return nil }
            return DecimalNumber(text)
        }
    }
}

extension OptionKind<ClockTime> {
    static var time: OptionKind {
        OptionKind("a time such as 7:05, 19:30 or 7:05pm") { input in
            guard case .scalar(let text) = input else { return nil }
            return ClockTime(text)
        }
    }
}

extension OptionKind<Repetition> {
    static var repetition: OptionKind {
        OptionKind("a whole number from 1 to 1000, or forever") { input in
            guard case .scalar(let text) = input else { return nil }
            if text == "forever" { return Repetition(count: nil) }
            return Int(text).flatMap { 1...1000 ~= $0 ? Repetition(count: $0) : nil }
        }
    }
}
