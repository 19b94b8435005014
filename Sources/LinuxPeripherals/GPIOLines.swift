internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// Finds a board's lines by name, and says what is in the way of one.
struct GPIOLines {
    let profile: BoardProfile

    /// Throws `notFound` with the lines that there are.
    func find(_ name: String) throws -> GPIOLine.Place {
        let chips = try chips()
        if let offset = profile.lines[name], let chip = chips.first, let offset = UInt32(exactly: offset),
            offset < chip.lineCount
        {
            return GPIOLine.Place(chip: chip, offset: offset)
        }
        var names = Array(profile.lines.keys)
        var places: [GPIOLine.Place] = []
        for chip in chips {
            for (offset, line) in try lines(of: chip).enumerated() where !line.name.isEmpty {
                if !names.contains(line.name) { names.append(line.name) }
                if line.name == name { places.append(GPIOLine.Place(chip: chip, offset: UInt32(offset))) }
            }
        }
        if places.count == 1 { return places[0] }
        guard places.isEmpty else {
            let labels = places.map(\.chip.label).joined(separator: " and ")
            throw PeripheralError(
                .notFound, "the name '\(name)' does not tell which line is meant: \(labels) have one each",
                advice: "use a board profile that names the chip")
        }
        let list = names.isEmpty ? "none has a name" : "it has " + names.inNumericOrder().joined(separator: ", ")
        throw PeripheralError(.notFound, "\(profile.name) has no line '\(name)'; \(list)")
    }

    /// Turns the failure of a request into an error that names the line, and its holder.
    func describingRequest<Value>(
        of name: String, at place: GPIOLine.Place, _ body: () throws -> Value
    ) throws -> Value {
        let subject = "\(name) (line \(place.offset) of \(place.chip.label))"
        return try describingErrors(
            { error in
                switch PeripheralError.code(of: error.code) {
                case .busy:
                    let holder = (try? place.chip.lines())?[Int(place.offset)].consumer ?? "somebody"
                    return PeripheralError(error, "\(subject) is held by '\(holder)'", advice: advice(for: holder))
                case .invalidArgument:
                    return PeripheralError(
                        error, "\(subject) cannot be opened like this", code: .unsupported,
                        advice: "its chip may have no pull resistors: set the bias to as-is")
                default: return accessError(error, subject)
                }
            }, body)
    }

    /// The kernel calls the holder of a chip select `spi0 CS0`.
    private func advice(for holder: String) -> String {
        guard holder.hasPrefix("spi"), holder.contains(" CS") else { return "free it or choose another line" }
        return "it is a chip select of SPI: choose another line, or switch SPI off (on a Raspberry Pi dtparam=spi=off)"
    }

    /// The chips that the profile names, in its order; every chip if it names none.
    private func chips() throws -> [GPIOChip] {
        let (all, failure) = try describingErrors({ accessError($0, "/dev") }) { try GPIOChip.all() }
        let wanted = profile.gpioChips(among: all, label: \.label)
        if !wanted.isEmpty { return wanted }
        if let failure { throw accessError(failure, "a GPIO chip") }
        let needed = profile.gpioChipLabels.isEmpty ? "a GPIO chip" : profile.gpioChipLabels.joined(separator: " or ")
        let found = all.isEmpty ? "there is none" : "there is " + all.map(\.label).joined(separator: ", ")
        throw PeripheralError(
            .notFound, "\(profile.name) needs \(needed); \(found)",
            advice: "check that the board profile is this board's")
    }

    private func lines(of chip: GPIOChip) throws -> [GPIOChip.Line] {
        try describingErrors({ accessError($0, chip.path) }) { try chip.lines() }
    }

    private func accessError(_ error: SystemError, _ what: String) -> PeripheralError {
        let isDenied = PeripheralError.code(of: error.code) == .permissionDenied
        return PeripheralError(error, "\(what) cannot be opened", advice: isDenied ? AccessGroup.gpio.advice : nil)
    }
}

extension GPIOLine {
    /// Requests a line with its edges, or without them where its chip has no interrupts. Throws ``SystemError``.
    static func watchedInput(
        _ name: String, at place: Place, _ bias: Bias, consumer: String
    ) throws -> (line: GPIOLine, canWatch: Bool) {
        do {
            return (try input(name, at: place, bias, edges: true, consumer: consumer), true)
        } catch let error as SystemError where [ENODEV, ENXIO, EOPNOTSUPP].contains(error.code) {
            return (try input(name, at: place, bias, edges: false, consumer: consumer), false)
        }
    }
}
