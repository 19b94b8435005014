import DeviceRuntime
import Testing

@testable import CaptureStore

@Suite("Uploads: what goes next")
struct UploadStateMachineTests {
    @Test("One record answered 422 in a batch of 500: 499 arrive, one is a dead letter, within 14 requests")
    func poison() {
        for culprit in Array(stride(from: 1, to: 500, by: 17)) + [250, 251, 499, 500] {
            var rig = UploadRig(UploadRig.items(500), batchLimit: 500) { batch, _ in
                batch.items.contains { $0.sequence == culprit } ? UploadRig.rejection : nil
            }
            rig.run()
            #expect(rig.delivered.sorted() == (1...500).filter { $0 != culprit }.map { Int64($0) })
            #expect(rig.rejected == [Int64(culprit)])
            #expect(rig.notes[Int64(culprit)]?.error == "422")
            #expect(rig.cursor == 500)
            // Nine halvings, one more for the culprit alone, and the rest in halves.
            #expect(rig.requests.count <= 14, "culprit \(culprit): \(rig.requests.count)")
            #expect(rig.now == .zero, "a server that rejects works: there is no pause")
        }
    }

    @Test("Several bad ones are all found; that they cost many requests shrinks what goes at once")
    func poisons() {
        for (every, most) in [(100, 70), (10, 360), (1, 560)] {
            var rig = UploadRig(UploadRig.items(500), batchLimit: 500) { batch, _ in
                batch.items.contains { $0.sequence.isMultiple(of: Int64(every)) } ? UploadRig.rejection : nil
            }
            rig.run()
            #expect(rig.rejected == (1...500).filter { $0.isMultiple(of: every) }.map { Int64($0) })
            #expect(rig.delivered.count == 500 - rig.rejected.count)
            #expect(rig.requests.count <= most, "every \(every)th: \(rig.requests.count)")
        }
    }

    @Test("A server that takes no more than 60 at once gets them all, and is not asked for more again and again")
    func tooLarge() {
        var rig = UploadRig(UploadRig.items(5000), batchLimit: 500) { batch, _ in
            batch.items.count > 60 ? StorageError(.permanent, "413") : nil
        }
        rig.run()
        #expect(rig.delivered.count == 5000)
        #expect(Set(rig.delivered).count == 5000)
        #expect(rig.rejected == [])
        // 5000 / 31 = 162, and what it took to learn that.
        #expect(rig.requests.count <= 200, "\(rig.requests.count)")
    }

    @Test("A record with endless errors does not hold up those behind it, and is tried again at its own pace")
    func headOfLine() {
        var rig = UploadRig(UploadRig.items(100), batchLimit: 1) { batch, now in
            batch.items[0].sequence == 1 && now < .seconds(6 * 3600) ? UploadRig.unavailable : nil
        }
        rig.run(until: .seconds(60))
        #expect(rig.delivered.count == 99)
        #expect(rig.deferred == [1])
        #expect(rig.cursor == 100)
        rig.run(until: .seconds(6 * 3600))
        let tries = rig.requests.filter { $0.batch.items[0].sequence == 1 }
        #expect((8...25).contains(tries.count), "\(tries.count)")
        rig.run()
        #expect(rig.delivered.last == 1)
        #expect(rig.notes.isEmpty)
    }

    @Test("In a batch as well: the one that fails is found among 500, and the others arrive")
    func headOfLineInBatch() {
        var rig = UploadRig(UploadRig.items(2000), batchLimit: 500) { batch, _ in
            batch.items.contains { $0.sequence == 77 } ? UploadRig.unavailable : nil
        }
        rig.run(until: .seconds(60))
        #expect(rig.delivered.count == 1999)
        #expect(rig.deferred == [77])
    }

    @Test("An outage of a day costs few requests, blames nobody, and all arrive soon after it")
    func outage() {
        var rig = UploadRig(UploadRig.items(1000), batchLimit: 1) { _, now in
            now < .seconds(86400) ? UploadRig.unavailable : nil
        }
        rig.run(until: .seconds(86399))
        // One every 150 s on average.
        #expect((500...700).contains(rig.requests.count), "\(rig.requests.count)")
        #expect(rig.notes.isEmpty)
        #expect(rig.cursor == 0)
        rig.run()
        #expect(rig.now <= .seconds(86400 + 300))
        #expect(rig.delivered.count == 1000)
        #expect(rig.reports.count == 2)
    }

