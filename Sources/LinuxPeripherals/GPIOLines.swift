internal import DeviceRuntime
internal import Glibc
internal import LineMonitoring
internal import Peripherals

/// Finds a board's lines by name, and says what is in the way of one.
struct GPIOLines {
    let profile: BoardProfile

    /// Throws `notFound` with the lines that there are.
    func find(_ name: String) throws -> GPIORequest.Place {
        if let place = try findByChip(name) { return place }
        let chips = try chips()
        if let offset = profile.lines[name], let chip = chips.first, let offset = UInt32(exactly: offset),
            offset < chip.lineCount
        {
            return GPIORequest.Place(name: name, chip: chip, offset: offset)
        }
        var names = Array(profile.lines.keys)
        var places: [GPIORequest.Place] = []
        for chip in chips {
            for (offset, line) in try lines(of: chip).enumerated() where !line.name.isEmpty {
                if !names.contains(line.name) { names.append(line.name) }
                if line.name == name { places.append(.init(name: name, chip: chip, offset: UInt32(offset))) }
            }
        }
        if places.count == 1 { return places[0] }
        guard places.isEmpty else {
            let labels = places.map(\.chip.label).joined(separator: " and ")
            throw PeripheralError(
                .notFound, "the name '\(name)' does not tell which line is meant: \(labels) have one each",
                advice: "say which: \(places[0].chip.label):\(places[0].offset)")
        }
        let list = names.isEmpty ? "none has a name" : "it has " + names.inNumericOrder().joined(separator: ", ")
        throw PeripheralError(.notFound, "\(profile.name) has no line '\(name)'; \(list)")
    }

    /// A chip's label and an offset: `pinctrl-bcm2711:17`. `nil` for a name of another form. Labels may have colons.
    private func findByChip(_ name: String) throws -> GPIORequest.Place? {
        guard let colon = name.lastIndex(of: ":"), let offset = UInt32(name[name.index(after: colon)...]) else {
            return nil
        }
        let label = name[..<colon]
        let (all, failure) = try everyChip()
        let chips = all.filter { $0.label == label }
        guard let chip = chips.first else {
            if let failure { throw accessError(failure, "a GPIO chip") }
            throw PeripheralError(
                .notFound, "there is no GPIO chip '\(label)'; there is \(all.map(\.label).joined(separator: ", "))")
        }
        guard chips.count == 1 else {
            throw PeripheralError(.notFound, "\(chips.count) GPIO chips have the label '\(label)'")
        }
        guard offset < chip.lineCount else {
            throw PeripheralError(.notFound, "\(label) has no line \(offset); it has 0 to \(chip.lineCount - 1)")
        }
        return GPIORequest.Place(name: name, chip: chip, offset: offset)
    }

    /// All of one chip: throws `invalidArgument` otherwise.
    func findGroup(_ names: [String]) throws -> [GPIORequest.Place] {
        let places = try names.map { try find($0) }
        let labels = Dictionary(grouping: places, by: \.chip.path)
        guard labels.count == 1 else {
            throw PeripheralError(
                .invalidArgument, "\(names.joined(separator: ", ")) are lines of several chips",
                advice: "open a group for each chip")
        }
        let offsets = Dictionary(grouping: places, by: \.offset)
        if let double = offsets.values.first(where: { $0.count > 1 }) {
            throw PeripheralError(
                .invalidArgument, "\(double.map(\.name).joined(separator: " and ")) are the same line")
        }
        return places
    }

    /// What there is, with who holds which.
    func facts() throws -> [GPIOChipFacts] {
        let (all, failure) = try everyChip()
        if all.isEmpty, let failure { throw accessError(failure, "a GPIO chip") }
        return try all.map { chip in
            try describingErrors({ accessError($0, chip.path) }) { try chip.facts(profile, among: all) }
        }
    }

