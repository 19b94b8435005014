import CaptureStore
import DeviceRuntime
import Testing

@testable import DeviceDaemon

@Suite("What a daemon counts, for Prometheus")
struct MetricsTests {
    private static let samples = [
        #"perch_info{device="porch",board="raspberry-pi-4",version="\#(perchVersion)"} 1"#,
        "perch_well 0",
        "perch_uptime_seconds 10790",
        #"perch_device_running{device="bell",driver="button"} 1"#,
        #"perch_device_running{device="sign",driver="ht16k33"} 0"#,
        #"perch_device_failures_total{device="sign"} 3"#,
        #"perch_device_events_total{device="bell",event="held"} 2"#,
        #"perch_device_events_total{device="bell",event="pressed"} 7"#,
        #"perch_device_commands_total{device="sign"} 12"#,
        #"perch_device_last_event_timestamp_seconds{device="bell"} 1699999290"#,
        #"perch_outbox_waiting_records{storage="nas",backend="webdav"} 4"#,
        #"perch_outbox_oldest_record_age_seconds{storage="nas",backend="webdav"} 90"#,
        #"perch_outbox_oldest_record_age_seconds{storage="stick",backend="directory"} 0"#,
        #"perch_upload_failing{storage="nas",backend="webdav"} 1"#,
        #"perch_upload_last_success_timestamp_seconds{storage="nas",backend="webdav"} 1699999990"#,
        #"perch_loop_turn_seconds_bucket{le="0.001"} 1"#,
        #"perch_loop_turn_seconds_bucket{le="0.1"} 2"#,
        #"perch_loop_turn_seconds_bucket{le="+Inf"} 2"#,
        "perch_loop_turn_seconds_sum 0.0202",
        "perch_loop_turn_seconds_count 2",
        "perch_process_cpu_seconds_total 1.25",
        "perch_process_disk_written_bytes_total 4096",
    ]

    @Test("Each number is there, with its labels", arguments: samples)
    func numbers(sample: String) {
        let text = sampleStatus().metrics
        #expect(text.split(separator: "\n").contains(Substring(sample)), "\(text)")
    }

    @Test("Each family has its help and kind once and before its samples, and a name of Prometheus' conventions")
    func conventions() {
        let text = sampleStatus().metrics
        #expect(text.hasSuffix("\n"))
        var kinds: [Substring: Substring] = [:]
        var helped: Set<Substring> = []
        var family: Substring = ""
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            switch (words[0], words[1]) {
            case ("#", "HELP"):
                #expect(helped.insert(words[2]).inserted && words.count > 3)
                family = words[2]
            case ("#", "TYPE"):
                #expect(words[2] == family)
                kinds[family] = words[3]
            default:
                #expect(line.hasPrefix(family) && kinds[family] != nil, "\(line)")
                #expect(Double(words[words.count - 1]) != nil, "\(line)")
            }
        }
        #expect(kinds.count > 15)
        for (name, kind) in kinds {
            #expect(name.hasPrefix("perch_"))
            #expect((kind == "counter") == name.hasSuffix("_total"), "\(name)")
        }
    }

    @Test("What is not known has no sample, and no family without one")
    func unknown() {
        var status = sampleStatus()
        status.usage = ProcessUsage(cpu: .zero)
        status.storage = []
        for word in ["upload_objects", "waiting_records", "resident", "open_fds", "disk_written"] {
            #expect(!status.metrics.contains(word))
        }
    }

    @Test("A name with quotes, a backslash or a line's end stays within its label")
    func escapes() {
        var metrics = MetricsText()
        metrics.add("a", .gauge, "b", [.init(labels: ["c": "d\"e\\f\ng"], value: 0.5)])
        #expect(metrics.text == "# HELP a b\n# TYPE a gauge\na{c=\"d\\\"e\\\\f\\ng\"} 0.5\n")
    }
}
