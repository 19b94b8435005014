/// A camera that takes one picture at a time.
public protocol StillCamera: AnyObject, Sendable {
    /// Takes a picture and writes it to `path`, a file that does not exist yet. Returns its media type
    /// (`image/jpeg`), read from what was written.
    ///
    /// `caption` says what the picture is of, for cameras that can draw it. Throws `timedOut` when the
    /// picture is not there within the camera's deadline, and leaves nothing running.
    func takePicture(to path: String, caption: String) async throws -> String
}

/// How to take a picture with a program.
public struct StillCameraConfiguration: Sendable, Hashable {
    /// The program and its arguments. The program is started directly, not by a shell. In an argument stand
    /// - `{}` for the file to write,
    /// - `{width}` and `{height}` for ``size``,
    /// - `{rotation}` for ``rotation``.
    public var command: [String]
    /// How long it may take. After that it is killed, with the processes that it started.
    public var deadline: Duration
    /// `nil` is the camera's own. Opening throws `invalidArgument` if the command does not say where it goes.
    public var size: PictureSize?
    public var rotation: PictureRotation

    public init(
        command: [String], deadline: Duration, size: PictureSize? = nil, rotation: PictureRotation = .none
    ) {
        self.command = command
        self.deadline = deadline
        self.size = size
        self.rotation = rotation
    }
}

/// A picture's size in pixels.
public struct PictureSize: Sendable, Hashable, CustomStringConvertible {
    public let width: Int
    public let height: Int

    /// What a camera may have in each direction.
    public static let range = 16...16384

    /// `nil` out of ``range``.
    public init?(width: Int, height: Int) {
        guard Self.range.contains(width), Self.range.contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// `1280x720`
    public var description: String { "\(width)x\(height)" }
}

/// How a picture is turned, because the camera is mounted so.
public enum PictureRotation: Int, Sendable, Hashable, CaseIterable {
    case none = 0
    /// Upside down.
    case half = 180
}
