/// Something that runs as long as the program does.
public protocol Service: Sendable {
    /// For log messages.
    var name: String { get }

    /// Runs until its task is cancelled, then finishes what it has in hand and returns. Calls `ready` once,
    /// when the services that build on this one may start. Throwing ends the program.
    func run(ready: @escaping @Sendable () -> Void) async throws
}

/// Runs services in order: each is started when the one before is ready, and stopped after all that came later
/// have ended. The order of the list is the order of dependency.
public struct ServiceGroup: Sendable {
    private let services: [any Service]
    private let logger: Logger

    public init(_ services: [any Service], logger: Logger) {
        self.services = services
        self.logger = logger
    }

    /// Starts the services, runs `body`, and stops them in reverse when it returns, throws or is cancelled, or
    /// when one of them fails: then with its error.
    public func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await run(services[...], body)
    }

    private func run(_ rest: ArraySlice<any Service>, _ body: @escaping @Sendable () async throws -> Void) async throws
    {
        guard let service = rest.first else { return try await body() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            let ready = Waiter()
            group.addTask {
                // A service that ends before it is ready must not leave the others waiting.
                defer { ready.finish(.failure(CancellationError())) }
                do {
                    try await service.run { ready.finish() }
                } catch {
                    if Task.isCancelled { return }
                    logger.error("service failed", ["service": service.name, "error": "\(error)"])
                    throw error
                }
            }
            group.addTask {
                try await ready.wait()
                try await run(rest.dropFirst(), body)
            }
            // Whichever ends first ends the other: what builds on this service ends before it does, because
            // a failed service is already over, and a finished body cancels its services innermost first.
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
