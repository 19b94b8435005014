internal import CMosquitto

extension MQTTClient {
    /// Has libmosquitto tell this client, from within its calls, what comes. The client outlives the handle.
    func listen(to handle: OpaquePointer) {
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_connect_v5_callback_set(handle) { _, context, code, flags, properties in
            MQTTClient.from(context)?.connected(
                code, flags, MQTTProperties.text(MQTT_PROP_REASON_STRING, in: properties))
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, context, code, properties in
            MQTTClient.from(context)?.disconnected(code, MQTTProperties.text(MQTT_PROP_REASON_STRING, in: properties))
        }
        mosquitto_publish_v5_callback_set(handle) { _, context, number, code, properties in
            MQTTClient.from(context)?.confirmed(
                number, code, MQTTProperties.text(MQTT_PROP_REASON_STRING, in: properties))
        }
        mosquitto_subscribe_v5_callback_set(handle) { _, context, number, count, codes, properties in
            guard count > 0, let code = codes?.pointee else { return }
            MQTTClient.from(context)?.confirmed(
                number, code, MQTTProperties.text(MQTT_PROP_REASON_STRING, in: properties))
        }
        mosquitto_message_v5_callback_set(handle) { _, context, message, _ in
            guard let message = message?.pointee, let topic = message.topic else { return }
            let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
            MQTTClient.from(context)?.events.append(
                .received(MQTTMessage(String(cString: topic), Array(payload), isRetained: message.retain)))
        }
        mosquitto_log_callback_set(handle) { _, context, level, text in
            guard level == MOSQ_LOG_ERR, let text, let client = MQTTClient.from(context) else { return }
            // What comes first is the cause of the others.
            client.particulars = client.particulars ?? String(cString: text)
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> MQTTClient? {
        context.map { Unmanaged<MQTTClient>.fromOpaque($0).takeUnretainedValue() }
    }

    private func connected(_ code: Int32, _ flags: Int32, _ reason: String?) {
        if code == 0 {
            events.append(.accepted(hasSession: flags & 1 != 0))
        } else {
            fail(verdict.refusal(code: code, reason: reason))
        }
    }

    private func disconnected(_ code: Int32, _ reason: String?) {
        guard code != 0 else { return }
        fail(verdict.end(code: code, reason: reason, particulars: particulars))
    }

    private func confirmed(_ number: Int32, _ code: Int32, _ reason: String?) {
        guard let (ticket, topic) = unconfirmed.removeValue(forKey: number) else { return }
        events.append(.settled(ticket: ticket, verdict.outcome(of: topic, code: code, reason: reason)))
    }
}