    @Test("A server that asks for patience gets it, whatever it is that fails")
    func retryAfter() {
        var rig = UploadRig(UploadRig.items(10), batchLimit: 5) { _, now in
            now < .seconds(100) ? StorageError(.temporary(retryAfter: .seconds(60)), "429") : nil
        }
        rig.run()
        #expect(rig.requests.prefix(2).map(\.time) == [.zero, .seconds(60.5)])
        #expect(rig.delivered.count == 10)
    }

    @Test("Documents go before files across the whole backlog, and a new event before a waiting picture")
    func smallFirst() {
        var rig = UploadRig(UploadRig.items(100, fileEvery: 2), batchLimit: 1, sendsFilesApart: true) { _, _ in nil }
        rig.run()
        let shares = rig.requests.map(\.batch.share)
        #expect(shares == Array(repeating: .document, count: 100) + Array(repeating: .file, count: 50))
        #expect(rig.deliveredFiles == (1...50).map { Int64($0 * 2) })
        #expect(rig.notes.isEmpty)
    }

    @Test("A file that fails while documents pass waits by itself; one that is rejected is a dead letter of its own")
    func files() {
        var rig = UploadRig(UploadRig.items(10, fileEvery: 2), batchLimit: 1, sendsFilesApart: true) { batch, _ in
            guard batch.share == .file else { return nil }
            return switch batch.items[0].sequence {
            case 2: UploadRig.unavailable
            case 4: UploadRig.rejection
            default: nil
            }
        }
        rig.run(until: .seconds(60))
        #expect(rig.deliveredFiles.sorted() == [6, 8, 10])
        #expect(
            rig.notes[2]
                == .init(
                    sequence: 2, content: .file, attempts: rig.notes[2]?.attempts ?? 0, error: "503", isRejected: false)
        )
        #expect(rig.notes[4] == .init(sequence: 4, content: .file, attempts: 1, error: "422", isRejected: true))
    }

    @Test("The rate holds over time, and a picture does not keep an event waiting")
    func rate() {
        var limits = UploadLimits()
        limits.rate = 1000
        var rig = UploadRig(
            UploadRig.items(40, fileEvery: 10, fileSize: 60_000), batchLimit: 1, sendsFilesApart: true, limits: limits
        ) { _, _ in nil }
        rig.run()
        let files = rig.requests.filter { $0.batch.share == .file }.map(\.time)
        #expect(files == [.seconds(20), .seconds(80), .seconds(140), .seconds(200)])
        rig.items.append(
            UploadItem(sequence: 41, size: 500, fileSize: nil, attempts: 0, isNoted: false, isDurable: true))
        rig.machine.recordsArrived()
        rig.run()
        #expect(rig.requests.last?.time == .seconds(200))
    }

    @Test("A window is kept to: by everything, or by files only", arguments: UploadLimits.Scope.allCases)
    func window(scope: UploadLimits.Scope) {
        var limits = UploadLimits()
        limits.windowScope = scope
        var rig = UploadRig(
            UploadRig.items(2, fileEvery: 2), batchLimit: 1, sendsFilesApart: true, limits: limits
        ) { _, _ in nil }
        rig.windowWait = { now in max(.zero, .seconds(3600) - now) }
        rig.run()
        let documents: Duration = scope == .everything ? .seconds(3600) : .zero
        #expect(rig.requests.map(\.time) == [documents, documents, .seconds(3600)])
    }

    @Test("What was noted in an earlier run comes first, each with its place")
    func notes() {
        var rig = UploadRig(UploadRig.items(20), batchLimit: 1) { batch, now in
            batch.items[0].sequence <= 3 && now < .seconds(60) ? UploadRig.unavailable : nil
        }
        rig.run(until: .seconds(50))
        #expect(rig.deferred == [1, 2, 3])
        rig.machine = UploadStateMachine(
            backend: "test", batchLimit: 1, sendsFilesApart: false, random: FixedGenerator.half)
        rig.now = .seconds(70)
        rig.run()
        #expect(rig.delivered.suffix(3) == [1, 2, 3])
        #expect(rig.notes.isEmpty)
    }

    @Test("Nobody has to wait who does not want to")
    func hurry() {
        var rig = UploadRig(UploadRig.items(3), batchLimit: 1) { _, now in
            now < .seconds(3600) ? UploadRig.unavailable : nil
        }
        rig.run(until: .seconds(3600))
        rig.machine.hurry()
        rig.run(until: .seconds(3600))
        #expect(rig.delivered.count == 3)
    }

    @Test(
        "Whatever the backend answers, each record is delivered or a dead letter in the end, and the cursor never lies")
    func random() {
        for seed in 1...200 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let limit = Int.random(in: 1...20, using: &generator)
            let apart = Bool.random(using: &generator)
            var limits = UploadLimits()
            limits.parallel = Int.random(in: 1...3, using: &generator)
            let source = Protected(generator)
            var rig = UploadRig(
                UploadRig.items(100, fileEvery: 3), batchLimit: limit, sendsFilesApart: apart, limits: limits,
                random: SeededGenerator(seed: seed)
            ) { batch, now in
                if batch.items.contains(where: { $0.sequence.isMultiple(of: 31) }) { return UploadRig.rejection }
                guard now < .seconds(3600) else { return nil }
                let dice = source.withLock { Int.random(in: 0..<10, using: &$0) }
                return switch dice {
                case 0...3: UploadRig.unavailable
                case 4: StorageError(.temporary(retryAfter: .seconds(5)), "429")
                default: nil
                }
            }
            rig.run()
            #expect(rig.rejected == [31, 62, 93])
            #expect(Set(rig.delivered) == Set((1...100).map { Int64($0) }).subtracting([31, 62, 93]))
            #expect(rig.notes.count == 3)
            #expect(rig.cursor == 100)
            if apart { #expect(Set(rig.deliveredFiles) == Set((1...33).map { Int64($0 * 3) }).subtracting([93])) }
        }
    }

    @Test("200 clients behind one restarted server spread their reconnects")
    func fleet() {
        // All see it fail within a second; it is back after ten minutes.
        var arrivals: [Int] = []
        for client in 0..<200 {
            var generator = SeededGenerator(seed: UInt64(client))
            let start = Duration.milliseconds(Int.random(in: 0..<1000, using: &generator))
            var rig = UploadRig(UploadRig.items(1), batchLimit: 1, random: SeededGenerator(seed: UInt64(client) + 1000))
            { _, now in
                now < .seconds(600) ? UploadRig.unavailable : nil
            }
            rig.now = start
            rig.run()
            arrivals.append(Int(rig.now.components.seconds) - 600)
        }
        let perSecond = Dictionary(grouping: arrivals, by: { $0 }).mapValues(\.count)
        #expect(arrivals.allSatisfy { $0 <= 300 })
        // Evenly, that would be 0.7 a second.
        #expect(perSecond.values.max() ?? 0 <= 6)
        #expect(arrivals.filter { $0 < 60 }.count < 100)
    }
}

@Suite("Daily windows")
struct DailyWindowTests {
    @Test(
        "What is not a window is none",
        arguments: [
            "", "22:00", "22:00-", "22:00-22:00", "24:00-06:00", "22:60-06:00", "2:00-6:00", "22:00-06:00-07:00",
            "٢٢:00-06:00",
        ])
    func wrong(text: String) { #expect(DailyWindow(text) == nil) }

    @Test(
        "The wait ends when the window opens",
        arguments: [
            ("22:00-06:00", 23, 0), ("22:00-06:00", 5, 0), ("22:00-06:00", 6, 16), ("22:00-06:00", 12, 10),
            ("09:00-17:00", 9, 0), ("09:00-17:00", 17, 16), ("09:00-17:00", 8, 1),
        ])
    func wait(text: String, hour: Int, hours: Int) throws {
        let window = try #require(DailyWindow(text))
        #expect(window.wait(at: hour * 3600) == .seconds(hours * 3600))
    }
}
