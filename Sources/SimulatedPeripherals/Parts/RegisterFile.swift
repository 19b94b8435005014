/// The registers of a simulated part and what they hold: what a side effect works with.
///
/// Numbers that no register has hold plain bytes if there are no registers at all; otherwise they read as zeros and
/// take nothing.
public struct RegisterFile: Sendable {
    /// Where a transfer is: a byte's place, which is its number or, where registers are numbered, four times that.
    typealias Place = Int

    /// Something that is to happen later.
    struct Delayed: Sendable {
        let delay: Duration
        let change: @Sendable (inout RegisterFile) -> Void
    }

    private let registers: [Register]
    private let numbering: RegisterNumbering
    private let placeCount: Int
    /// By place.
    private var bytes: [Place: UInt8] = [:]
    /// The register that a place belongs to.
    private var owners: [Place: Register] = [:]
    private var delayed: [Delayed] = []

    /// What the driver did that the part does not take, such as writing to a register that can only be read.
    public private(set) var mistakes: [String] = []

    init(_ registers: [Register], _ numbering: RegisterNumbering, numbers: Int) {
        self.registers = registers
        self.numbering = numbering
        placeCount = numbering == .bytes ? numbers : 4 * numbers
        for register in registers {
            for place in places(of: register) { owners[place] = register }
        }
        reset()
    }

    /// As after power-on.
    public mutating func reset() {
        bytes = [:]
        for register in registers { self[register] = register.reset }
    }

    /// What a register holds, from zero on, whatever the bus may do with it. Setting it has no side effects; what does
    /// not fit is cut off, so that a negative number becomes its two's complement.
    public subscript(register: Register) -> Int {
        get { register.value(of: places(of: register).map { bytes[$0] ?? 0 }) }
        set {
            for (place, byte) in zip(places(of: register), register.bytes(of: newValue)) { bytes[place] = byte }
        }
    }

    /// Lets something happen later, as a measurement that is finished.
    public mutating func after(_ delay: Duration, _ change: @escaping @Sendable (inout RegisterFile) -> Void) {
        delayed.append(Delayed(delay: delay, change: change))
    }

    mutating func takeDelayed() -> [Delayed] {
        defer { delayed = [] }
        return delayed
    }

    /// The byte of a number. Setting it has no side effects.
    subscript(number: Int) -> UInt8 {
        get { bytes[place(of: number)] ?? 0 }
        set { bytes[place(of: number)] = newValue }
    }

    // MARK: The bus

    func place(of number: Int) -> Place { (numbering == .bytes ? number : 4 * number) % placeCount }

    /// Where a transfer begins that gives no number.
    func start(of place: Place) -> Place { numbering == .bytes ? place : place / 4 * 4 }

    mutating func read(count: Int, at place: inout Place) -> [UInt8] {
        (0..<count).map { _ in
            defer { place = self.place(after: place) }
            guard let register = owners[place] else { return registers.isEmpty ? bytes[place] ?? 0 : 0 }
            if place == self.place(of: register.number) { register.onRead?(&self) }
            switch register.access {
            case .writeOnly: return 0
            case .readToClear: return bytes.updateValue(0, forKey: place) ?? 0
            case .readWrite, .readOnly, .writeOneToClear: return bytes[place] ?? 0
            }
        }
    }

    mutating func write(_ values: [UInt8], at place: inout Place) {
        var rest = values[...]
        while let byte = rest.first {
            guard let register = owners[place] else {
                rest.removeFirst()
                if registers.isEmpty { bytes[place] = byte } else { noteWrite(to: "no register", at: place) }
                place = self.place(after: place)
                continue
            }
            // As much of the register as is written at once: one write to it, and one effect.
            var sent = places(of: register).map { _ in UInt8(0) }
            let first = place - self.place(of: register.number)
            for offset in first..<register.width where !rest.isEmpty {
                sent[offset] = rest.removeFirst()
                store(sent[offset], at: place, of: register)
                place = self.place(after: place)
            }
            if register.access == .readOnly {
                noteWrite(to: "the read-only \(register.name)", at: self.place(of: register.number))
            } else {
                register.onWrite?(&self, register.value(of: sent))
            }
        }
    }

    private mutating func store(_ byte: UInt8, at place: Place, of register: Register) {
        switch register.access {
        case .readWrite, .writeOnly: bytes[place] = byte
        case .writeOneToClear: bytes[place, default: 0] &= ~byte
        case .readOnly, .readToClear: break
        }
    }

    private mutating func noteWrite(to what: String, at place: Place) {
        let number = numbering == .bytes ? place : place / 4
        mistakes.append("a write to \(what), at 0x\(String(number, radix: 16))")
    }

    private func places(of register: Register) -> [Place] {
        let first = place(of: register.number)
        return (0..<register.width).map { (first + $0) % placeCount }
    }

    private func place(after place: Place) -> Place {
        guard numbering == .registers else { return (place + 1) % placeCount }
        let offset = place % 4 + 1
        let width = owners[place]?.width ?? 4
        return offset < width ? place + 1 : place - place % 4
    }
}
