import DeviceRuntime
import Testing

@Suite("Virtual time")
struct VirtualTimeTests {
    @Test("A day of sleeping passes at once, in the order of the deadlines")
    func sleepJumps() async throws {
        let (order, end) = try await EventLoop.run(time: .virtual) { loop in
            let order = Protected<[Int]>([])
            await withTaskGroup(of: Void.self) { group in
                for hours in [24, 3, 12] {
                    group.addTask {
                        try? await loop.sleep(for: .seconds(hours * 3600))
                        order.withLock { $0.append(hours) }
                    }
                }
            }
            return (order.withLock { $0 }, loop.now)
        }
        #expect(order == [3, 12, 24])
        #expect(end == .seconds(24 * 3600))
    }

    @Test("A timer that waits while the loop wakes up 300,000 times is as small at the end as at the beginning")
    func longWait() async throws {
        // It would end in a crash otherwise: what it had grown by was let go of one within the other.
        let wakeUps = try await EventLoop.run(time: .virtual) { loop in
            let timer = loop.schedule(at: .seconds(3600)) {}
            for _ in 0..<300_000 { try await loop.sleep(for: .zero) }
            timer.cancel()
            return 300_000
        }
        #expect(wakeUps == 300_000)
    }

    @Test("Default actors, child tasks and resumed continuations all stay on the loop")
    func everythingIsOnTheLoop() async throws {
        actor Plain {
            func isOn(_ loop: EventLoop) -> Bool { loop.isCurrent }
        }
        let places = try await EventLoop.run(time: .virtual) { loop in
            var places = [loop.isCurrent]
            places.append(await Plain().isOn(loop))
            places.append(loop.isCurrent)
            async let child = loop.isCurrent
            places.append(await child)
            try await loop.sleep(for: .seconds(1))
            places.append(loop.isCurrent)
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            loop.schedule(after: .seconds(1)) { continuation.yield(1) }
            for await _ in stream { break }
            places.append(loop.isCurrent)
            return places
        }
        #expect(places == Array(repeating: true, count: 6))
    }

    @Test("An actor of the loop is entered from a timer's handler without a hop")
    func actorOfTheLoop() async throws {
        actor Counter {
            let loop: EventLoop
            var count = 0
            nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
            init(_ loop: EventLoop) { self.loop = loop }
        }
        let count = try await EventLoop.run(time: .virtual) { loop in
            let counter = Counter(loop)
            loop.schedule(after: .seconds(1)) { counter.assumeIsolated { $0.count += 1 } }
            try await loop.sleep(for: .seconds(2))
            return await counter.count
        }
        #expect(count == 1)
    }

    @Test("Waiting for what can no longer happen is cancelled, not waited for")
    func stall() async throws {
        await #expect(throws: CancellationError.self) {
            try await EventLoop.run(time: .virtual) { _ in try await Waiter().wait() }
        }
        await #expect(throws: EventLoopStalled.self) {
            try await EventLoop.run(time: .virtual) { _ in try await Waiter().value() }
        }
    }

    @Test("What retries for ever ends with the virtual time, not never")
    func retryingForEver() async throws {
        await #expect(throws: CancellationError.self) {
            try await EventLoop.run(time: .virtual) { loop in
                while true { try await loop.sleep(for: .seconds(86400)) }
            }
        }
    }

    @Test("Cancelling a sleep returns at once")
    func cancelledSleep() async throws {
        let now = try await EventLoop.run(time: .virtual) { loop in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await loop.sleep(for: .seconds(3600)) }
                loop.schedule(after: .seconds(1)) {}
                group.addTask { try? await loop.sleep(for: .seconds(1)) }
                await group.next()
                group.cancelAll()
            }
            return loop.now
        }
        #expect(now == .seconds(1))
    }
}
