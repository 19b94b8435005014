import CaptureStore
import DeviceRuntime
import TestSupport
import Testing

@testable import StorageBackends

@Suite("File writer")
struct FileWriterTests {
    @Test("A copy that is cancelled ends and leaves nothing")
    func cancelled() throws {
        let directory = try TemporaryDirectory()
        try write([1, 2, 3], to: "\(directory.path)/source")
        let cancellation = Cancellation()
        cancellation.cancel()
        let writer = FileWriter(
            root: "\(directory.path)/root", conditions: DirectoryConditions(), cancellation: cancellation)
        let object = StoredObject(
            name: "1.png", mediaType: "image/png", body: .file(path: "\(directory.path)/source", size: 3))
        #expect(throws: CancellationError.self) { try writer.store(object) }
        #expect(try directory.tree() == ["source"])
    }
}
