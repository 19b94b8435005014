import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport

extension StorageBehaviour {
    static let interruption = [
        StorageBehaviour("An upload that breaks off leaves nothing under the name, and goes through the next time") {
            site, loop in
            let bench = try StorageBench(site, loop: loop)
            let backend = try bench.backend()
            let (picture, bytes) = try bench.picture("1.png", size: 300_000)
            // Twice: a connection that was used before is replaced by libcurl itself.
            try bench.fault(site.upload, #""reset":100000"#, times: 2)
            var failures = 0
            while let error = try await failure(backend, picture) {
                failures += 1
                try expect(error.kind == .temporary(retryAfter: nil) && failures <= 2, "\(error)")
                try expect(try bench.content(picture) == nil, "a part of it is there")
            }
            try expect(failures > 0, "nothing broke off")
            try expect(try bench.content(picture) == bytes, "it is another one")
        },
        StorageBehaviour("A confirmation that is lost does not double or change the object") { site, loop in
            let bench = try StorageBench(site, loop: loop)
            let (picture, bytes) = try bench.picture("1.png", size: 300_000)
            for object in [bench.document("1.json"), picture] {
                for pattern in Set([site.upload, site.commit]) {
                    try bench.fault(pattern, #""close":true"#)
                    // Each time as after a restart.
                    if let error = try await failure(try bench.backend(), object) {
                        try expect(error.kind == .temporary(retryAfter: nil), "\(error)")
                    }
                    try await bench.backend().store(object)
                }
            }
            try expect(try bench.content(picture) == bytes, "it is another one")
            try expect(try bench.content(bench.document("1.json")) == Array("{\"id\":1}".utf8), "it is another one")
        },
        StorageBehaviour("A large upload that broke off goes on where it was, also after a restart") { site, loop in
            try site.require(.resumes, else: "the protocol cannot; it is sent again from its beginning")
            let bench = try StorageBench(site, loop: loop)
            // Four parts or chunks of 5 MiB.
            let (film, bytes) = try bench.picture("film.mp4", size: 16_000_000)
            let pattern = "^PUT .*(partNumber=|/session/|upload_id=)"
            try bench.fault(pattern, #""reset":100000"#, after: 2)
            let error = try await expectFailure(try bench.backend(), film)
            try expect(error.kind == .temporary(retryAfter: nil), "\(error)")
            try await bench.backend().store(film)
            try expect(try bench.content(film) == bytes, "it is another one")
            // Two parts, the one that broke off, a question perhaps, and the two that were missing.
            let requests = try bench.requests(pattern)
            try expect((5...6).contains(requests.count), "\(requests)")
        },
    ]
}