    /// Turns the failure of a request into an error that names the line, and its holder.
    func describingRequest<Value>(of places: [GPIORequest.Place], _ body: () throws -> Value) throws -> Value {
        let subject = places.map(\.description).joined(separator: ", ")
        return try describingErrors(
            { error in
                switch PeripheralError.code(of: error.code) {
                case .busy: return busyError(error, places)
                case .invalidArgument:
                    return PeripheralError(
                        error, "\(subject) cannot be opened like this", code: .unsupported,
                        advice: "its chip may have no pull resistors: set the bias to as-is")
                default: return accessError(error, subject)
                }
            }, body)
    }

    /// Of a group, names the line that is in the way.
    private func busyError(_ error: SystemError, _ places: [GPIORequest.Place]) -> PeripheralError {
        let lines = (try? places.first?.chip.lines()) ?? []
        func holder(_ place: GPIORequest.Place) -> String? {
            lines.indices.contains(Int(place.offset)) ? lines[Int(place.offset)].consumer : nil
        }
        let held = places.first { holder($0) != nil } ?? places.first
        let name = held.flatMap(holder) ?? "somebody"
        return PeripheralError(
            error, "\(held?.description ?? "a line") is held by '\(name)'", advice: advice(for: name))
    }

    /// The kernel calls the holder of a chip select `spi0 CS0`.
    private func advice(for holder: String) -> String {
        guard holder.hasPrefix("spi"), holder.contains(" CS") else { return "free it or choose another line" }
        return "it is a chip select of SPI: choose another line, or switch SPI off (on a Raspberry Pi dtparam=spi=off)"
    }

    /// The chips that the profile names, in its order; every chip if it names none.
    private func chips() throws -> [GPIOChip] {
        let (all, failure) = try everyChip()
        let wanted = profile.gpioChips(among: all, label: \.label)
        if !wanted.isEmpty { return wanted }
        if let failure { throw accessError(failure, "a GPIO chip") }
        let needed = profile.gpioChipLabels.isEmpty ? "a GPIO chip" : profile.gpioChipLabels.joined(separator: " or ")
        let found = all.isEmpty ? "there is none" : "there is " + all.map(\.label).joined(separator: ", ")
        throw PeripheralError(
            .notFound, "\(profile.name) needs \(needed); \(found)",
            advice: "check that the board profile is this board's")
    }

    private func everyChip() throws -> (chips: [GPIOChip], error: SystemError?) {
        try describingErrors({ accessError($0, "/dev") }) { try GPIOChip.all() }
    }

    private func lines(of chip: GPIOChip) throws -> [GPIOChip.Line] {
        try describingErrors({ accessError($0, chip.path) }) { try chip.lines() }
    }

    private func accessError(_ error: SystemError, _ what: String) -> PeripheralError {
        let isDenied = PeripheralError.code(of: error.code) == .permissionDenied
        return PeripheralError(error, "\(what) cannot be opened", advice: isDenied ? AccessGroup.gpio.advice : nil)
    }
}

extension GPIORequest {
    /// Requests a line with its edges, or without them where its chip has no interrupts. Throws ``SystemError``.
    static func watchedInput(
        _ place: Place, _ configuration: DigitalInputConfiguration, consumer: String
    ) throws -> (request: GPIORequest, canWatch: Bool) {
        let facts = LinuxLineSource.facts
        let edges = facts.kernelEdges(for: configuration)
        let microseconds = try configuration.debounceMicroseconds()
        let kernelDebounce = facts.debouncer(for: configuration) == .kernel ? microseconds : 0
        func request(_ edges: Set<Edge>) throws -> GPIORequest {
            try GPIORequest(
                input: [place], bias: configuration.bias, edges: edges, debounceMicroseconds: kernelDebounce,
                consumer: consumer)
        }
        do {
            return (try request(edges), !edges.isEmpty)
        } catch let error as SystemError where [ENODEV, ENXIO, EOPNOTSUPP].contains(error.code) && !edges.isEmpty {
            return (try request([]), false)
        }
    }
}
