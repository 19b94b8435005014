import Peripherals
import Testing

@testable import LinuxPeripherals

@Suite("The kernel's marks in what a serial port delivers")
struct SerialMarksTests {
    @Test(
        "Each mark is read, wherever a read cuts it",
        arguments: [
            ([1, 2], [SerialInput.bytes([1, 2])]), ([0xFF, 0xFF], [.bytes([0xFF])]),
            ([0xFF, 0, 0], [.lineBreak]), ([0xFF, 0, 0x41], [.damagedByte(0x41)]),
            ([0xFF, 0, 0xFF], [.damagedByte(0xFF)]),
            (
                [1, 0xFF, 0xFF, 2, 0xFF, 0, 0, 3, 0xFF, 0, 4, 0xFF, 0xFF],
                [.bytes([1, 0xFF, 2]), .lineBreak, .bytes([3]), .damagedByte(4), .bytes([0xFF])]
            ), ([], []),
        ] as [([UInt8], [SerialInput])])
    func marks(raw: [UInt8], expected: [SerialInput]) {
        for cut in 0...raw.count {
            var marks = SerialMarks()
            let inputs = marks.decode(raw[..<cut]) + marks.decode(raw[cut...])
            #expect(joined(inputs) == expected, "cut after \(cut)")
        }
    }

    /// Bytes that two reads delivered, as one.
    private func joined(_ inputs: [SerialInput]) -> [SerialInput] {
        inputs.reduce(into: []) { result, input in
            if case .bytes(let earlier) = result.last, case .bytes(let more) = input {
                result[result.count - 1] = .bytes(earlier + more)
            } else {
                result.append(input)
            }
        }
    }
}
