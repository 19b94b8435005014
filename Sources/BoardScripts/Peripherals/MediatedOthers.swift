import DeviceRuntime
import Peripherals

final class MediatedPWMOutput: PWMOutput {
    let name: String
    let backend: PWMBackend
    private let output: (any PWMOutput)?
    private let mediator: any Mediator
    private let opening = Opening()

    init(_ name: String, _ backend: PWMBackend, _ output: (any PWMOutput)?, _ mediator: any Mediator) {
        self.name = name
        self.backend = backend
        self.output = output
        self.mediator = mediator
    }

    func setPeriod(_ period: Duration) async throws {
        try await change("period \(ScriptText.text(period))") { try await $0.setPeriod(period) }
    }

    func setPulseWidth(_ width: Duration) async throws {
        try await change("pulse \(ScriptText.text(width))") { try await $0.setPulseWidth(width) }
    }

    func setPolarity(_ polarity: PWMPolarity) async throws {
        try await change("polarity \(polarity.rawValue)") { try await $0.setPolarity(polarity) }
    }

    func enable() async throws { try await change("enable") { try await $0.enable() } }

    func disable() async throws { try await change("disable") { try await $0.disable() } }

    func settings() async throws -> PWMSettings {
        try await mediator.perform(name, "settings", .settings) { try await behind(output, name).settings() }
    }

    func close() async { await opening.close(name, mediator) { await output?.close() } }

    private func change(_ request: String, _ body: (any PWMOutput) async throws -> Void) async throws {
        try await mediator.perform(name, request, .none) { try await body(behind(output, name)) }
    }
}

final class MediatedKernelSensor: KernelSensor {
    let name: KernelSensorName
    private let sensor: (any KernelSensor)?
    private let mediator: any Mediator
    private let opening = Opening()

    private var source: String { "\(name)" }

    init(_ name: KernelSensorName, _ sensor: (any KernelSensor)?, _ mediator: any Mediator) {
        self.name = name
        self.sensor = sensor
        self.mediator = mediator
    }

    func attributes() async throws -> [String] {
        try await mediator.perform(source, "attributes", .words) { try await behind(sensor, source).attributes() }
    }

    func read(_ attribute: String) async throws -> String {
        try await mediator.perform(source, "read \(attribute)", .quotedText) {
            try await behind(sensor, source).read(attribute)
        }
    }

    func close() { opening.closeNow(source, mediator) { sensor?.close() } }
}

final class MediatedCamera: StillCamera {
    private let source: String
    private let camera: (any StillCamera)?
    private let mediator: any Mediator

    init(_ source: String, _ camera: (any StillCamera)?, _ mediator: any Mediator) {
        self.source = source
        self.camera = camera
        self.mediator = mediator
    }

    func takePicture(to path: String, caption: String) async throws -> String {
        let picture = try await mediator.perform(source, "picture of \(ScriptText.quoted(caption))", .picture) {
            let mediaType = try await behind(camera, source).takePicture(to: path, caption: caption)
            return Picture(mediaType: mediaType, size: try Files.size(of: path) ?? 0)
        }
        // A script has no pictures: a file of that size stands in for it.
        if camera == nil { try Files.write(picture.standIn, to: path) }
        return picture.mediaType
    }
}

/// What is known of a picture.
struct Picture: Sendable {
    var mediaType: String
    var size: Int

    /// As many bytes, within reason.
    var standIn: [UInt8] { [UInt8](repeating: 0, count: min(max(size, 0), 1 << 24)) }
}

extension AnswerForm<Picture> {
    static var picture: AnswerForm {
        AnswerForm(text: { "\($0.mediaType) \($0.size) bytes" }) { text in
            let words = text.split(separator: " ")
            guard words.count == 3, words[2] == "bytes", let size = Int(words[1]) else { return nil }
            return Picture(mediaType: String(words[0]), size: size)
        }
    }
}
