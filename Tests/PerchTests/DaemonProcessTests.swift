import Glibc
import TestSupport
import Testing

@Suite("The daemon as a process")
struct DaemonProcessTests {
    private static let configuration = "device: porch\ndevices:\n  bell: { driver: button, pin: GPIO27 }\n"

    @Test("It tells systemd that it is ready once the services run")
    func ready() throws {
        let site = try Site("device: porch\n")
        let daemon = try site.start()
        try site.manager.receive(containing: "READY=1\nSTATUS=0 of 0 devices running")
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("It tells systemd how its devices do, and when it stops")
    func notification() throws {
        let site = try Site(Self.configuration)
        let daemon = try site.start()
        // Whichever comes last carries the devices' state: being ready, or the device's becoming so.
        try site.manager.receive(containing: "STATUS=1 of 1 devices running")
        #expect(daemon.end(SIGTERM) == 0)
        try site.manager.receive(containing: "STOPPING=1")
    }

    @Test("It feeds the watchdog for as long as the loop turns")
    func watchdog() throws {
        let site = try Site(Self.configuration)
        let daemon = try site.start(["WATCHDOG_USEC=100000"])
        for _ in 0..<3 { try site.manager.receive(containing: "WATCHDOG=1") }
        #expect(daemon.end(SIGINT) == 0)
    }

    @Test("SIGHUP applies a valid configuration, and refuses a wrong one while the old one goes on")
    func reload() throws {
        let site = try Site(Self.configuration)
        let daemon = try site.start()
        try daemon.line(containing: "running (device: porch")
        try site.write("device: porch\ndevices:\n  bell: { driver: buton, pin: GPIO27 }\n")
        daemon.signal(SIGHUP)
        try daemon.line(containing: "the configuration is refused; the one that runs stays")
        try site.write(Self.configuration + "  sign: { driver: ht16k33 }\n")
        daemon.signal(SIGHUP)
        try daemon.line(containing: "running (device: porch")
        try site.manager.receive(containing: "STATUS=2 of 2 devices running")
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("A device without its part is reported, and the daemon runs")
    func missingPart() throws {
        let site = try Site(Self.configuration + "  arm: { driver: servo, pwm: PWM9 }\n")
        let daemon = try site.start()
        let line = try daemon.line(containing: "device failed")
        #expect(line.contains("board simulated has no PWM channel PWM9"))
        try site.manager.receive(containing: "STATUS=1 of 2 devices running; failing: arm")
        #expect(daemon.end(SIGTERM) == 0)
    }
}
