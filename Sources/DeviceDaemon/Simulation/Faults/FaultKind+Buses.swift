import DeviceKit
import DeviceRuntime
import Peripherals
import SimulatedPeripherals

// What goes wrong on I2C and SPI.

extension FaultKind {
    static let nack: FaultKind = {
        let part = Option(
            "part", .target("a part on I2C, such as sign, or an address, such as I2C1 0x70"), "which part")
        let byte = Option(
            "byte", .choice(["address": I2CFault.Effect.addressNotAcknowledged, "data": .byteNotAcknowledged]),
            default: "address", "what is not acknowledged: its address, or the first byte that it is sent")
        return FaultKind(
            "nack", "an I2C part does not acknowledge", .wires([.i2cAddress]),
            [part.description, byte.description, direction.description] + OccasionOptions.descriptions
        ) { site in try site.injectI2C(try site[byte]) }
    }()

    static let flipBits: FaultKind = {
        let part = Option("part", .target("a part on I2C or SPI, such as sign"), "which part")
        let mask = Option("mask", .bits, default: "0x01", "the bits that are inverted")
        let byte = Option("byte", .integer(0...4095), default: "0", "in which byte of the data, from 0 on")
        return FaultKind(
            "flip-bits", "bits are inverted in what is read, or in what is only written; a check byte would tell",
            .wires([.i2cAddress, .spiTarget]),
            [part.description, mask.description, byte.description, direction.description]
                + OccasionOptions.descriptions
        ) { site in
            let (mask, byte) = (try site[mask], try site[byte])
            return try site.atEachWire { wire in
                guard case .spiTarget(let name) = wire else {
                    return try site.injectI2C(.flippedBits(mask: mask, byte: byte))
                }
                let occasions = try OccasionOptions.read(site.values)
                return try site.board.spiTarget(name).inject(SPIFault(flipping: mask, inByte: byte, occasions))
            }
        }
    }()

    static let stretchClock: FaultKind = {
        let part = Option("part", .target("a part on I2C, such as sign"), "which part")
        let time = Option(
            "by", .duration(.microseconds(1)...(.seconds(60))), default: "30ms",
            "how long in each transfer; more than the bus's timeout, 1s, ends it")
        return FaultKind(
            "stretch-clock", "an I2C part holds the clock", .wires([.i2cAddress]),
            [part.description, time.description, direction.description] + OccasionOptions.descriptions
        ) { site in try site.injectI2C(.stretchedClock(try site[time])) }
    }()

    static let interrupt: FaultKind = {
        let part = Option("part", .target("a part on I2C, such as sign"), "in calls to which part")
        return FaultKind(
            "interrupt", "a signal interrupts the system call (EINTR), which is made again", .wires([.i2cAddress]),
            [part.description, direction.description] + OccasionOptions.descriptions
        ) { site in try site.injectI2C(.interruption) }
    }()

    static let holdBus: FaultKind = {
        let bus = Option("bus", .target("an I2C bus, such as I2C1, or a part on it"), "which bus")
        return FaultKind(
            "hold-bus", "something holds a line of an I2C bus low: transfers wait, for the bus's timeout (1s) at most",
            .wires([.i2cBus]), [bus.description, Fault.duration.description]
        ) { site in
            let end = try site[Fault.duration].map { site.board.loop.now + $0 }
            return try site.atEachWire { wire in
                guard case .i2cBus(let name) = wire else { return {} }
                let bus = try site.board.i2cBus(name)
                bus.setConditions { $0.heldUntil = end ?? .seconds(Int64.max / 2) }
                return { bus.setConditions { $0.heldUntil = .zero } }
            }
        }
    }()

    private static let direction = Option(
        "of", .choice(Dictionary(uniqueKeysWithValues: I2CFault.Direction.allCases.map { ($0.rawValue, $0) })),
        default: "transfers", "which transfers count: those that read, those that only write, or all")

    fileprivate static func readDirection(_ values: OptionValues) throws -> I2CFault.Direction {
        try values[direction]
    }
}

extension FaultSite {
    fileprivate func injectI2C(_ effect: I2CFault.Effect) throws -> EndOfFault {
        let fault = I2CFault(
            effect, of: try FaultKind.readDirection(values), try OccasionOptions.read(values))
        return try atEachWire { wire in
            guard case .i2cAddress(let bus, let address) = wire else { return {} }
            return try board.i2cBus(bus).inject(fault, at: address)
        }
    }
}
