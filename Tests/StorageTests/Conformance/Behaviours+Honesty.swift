import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport

extension StorageBehaviour {
    static let honesty = [
        StorageBehaviour("A login page, a redirect to one or 511 is no success: the record is kept") { site, loop in
            let bench = try StorageBench(site, loop: loop)
            let backend = try bench.backend()
            let object = bench.document("1.json")
            for answer in [
                #""status":200,"headers":{"Content-Type":"text/html"},"body":"<html>Please log in</html>""#,
                #""status":302,"headers":{"Location":"http://portal.example/login"}"#, #""status":511"#,
            ] {
                for pattern in Set([site.upload, site.commit, ""]) {
                    try bench.fault(pattern, answer)
                    let error = try await expectFailure(backend, object)
                    try expect(error.kind != .permanent, "\(error)")
                    try expect(error.advice != nil, "\(error)")
                }
            }
            try expect(try bench.content(object) == nil, "it is there nevertheless")
            try await backend.store(object)
        },
        StorageBehaviour("An answer without what proves success is none") { site, loop in
            let bench = try StorageBench(site, loop: loop)
            let backend = try bench.backend()
            let object = bench.document("1.json")
            guard site.backend != "HTTP PUT" else { throw Unsupported(reason: "the status is all that PUT tells") }
            try bench.fault(site.upload, #""status":200,"headers":{"Content-Type":"text/plain"},"body":"welcome""#)
            let error = try await expectFailure(backend, object)
            try expect(error.kind != .permanent, "\(error)")
            try await backend.store(object)
            try expect(try bench.content(object) != nil, "it is not there")
        },
        StorageBehaviour("Wrong credentials keep the record, and are told without being shown") { site, loop in
            let bench = try StorageBench(site, loop: loop)
            let object = bench.document("1.json")
            guard site.server != Site.emulator else { throw Unsupported(reason: "it asks for no credentials") }
            let error = try await expectFailure(try bench.backend(rightLogin: false), object)
            guard case .temporary(let retryAfter) = error.kind else { throw NotShown(description: "\(error)") }
            try expect(retryAfter != nil, "\(error)")
            try expect(error.advice != nil, "\(error)")
            try expect(!error.description.contains(Site.wrongSecret), "\(error)")
            try expect(try bench.content(object) == nil, "it is there nevertheless")
        },
        StorageBehaviour("A server that is busy says how long to wait: in seconds or by its own clock") { site, loop in
            let bench = try StorageBench(site, loop: loop)
            let backend = try bench.backend()
            let object = bench.document("1.json")
            for (answer, pause) in [
                (#""status":503,"headers":{"Retry-After":"17"}"#, Duration.seconds(17)),
                (#""status":429,"headers":{"Retry-After":"3"}"#, .seconds(3)),
                (
                    #""status":503,"headers":{"Date":"Sun, 06 Nov 1994 08:49:07 GMT","#
                        + #""Retry-After":"Sun, 06 Nov 1994 08:49:37 GMT"}"#, .seconds(30)
                ),
            ] {
                try bench.fault(site.upload, answer)
                let error = try await expectFailure(backend, object)
                try expect(error.kind == .temporary(retryAfter: pause), "\(error)")
            }
            try await backend.store(object)
        },
        StorageBehaviour("A fault of the server keeps the record") { site, loop in
            let bench = try StorageBench(site, loop: loop)
            let backend = try bench.backend()
            let object = bench.document("1.json")
            // Its folder is made, if there are folders.
            try await backend.store(bench.document("first.json"))
            for status in [500, 502, 504] {
                for pattern in Set([site.upload, site.commit]) {
                    try bench.fault(pattern, #""status":\#(status),"body":"oops""#)
                    let error = try await expectFailure(backend, object)
                    try expect(error.kind == .temporary(retryAfter: nil), "\(error)")
                }
            }
            try await backend.store(object)
            try expect(try bench.content(object) != nil, "it is not there")
        },
        StorageBehaviour("What the server will never take is rejected for good, with its reason") { site, loop in
            let bench = try StorageBench(site, loop: loop)
            let backend = try bench.backend()
            let answer = #""status":413,"headers":{"Content-Type":"text/plain"},"body":"too much""#
            try bench.fault(site.upload, answer)
            let error = try await expectFailure(backend, bench.document("1.json"))
            try expect(error.kind == .permanent && error.message.contains("413"), "\(error)")
            try await backend.store(bench.document("2.json"))
        },
    ]
}
