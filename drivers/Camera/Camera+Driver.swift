public import DeviceKit
import Peripherals

extension Camera {
    static let source = Option(
        "source", .choice(["libcamera": CameraSource.libcamera, "v4l2": .v4l2]), default: "libcamera",
        "the programs that take the pictures: Raspberry Pi OS's, or v4l2-ctl for a USB camera")
    static let device = Option("device", .text, default: "/dev/video0", "with v4l2: which camera")
    static let size = Option(
        "size", .optional(.pictureSize, or: "full"), default: "full", "the pictures' size; `full` is the camera's own")
    static let rotate = Option(
        "rotate", .choice(["0deg": PictureRotation.none, "180deg": .half]), default: "0deg",
        "180deg if the camera hangs upside down")
    static let deadline = Option(
        "deadline", .duration(.milliseconds(100)...(.seconds(300))), default: "10s",
        "how long a picture may take; then the program is killed")
    static let command = Option(
        "command", .optional(.command, or: "by-source"), default: "by-source",
        "a program of your own that takes a picture; {} stands for the file to write, {width}, {height} and {rotation} for the size and the rotation"
    )
    static let before = Option(
        "before", .integer(0...30), default: "0", "how many pictures of the moments before are kept, and stored too")
    static let rate = Option("rate", .integer(1...30), default: "2", "with `before`: how many pictures a second")
    static let streamCommand = Option(
        "stream-command", .optional(.command, or: "by-source"), default: "by-source",
        "with `before`: a program of your own that writes one JPEG after the other to its output; {rate} stands for the rate"
    )

    private static let cause = FieldDescription("cause", .text, "the event that led to it, or the camera's own name")
    private static let seconds = FieldDescription("seconds", .number, unit: .seconds, "how long before `captured`")

    public static let driver = Driver(
        name: "camera",
        summary: "a still camera, by a program that writes a picture",
        options: [
            source.description, device.description, size.description, rotate.description, deadline.description,
            before.description, rate.description, command.description, streamCommand.description,
        ],
        events: [
            EventDescription(
                "captured", "a picture was taken; it belongs to the event", fields: [cause], hasPicture: true),
            EventDescription(
                "captured-before", "a picture of a moment before; it belongs to the event", fields: [cause, seconds],
                hasPicture: true,
                needs: Need(before, "of 1 or more") { $0 > 0 }),
            EventDescription(
                "failed", "there is no picture",
                fields: [cause, seconds, FieldDescription("reason", .text, "why, and what to do")]),
        ],
        states: [StateDescription("capturing", "a picture is being taken")],
        commands: [CommandDescription("capture", "takes a picture")],
        claims: { _ in [] },
        makeDevice: { try Camera($0, $1) })
}
