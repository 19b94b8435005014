internal import CMicroHTTPD
internal import DeviceRuntime

/// An answer that goes on: what is written is sent as soon as the other side takes it.
///
/// A reader that is slow does not make it grow: what does not fit is left out, and counted. On the loop only.
public final class WebStream: @unchecked Sendable {
    public let headers: [(name: String, value: String)]
    private let capacity: Int
    private var waiting: [UInt8] = []
    private var isOver = false
    private let gone = Waiter()
    /// Set while libmicrohttpd waits to be told that there is more.
    private var resume: (() -> Void)?
    /// Suspends the connection.
    var suspend: (() -> (() -> Void))?
    /// How many writes were left out.
    public private(set) var missed = 0

    /// `capacity` is what may wait for the other side, in bytes.
    public init(headers: [(name: String, value: String)], capacity: Int = 64 * 1024) {
        self.headers = headers
        self.capacity = capacity
    }

    /// Returns whether it fitted.
    @discardableResult
    public func write(_ text: String) -> Bool {
        guard !isOver, waiting.count + text.utf8.count <= capacity else {
            missed += 1
            return false
        }
        waiting += Array(text.utf8)
        wake()
        return true
    }

    /// Nothing follows.
    public func end() {
        isOver = true
        wake()
    }

    /// Waits until the other side has gone.
    public func waitUntilGone() async throws { try await gone.wait() }

    private func wake() {
        let resume = resume
        self.resume = nil
        resume?()
    }

    /// Fills `buffer` with what waits; suspends the connection where nothing does. `nil` at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        if waiting.isEmpty {
            if isOver { return nil }
            resume = suspend?()
            return 0
        }
        let count = min(waiting.count, buffer.count)
        buffer.copyBytes(from: waiting[..<count])
        waiting.removeFirst(count)
        return count
    }

    func close() {
        isOver = true
        resume = nil
        suspend = nil
        gone.finish()
    }

    /// A response of libmicrohttpd that reads from here; `nil` when the system is out of memory.
    func makeResponse() -> OpaquePointer? {
        MHD_create_response_from_callback(
            UInt64.max, 4096,
            { context, _, buffer, count in
                guard let context, let buffer else { return -1 }
                let stream = Unmanaged<WebStream>.fromOpaque(context).takeUnretainedValue()
                // MHD_CONTENT_READER_END_OF_STREAM
                return stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count)) ?? -1
            }, Unmanaged.passRetained(self).toOpaque(),
            { context in
                if let context { Unmanaged<WebStream>.fromOpaque(context).takeRetainedValue().close() }
            })
    }
}
