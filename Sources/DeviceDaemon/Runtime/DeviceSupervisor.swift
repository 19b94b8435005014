import DeviceKit
import DeviceRuntime

/// Keeps one device running: a part that fails is run again after a pause, and the others do not notice.
struct DeviceSupervisor {
    let name: String
    let device: any Device
    let clock: any MonotonicClock
    let directory: DeviceDirectory
    let logger: Logger

    private static let firstPause: Duration = .seconds(1)
    private static let longestPause: Duration = .seconds(60)

    /// Runs it until cancelled.
    func run() async {
        var pause = Self.firstPause
        while true {
            let wasReady = Protected(false)
            do {
                try await device.run {
                    wasReady.withLock { $0 = true }
                    becomeHealthy()
                }
                if Task.isCancelled { return }
                fail("it ended without an error")
            } catch {
                if Task.isCancelled { return }
                fail("\(error)")
            }
            // A part that worked in between starts over with a short pause.
            if wasReady.withLock({ $0 }) { pause = Self.firstPause }
            do { try await clock.sleep(for: pause) } catch { return }
            pause = min(pause * 2, Self.longestPause)
        }
    }

    private func becomeHealthy() {
        guard case .failing(_, let failures) = directory.set(name, .healthy) else { return }
        logger.notice("device recovered", ["device": name, "failures": "\(failures)"])
    }

    /// Says so once, not at each try.
    private func fail(_ reason: String) {
        guard case .failing(let before, let failures) = directory[name]?.health else {
            directory.set(name, .failing(reason, failures: 1))
            return logger.error("device failed; it is tried again", ["device": name, "error": reason])
        }
        directory.set(name, .failing(reason, failures: failures + 1))
        if before != reason { logger.error("device still fails", ["device": name, "error": reason]) }
    }
}
