import Peripherals

/// The last pictures of a stream: so many, and not more bytes than a small board can spare.
struct FrameRing {
    let count: Int
    let byteLimit: Int
    private(set) var frames: [CameraFrame] = []
    private var byteCount = 0

    init(count: Int, byteLimit: Int) {
        self.count = count
        self.byteLimit = byteLimit
    }

    mutating func add(_ frame: CameraFrame) {
        frames.append(frame)
        byteCount += frame.bytes.count
        while let first = frames.first, frames.count > count || byteCount > byteLimit {
            byteCount -= first.bytes.count
            frames.removeFirst()
        }
    }
}
