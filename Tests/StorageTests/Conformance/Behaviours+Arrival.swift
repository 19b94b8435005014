import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport

extension StorageBehaviour {
    static let arrival = [
        StorageBehaviour("A document and a picture arrive byte for byte, whatever their names; again changes nothing") {
            site, loop in
            let bench = try StorageBench(site, loop: loop)
            let backend = try bench.backend()
            let (picture, bytes) = try bench.picture("1dea/00000001-bell.pressed.png", size: 300_000)
            let documents = [
                bench.document("1dea/00000001-bell.pressed.json"),
                bench.document("1dea/odd name&+=é~.json", "odd"),
                bench.document("empty.json", ""),
            ]
            for _ in 0..<2 {
                for object in documents + [picture] { try await backend.store(object) }
            }
            for document in documents {
                let content = try bench.content(document)
                try expect(content.map { .bytes($0) } == document.body, "\(document.name) is \(content ?? [])")
            }
            try expect(try bench.content(picture) == bytes, "the picture is another one")
        },
        StorageBehaviour("A large file arrives byte for byte") { site, loop in
            let bench = try StorageBench(site, loop: loop)
            let (film, bytes) = try bench.picture("film.mp4", size: min(11_500_001, site.largest))
            let backend = try bench.backend()
            for _ in 0..<2 { try await backend.store(film) }
            try expect(try bench.content(film) == bytes, "it is another one")
        },
        StorageBehaviour("A name that is taken by another content is refused for good, and kept as it is") {
            site, loop in
            try site.require(.keepsTakenNames, else: "a plain PUT replaces; names are never given twice")
            let bench = try StorageBench(site, loop: loop)
            let backend = try bench.backend()
            try await backend.store(bench.document("1.json", "{\"first\":1}"))
            let error = try await expectFailure(backend, bench.document("1.json", "{\"other\":2}"))
            try expect(error.kind == .permanent, "\(error)")
            try expect(error.message.contains("already there with another content"), "\(error)")
            let content = try bench.content(bench.document("1.json"))
            try expect(content == Array("{\"first\":1}".utf8), "the first one is gone")
        },
        StorageBehaviour("A server that comes back gets what it missed") { site, loop in
            let bench = try StorageBench(site, loop: loop)
            let backend = try bench.backend()
            try bench.fault("", #""reset":0"#, times: 1)
            let object = bench.document("1.json")
            let error = try await expectFailure(backend, object)
            try expect(error.kind == .temporary(retryAfter: nil), "\(error)")
            try await backend.store(object)
            try expect(try bench.content(object) != nil, "it is not there")
        },
    ]
}
