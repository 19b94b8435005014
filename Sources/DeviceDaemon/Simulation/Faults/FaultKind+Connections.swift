import DeviceKit
import Peripherals
import SimulatedPeripherals

// What goes wrong with plugs, permissions and other processes.

extension FaultKind {
    static let unplug: FaultKind = {
        let part = Option("part", .target("a device with wires, such as sign, or a wire, such as GPIO17"), "which part")
        return FaultKind(
            "unplug", "a part loses contact and power; plugged in again, it has forgotten what it does not keep",
            .wires([.line, .pwmChannel, .i2cAddress, .spiTarget, .serialPort]),
            [part.description, Fault.duration.description]
        ) { site in
            let plugIn = try site.atEachWire { wire in
                let setConnected = try site.board.connection(of: wire)
                setConnected(false)
                return { setConnected(true) }
            }
            return {
                plugIn()
                for part in site.world.parts where !Set(part.wires).isDisjoint(with: site.wires) { part.part.powerOn() }
            }
        }
    }()

    static let remove: FaultKind = {
        let peripheral = Option("peripheral", .target("a line, a serial port, or the device on it"), "which one")
        return FaultKind(
            "remove", "the chip of a line or the adapter of a serial port is pulled out of the board",
            .wires([.line, .serialPort]), [peripheral.description, Fault.duration.description]
        ) { site in
            try site.atEachWire { wire in
                switch wire {
                case .line(let name):
                    let line = try site.board.line(name)
                    line.setUnplugged(true)
                    return { line.setUnplugged(false) }
                case .serialPort(let name):
                    let port = try site.board.serialPort(name)
                    port.unplug()
                    return { port.plugIn() }
                default: return {}
                }
            }
        }
    }()

    private static let openable: Target = .wires([.line, .pwmChannel, .i2cAddress, .spiTarget, .serialPort])
    private static let peripheral = Option(
        "peripheral", .target("a wire, such as GPIO17 or I2C1 0x70, or the device on it"), "which one")

    static let hold: FaultKind = {
        let process = Option("by", .text, default: "another process", "who")
        return FaultKind(
            "hold", "another process has it open; not while the device has", openable,
            [peripheral.description, process.description, Fault.duration.description]
        ) { site in
            let process = try site[process]
            return try site.atEachWire { wire in
                guard let ownership = try site.board.ownership(of: wire) else { return {} }
                do {
                    return try ownership.hold(by: process)
                } catch let error as PeripheralError {
                    throw FaultError("\(error.message); another process can have it only while the device has not")
                }
            }
        }
    }()

    static let deny = FaultKind(
        "deny", "the process may not open it. Of a PWM channel: for so long after each export, as udev needs", openable,
        [peripheral.description, Fault.duration.description]
    ) { site in
        let duration = try site[Fault.duration]
        return try site.atEachWire { wire in
            if case .pwmChannel(let name) = wire {
                let channel = try site.board.pwmChannel(name)
                channel.traits.permissionDelay = duration ?? .seconds(365 * 86400)
                return { channel.traits.permissionDelay = .zero }
            }
            guard let ownership = try site.board.ownership(of: wire) else { return {} }
            return ownership.deny()
        }
    }
}

extension SimulatedBoard {
    /// What connects a wire to what is outside, or takes it off.
    fileprivate func connection(of wire: Wire) throws -> @Sendable (Bool) -> Void {
        switch wire {
        case .line(let name):
            let line = try line(name)
            return { line.setConnected($0) }
        case .pwmChannel(let name):
            let channel = try pwmChannel(name)
            return { channel.setConnected($0) }
        case .i2cAddress(let bus, let address):
            let bus = try i2cBus(bus)
            return { bus.setPlugged($0, at: address) }
        case .spiTarget(let name):
            let target = try spiTarget(name)
            return { target.setConnected($0) }
        case .serialPort(let name):
            let port = try serialPort(name)
            return { port.setConnected($0) }
        case .i2cBus: return { _ in }
        }
    }

    /// Who has open what a wire belongs to.
    fileprivate func ownership(of wire: Wire) throws -> Ownership? {
        switch wire {
        case .line(let name): try line(name).ownership
        case .pwmChannel(let name): try pwmChannel(name).ownership
        case .i2cAddress(let bus, let address): try i2cBus(bus).ownership(of: address)
        case .spiTarget(let name): try spiTarget(name).ownership
        case .serialPort(let name): try serialPort(name).ownership
        case .i2cBus: nil
        }
    }
}
