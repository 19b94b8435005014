import CaptureStore
import DeviceDaemon
import DeviceKit
import Testing

@Suite("How records are kept and sent, in a configuration")
struct OutboxOptionsTests {
    @Test("Left out, everything has its default")
    func defaults() throws {
        let text = """
            device: porch
            devices:
              bell: { driver: button, pin: GPIO27 }
            storage:
              here: { backend: directory, path: /srv }
            """
        let configuration = try Sample.read(text.utf8)
        #expect(configuration.outbox == OutboxSettings())
        #expect(configuration.storage[0].limits == UploadLimits())
        #expect(configuration.devices[0].recordClasses == ["pressed": .alert, "released": .alert])
    }

    @Test("Classes of all of a device's events, or of some")
    func classes() throws {
        let text = """
            device: porch
            devices:
              bell: { driver: button, pin: GPIO27, records: { released: diagnostic } }
              gate: { driver: button, pin: GPIO17, records: reading }
            """
        let devices = try Sample.read(text.utf8).devices
        #expect(devices[0].recordClasses == ["pressed": .alert, "released": .diagnostic])
        #expect(devices[1].recordClasses == ["pressed": .reading, "released": .reading])
        #expect(devices[0].texts.last?.text == "{released: diagnostic}")
    }

    @Test("The outbox")
    func outbox() throws {
        let text = """
            device: porch
            outbox:
              group-time: 10min
              group-size: 100
              clock-wait: 0s
              alerts: { size: 2.5GB, age: 365d, when-full: refuse }
              readings: { size: 50MB, age: unlimited }
              diagnostics: { size: 100kB }
            """
        var expected = OutboxSettings()
        expected.grouping = .init(time: .seconds(600), records: 100)
        expected.clockPatience = .zero
        expected.alerts = .init(bytes: 2_500_000_000, age: .seconds(365 * 86400), whenFull: .refuse)
        expected.readings = .init(bytes: 50_000_000, whenFull: .thin)
        expected.diagnostics.bytes = 100_000
        #expect(try Sample.read(text.utf8).outbox == expected)
    }

    @Test("When and how fast a storage is given records")
    func limits() throws {
        let text = """
            device: porch
            storage:
              here: { backend: directory, path: /srv, window: "22:00-06:00", window-for: files, rate: 50kB/s, parallel: 4 }
              there: { backend: directory, path: /srv, window: always, rate: unlimited }
            """
        let storage = try Sample.read(text.utf8).storage
        var expected = UploadLimits()
        expected.window = DailyWindow("22:00-06:00")
        expected.windowScope = .files
        expected.rate = 50_000
        expected.parallel = 4
        #expect(storage[0].limits == expected)
        #expect(storage[1].limits == UploadLimits())
    }

    @Test(
        "What is wrong is said",
        arguments: [
            .init(
                "a class that is none", "devices:\n  bell: { driver: button, pin: GPIO27, records: reeding }\n",
                "3:49: records: expected one of alert, reading, diagnostic, or one for each event; found 'reeding'"),
            .init(
                "an event that is none",
                "devices:\n  bell: { driver: button, pin: GPIO27, records: { presed: reading } }\n",
                "3:51: unknown event 'presed' of driver button; did you mean 'pressed'?"),
            .init(
                "a list of classes", "devices:\n  bell: { driver: button, pin: GPIO27, records: [reading] }\n",
                "3:49: records: expected one of alert, reading, diagnostic, or one for each event; found [reading]"),
            .init(
                "an outbox that is a word", "outbox: large\n",
                "2:9: expected a mapping with the keys group-time, group-size, clock-wait, alerts, readings, "
                    + "diagnostics; found 'large'"),
            .init(
                "a key that is close", "outbox: { alert: {} }\n",
                "2:11: unknown key 'alert' of outbox; did you mean 'alerts'?"),
            .init(
                "a size without unit", "outbox:\n  alerts: { size: 100 }\n",
                "3:19: size: expected a size from 100kB to 1TB, such as 100MB; found '100'"),
            .init(
                "a policy that is none", "outbox:\n  alerts: { when-full: panic }\n",
                "3:24: when-full: expected one of drop-oldest, refuse, thin; found 'panic'"),
            .init(
                "an age of what is in memory", "outbox:\n  diagnostics: { age: 1d }\n",
                "3:18: unknown option 'age' of diagnostics; there is only size"),
            .init(
                "a window that is none", "storage:\n  here: { backend: directory, path: /srv, window: night }\n",
                "3:51: window: expected a part of each day by local time, such as 22:00-06:00, or always; found 'night'"
            ),
            .init(
                "a rate without its time", "storage:\n  here: { backend: directory, path: /srv, rate: 50kB }\n",
                "3:49: rate: expected a size from 1kB/s to 1GB/s, such as 50kB/s, or unlimited; found '50kB'"),
        ] as [WrongConfiguration])
    func wrong(wrong: WrongConfiguration) {
        #expect(Sample.messages(("device: porch\n" + wrong.text).utf8) == wrong.messages)
    }
}
