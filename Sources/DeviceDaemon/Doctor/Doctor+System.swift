import CaptureStore
import DeviceRuntime
import LinuxPeripherals

// The configuration, what the board stands on, and where its records go.

extension Doctor {
    var setup: [Finding] {
        switch facts.setup {
        case .missing(let path):
            return [
                Finding(
                    .problem, "setup", "there is no configuration at \(path)",
                    remedy: "sudoedit \(path)   # examples are in examples/, drivers in perch drivers")
            ]
        case .wrong(let errors, let path):
            return [Finding(.problem, "setup", errors, remedy: "sudoedit \(path) && perch check \(path)")]
        case .valid(let configuration, let path):
            let parts = [
                counted(configuration.devices.count, "device"), counted(configuration.rules.count, "rule"),
                counted(configuration.storage.count, "storage"),
            ].joined(separator: ", ")
            var findings = [Finding(.well, "setup", "\(path) is valid: \(configuration.name) with \(parts)")]
            if isOnThisMachine, profile == nil {
                findings.append(
                    Finding(
                        .problem, "setup", "no board profile for \(facts.board.model ?? "this machine")",
                        remedy: "name the board in \(path): "
                            + BoardProfile.all.map(\.name).joined(separator: ", ") + " or simulated"))
            }
            return findings
        }
    }

    var clock: [Finding] {
        facts.isClockRight
            ? [Finding(.well, "clock", "a time server was heard")]
            : [
                Finding(
                    .problem, "clock", "no time server was heard: the times of records may be wrong",
                    remedy: "sudo timedatectl set-ntp true && timedatectl timesync-status")
            ]
    }

    /// Below this a log or two fills the disk.
    private static let leastSpace = 100_000_000

    var disk: [Finding] {
        var findings = facts.board.flash.map { flash in
            flash.wear >= 90
                ? Finding(
                    .problem, "disk", "\(flash.name) has used \(min(flash.wear, 100)) % of its life",
                    remedy: "replace it, and copy \(facts.stateDirectory) to the new one with perch stopped")
                : Finding(.well, "disk", "\(flash.name) has used at most \(flash.wear) % of its life")
        }
        guard let space = facts.space else { return findings }
        let free = "\(space.free / 1_000_000) of \(space.total / 1_000_000) MB are free for \(facts.stateDirectory)"
        if space.isReadOnly {
            findings.append(
                Finding(
                    .problem, "disk", "the file system of \(facts.stateDirectory) is read-only",
                    remedy: "dmesg | grep -i -e 'I/O error' -e remount   # a card that fails is often why"))
        } else if space.free < Self.leastSpace {
            findings.append(
                Finding(.problem, "disk", free, remedy: "sudo journalctl --vacuum-size=100M && sudo apt-get clean"))
        } else {
            findings.append(Finding(.well, "disk", free))
        }
        return findings
    }

    var watchdog: [Finding] {
        facts.board.watchdogs.prefix(1).map { watchdog in
            watchdog.isActive
                ? Finding(.well, "watchdog", "\(watchdog.name) is fed: a board that hangs is reset")
                : Finding(
                    .note, "watchdog", "\(watchdog.name) is not used: a board that hangs stays so",
                    remedy:
                        "sudo mkdir -p /etc/systemd/system.conf.d && printf '[Manager]\\nRuntimeWatchdogSec=15s\\n' | "
                        + "sudo tee /etc/systemd/system.conf.d/watchdog.conf && sudo systemctl daemon-reexec")
        }
    }

    var storage: [Finding] {
        (configuration?.storage ?? []).map { storage in
            if let trial = facts.trials[storage.name] {
                return trial.map {
                    Finding(
                        .problem, "storage", "\(storage.name): \($0)",
                        remedy: "mend that, then: perch queue flush")
                } ?? Finding(.well, "storage", "\(storage.name) took a record of the doctor's")
            }
            if let failure = facts.failures[storage.name] {
                return Finding(
                    .problem, "storage", "uploads to \(storage.name) fail since \(failure.since): \(failure.reason)",
                    remedy: "mend that, then: perch queue flush")
            }
            return Finding(
                .note, "storage", "\(storage.name) was not asked", remedy: "perch doctor --upload   # sends it a record"
            )
        }
    }

    var daemon: [Finding] {
        switch facts.daemonStatus {
        case 0: [Finding(.well, "daemon", "it runs, and all is well")]
        case nil:
            [
                Finding(
                    .note, "daemon", "no daemon answers\(facts.isRoot ? "" : " \(facts.user)")",
                    remedy: "sudo systemctl enable --now perch && journalctl -u perch -e")
            ]
        default: [Finding(.problem, "daemon", "it runs, but not all is well", remedy: "perch status")]
        }
    }
}
