public import Peripherals

// The kinds of values that options have. Each says in its expectation what would be right.

extension OptionKind {
    /// One of a few words.
    public static func choice(_ choices: [String: Value]) -> OptionKind {
        let names = choices.keys.sorted().joined(separator: ", ")
        return OptionKind("one of \(names)", form: .choice(choices.keys.sorted())) { input in
            guard case .scalar(let text) = input else { return nil }
            return choices[text]
        }
    }

    /// What `kind` takes, or the word that stands for its absence.
    public static func optional<Wrapped>(_ kind: OptionKind<Wrapped>, or word: String) -> OptionKind
    where Value == Wrapped? {
        OptionKind("\(kind.expectation), or \(word)", peripheral: kind.peripheral, absence: word) { input in
            input == .scalar(word) ? .some(nil) : kind.parse(input).map { .some($0) }
        }
    }

    /// A quantity that is written as text and must lie in a range.
    fileprivate static func quantity(
        _ noun: String, example: String, in range: ClosedRange<Value>, form: OptionForm, text: (Value) -> String,
        parse: @escaping @Sendable (String) -> Value?
    ) -> OptionKind where Value: Comparable {
        OptionKind(
            "\(noun) from \(text(range.lowerBound)) to \(text(range.upperBound)), such as \(example)", form: form
        ) { input in
            guard case .scalar(let text) = input, let value = parse(text), range.contains(value) else { return nil }
            return value
        }
    }
}

extension OptionKind<String> {
    /// Any text.
    public static var text: OptionKind {
        OptionKind("a text", form: .text) { input in
            guard case .scalar(let text) = input else { return nil }
            return text
        }
    }

    /// A digital line, by its name or by its chip's label and its offset there: `pinctrl-bcm2711:17`.
    public static var line: OptionKind { name("the name of a digital line, such as GPIO17", .line, also: ":@") }

    /// The name of a PWM channel of the board.
    public static var pwmChannel: OptionKind { name("the name of a PWM channel, such as PWM0", .pwmChannel) }

    /// The name of an I2C bus of the board.
    public static var i2cBus: OptionKind { name("the name of an I2C bus, such as I2C1", .i2cBus) }

    /// The name of an SPI target of the board.
    public static var spiTarget: OptionKind { name("the name of an SPI target, such as SPI0.0", .spiTarget) }

    /// A serial port of the board by its name, or any by its path.
    public static var serialPort: OptionKind {
        let name = name("the name of a serial port or its path, such as SERIAL0 or /dev/ttyUSB0", .serialPort)
        return OptionKind(name.expectation, peripheral: .serialPort) { input in
            if case .scalar(let text) = input, text.hasPrefix("/dev/"), text.count > 5 { return text }
            return name.parse(input)
        }
    }

    private static func name(_ expectation: String, _ kind: PeripheralKind, also signs: String = "") -> OptionKind {
        OptionKind(expectation, peripheral: kind) { input in
            guard case .scalar(let text) = input, !text.isEmpty else { return nil }
            let isName = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-\(signs)".contains($0)) }
            return isName ? text : nil
        }
    }
}

extension OptionKind<Duration> {
    /// A duration with its unit.
    public static func duration(_ range: ClosedRange<Duration>) -> OptionKind {
        let example = range.contains(.seconds(60)) ? "60s" : range.upperBound.configurationText
        let form = OptionForm.number(range.lowerBound / .seconds(1)...range.upperBound / .seconds(1), unit: "s")
        return quantity("a duration", example: example, in: range, form: form, text: \.configurationText) {
            Duration(configurationText: $0)
        }
    }
}

extension OptionKind<Angle> {
    /// An angle in degrees.
    public static func angle(_ range: ClosedRange<Angle>) -> OptionKind {
        let form = OptionForm.number(range.lowerBound.degrees...range.upperBound.degrees, unit: "deg")
        return quantity("an angle", example: "90deg", in: range, form: form, text: \.description) {
            Angle(configurationText: $0)
        }
    }
}

/// A number of a range that a person might write: not its end, if that can be.
private func usual<Number: Numeric & Comparable>(in range: ClosedRange<Number>) -> Number {
    [10, 1, 100, 1000].first(where: range.contains) ?? range.upperBound
}

extension OptionKind<Int> {
    /// A whole number.
    public static func integer(_ range: ClosedRange<Int>) -> OptionKind {
        let form = OptionForm.number(Double(range.lowerBound)...Double(range.upperBound), isWhole: true)
        return quantity("a whole number", example: "\(usual(in: range))", in: range, form: form, text: { "\($0)" }) {
            Int($0)
        }
    }
}

extension OptionKind<Double> {
    /// A percentage, as a fraction.
    public static func percent(_ range: ClosedRange<Double>) -> OptionKind {
        func text(_ fraction: Double) -> String { "\(Int((fraction * 100).rounded()))%" }
        let form = OptionForm.number(range.lowerBound * 100...range.upperBound * 100, unit: "%")
        return quantity("a percentage", example: "50%", in: range, form: form, text: text) { text in
            guard text.hasSuffix("%"), let number = Double(text.dropLast()), number.isFinite else { return nil }
            return number / 100
        }
    }

