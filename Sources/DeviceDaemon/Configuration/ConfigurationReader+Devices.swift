internal import DeviceKit

extension ConfigurationReader {
    mutating func devices(_ node: YAMLNode) -> [DeviceConfiguration] {
        guard let entries = mapping(node, "a mapping of device names, such as bell: { driver: \(exampleDriver) }")
        else {
            hasReadableDevices = false
            return []
        }
        // All names first, and with the unreadable ones: a rule may name any of them.
        deviceNames = entries.map(\.key)
        unknownDevices = Set(deviceNames)
        let devices = entries.compactMap { device($0) }
        checkDeviceMentions()
        return devices
    }

    /// Reports options that name a device which is not there or has another driver.
    private mutating func checkDeviceMentions() {
        for mention in deviceMentions where !unknownDevices.contains(mention.name) {
            let known = deviceNames.filter { driversByDevice[$0]?.name == mention.driver }
            if let driver = driversByDevice[mention.name] {
                guard driver.name != mention.driver else { continue }
                diagnostics.report(
                    mention.position,
                    "\(mention.option): \(quoted(mention.name)) has the driver \(driver.name), not \(mention.driver)")
            } else {
                diagnostics.report(
                    mention.position,
                    "\(mention.option): unknown device \(quoted(mention.name)); \(advice(for: mention.name, among: known))"
                )
            }
        }
    }

    private mutating func device(_ entry: YAMLNode.Entry) -> DeviceConfiguration? {
        let isNamed = isName(entry.key, at: entry.keyPosition)
        guard
            let entries = mapping(entry.value, "a mapping with the driver, such as { driver: \(exampleDriver) }"),
            let driver = choice("driver", in: entries, drivers, \.name, of: entry)
        else { return nil }
        driversByDevice[entry.key] = driver
        unknownDevices.remove(entry.key)
        var reading = options(
            entries.filter { $0.key != "driver" && $0.key != "records" }, driver.options, "option",
            of: "driver \(driver.name)",
            at: entry.keyPosition)
        let claims = claims(of: entry, driver, reading)
        let records = entries["records"]
        let classes = recordClasses(records, of: driver)
        if let records { reading.texts.append(OptionText(name: "records", text: text(of: records))) }
        if reading.isValid { optionsByDevice[entry.key] = reading.values }
        guard isNamed, reading.isValid else { return nil }
        return DeviceConfiguration(
            name: entry.key, driver: driver, options: reading.values, texts: reading.texts,
            recordClasses: classes, claims: claims,
            position: entry.keyPosition)
    }

    /// `reading`, or `{pressed: reading}`.
    private func text(of records: YAMLNode) -> String {
        guard let entries = records.entries else { return records.text ?? "" }
        return "{\(entries.map { "\($0.key): \($0.value.text ?? "")" }.joined(separator: ", "))}"
    }

    private var exampleDriver: String { drivers.first?.name ?? "button" }

    /// Takes what the device needs for itself, and reports what another one has taken.
    private mutating func claims(
        of entry: YAMLNode.Entry, _ driver: Driver, _ reading: OptionReading
    ) -> [Driver.Claim] {
        let wanted: [Driver.Claim]
        do {
            wanted = try driver.claims(reading.values)
        } catch {
            // It depends on a value that was refused or is missing, and that is reported already.
            if reading.isValid {
                diagnostics.report(entry.keyPosition, "driver \(driver.name): \(error)")
            }
            return []
        }
        for claim in wanted {
            let position = reading.positions[claim.option] ?? entry.keyPosition
            if let first = claims[claim.name] {
                if first.sharedBy != nil, first.sharedBy == claim.sharedBy { continue }
                diagnostics.report(
                    position, "\(printable(claim.name)) is used by \(quoted(first.device)) already (line \(first.line))"
                )
            } else {
                claims[claim.name] = (entry.key, position.line, claim.sharedBy)
            }
        }
        return wanted
    }

    /// The entry of a table that a `driver:` or a `backend:` names.
    mutating func choice<Choice>(
        _ key: String, in entries: [YAMLNode.Entry], _ choices: [Choice], _ name: (Choice) -> String,
        of entry: YAMLNode.Entry
    ) -> Choice? {
        let known = choices.map(name)
        guard let node = entries[key] else {
            if let close = entries.first(where: { suggestion(for: $0.key, among: [key]) != nil }) {
                reportUnknown("key", close.key, of: quoted(entry.key), at: close.keyPosition, known: [key])
                return nil
            }
            diagnostics.report(entry.keyPosition, "'\(key)' of \(quoted(entry.key)) is missing; \(listing(known))")
            return nil
        }
        guard let text = node.text else {
            diagnostics.report(node.position, "expected the name of a \(key); found \(node.found)")
            return nil
        }
        guard let choice = choices.first(where: { name($0) == text }) else {
            reportUnknown(key, text, at: node.position, known: known)
            return nil
        }
        return choice
    }
}
