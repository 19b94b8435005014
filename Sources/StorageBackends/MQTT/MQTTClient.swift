internal import CMosquitto
internal import CaptureStore
internal import DeviceRuntime
internal import Glibc

/// One connection to a broker, by libmosquitto: made, used and thrown away, so that what was not confirmed is sent
/// again by the outbox alone and not by the library as well.
///
/// Unchecked: every call is made on the connection's thread, one at a time. The loop waits for the socket in between.
final class MQTTClient: @unchecked Sendable {
    enum Event: Sendable {
        /// The broker has accepted the connection. It still knows the session, or has begun one.
        case accepted(hasSession: Bool)
        case settled(ticket: UInt64, MQTTOutcome)
        case received(MQTTMessage)
    }

    /// What there is to do.
    struct Work: Sendable {
        var readiness: Readiness = []
        var isCheckDue = false
        var orders: [MQTTOrder] = []
    }

    /// What was done, and what to wait for.
    struct Progress: Sendable {
        /// `nil` when the connection has ended.
        var socket: Int32?
        var wantsToWrite = false
        var events: [Event] = []
        /// Why it has ended.
        var failure: StorageError?
    }

    let settings: MQTTSettings
    let verdict: MQTTVerdict
    private let handle: OpaquePointer
    /// The messages that the broker has to confirm, by libmosquitto's number.
    var unconfirmed: [Int32: (ticket: UInt64, topic: String)] = [:]
    var events: [Event] = []
    var failure: StorageError?
    /// The first error that the library has told of.
    var particulars: String?

    private static let isReady = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue

    /// `will` is what the broker publishes when the board has gone without a word. Throws ``StorageError``.
    init(_ settings: MQTTSettings, will: MQTTMessage) throws {
        self.settings = settings
        verdict = MQTTVerdict(destination: settings.broker.description, version: settings.version)
        let startsAnew = settings.sessionExpiry <= .zero
        guard Self.isReady, let handle = mosquitto_new(settings.clientID, startsAnew, nil) else {
            throw StorageError(.temporary(retryAfter: nil), "\(settings.broker): cannot make a client: out of memory")
        }
        self.handle = handle
        listen(to: handle)
        try configure(will)
    }

    deinit { mosquitto_destroy(handle) }

    private func configure(_ will: MQTTMessage) throws {
        mosquitto_int_option(
            handle, MOSQ_OPT_PROTOCOL_VERSION, settings.version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311)
        // Small messages that somebody waits for.
        mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        if case .basic(let user, let password) = settings.login?.kind {
            try check(mosquitto_username_pw_set(handle, user, password), "the login")
        }
        if settings.broker.isSecure { try configureTLS() }
        var properties = MQTTProperties(settings.version)
        properties.add(MQTT_PROP_WILL_DELAY_INTERVAL, settings.willDelay.mqttSeconds)
        let code = mosquitto_will_set_v5(
            handle, will.topic, Int32(clamping: will.payload.count), will.payload, 1, will.isRetained, properties.list)
        try check(code, "the topic \(will.topic)")
        // From now on the library's.
        properties.release()
    }

    private func configureTLS() throws {
        let connection = settings.connection
        // Where Debian keeps the system's authorities.
        let folder = connection.authorities == nil ? "/etc/ssl/certs" : nil
        let code = mosquitto_tls_set(
            handle, connection.authorities, folder, connection.clientCertificate,
            connection.clientKey ?? connection.clientCertificate, nil)
        guard code == MOSQ_ERR_SUCCESS.rawValue else {
            let files = [connection.authorities, connection.clientCertificate, connection.clientKey].compactMap { $0 }
            throw StorageError(
                .temporary(retryAfter: .seconds(300)),
                "\(settings.broker): cannot read the certificates in \(files.joined(separator: ", "))",
                advice: "the files must be there, readable for the user that runs perch, and in PEM format")
        }
    }

    private func check(_ code: Int32, _ what: String) throws {
        guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
        throw StorageError(
            .temporary(retryAfter: .seconds(300)),
            "\(settings.broker): libmosquitto does not take \(what): \(String(cString: mosquitto_strerror(code)))")
    }