    /// A number of a unit, written with it: `3.3V`, `500mV`.
    public static func measure(_ unit: MeasurementUnit, _ range: ClosedRange<Double>) -> OptionKind {
        let words = unit.words ?? ("a number", [("", 1)])
        let symbol = words.spellings[0].symbol
        func text(_ number: Double) -> String { number.shortText + symbol }
        let form = OptionForm.number(range, unit: symbol)
        return quantity(words.noun, example: text(usual(in: range)), in: range, form: form, text: text) { text in
            guard let (number, unit) = splitUnit(text) else { return nil }
            return words.spellings.first { $0.symbol == unit }.map { number * $0.factor }
        }
    }

    /// A number without a unit.
    public static func number(_ range: ClosedRange<Double>) -> OptionKind {
        quantity(
            "a number", example: usual(in: range).shortText, in: range, form: .number(range), text: \.shortText
        ) { text in
            Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
    }
}

extension OptionKind<PictureSize> {
    /// Width and height in pixels: `1280x720`.
    public static var pictureSize: OptionKind {
        let range = PictureSize.range
        return OptionKind(
            "width and height from \(range.lowerBound) to \(range.upperBound) pixels, such as 1280x720"
        ) { input in
            guard case .scalar(let text) = input else { return nil }
            let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard numbers.count == 2, let width = numbers[0], let height = numbers[1] else { return nil }
            return PictureSize(width: width, height: height)
        }
    }
}

extension OptionKind<ClosedRange<Int>> {
    /// Two whole numbers in ascending order: `[0, 100]`.
    public static func integers(_ limits: ClosedRange<Int>) -> OptionKind {
        OptionKind(
            "two ascending whole numbers from \(limits.lowerBound) to \(limits.upperBound), such as [0, 100]"
        ) { input in
            let texts = pair(input)
            let numbers = texts.compactMap { Int($0) }
            guard texts.count == 2, numbers.count == 2, numbers[0] < numbers[1] else { return nil }
            return numbers.allSatisfy(limits.contains) ? numbers[0]...numbers[1] : nil
        }
    }
}

extension OptionKind<[Double]> {
    /// Two different numbers: `[0V, 3.3V]`.
    public static func two(_ kind: OptionKind<Double>, _ noun: String, example: String) -> OptionKind {
        OptionKind("two different \(noun), such as \(example)") { input in
            let texts = pair(input)
            let numbers = texts.compactMap { kind.parse(.scalar($0)) }
            guard texts.count == 2, numbers.count == 2, numbers[0] != numbers[1] else { return nil }
            return numbers
        }
    }
}

extension OptionKind<Bool> {
    /// Yes or no.
    public static var flag: OptionKind { choice(["yes": true, "no": false]) }
}

extension OptionKind<ClosedRange<Angle>> {
    /// Two angles in ascending order: `[0deg, 180deg]`.
    public static func angleRange(_ limits: ClosedRange<Angle>) -> OptionKind {
        OptionKind("two ascending angles from \(limits.lowerBound) to \(limits.upperBound), such as [0deg, 180deg]") {
            input in
            let texts = pair(input)
            let angles = texts.compactMap { Angle(configurationText: $0) }
            guard texts.count == 2, angles.count == 2, angles[0] < angles[1] else { return nil }
            guard angles.allSatisfy(limits.contains) else { return nil }
            return angles[0]...angles[1]
        }
    }
}

extension OptionKind<I2CAddress> {
    /// A 7-bit address outside the reserved ranges.
    public static var i2cAddress: OptionKind {
        OptionKind("a 7-bit I2C address from 0x08 to 0x77, such as 0x70") { input in
            guard case .scalar(let text) = input else { return nil }
            let number = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
            return number.flatMap { I2CAddress($0) }
        }
    }
}

extension OptionKind<[String]> {
    /// A digital line, or several of them.
    public static var lines: OptionKind {
        let line = OptionKind<String>.line
        return OptionKind("\(line.expectation), or a list of them", peripheral: .line) { input in
            let names = input.texts.compactMap { line.parse(.scalar($0)) }
            return !names.isEmpty && names.count == input.texts.count ? names : nil
        }
    }

    /// At least two other devices of the configuration, all with the same driver.
    public static func devices(of driver: String) -> OptionKind {
        OptionKind("a list of two or more devices with the driver \(driver), such as [up, down]", driver: driver) {
            input in
            guard case .list(let names) = input, names.count > 1, Set(names).count == names.count else { return nil }
            return names
        }
    }

    /// A program and its arguments.
    public static var command: OptionKind {
        OptionKind("a program and its arguments as a list, such as [rpicam-still, --nopreview, --output, \"{}\"]") {
            input in
            let words: [String] =
                switch input {
                case .list(let words): words
                case .scalar(let text): text.split(separator: " ").map(String.init)
                }
            guard let program = words.first, !program.isEmpty else { return nil }
            return words
        }
    }
}

/// The texts of a list. As a default it is written in one scalar: `0deg, 180deg`.
private func pair(_ input: OptionInput) -> [String] {
    switch input {
    case .list(let texts): texts
    case .scalar(let text): text.split(separator: ",").map { String($0.drop(while: { $0 == " " })) }
    }
}
