import CaptureStore
import DeviceKit
import DeviceRuntime

/// How a daemon does, at one moment: plain data, for whoever shows it.
struct Status: Sendable {
    struct Device: Sendable {
        var name: String
        /// `button`
        var driver: String
        var health = DeviceHealth.healthy
        /// Why its part is not as it should be, though the device runs.
        var fault: String?
        /// Those that hold, sorted.
        var states: [String] = []
        /// When is told as time since boot.
        var lastEvent: (name: String, at: Duration)?
        var tally = DeviceDirectory.DeviceTally()
    }

    struct Storage: Sendable {
        var name: String
        /// `webdav`
        var backend: String
        /// Records that are on their way.
        var waiting = 0
        /// Dead letters.
        var rejected = 0
        /// How long ago that happened which waits longest; `nil` if nothing waits.
        var oldest: Duration?
        /// What keeps uploads from working; `nil` while they work.
        var failure: OutboxReader.Backlog.Failure?
        var uploads = UploadTally()
    }

    var name: String
    /// `raspberry-pi-4`
    var board: String
    /// Time since boot, and what the clock shows.
    var now: Duration
    var time: WallTime
    /// How long the daemon has run.
    var uptime: Duration
    /// In the order of the configuration, as the storages.
    var devices: [Device] = []
    var storage: [Storage] = []
    /// Whether the disk takes what is captured.
    var outbox = OutboxCondition()
    /// Records that were dropped since the outbox was made.
    var drops: [OutboxReader.Drops] = []
    /// How long the event loop was busy each time.
    var turns = DurationHistogram()
    var usage: ProcessUsage

    /// Every device and its part work, the disk takes captures, uploads work, and nothing was refused by a storage.
    var isWell: Bool {
        devices.allSatisfy(\.isWell) && outbox.isWell
            && storage.allSatisfy { $0.rejected == 0 && $0.failure == nil }
    }
}

extension Status.Device {
    var isWell: Bool { if case .failing = health { false } else { fault == nil } }
}

extension Status {
    /// Asks the daemon, and its outbox on the disk.
    init(_ site: ControlSite) async throws {
        let directory = site.daemon.outbox.directory
        // Reading may wait for the disk.
        let (backlog, drops, usage) = try await BlockingThread(named: "status", loop: site.loop).run {
            // Nothing was captured yet where there is no file.
            let reader = try? OutboxReader(directory: directory)
            return ((try? reader?.backlog()) ?? [], (try? reader?.drops()) ?? [], ProcessUsage.now())
        }
        let tallies = await site.daemon.uploads.tallies()
        let now = site.loop.now
        let time = site.wallClock.now
        self.init(
            name: site.configuration.name, board: site.board, now: now, time: time, uptime: now - site.start,
            devices: site.daemon.devices.entries.map(Device.init),
            storage: site.configuration.storage.map { storage in
                let backlog = backlog.first { $0.backend == storage.name }
                return Storage(
                    name: storage.name, backend: storage.backend.name, waiting: backlog?.pending ?? 0,
                    rejected: backlog?.rejected ?? 0,
                    // A clock that was set back does not make records young before they were.
                    oldest: backlog?.oldest.map { max(.zero, time.sinceEpoch - $0.sinceEpoch) },
                    failure: backlog?.failure, uploads: tallies[storage.name] ?? UploadTally())
            },
            outbox: site.daemon.outbox.condition, drops: drops, turns: site.loop.turns, usage: usage)
    }
}

extension Status.Device {
    init(_ entry: DeviceDirectory.Entry) {
        self.init(
            name: entry.name, driver: entry.driver.name, health: entry.health, fault: entry.fault,
            states: entry.states.sorted(), lastEvent: entry.lastEvent.map { ($0.name, $0.timestamp) },
            tally: entry.tally)
    }
}