    /// Finds the broker and connects to it: blocks for as long as the system tries, about two minutes.
    func connect() -> Progress {
        var properties = MQTTProperties(settings.version)
        if settings.sessionExpiry > .zero {
            properties.add(MQTT_PROP_SESSION_EXPIRY_INTERVAL, settings.sessionExpiry.mqttSeconds)
        }
        let keepAlive = Int32(clamping: min(max(settings.keepAlive.components.seconds, 5), 65_535))
        var code = MOSQ_ERR_SUCCESS.rawValue
        do {
            try systemCall("connect") {
                code = mosquitto_connect_bind_v5(
                    handle, settings.broker.host, Int32(settings.broker.port), keepAlive, nil, properties.list)
                return code == MOSQ_ERR_ERRNO.rawValue ? -1 : 0
            }
        } catch let error as SystemError {
            fail(
                StorageError(
                    .temporary(retryAfter: nil), "\(settings.broker): \(error.reason)",
                    advice: "check that the broker runs and that its address and port are right"))
            return progress()
        } catch {}
        end(code)
        return progress()
    }

    /// Does what is due, without blocking.
    func perform(_ work: Work) -> Progress {
        if !work.readiness.isDisjoint(with: [.readable, .hangUp, .error]) { end(mosquitto_loop_read(handle, 1)) }
        for order in work.orders { perform(order) }
        if failure == nil, mosquitto_want_write(handle) { end(mosquitto_loop_write(handle, 1)) }
        if failure == nil, work.isCheckDue { end(mosquitto_loop_misc(handle)) }
        return progress()
    }

    /// Says good-bye with a last message, as far as that goes without waiting.
    func finish(_ message: MQTTMessage) {
        perform(.publish(message, ticket: 0))
        mosquitto_disconnect_v5(handle, 0, nil)
        if mosquitto_want_write(handle) { mosquitto_loop_write(handle, 1) }
    }

    private func perform(_ order: MQTTOrder) {
        switch order {
        case .publish(let message, let ticket): publish(message, ticket)
        case .subscribe(let filter, let ticket):
            var number: Int32 = 0
            let code = mosquitto_subscribe_v5(
                handle, &number, filter, 1, Int32(MQTT_SUB_OPT_NO_LOCAL.rawValue), nil)
            take(code, number, ticket, filter)
        }
    }

    private func publish(_ message: MQTTMessage, _ ticket: UInt64) {
        var properties = MQTTProperties(settings.version)
        if let type = message.contentType { properties.add(MQTT_PROP_CONTENT_TYPE, type) }
        if let id = message.recordID { properties.add("id", id) }
        if let expiry = message.expiry { properties.add(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, expiry.mqttSeconds) }
        var number: Int32 = 0
        let code = mosquitto_publish_v5(
            handle, &number, message.topic, Int32(clamping: message.payload.count), message.payload,
            message.isConfirmed ? 1 : 0, message.isRetained, properties.list)
        if message.isConfirmed || code != MOSQ_ERR_SUCCESS.rawValue {
            take(code, number, ticket, message.topic)
        } else {
            events.append(.settled(ticket: ticket, .done))
        }
    }

    private func take(_ code: Int32, _ number: Int32, _ ticket: UInt64, _ topic: String) {
        if code == MOSQ_ERR_SUCCESS.rawValue {
            unconfirmed[number] = (ticket, topic)
        } else {
            events.append(.settled(ticket: ticket, .failed(verdict.unsent(topic, code: code))))
        }
    }

    private func end(_ code: Int32) {
        if code != MOSQ_ERR_SUCCESS.rawValue {
            fail(verdict.end(code: code, reason: nil, particulars: particulars))
        }
    }

    /// Notes why the connection is over: the first reason is the cause of the others.
    func fail(_ error: StorageError) {
        if failure == nil { failure = error }
    }

    private func progress() -> Progress {
        defer { events = [] }
        let socket = mosquitto_socket(handle)
        if socket < 0 { end(MOSQ_ERR_CONN_LOST.rawValue) }
        return Progress(
            socket: failure == nil ? socket : nil, wantsToWrite: mosquitto_want_write(handle), events: events,
            failure: failure)
    }
}
