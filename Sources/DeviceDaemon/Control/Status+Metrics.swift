import CaptureStore
import DeviceRuntime

extension ControlVerb {
    static let metrics = ControlVerb(name: "metrics") { words, site, answer in
        guard words.isEmpty else {
            throw ControlFailure.usage("expected nothing; found '\(words.joined(separator: " "))'")
        }
        try await answer.print(String(try await Status(site).metrics.dropLast()))
        return 0
    }
}

extension Status {
    /// For Prometheus, with the names of its conventions (https://prometheus.io/docs/practices/naming): base units, and
    /// `_total` for what only grows (until the daemon starts anew).
    var metrics: String {
        var metrics = MetricsText()
        metrics.add(
            "perch_info", .gauge, "Always 1; its labels say what runs.",
            [.init(labels: ["device": name, "board": board, "version": perchVersion], value: 1)])
        metrics.add("perch_well", .gauge, "Whether perch status ends with 0.", isWell ? 1 : 0)
        metrics.add("perch_uptime_seconds", .gauge, "How long the daemon has run.", uptime / .seconds(1))
        addDevices(to: &metrics)
        addStorage(to: &metrics)
        addProcess(to: &metrics)
        return metrics.text
    }

    private func addDevices(to metrics: inout MetricsText) {
        func each(_ value: (Device) -> Int?) -> [MetricsText.Sample] {
            devices.compactMap { device in
                value(device).map { .init(labels: ["device": device.name], value: Double($0)) }
            }
        }
        metrics.add(
            "perch_device_running", .gauge, "Whether the device runs; 0 while it starts or fails.",
            devices.map { device in
                .init(
                    labels: ["device": device.name, "driver": device.driver], value: device.health == .healthy ? 1 : 0)
            })
        metrics.add(
            "perch_device_faulty", .gauge, "Whether the part is not as it should be, though the device runs.",
            each { $0.fault == nil ? 0 : 1 })
        metrics.add(
            "perch_device_failures_total", .counter, "How often the device could not go on, or not begin.",
            each(\.tally.failures))
        metrics.add(
            "perch_device_faults_total", .counter, "How often the part was found not to be as it should.",
            each(\.tally.faults))
        metrics.add(
            "perch_device_events_total", .counter, "Events that the device has told.",
            devices.flatMap { device in
                device.tally.events.sorted { $0.key < $1.key }.map { name, count in
                    .init(labels: ["device": device.name, "event": name], value: Double(count))
                }
            })
        metrics.add(
            "perch_device_commands_total", .counter, "Commands that the device has carried out.",
            each(\.tally.commands))
        metrics.add(
            "perch_device_last_event_timestamp_seconds", .gauge, "When the device told its last event, since 1970.",
            devices.compactMap { device in
                device.lastEvent.map { .init(labels: ["device": device.name], value: since1970($0.at)) }
            })
    }

    private func addStorage(to metrics: inout MetricsText) {
        func each(_ value: (Storage) -> Double?) -> [MetricsText.Sample] {
            storage.compactMap { storage in
                value(storage).map { .init(labels: ["storage": storage.name, "backend": storage.backend], value: $0) }
            }
        }
        metrics.add(
            "perch_outbox_waiting_records", .gauge, "Records that are on their way to the storage.",
            each { Double($0.waiting) })
        metrics.add(
            "perch_outbox_rejected_records", .gauge, "Dead letters: records that the storage will not take.",
            each { Double($0.rejected) })
        metrics.add(
            "perch_outbox_oldest_record_age_seconds", .gauge, "The age of what waits longest; 0 if nothing waits.",
            each { ($0.oldest ?? .zero) / .seconds(1) })
        metrics.add(
            "perch_outbox_writable", .gauge, "Whether the disk takes what is captured, and in time.",
            outbox.isWell ? 1 : 0)
        metrics.add(
            "perch_outbox_memory_captures", .gauge, "Captures that wait in memory to be written.",
            Double(outbox.waiting))
        metrics.add(
            "perch_outbox_dropped_records_total", .counter, "Records that are lost, since the outbox was made.",
            drops.map { drop in
                .init(
                    labels: ["class": drop.recordClass.plural, "reason": drop.reason.rawValue],
                    value: Double(drop.records))
            })
        metrics.add(
            "perch_upload_failing", .gauge, "Whether uploads to the storage fail.", each { $0.failure == nil ? 0 : 1 })
        metrics.add(
            "perch_upload_objects_total", .counter, "Documents and files that the storage has confirmed.",
            each { Double($0.uploads.objects) })
        metrics.add(
            "perch_upload_bytes_total", .counter, "Bytes of those.", each { Double($0.uploads.bytes) })
        metrics.add(
            "perch_upload_failures_total", .counter, "Tries to upload that brought an error.",
            each { Double($0.uploads.failures) })
        metrics.add(
            "perch_upload_last_success_timestamp_seconds", .gauge,
            "When the storage last confirmed something, since 1970.", each { $0.uploads.lastSuccess.map(since1970) })
    }

    private func addProcess(to metrics: inout MetricsText) {
        metrics.add(
            "perch_loop_turn_seconds", .histogram,
            "How long the event loop was busy each time it woke: as long as what came meanwhile had to wait.",
            turns.samples)
        metrics.add(
            "perch_process_cpu_seconds_total", .counter, "CPU time of the daemon.", usage.cpu / .seconds(1))
        metrics.add(
            "perch_process_resident_memory_bytes", .gauge, "Memory in RAM, shared libraries in full.",
            usage.residentBytes.map(Double.init))
        metrics.add("perch_process_open_fds", .gauge, "Open file descriptors.", usage.openFiles.map(Double.init))
        metrics.add(
            "perch_process_disk_written_bytes_total", .counter,
            "What the kernel had to write to disks for the daemon: what wears flash out.",
            usage.diskBytesWritten.map(Double.init))
    }

    /// The calendar time of a time since boot, as the clock stands now.
    private func since1970(_ time: Duration) -> Double { (self.time.sinceEpoch - (now - time)) / .seconds(1) }
}

extension DurationHistogram {
    /// Buckets that count all below them, then the sum and the count.
    fileprivate var samples: [MetricsText.Sample] {
        var samples: [MetricsText.Sample] = []
        var below = 0
        for (bound, count) in zip(Self.bounds, counts) {
            below += count
            samples.append(
                .init(
                    suffix: "_bucket", labels: ["le": MetricsText.text(bound / .seconds(1))], value: Double(below)))
        }
        return samples + [
            .init(suffix: "_bucket", labels: ["le": "+Inf"], value: Double(count)),
            .init(suffix: "_sum", value: sum / .seconds(1)), .init(suffix: "_count", value: Double(count)),
        ]
    }
}
