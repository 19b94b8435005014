/// What one chip is meant to hold, and the writes that bring it there (Holtek datasheet V.1.10; page numbers are its).
struct HT16K33Registers: Sendable, Hashable {
    /// In the chip's two bits (page 11).
    enum Blink: UInt8, Sendable {
        case off = 0
        case twoHertz = 1
        case oneHertz = 2
        case halfHertz = 3
    }

    /// What the pin ROW15/INT is for (page 10), with its command.
    enum RowPin: UInt8, Sendable {
        case row = 0xA0
        case interruptActiveLow = 0xA1
        case interruptActiveHigh = 0xA3
    }

    /// The display RAM: bit k of byte 2n is ROWk at COMn, bit k of byte 2n + 1 is ROW(k + 8) (page 13).
    var ram = [UInt8](repeating: 0, count: Self.ramSize)
    /// From 1 to 16 sixteenths; 0 is dark, which the chip's own scale does not have.
    var brightness = 16
    var blink = Blink.off
    /// `nil` where no keys are read: the pin is left as it is, which after power-on is a row.
    var rowPin: RowPin?

    static let ramSize = 16

    /// The commands (page 30).
    enum Code {
        static let displayRAM: UInt8 = 0x00
        static let oscillatorOff: UInt8 = 0x20
        static let oscillatorOn: UInt8 = 0x21
        static let keyRAM: UInt8 = 0x40
        static let displaySetup: UInt8 = 0x80
        static let dimming: UInt8 = 0xE0
    }

    /// What was written to the chip. Its registers cannot be read, so this is all that is known of them.
    struct Written: Sendable, Hashable {
        fileprivate var ram: [UInt8]
        fileprivate var dimming: UInt8
        fileprivate var setup: UInt8
        fileprivate var rowPin: UInt8?
    }

    /// What is to be written after `old`. Dark, the duty is left as it is: only the display bit matters then.
    func written(after old: Written?) -> Written {
        let isOn = brightness > 0
        let duty = isOn ? Code.dimming | UInt8(min(brightness, 16) - 1) : old?.dimming ?? Code.dimming
        // Blinking and on/off share a byte: a rate without the display bit would switch the display off.
        return Written(
            ram: ram, dimming: duty, setup: Code.displaySetup | (isOn ? blink.rawValue << 1 | 1 : 0),
            rowPin: rowPin?.rawValue)
    }

    /// The writes that lead from what the chip holds to `new`: as few and as short as they get. A chip of which
    /// nothing is known gets everything, and its RAM, random after power-on, before the display is switched on.
    static func transactions(from old: Written?, to new: Written) -> [[UInt8]] {
        guard let old else {
            let pin = new.rowPin.map { [[$0]] } ?? []
            return [[Code.oscillatorOn]] + pin + [[Code.displayRAM] + new.ram, [new.dimming], [new.setup]]
        }
        var writes: [[UInt8]] = []
        let changed = new.ram.indices.filter { new.ram[$0] != old.ram[$0] }
        if let first = changed.first, let last = changed.last {
            // One burst, with the unchanged bytes between: a second one would cost an address, a command and a stop.
            writes.append([Code.displayRAM | UInt8(first)] + new.ram[first...last])
        }
        if new.dimming != old.dimming { writes.append([new.dimming]) }
        if new.setup != old.setup { writes.append([new.setup]) }
        return writes
    }

    /// Dark, and the oscillator stopped: what the chip draws then is microamperes (page 8, standby mode).
    static let standby: [[UInt8]] = [[Code.displaySetup], [Code.oscillatorOff]]
}
