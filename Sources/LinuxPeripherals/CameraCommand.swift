internal import DeviceRuntime
internal import Peripherals

/// A camera's program and its arguments, with what stands for something in its place.
struct CameraCommand {
    let arguments: [String]

    var program: String { arguments[0] }

    /// `values` are the placeholders, without their braces, and what they stand for. Throws `invalidArgument` for an empty
    /// command, and for one in which a placeholder of `needed` is missing.
    init(_ command: [String], _ values: [String: String], needed: [(name: String, what: String)]) throws {
        guard let program = command.first, !program.isEmpty else {
            throw PeripheralError(.invalidArgument, "the camera's command is empty")
        }
        for (name, what) in needed where !command.dropFirst().contains(where: { $0.contains("{\(name)}") }) {
            throw PeripheralError(
                .invalidArgument, "the camera's command does not say where \(what) goes",
                advice: "write {\(name)} where '\(program)' takes it")
        }
        arguments =
            [program]
            + command.dropFirst().map { argument in
                values.reduce(argument) { $0.replacing("{\($1.key)}", with: $1.value) }
            }
    }

    /// What a size and a rotation stand for, and what a command must have for them.
    static func values(
        _ size: PictureSize?, _ rotation: PictureRotation
    ) -> (values: [String: String], needed: [(name: String, what: String)]) {
        var values = ["rotation": "\(rotation.rawValue)"]
        var needed: [(name: String, what: String)] = []
        if let size {
            (values["width"], values["height"]) = ("\(size.width)", "\(size.height)")
            needed += [("width", "the picture's width"), ("height", "the picture's height")]
        }
        if rotation != .none { needed.append(("rotation", "the picture's rotation")) }
        return (values, needed)
    }

    /// Why the program could not be started.
    func startingError(_ error: SystemError) -> PeripheralError {
        switch PeripheralError.code(of: error.code) {
        case .notFound:
            PeripheralError(
                error, "there is no program '\(program)'",
                advice: "install it (rpicam-still and rpicam-vid are in the package rpicam-apps-lite, v4l2-ctl is in "
                    + "v4l-utils) or give its full path")
        case .permissionDenied:
            PeripheralError(error, "'\(program)' may not be run", advice: "check that it is executable")
        default: PeripheralError(error, "'\(program)' cannot be run")
        }
    }
}
