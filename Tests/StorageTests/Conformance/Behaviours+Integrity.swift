import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport

extension StorageBehaviour {
    static let integrity = [
        StorageBehaviour("What is damaged or cut on its way is noticed, and does not keep the name") { site, loop in
            try site.require(.noticesDamage, else: "a plain PUT has no hash; TLS is what protects it")
            let bench = try StorageBench(site, loop: loop)
            let backend = try bench.backend()
            // What comes after is only the object.
            try await backend.store(bench.document("first.json"))
            for (number, fault) in [#""flip":150"#, #""cut":150"#].enumerated() {
                let document = bench.document("\(number).json", String(repeating: "{\"id\":1}", count: 50))
                try bench.fault(site.upload, fault)
                if let error = try await failure(backend, document) {
                    guard case .temporary = error.kind else { throw NotShown(description: "\(error)") }
                    try expect(try bench.content(document) == nil, "it is there")
                    try await backend.store(document)
                }
                try expect(try bench.content(document).map { .bytes($0) } == document.body, "it is another one")
            }
        },
        StorageBehaviour("A picture that is cut on its way is noticed, and does not keep the name") { site, loop in
            try site.require(.noticesDamage, else: "a plain PUT has no hash; TLS is what protects it")
            let bench = try StorageBench(site, loop: loop)
            let backend = try bench.backend()
            try await backend.store(bench.document("first.json"))
            let (picture, bytes) = try bench.picture("1.png", size: 300_000)
            try bench.fault(site.upload, #""cut":299000"#)
            if let error = try await failure(backend, picture) {
                guard case .temporary = error.kind else { throw NotShown(description: "\(error)") }
                try expect(try bench.content(picture) == nil, "it is there")
                try await backend.store(picture)
            }
            try expect(try bench.content(picture) == bytes, "it is another one")
        },
        StorageBehaviour("A board whose clock is years off stores nevertheless") { site, loop in
            try site.require(.checksTime, else: "no request depends on the time")
            let bench = try StorageBench(site, loop: loop)
            let backend = try bench.backend(wallClock: .starting(at: WallTime(sinceEpoch: .seconds(86400)), with: loop))
            try await backend.store(bench.document("1.json"))
            try await backend.store(bench.document("2.json"))
            try expect(try bench.content(bench.document("2.json")) != nil, "it is not there")
            // What was learnt once is not asked for again.
            let refused = try bench.fake.requests().filter { $0.hasSuffix(" 403") || $0.hasSuffix(" 400") }
            try expect(refused.count == 1, "\(refused)")
        },
    ]
}
