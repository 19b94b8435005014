import DeviceKit
import Peripherals

/// What a display is meant to show, and how: what commands change, and what is kept over failures.
struct DisplayState: Sendable {
    private let setup: HT16K33Setup
    private var content = DisplayContent.nothing
    private(set) var sequence: FrameSequence
    private var start: Duration = .zero
    private var brightness: Int
    private var blink: HT16K33Registers.Blink
    private var light: MatrixGlass.Light
    private var dots: Set<String> = []
    private var glyphs: [Character: String] = [:]

    init(_ options: OptionValues, _ setup: HT16K33Setup) throws {
        self.setup = setup
        brightness = try options[HT16K33Setup.brightness]
        blink = try options[HT16K33Setup.blink]
        light = try options[HT16K33Setup.colour]
        sequence = FrameSequence([])
        for text in try options[HT16K33Setup.glyphs] { try define(text) }
        try show(.nothing, at: .zero)
    }

    /// What each chip is to hold.
    func registers(at now: Duration) -> [HT16K33Registers] {
        let frame = sequence.frame(at: now)
        return stride(from: 0, to: frame.count, by: HT16K33Registers.ramSize).map { start in
            HT16K33Registers(
                ram: Array(frame[start..<start + HT16K33Registers.ramSize]), brightness: brightness, blink: blink,
                rowPin: setup.rowPin)
        }
    }

    // MARK: Commands

    /// Throws ``DeviceError/unknownCommand(_:)``, and `invalidArgument` or `unsupported` for what this glass cannot
    /// show; it then shows what it did before.
    mutating func apply(_ command: Command, at now: Duration) throws {
        let arguments = command.arguments
        switch command.name {
        case "show": try show(.text(try arguments[HT16K33Setup.text]), at: now)
        case "scroll":
            try show(.scrolling(try arguments[HT16K33Setup.text], try arguments[HT16K33Setup.times]), at: now)
        case "number":
            let number = try arguments[HT16K33Setup.number]
            let decimals = try arguments[HT16K33Setup.decimals]
            let text = number.text(decimals: decimals) { face.still($0, atRight: true) != nil }
            try show(figures: text, otherwise: number.text(decimals: decimals ?? number.decimals), at: now)
        case "hex":
            let digits = String(try arguments[HT16K33Setup.whole], radix: 16, uppercase: true)
            let missing = try arguments[HT16K33Setup.digits] - digits.count
            let text = String(repeating: "0", count: max(0, missing)) + digits
            try show(figures: face.still(text, atRight: true).map { _ in text }, otherwise: text, at: now)
        case "time":
            var time = try arguments[HT16K33Setup.time]
            time.hasColon = try arguments[HT16K33Setup.colon]
            try show(.time(time), at: now)
        case "frame": try show(.picture(try arguments[HT16K33Setup.rows]), at: now)
        case "bar":
            let whole = try arguments[HT16K33Setup.full].double
            guard whole > 0 else { throw PeripheralError(.invalidArgument, "'of' is above zero") }
            try show(.bar(try arguments[HT16K33Setup.number].double / whole), at: now)
        case "clear": try show(.nothing, at: now)
        case "brightness": brightness = try arguments[HT16K33Setup.level]
        case "blink": blink = try arguments[HT16K33Setup.rate]
        case "colour": try change { $0.light = try arguments[HT16K33Setup.paint] }
        case "dots": try change { $0.dots = try $0.checked(dots: try arguments[HT16K33Setup.dots]) }
        case "glyph": try change { try $0.define(try arguments[HT16K33Setup.glyph]) }
        default: throw DeviceError.unknownCommand(command.name)
        }
    }

    private mutating func show(_ content: DisplayContent, at now: Duration) throws {
        sequence = try face.sequence(of: content, pace: setup.pace, from: now)
        self.content = content
        start = now
    }

    /// Shows a number, or says that it does not fit: as a meter does, on the glass and to whoever asked. A matrix lets
    /// it move through.
    private mutating func show(figures: String?, otherwise text: String, at now: Duration) throws {
        if figures == nil, case .digits = setup.layout.glass {
            let sign = text.hasPrefix("-") ? "-" : ""
            try show(.figures(sign + "OL"), at: now)
            throw PeripheralError(
                .invalidArgument, "\(text) does not fit on the glass, which shows \(sign)OL",
                advice: "fewer decimals, or more digits")
        }
        try show(.figures(figures ?? text), at: now)
    }

    /// Changes how things are shown, and shows again what is there.
    private mutating func change(_ body: (inout DisplayState) throws -> Void) throws {
        var copy = self
        try body(&copy)
        copy.sequence = try copy.face.sequence(of: copy.content, pace: setup.pace, from: start)
        self = copy
    }

    // MARK: The glass

    private var face: any DisplayFace {
        switch setup.layout.glass {
        case .digits(let glass):
            DigitFace(
                glass: glass, chips: setup.addresses.count,
                glyphs: glyphs.compactMapValues { glass.font.glyph(letters: $0) }, dots: dots)
        case .matrix(let glass):
            MatrixFace(
                glass: glass, chips: setup.addresses.count, orientation: setup.orientation,
                glyphs: glyphs.compactMapValues { MatrixFont.glyph(rows: $0.split(separator: "/")) },
                light: glass.isBicolour ? light : .single)
        }
    }

    /// `°=ABFG`, or `°=##/##` on a matrix.
    private mutating func define(_ text: String) throws {
        guard let character = text.first, text.dropFirst().first == "=" else {
            throw PeripheralError(
                .invalidArgument, "'\(text)' is no glyph", advice: "write a character, = and its glyph")
        }
        let glyph = String(text.dropFirst(2))
        switch setup.layout.glass {
        case .digits(let glass) where glass.font.glyph(letters: glyph) == nil:
            throw PeripheralError(
                .invalidArgument, "'\(glyph)' names no segments", advice: "their letters are \(glass.font.letters)")
        case .matrix where MatrixFont.glyph(rows: glyph.split(separator: "/")) == nil:
            throw PeripheralError(
                .invalidArgument, "'\(glyph)' is no glyph for a matrix",
                advice: "write up to 8 rows of # and . of the same length, with / between")
        default: glyphs[character] = glyph
        }
    }

    private func checked(dots names: [String]) throws -> Set<String> {
        guard case .digits(let glass) = setup.layout.glass, !glass.marks.isEmpty else {
            throw PeripheralError(.unsupported, "layout \(setup.layout.name) has no dots of its own")
        }
        let known = glass.marks.map(\.name)
        for name in names where !known.contains(name) {
            throw PeripheralError(
                .invalidArgument, "there is no dot '\(name)'", advice: "there are \(known.joined(separator: ", "))")
        }
        return Set(names)
    }
}
