/// A camera that goes on taking pictures, for the moments before something happens.
public protocol FrameStream: AnyObject, Sendable {
    /// Waits for the next picture. Of those that nobody fetched, the newest few wait; the others are left out. One task at
    /// a time.
    ///
    /// Throws `timedOut` when none comes within the configuration's deadline and `io` when the stream ends. Nothing is
    /// left running then.
    func next() async throws -> CameraFrame

    /// Ends the stream, and returns when nothing of it is running any more. More than once is harmless; a call that
    /// waits throws `closed`, and so does any other afterwards.
    func close() async
}

/// One picture of a stream.
public struct CameraFrame: Sendable, Hashable {
    public var bytes: [UInt8]
    /// `image/jpeg`
    public var mediaType: String
    /// When it was complete, as time since boot.
    public var timestamp: Duration

    public init(bytes: [UInt8], mediaType: String, timestamp: Duration) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.timestamp = timestamp
    }
}

/// How to let a program go on taking pictures.
public struct FrameStreamConfiguration: Sendable, Hashable {
    /// The program and its arguments: it writes one JPEG picture after the other to its standard output. Placeholders are
    /// those of ``StillCameraConfiguration/command`` but for the file, and `{rate}` for ``picturesPerSecond``.
    public var command: [String]
    public var picturesPerSecond: Int
    /// How long it may take from one picture to the next. After that it is killed, with what it started.
    public var deadline: Duration
    /// `nil` is the camera's own.
    public var size: PictureSize?
    public var rotation: PictureRotation

    /// What no picture is larger than; one that is, is dropped.
    public static let largestPicture = 8 << 20

    public init(
        command: [String], picturesPerSecond: Int, deadline: Duration, size: PictureSize? = nil,
        rotation: PictureRotation = .none
    ) {
        self.command = command
        self.picturesPerSecond = picturesPerSecond
        self.deadline = deadline
        self.size = size
        self.rotation = rotation
    }
}

extension Board {
    /// A board without a camera that can go on taking pictures.
    public func makeFrameStream(
        _ configuration: FrameStreamConfiguration, consumer: String
    ) async throws -> any FrameStream {
        throw PeripheralError(.unsupported, "\(name) has no camera that goes on taking pictures")
    }
}
