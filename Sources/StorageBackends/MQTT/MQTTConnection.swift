internal import CaptureStore
internal import DeviceRuntime

/// Keeps a connection to a broker, sends messages over it and says what came of each.
///
/// A service: it connects as soon as it runs, and again after a pause when the connection is lost. Who wants to send
/// meanwhile has it tried at once, so there is one pause between tries and not two.
///
/// libmosquitto is called on a thread of its own, since finding a host and agreeing on TLS take long; what waits for
/// the socket is the loop. So neither stalls the other, and nothing polls.
actor MQTTConnection {
    /// What the broker keeps while the board is there, and while it is not: the last will.
    struct Presence: Sendable {
        let here: MQTTMessage
        let gone: MQTTMessage
    }

    private let settings: MQTTSettings
    private let presence: Presence
    private let companion: (any MQTTCompanion)?
    private let loop: EventLoop
    private let thread: BlockingThread
    private let logger: Logger
    private let name: String

    private var isConnected = false
    private var client: MQTTClient?
    /// Who waits for the connection.
    private var requests: [Waiter] = []
    private var orders: [MQTTOrder] = []
    private var lastTicket: UInt64 = 0
    /// What is not confirmed yet; `nil` for what the greeting sends.
    private var deliveries: [UInt64: Delivery.Part?] = [:]
    /// Ends the wait for the socket, or the pause between tries.
    private var wake = Waiter()
    /// When something last moved.
    private var lastMove: Duration = .zero
    private var outages = OutageLog()
    private var hasToldOfRefusal = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Throws `SystemError` when the system is out of resources.
    init(
        _ settings: MQTTSettings, name: String, presence: Presence, companion: (any MQTTCompanion)?, loop: EventLoop,
        logger: Logger
    ) throws {
        self.settings = settings
        self.presence = presence
        self.companion = companion
        self.name = name
        self.loop = loop
        self.logger = logger
        thread = try BlockingThread(named: name, loop: loop)
    }

    // MARK: Sending

    /// Sends the messages and returns what came of each, once the broker has said so of all.
    ///
    /// Throws a temporary ``StorageError`` when the broker is out of reach, and `CancellationError` at once when the
    /// task is cancelled.
    func send(_ messages: [MQTTMessage]) async throws -> [(message: MQTTMessage, outcome: MQTTOutcome)] {
        guard !messages.isEmpty else { return [] }
        try await connected()
        let delivery = Delivery(count: messages.count)
        for (index, message) in messages.enumerated() {
            order(for: Delivery.Part(delivery: delivery, index: index)) { .publish(message, ticket: $0) }
        }
        wake.finish()
        try await delivery.waiter.wait()
        return Array(zip(messages, delivery.outcomes).map { (message: $0, outcome: $1) })
    }

    /// Sends what nobody waits for; nothing if there is no connection. On the loop.
    nonisolated func post(_ messages: [MQTTMessage]) {
        assumeIsolated { connection in
            guard connection.isConnected else { return }
            for message in messages { connection.order(for: nil) { .publish(message, ticket: $0) } }
            connection.wake.finish()
        }
    }

    private func order(for part: Delivery.Part?, _ make: (UInt64) -> MQTTOrder) {
        // From now on something has to come back.
        if deliveries.isEmpty { lastMove = loop.now }
        lastTicket += 1
        deliveries[lastTicket] = .some(part)
        orders.append(make(lastTicket))
    }

    /// Returns when there is a connection; has one tried if there is none.
    private func connected() async throws {
        if isConnected { return }
        let request = Waiter()
        requests.append(request)
        wake.finish()
        let timer = loop.schedule(after: settings.deadlines.connect) { [weak self] in
            self?.assumeIsolated { $0.giveUp(request) }
        }
        defer { timer.cancel() }
        try await request.wait()
    }

    /// Ends a wait for a system that is still looking for the broker; the try itself goes on. An answer has its own
    /// deadline.
    private func giveUp(_ request: Waiter) {
        guard client == nil else { return }
        request.finish(
            .failure(
                StorageError(
                    .temporary(retryAfter: nil),
                    "\(settings.broker): no connection within \(settings.deadlines.connect)",
                    advice: "check the broker's name and the board's network")))
    }

    // MARK: Service

    func run(_ backoff: Backoff) async throws {
        var backoff = backoff
        do {
            while true {
                let failure = try await serve()
                if outages.fail(now: loop.now) {
                    logger.warning("no connection to the broker", ["storage": name, "error": "\(failure)"])
                }
                var retryAfter: Duration?
                if case .temporary(let asked) = failure.kind { retryAfter = asked }
                let failures = outages.outage?.failures ?? 1
                try await wait(for: backoff.pause(failures: failures, retryAfter: retryAfter))
            }
        } catch is CancellationError {
            await finish()
        }
    }

    /// Waits until it is time for the next try, or somebody asks for one.
    private func wait(for pause: Duration) async throws {
        wake = Waiter()
        guard requests.isEmpty else { return }
        let timer = loop.schedule(after: pause) { [wake] in wake.finish() }
        defer { timer.cancel() }
        try await wake.wait()
    }

    /// Connects and does what there is to do until the connection ends, and returns the reason.
    private func serve() async throws -> StorageError {
        let failure: StorageError
        do {
            failure = try await converse()
        } catch let error as StorageError {
            failure = error
        }
        end(failure)
        return failure
    }

    private func converse() async throws -> StorageError {
        let client = try MQTTClient(settings, will: presence.gone)
        var progress = try await thread.runAbandonable { client.connect() }
        self.client = client
        lastMove = loop.now
        while true {
            for event in progress.events { handle(event) }
            guard let socket = progress.socket else {
                return progress.failure
                    ?? StorageError(.temporary(retryAfter: nil), "\(settings.broker): the connection is lost")
            }
            let work = try await work(for: socket, wantsToWrite: progress.wantsToWrite)
            if let stall = stall(work) { return stall }
            progress = try await thread.run { client.perform(work) }
        }
    }

    /// Waits until there is something to do.
    private func work(for socket: Int32, wantsToWrite: Bool) async throws -> MQTTClient.Work {
        var work = MQTTClient.Work()
        try Task.checkCancellation()
        if orders.isEmpty {
            let wake = Waiter()
            self.wake = wake
            let readiness = Protected<Readiness>([])
            let watch = try loop.watch(socket, for: wantsToWrite ? [.readable, .writable] : .readable) { found in
                readiness.withLock { $0 = found }
                wake.finish()
            }
            let isCheckDue = Protected(false)
            let timer = loop.schedule(at: checkTime) {
                isCheckDue.withLock { $0 = true }
                wake.finish()
            }
            // Before the library is called, which may close the socket.
            defer {
                watch.cancel()
                timer.cancel()
            }
            try await wake.wait()
            work.readiness = readiness.withLock { $0 }
            work.isCheckDue = isCheckDue.withLock { $0 }
        }
        swap(&work.orders, &orders)
        if !work.readiness.isEmpty { lastMove = loop.now }
        return work
    }

    /// Whether something is to come from the broker.
    private var isWaiting: Bool { !isConnected || !deliveries.isEmpty }

    /// When to look after the connection next, if nothing happens: a ping is due a keep-alive after the last packet,
    /// and the broker counts to one and a half.
    private var checkTime: Duration {
        let check = loop.now + settings.keepAlive / 4
        return isWaiting ? min(check, lastMove + patience) : check
    }

    private var patience: Duration { isConnected ? settings.deadlines.stall : settings.deadlines.connect }

    private func stall(_ work: MQTTClient.Work) -> StorageError? {
        guard work.isCheckDue, isWaiting, loop.now - lastMove >= patience else { return nil }
        return StorageError(
            .temporary(retryAfter: nil), "\(settings.broker): no answer within \(patience)",
            advice: isConnected ? nil : "check that this is an MQTT broker's port")
    }

    private func handle(_ event: MQTTClient.Event) {
        switch event {
        case .accepted: begin()
        case .received(let message): companion?.receive(message)
        case .settled(let ticket, let outcome):
            guard let part = deliveries.removeValue(forKey: ticket) else { return }
            // Time begins anew for those that are left.
            lastMove = loop.now
            if let part {
                part.settle(outcome)
            } else if case .failed(let error) = outcome, !hasToldOfRefusal {
                hasToldOfRefusal = true
                logger.warning("the broker refuses a part of the service", ["storage": name, "error": "\(error)"])
            }
        }
    }

    private func begin() {
        isConnected = true
        hasToldOfRefusal = false
        if let ended = outages.succeed() {
            logger.notice(
                "connected to the broker again",
                ["storage": name, "after": "\((loop.now - ended.start).components.seconds) s"])
        }
        let greeting = companion?.greeting() ?? MQTTGreeting()
        order(for: nil) { .publish(presence.here, ticket: $0) }
        for filter in greeting.subscriptions { order(for: nil) { .subscribe(filter, ticket: $0) } }
        for message in greeting.messages { order(for: nil) { .publish(message, ticket: $0) } }
        for request in requests { request.finish() }
        requests = []
    }

    /// Tells everybody that the connection is over.
    private func end(_ error: any Error) {
        isConnected = false
        client = nil
        orders = []
        let lost = deliveries.values
        deliveries = [:]
        for case let part? in lost { part.delivery.waiter.finish(.failure(error)) }
        for request in requests { request.finish(.failure(error)) }
        requests = []
    }

    /// Says good-bye, so that the broker does not have to find out.
    private func finish() async {
        if isConnected, let client {
            let gone = presence.gone
            try? await thread.run { client.finish(gone) }
        }
        end(CancellationError())
    }
}

/// Messages that are sent together.
private final class Delivery: Sendable {
    struct Part {
        let delivery: Delivery
        let index: Int

        func settle(_ outcome: MQTTOutcome) {
            let isComplete = delivery.state.withLock { state in
                state.outcomes[index] = outcome
                state.left -= 1
                return state.left == 0
            }
            if isComplete { delivery.waiter.finish() }
        }
    }

    let waiter = Waiter()
    private let state: Protected<(outcomes: [MQTTOutcome], left: Int)>

    init(count: Int) { state = Protected((Array(repeating: .done, count: count), count)) }

    var outcomes: [MQTTOutcome] { state.withLock { $0.outcomes } }
}
