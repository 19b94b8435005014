internal import CMicroHTTPD
public import DeviceRuntime

/// Serves HTTP on the loop, by libmicrohttpd without a thread of its own.
///
/// Whoever asks cannot hold the loop up: connections, the size of a request and the time that one may be silent are
/// limited, and an answer that is not ready, or not taken, costs nothing until it is. On the loop only.
public final class WebServer: @unchecked Sendable {
    private let loop: EventLoop
    private let listener: FileDescriptor
    private let exchanges: AsyncStream<WebExchange>
    private let asked: AsyncStream<WebExchange>.Continuation
    private var daemon: OpaquePointer?
    private var watch: DescriptorWatch?
    private var timer: ScheduledTimer?
    private var suspended: Set<OpaquePointer> = []

    /// Ten viewers, with the two connections that each needs, and some programs.
    private static let mostConnections: UInt32 = 40
    /// For each: the request's line and headers have to fit into it.
    private static let connectionMemory = 16 * 1024
    /// Silent for so long, a connection is closed.
    private static let idleSeconds: UInt32 = 10

    /// Throws ``SystemError`` when libmicrohttpd cannot start.
    public init(_ listener: FileDescriptor, loop: EventLoop) throws {
        self.loop = loop
        self.listener = listener
        (exchanges, asked) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Int(Self.mostConnections)))
        let context = Unmanaged.passUnretained(self).toOpaque()
        daemon = perch_httpd_start(
            try listener.open(),
            { context, connection, path, method, _, data, size, request in
                guard let context, let connection, let path, let method, let size, let request else {
                    return perch_httpd_no
                }
                let server = Unmanaged<WebServer>.fromOpaque(context).takeUnretainedValue()
                return server.handle(connection, path, method, data, size, request)
            },
            { _, _, request, _ in
                guard let kept = request?.pointee else { return }
                request?.pointee = nil
                Unmanaged<WebExchange>.fromOpaque(kept).release()
            }, context, Self.mostConnections, Self.connectionMemory, Self.idleSeconds)
        guard let daemon else { throw SystemError(code: 12, call: "MHD_start_daemon") }
        watch = try loop.watch(perch_httpd_epoll(daemon)) { [weak self] _ in self?.work() }
    }

    deinit { stop() }

    /// Hands each request to `handle`, until cancelled; then closes all connections.
    public func run(_ handle: @escaping @Sendable (WebExchange) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for await exchange in exchanges { group.addTask { await handle(exchange) } }
            group.cancelAll()
        }
        stop()
    }

    private func stop() {
        guard let daemon else { return }
        self.daemon = nil
        watch?.cancel()
        timer?.cancel()
        asked.finish()
        // libmicrohttpd closes none that is suspended.
        for connection in suspended { MHD_resume_connection(connection) }
        suspended = []
        // The listener stays ours to close.
        _ = MHD_quiesce_daemon(daemon)
        MHD_stop_daemon(daemon)
        listener.close()
    }

    /// Lets libmicrohttpd do what is due, and comes back when it wants to.
    private func work() {
        guard let daemon else { return }
        _ = MHD_run(daemon)
        timer?.cancel()
        timer = nil
        var milliseconds: UInt64 = 0
        guard MHD_get_timeout(daemon, &milliseconds) == perch_httpd_yes else { return }
        timer = loop.schedule(after: .milliseconds(Int64(clamping: milliseconds))) { [weak self] in self?.work() }
    }

    /// Takes a connection out of libmicrohttpd's hands, and returns what gives it back.
    private func suspend(_ connection: OpaquePointer) -> (() -> Void) {
        MHD_suspend_connection(connection)
        suspended.insert(connection)
        return { [weak self] in
            guard let self, suspended.remove(connection) != nil else { return }
            MHD_resume_connection(connection)
            loop.execute { [weak self] in self?.work() }
        }
    }

    /// Called when the headers are there, with each part of the body, and when all is there.
    private func handle(
        _ connection: OpaquePointer, _ path: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>,
        _ data: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>,
        _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> MHD_Result {
        guard let kept = request.pointee else {
            let exchange = WebExchange(Self.read(connection, path, method))
            request.pointee = Unmanaged.passRetained(exchange).toOpaque()
            let length = exchange.request.headers["content-length"].map { Int($0) ?? .max } ?? 0
            guard length <= WebRequest.longestBody else {
                return WebExchange.queue(WebResponse(status: 413, headers: [("Connection", "close")]), on: connection)
            }
            return perch_httpd_yes
        }
        let exchange = Unmanaged<WebExchange>.fromOpaque(kept).takeUnretainedValue()
        if size.pointee > 0 {
            let bytes = UnsafeRawBufferPointer(start: data, count: size.pointee)
            guard exchange.request.body.count + bytes.count <= WebRequest.longestBody else { return perch_httpd_no }
            exchange.request.body += bytes
            size.pointee = 0
            return perch_httpd_yes
        }
        guard !exchange.isAsked else { return exchange.queue(on: connection) { self.suspend(connection) } }
        exchange.isAsked = true
        exchange.resume = suspend(connection)
        if case .enqueued = asked.yield(exchange) { return perch_httpd_yes }
        exchange.answer(WebResponse(status: 503))
        return perch_httpd_yes
    }

    private static func read(
        _ connection: OpaquePointer, _ path: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>
    ) -> WebRequest {
        var headers: [String: String] = [:]
        for name in WebRequest.readHeaders {
            guard let value = perch_httpd_header(connection, name) else { continue }
            headers[name] = String(cString: value)
        }
        return WebRequest(method: String(cString: method), path: String(cString: path), headers: headers)
    }
}
