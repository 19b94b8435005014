internal import DeviceRuntime
internal import Glibc

/// Reads what a program says and keeps the end of it.
///
/// Unchecked: used on the loop's thread only.
final class MessageTail: @unchecked Sendable {
    /// Enough for the last line of any sensible program.
    private static let capacity = 2048

    private let pipe: FileDescriptor
    private var bytes: [UInt8] = []
    private var watch: DescriptorWatch?

    /// Takes over the reading end, which does not block.
    init(_ pipe: FileDescriptor, loop: EventLoop) throws {
        self.pipe = pipe
        watch = try loop.watch(try pipe.open()) { [weak self] _ in _ = self?.read() }
    }

    /// Takes a part of what has come in; false when there is nothing more.
    private func read() -> Bool {
        guard let number = pipe.number else { return false }
        var buffer = [UInt8](repeating: 0, count: Self.capacity)
        let count = (try? systemCall("read messages") { Glibc.read(number, &buffer, buffer.count) }) ?? -1
        if count > 0 {
            bytes = Array((bytes + buffer.prefix(count)).suffix(Self.capacity))
        } else if count == 0 {
            watch?.cancel()
        }
        return count > 0
    }

    /// Closes the pipe and returns the last line with anything on it.
    @discardableResult
    func close() -> String? {
        // No more than a pipe holds (64 KiB): a process that left the group may still write to it.
        var parts = 32
        while parts > 0, read() { parts -= 1 }
        watch?.cancel()
        pipe.close()
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }.map(String.init)
    }
}
