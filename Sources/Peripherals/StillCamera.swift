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
    /// The program and its arguments; `{}` stands for the file to write. The program is started directly,
    /// not by a shell.
    public var command: [String]
    /// How long it may take. After that it is killed, with the processes that it started.
    public var deadline: Duration

    public init(command: [String], deadline: Duration) {
        self.command = command
        self.deadline = deadline
    }
}
