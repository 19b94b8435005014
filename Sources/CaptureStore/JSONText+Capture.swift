internal import DeviceRuntime

extension JSONText {
    /// The fields of a capture; of two with one name, the later one.
    init(_ fields: [Capture.Field]) {
        self = .object(Dictionary(fields.map { ($0.name, JSONText($0.value)) }, uniquingKeysWith: { $1 }))
    }

    private init(_ value: CaptureValue) {
        switch value {
        case .flag(let flag): self = .flag(flag)
        case .integer(let integer): self = .integer(Int64(integer))
        case .number(let number): self = .number(number)
        case .text(let text): self = .text(text)
        }
    }
}
