internal import CMosquitto
internal import CaptureStore

/// What a broker's codes mean for a record: the reason codes of MQTT 5 (OASIS MQTT 5.0, 2.4), the return codes of
/// MQTT 3.1.1 (3.2.2.3), and libmosquitto's own.
struct MQTTVerdict {
    /// `mqtts://broker.local:8883`
    let destination: String
    let version: MQTTSettings.Version

    /// What has to be mended by a person is tried again after a while, not thrown away: a wrong password must not
    /// cost a record.
    private static let misconfigured = StorageError.Kind.temporary(retryAfter: .seconds(300))
    private static let temporary = StorageError.Kind.temporary(retryAfter: nil)

    /// What the answer to a message means. `reason` is what the broker says in words, if it does.
    func outcome(of topic: String, code: Int32, reason: String?) -> MQTTOutcome {
        switch code {
        case ..<0x80: return code == Int32(MQTT_RC_NO_MATCHING_SUBSCRIBERS.rawValue) ? .unheard : .done
        default:
            let (kind, advice): (StorageError.Kind, String?) =
                switch mqtt5_return_codes(rawValue: UInt32(code)) {
                case MQTT_RC_NOT_AUTHORIZED:
                    (Self.misconfigured, "let the board publish there, in the broker's access list")
                case MQTT_RC_TOPIC_NAME_INVALID, MQTT_RC_TOPIC_FILTER_INVALID:
                    (Self.misconfigured, "set topic to one that the broker allows")
                case MQTT_RC_PACKET_TOO_LARGE, MQTT_RC_PAYLOAD_FORMAT_INVALID: (.permanent, nil)
                default: (Self.temporary, nil)
                }
            return .failed(error(kind, "to \(topic)", code, reason, advice))
        }
    }

    /// Why the broker refused the connection.
    func refusal(code: Int32, reason: String?) -> StorageError {
        let words = version == .v5 ? reasonText(code) : String(cString: mosquitto_connack_string(code))
        let (kind, advice): (StorageError.Kind, String?) =
            switch (version, code) {
            case (.v3_1_1, 1): (Self.misconfigured, "it may take protocol: \"5\" alone")
            case (.v3_1_1, 2): (Self.misconfigured, "set client-id to one that the broker allows")
            case (.v3_1_1, 4), (.v3_1_1, 5), (.v5, 0x86), (.v5, 0x87), (.v5, 0x8C):
                (Self.misconfigured, "check the login, and that the broker knows it")
            case (.v5, 0x84): (Self.misconfigured, "set protocol: \"3.1.1\"")
            case (.v5, 0x85): (Self.misconfigured, "set client-id to one that the broker allows")
            case (.v5, 0x8A): (Self.misconfigured, "the broker's operator has shut the board out")
            case (.v5, 0x9C), (.v5, 0x9D): (Self.misconfigured, "set url to the server that it names")
            default: (Self.temporary, nil)
            }
        return StorageError(
            kind, "\(destination) refuses the connection: \(words)\(reason.map { " (\($0))" } ?? "")", advice: advice)
    }

    /// Why a connection ended, by libmosquitto's code (below 0x80) or by the broker's.
    func end(code: Int32, reason: String?, particulars: String?) -> StorageError {
        if code >= 0x80 {
            let isTakenOver = code == Int32(MQTT_RC_SESSION_TAKEN_OVER.rawValue)
            return StorageError(
                isTakenOver ? Self.misconfigured : Self.temporary,
                "\(destination) ends the connection: \(reasonText(code))\(reason.map { " (\($0))" } ?? "")",
                advice: isTakenOver
                    ? "another client has the same client-id: give each board a name of its own" : nil)
        }
        let text = particulars ?? String(cString: mosquitto_strerror(code))
        let advice: String? =
            switch mosq_err_t(rawValue: code) {
            case MOSQ_ERR_EAI: "check the broker's name and the board's network"
            case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE:
                "name the file of the authority that signed the broker's certificate, and check the board's clock"
            case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET: "check that this is an MQTT broker's port"
            default: nil
            }
        return StorageError(Self.temporary, "\(destination): \(text)", advice: advice)
    }

    /// Why libmosquitto does not take a message.
    func unsent(_ topic: String, code: Int32) -> StorageError {
        let kind: StorageError.Kind
        var advice: String?
        switch mosq_err_t(rawValue: code) {
        case MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_INVAL:
            kind = .permanent
        case MOSQ_ERR_QOS_NOT_SUPPORTED:
            kind = Self.misconfigured
            advice = "the broker confirms nothing; use one that does"
        case MOSQ_ERR_RETAIN_NOT_SUPPORTED:
            kind = Self.misconfigured
            advice = "the broker keeps no messages for later; use one that does"
        default: kind = Self.temporary
        }
        return StorageError(
            kind, "\(destination): cannot send to \(topic): \(String(cString: mosquitto_strerror(code)))",
            advice: advice)
    }

    private func error(
        _ kind: StorageError.Kind, _ what: String, _ code: Int32, _ reason: String?, _ advice: String?
    ) -> StorageError {
        StorageError(
            kind, "\(destination) refuses what goes \(what): \(reasonText(code))\(reason.map { " (\($0))" } ?? "")",
            advice: advice)
    }

    /// `not authorised (0x87)`: libmosquitto's words, in a message's letters.
    private func reasonText(_ code: Int32) -> String {
        let text = String(cString: mosquitto_reason_string(code))
        return "\(text.prefix(1).lowercased())\(text.dropFirst()) (0x\(String(code, radix: 16)))"
    }
}
