import DeviceRuntime

/// What a running daemon can be asked: `perch status`.
struct ControlVerb: Sendable {
    let name: String
    /// Answers, and returns the exit status. Throws ``ControlFailure``.
    let run: @Sendable (_ words: [String], ControlSite, ControlAnswer) async throws -> Int32
}

/// Answers requests at the control socket, several at a time.
///
/// Whoever asks cannot hold the daemon up: a request has to come at once and to be short, and a reader that does not
/// read waits alone.
struct ControlServer: Sendable {
    let path: String
    let verbs: [ControlVerb]
    let loop: EventLoop
    let logger: Logger

    /// How long a request may take to come. It is one write on the other side.
    private static let patience: Duration = .seconds(5)
    /// How many are answered at a time: people, a monitor or two. The next ones are turned away.
    private static let capacity = 32

    /// Answers until cancelled, with what `site` knows at the time. A socket that cannot be made is reported, and the
    /// daemon runs without.
    func run(_ site: @escaping @Sendable () -> ControlSite?) async {
        let listener: LocalListener
        do {
            listener = try LocalListener(path: path, mode: 0o660, loop: loop)
        } catch {
            logger.warning("there is no control socket: perch status and send do not work", ["error": "\(error)"])
            return
        }
        defer { listener.close() }
        let open = Protected(0)
        await withDiscardingTaskGroup { group in
            for await connection in listener.connections {
                guard open.withLock({ $0 < Self.capacity }) else {
                    connection.close()
                    continue
                }
                open.withLock { $0 += 1 }
                group.addTask {
                    await serve(connection, site)
                    connection.close()
                    open.withLock { $0 -= 1 }
                }
            }
        }
    }

    private func serve(_ connection: LocalConnection, _ site: @escaping @Sendable () -> ControlSite?) async {
        let answer = ControlAnswer(connection: connection)
        do {
            let words = try await readRequest(connection)
            do {
                guard let site = site() else { throw ControlFailure.unavailable("perch is starting; try again") }
                guard let verb = verbs.first(where: { $0.name == words.first }) else {
                    throw ControlFailure.usage(
                        "the running perch does not know '\(words.first ?? "")': it is another version")
                }
                try await answer.end(
                    try await whileConnected(connection) {
                        try await verb.run(Array(words.dropFirst()), site, answer)
                    })
            } catch let failure as ControlFailure {
                try await answer.printError("perch \(words.first ?? ""): \(failure.message)")
                try await answer.end(failure.status)
            }
        } catch {
            // Whoever asked has gone, or never asked. Nobody is left to be told.
        }
    }

    private func readRequest(_ connection: LocalConnection) async throws -> [String] {
        try await withThrowingTaskGroup(of: [String]?.self) { group in
            group.addTask {
                ControlSocket.decode(try await connection.readToEnd(limit: ControlSocket.requestLimit))
            }
            group.addTask {
                try await loop.sleep(for: Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            guard let words = try await group.next() ?? nil else { throw CancellationError() }
            return words
        }
    }

    /// Runs `body` for as long as somebody waits for it.
    private func whileConnected(
        _ connection: LocalConnection, _ body: @escaping @Sendable () async throws -> Int32
    ) async throws -> Int32 {
        try await withThrowingTaskGroup(of: Int32?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await connection.waitForHangUp()
                return nil
            }
            defer { group.cancelAll() }
            guard let status = try await group.next() ?? nil else { throw CancellationError() }
            return status
        }
    }
}
