import Peripherals

/// The programs that take pictures, for the cameras that boards have. `{}` and the like stand for what only the board
/// knows (see ``Peripherals/StillCameraConfiguration``).
enum CameraSource: String, Sendable, CaseIterable {
    /// libcamera's programs on Raspberry Pi OS, for cameras on the board's own connector.
    case libcamera
    /// v4l-utils' program, for USB cameras that give JPEG pictures.
    case v4l2

    /// One picture.
    func stillCommand(device: String, size: PictureSize?, rotation: PictureRotation) -> [String] {
        switch self {
        case .libcamera:
            ["rpicam-still", "--nopreview", "--immediate", "--output", "{}"] + Self.libcameraOptions(size, rotation)
        // The first pictures of a USB camera are dark: it has to find its exposure.
        case .v4l2:
            Self.v4l2Command(device, size, rotation) + ["--stream-skip=8", "--stream-count=1", "--stream-to={}"]
        }
    }

    /// One picture after the other.
    func streamCommand(device: String, size: PictureSize?, rotation: PictureRotation) -> [String] {
        switch self {
        case .libcamera:
            ["rpicam-vid", "--nopreview", "--timeout", "0", "--codec", "mjpeg", "--framerate", "{rate}", "--flush"]
                + ["--output", "-"] + Self.libcameraOptions(size, rotation)
        case .v4l2: Self.v4l2Command(device, size, rotation) + ["--set-parm={rate}", "--stream-to=-"]
        }
    }

    private static func libcameraOptions(_ size: PictureSize?, _ rotation: PictureRotation) -> [String] {
        (size == nil ? [] : ["--width", "{width}", "--height", "{height}"])
            + (rotation == .none ? [] : ["--rotation", "{rotation}"])
    }

    private static func v4l2Command(
        _ device: String, _ size: PictureSize?, _ rotation: PictureRotation
    ) -> [String] {
        let format = (size == nil ? "" : "width={width},height={height},") + "pixelformat=MJPG"
        return ["v4l2-ctl", "--device=\(device)", "--set-fmt-video=\(format)"]
            + (rotation == .none ? [] : ["--set-ctrl=rotate={rotation}"]) + ["--stream-mmap"]
    }
}
