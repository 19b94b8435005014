internal import DeviceKit

/// What a rule can name of a device.
enum DeviceMember: String {
    case event
    case state
    case command

    /// Completes "expected …".
    var expectation: String {
        switch self {
        case .event: "an event as device.event, such as bell.pressed"
        case .state: "a state as device.state, such as arm.moving"
        case .command: "a command as device.command, such as sign.show"
        }
    }

    func names(of driver: Driver) -> [String] {
        switch self {
        case .event: driver.events.map(\.name)
        case .state: driver.states.map(\.name)
        case .command: driver.commands.map(\.name)
        }
    }

    /// What must be set for it ever to be told or to hold.
    func need(of name: String, _ driver: Driver) -> Need? {
        switch self {
        case .event: driver.events.first { $0.name == name }?.need
        case .state: driver.states.first { $0.name == name }?.need
        case .command: nil
        }
    }
}

extension ConfigurationReader {
    /// Reads `bell.pressed`; `nil` and a report unless the device has such a thing.
    ///
    /// Of a device whose driver is not known everything is taken for right: that error is reported at the device.
    mutating func reference(
        _ text: String, _ kind: DeviceMember, at position: SourcePosition
    ) -> (device: String, name: String)? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            diagnostics.report(position, "expected \(kind.expectation); found \(quoted(text))")
            return nil
        }
        let (device, name) = (parts[0], parts[1])
        guard hasReadableDevices, !unknownDevices.contains(device) else { return (device, name) }
        guard let driver = driversByDevice[device] else {
            reportUnknown("device", device, at: position, known: deviceNames)
            return nil
        }
        let known = kind.names(of: driver)
        guard known.contains(name) else {
            reportUnknown(kind.rawValue, name, of: printable(device), at: position, known: known)
            return nil
        }
        if let need = kind.need(of: name, driver), let options = optionsByDevice[device],
            (try? need.isMet(options)) == false
        {
            diagnostics.report(
                position, "\(printable(device)) never tells '\(name)' as it is set: it needs \(need.text)")
        }
        return (device, name)
    }
}
