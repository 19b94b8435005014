import Peripherals
import Testing

@testable import CameraDriver

@Suite("The camera's programs")
struct CameraSourceTests {
    @Test(
        "A size and a rotation are in the command where they are wanted, and only there",
        arguments: CameraSource.allCases)
    func placeholders(source: CameraSource) {
        let size = PictureSize(width: 1280, height: 720)
        for (size, rotation) in [(nil, .none), (size, .none), (nil, .half), (size, .half)]
            as [(PictureSize?, PictureRotation)]
        {
            for command in [
                source.stillCommand(device: "/dev/video0", size: size, rotation: rotation),
                source.streamCommand(device: "/dev/video0", size: size, rotation: rotation),
            ] {
                let text = command.joined(separator: " ")
                #expect(text.contains("{width}") == (size != nil))
                #expect(text.contains("{height}") == (size != nil))
                #expect(text.contains("{rotation}") == (rotation == .half))
            }
        }
    }

    @Test("Exactly these programs are run")
    func commands() {
        let libcamera = CameraSource.libcamera
        #expect(
            libcamera.stillCommand(device: "", size: nil, rotation: .none)
                == ["rpicam-still", "--nopreview", "--immediate", "--output", "{}"])
        #expect(
            CameraSource.v4l2.stillCommand(
                device: "/dev/video2", size: PictureSize(width: 640, height: 480), rotation: .none
            ).joined(separator: " ")
                == "v4l2-ctl --device=/dev/video2 --set-fmt-video=width={width},height={height},pixelformat=MJPG "
                + "--stream-mmap --stream-skip=8 --stream-count=1 --stream-to={}")
        #expect(libcamera.streamCommand(device: "", size: nil, rotation: .none).contains("{rate}"))
    }

    static func frame(_ second: Int, bytes: Int) -> CameraFrame {
        CameraFrame(bytes: [UInt8](repeating: 0, count: bytes), mediaType: "image/jpeg", timestamp: .seconds(second))
    }

    @Test(
        "The newest pictures are kept: so many, and no more bytes than there may be",
        arguments: [
            (3, 1000, [10, 10, 10, 10], [1, 2, 3]), (3, 25, [10, 10, 10, 10], [2, 3]), (3, 1000, [10], [0]),
            (3, 100, [10, 101, 10], [2]), (3, 100, [10, 101], []), (1, 1000, [10, 10], [1]),
        ])
    func ring(count: Int, limit: Int, sizes: [Int], kept: [Int]) {
        var ring = FrameRing(count: count, byteLimit: limit)
        for (second, size) in sizes.enumerated() { ring.add(Self.frame(second, bytes: size)) }
        #expect(ring.frames.map(\.timestamp) == kept.map { .seconds($0) })
    }
}
