import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport

extension StorageBehaviour {
    static let network = [
        StorageBehaviour("A server that never answers, or a byte a second, is given up at the deadline") { site, loop in
            let bench = try StorageBench(site, loop: loop)
            let backend = try bench.backend(StorageBench.impatient)
            let object = bench.document("1.json")
            for fault in [#""silent":true"#, #""drip":true"#] {
                try bench.fault(site.upload, fault)
                let error = try await expectFailure(backend, object)
                try expect(error.kind == .temporary(retryAfter: nil), "\(error)")
                try expect(error.message.contains("127.0.0.1"), "\(error)")
            }
        },
        StorageBehaviour("Cancelling an upload that hangs returns at once, and the next one works") { site, loop in
            let bench = try StorageBench(site, loop: loop)
            let backend = try bench.backend()
            var times: [Duration] = []
            for number in 0..<3 {
                let object = bench.document("\(number).json")
                try bench.fault(site.upload, #""silent":true"#)
                let outcome = Protected<(any Error)?>(nil)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        do {
                            try await backend.store(object)
                            throw NotShown(description: "it was stored")
                        } catch { outcome.withLock { $0 = error } }
                    }
                    while try bench.fake.silenced() <= number && outcome.withLock({ $0 == nil }) {
                        try await loop.sleep(for: .milliseconds(2))
                    }
                    let start = loop.now
                    group.cancelAll()
                    try await group.waitForAll()
                    times.append(loop.now - start)
                }
                try expect(
                    outcome.withLock { $0 is CancellationError }, "\(String(describing: outcome.withLock { $0 }))")
            }
            // libcurl looks up by itself after 200 ms, which must not be what ends it. The quickest of three is compared,
            // so that a busy machine does not matter.
            try expect(times.min() ?? .seconds(1) < .milliseconds(50), "\(times)")
            try await backend.store(bench.document("last.json"))
        },
        StorageBehaviour("A certificate of an unknown authority is refused, and taken with that authority's file") {
            site, loop in
            let authority = try Site.authority.get()
            let bench = try StorageBench(site, loop: loop, authority: authority)
            let object = bench.document("1.json")
            let error = try await expectFailure(try bench.backend(), object)
            try expect(error.kind == .temporary(retryAfter: nil) && error.message.contains("certificate"), "\(error)")
            try expect(error.advice?.contains("authority") == true, "\(error)")
            var connection = StorageBench.patient
            connection.authorities = authority.certificate
            try await bench.backend(connection).store(object)
            try expect(try bench.content(object) != nil, "it is not there")
        },
        StorageBehaviour("A server that wants a client certificate gets it; without one the record is kept") {
            site, loop in
            let authority = try Site.authority.get()
            let bench = try StorageBench(site, loop: loop, authority: authority, wantsClients: true)
            let object = bench.document("1.json")
            var connection = StorageBench.patient
            connection.authorities = authority.certificate
            let error = try await expectFailure(try bench.backend(connection), object)
            try expect(error.kind != .permanent, "\(error)")
            connection.clientCertificate = authority.clientCertificate
            connection.clientKey = authority.clientKey
            try await bench.backend(connection).store(object)
            try expect(try bench.content(object) != nil, "it is not there")
        },
    ]
}
