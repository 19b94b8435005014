import TestSupport
import Testing

/// The package on a Debian with systemd, on the real kernel: what a board does with it.
@Suite("A board that boots", .serialized, .boundedHang)
struct BootTests {
    private let system: BootedSystem

    init() throws { system = try BootedSystem.shared.get() }

    @Test("The package's own configuration runs, claims nothing, and is ready when systemd says so")
    func fresh() throws {
        let text = try system.run(
            """
            await is active systemctl is-active perch
            property StatusText
            test "$(property UnitFileState)" = enabled
            perch status
            """)
        #expect(text.contains("perch on board raspberry-pi-4"), "\(text)")
    }

    @Test("An edge becomes a record, a rule's command reaches its line, and a storage gets what there is")
    func edge() throws {
        let text = try system.run(
            """
            doorbell | sed 's/nas:.*/folder: { backend: directory, path: records }/' | begin bell lamp
            press
            await is 1 level 17
            find_record() { find /var/lib/perch/records -name '*bell.pressed.json' | grep .; }
            await find_record
            cat "$(find_record)"
            """)
        #expect(text.contains("\"pressed\""), "\(text)")
    }

    @Test("systemctl reload applies a changed rule, and no event is lost over it")
    func reload() throws {
        try system.run(
            """
            doorbell on | begin bell lamp
            press
            await is 1 level 17
            before=$(property MainPID)
            (for i in $(seq 40); do press; done) &
            doorbell off > $configuration
            systemctl reload perch
            wait
            await is 41 records bell.pressed
            await is 0 level 17
            test "$before" = "$(property MainPID)"
            """)
    }

    @Test("A configuration with an error is refused by reload, and the running one stays")
    func refused() throws {
        let text = try system.run(
            """
            doorbell on | begin bell lamp
            echo 'devices: { bell: { driver: buton } }' > $configuration
            perch reload && exit 1 || true
            press
            await is 1 records bell.pressed
            await is 1 level 17
            """)
        #expect(text.contains("unknown driver 'buton'; did you mean 'button'?"), "\(text)")
    }

    @Test("A killed daemon is back, a second later, and takes events again")
    func killed() throws {
        let text = try system.run(
            """
            doorbell | begin bell lamp
            press
            await is 1 records bell.pressed
            before=$(property MainPID)
            kill -KILL "$before"
            changed() { local now; now=$(property MainPID); [ "$now" != 0 ] && [ "$now" != "$before" ]; }
            await changed
            await is active systemctl is-active perch
            await is running health bell
            press
            await is 2 records bell.pressed
            property RestartUSec
            property NRestarts
            """)
        #expect(text.split(separator: "\n").suffix(2) == ["1s", "1"], "\(text)")
    }

    @Test("A hung daemon is ended by the watchdog and started again")
    func hung() throws {
        try system.run(
            """
            doorbell | begin bell
            mkdir -p /run/systemd/system/perch.service.d
            printf '[Service]\\nWatchdogSec=3s\\nTimeoutAbortSec=1s\\n' > /run/systemd/system/perch.service.d/test.conf
            systemctl daemon-reload
            systemctl restart perch
            await is running health bell
            before=$(property MainPID)
            kill -STOP "$before"
            is_other() { local now; now=$(property MainPID); [ "$now" != 0 ] && [ "$now" != "$before" ]; }
            await is_other
            journalctl -u perch -o cat | grep -q 'Watchdog timeout'
            await is running health bell
            press
            await is 1 records bell.pressed
            """)
    }

    @Test("Without a network it runs, and what happens waits")
    func noNetwork() throws {
        let text = try system.run(
            """
            doorbell | begin bell lamp
            press
            await is 1 records bell.pressed
            await is 1 level 17
            test "$(systemctl is-active perch)" = active
            perch queue list --state /var/lib/perch
            """)
        #expect(text.contains("nas: waits"), "\(text)")
    }

    @Test("A chip that is not there disables its device and nothing else")
    func missingChip() throws {
        let text = try system.run(
            """
            doorbell | sed 's/^rules/  ghost: { driver: led, pin: "no-such-chip:3" }\\nrules/' | begin bell lamp
            await is failing health ghost
            press
            await is 1 level 17
            await is 1 records bell.pressed
            perch status || true
            """)
        #expect(text.contains("there is no GPIO chip 'no-such-chip'"), "\(text)")
    }

    @Test("Confined to an exposure of at most 2.0, it drives GPIO, I2C, SPI and PWM, as a user without any privilege")
    func confined() throws {
        let text = try system.run(
            """
            begin lamp sign light arm <<END
            device: porch
            board: auto
            devices:
              lamp: { driver: led, pin: GPIO17 }
              sign: { driver: ht16k33, bus: I2C1, address: 0x70 }
              light: { driver: mcp3008, channel: 0, every: 100ms, change: 1 }
              arm: { driver: servo, pwm: PWM0 }
            storage:
              nas: { backend: http, url: "http://192.0.2.1/porch" }
            END
            perch send lamp on
            test "$(level 17)" = 1
            perch send sign show HELLO
            pwm=$(echo /sys/class/pwm/pwmchip*/pwm0)
            perch send arm move to=10deg
            await grep -q 1 $pwm/enable
            low=$(cat $pwm/duty_cycle)
            perch send arm move to=80deg
            is_wider() { [ "$(cat $pwm/duty_cycle)" -gt "$low" ]; }
            await is_wider
            has_told() { device light | grep -q lastEvent; }
            await has_told
            for device in lamp sign light arm; do test "$(health $device)" = running; done
            grep -E '^(Uid|CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/$(property MainPID)/status
            systemd-analyze security --threshold=20 perch.service --no-pager | tail -n 1
            """)
        #expect(!text.contains("Uid:\t0"), "\(text)")
        #expect(text.contains("CapEff:\t0000000000000000"), "\(text)")
        #expect(text.contains("CapBnd:\t0000000000000000"), "\(text)")
        #expect(text.contains("NoNewPrivs:\t1"), "\(text)")
        #expect(text.contains("Seccomp:\t2"), "\(text)")
        #expect(text.contains("Overall exposure level for perch.service:"), "\(text)")
        print(text.split(separator: "\n").last ?? "")
    }

    @Test("A stop makes outputs safe, and leaves no process")
    func stop() throws {
        try system.run(
            """
            doorbell | begin bell lamp
            press
            await is 1 level 17
            systemctl stop perch
            test "$(level 17)" = 0
            test "$(property Result)" = success
            ! grep -qx perch /proc/[0-9]*/comm
            """)
    }

    @Test("An upgrade keeps the configuration and what waits, and runs the new version")
    func upgrade() throws {
        try system.run(
            """
            doorbell | begin bell lamp
            press; press; press
            await is 3 records bell.pressed
            before=$(property MainPID)
            dpkg --force-confold --install /next.deb >/dev/null 2>&1
            test "$(dpkg-query -W -f '${Version}' perch)" = 99.0
            test "$(property MainPID)" != "$before"
            await is running health bell
            test "$(records bell.pressed)" = 3
            press
            await is 4 records bell.pressed
            """)
    }
}
