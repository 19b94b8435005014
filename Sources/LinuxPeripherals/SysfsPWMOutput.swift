internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// A PWM channel by sysfs (`Documentation/ABI/testing/sysfs-class-pwm`). The kernel enforces the order of the
/// steps: its refusal is what `invalidArgument` reports.
///
/// Unchecked: used on the loop only; the attributes answer at once.
final class SysfsPWMOutput: PWMOutput, @unchecked Sendable {
    let name: String
    private let chip: PWMChip
    private let channel: Int
    private let claim: Claim
    /// The kernel keeps an earlier user's period over unexport and export: only one that was set here counts.
    private var hasPeriod = false
    private var isClosed = false

    private init(name: String, chip: PWMChip, channel: Int, claim: Claim) {
        self.name = name
        self.chip = chip
        self.channel = channel
        self.claim = claim
    }

    /// Exports the channel, waits until udev has let the process in, and ends what an earlier process may have
    /// left running.
    static func open(
        name: String, chip: PWMChip, channel: Int, claim: Claim, clock: any MonotonicClock
    ) async throws -> SysfsPWMOutput {
        let output = SysfsPWMOutput(name: name, chip: chip, channel: channel, claim: claim)
        try output.export()
        do {
            try await output.waitForAccess(clock)
            try output.describing("cannot be made safe") { try output.makeSafe() }
        } catch {
            await output.close()
            throw error
        }
        return output
    }

    func setPeriod(_ period: Duration) async throws {
        try set("period", period, minimum: .nanoseconds(1), "a period")
        hasPeriod = true
    }

    func setPulseWidth(_ width: Duration) async throws {
        try checkPeriod()
        try set("duty_cycle", width, minimum: .zero, "a pulse width")
    }

    func enable() async throws {
        try checkPeriod()
        try describing("cannot be enabled" + situation) { try write("enable", "1") }
    }

    func disable() async throws {
        try checkOpen()
        try describing("cannot be disabled") { try writeDisable() }
    }

    func close() async {
        guard !isClosed else { return }
        isClosed = true
        // Best effort, each step even if the one before failed: the chip may be gone.
        try? makeSafe()
        try? SystemFiles.write("\(channel)", to: "\(chip.path)/unexport")
        claim.release()
    }

    // MARK: Steps

    private func export() throws {
        guard !SystemFiles.exists(path) else { return }
        try describingErrors({ error in
            switch error.code {
            case ENODEV:
                PeripheralError(
                    error, "\(name): \(chip.device) has no channel \(channel)", code: .notFound,
                    advice: "choose a channel that 'npwm' in \(chip.path) covers")
            case EBUSY:
                PeripheralError(
                    error, "\(name) is held by a driver of the kernel",
                    advice: "remove its overlay, or choose another channel")
            default: accessError(error)
            }
        }) {
            try SystemFiles.write("\(channel)", to: "\(chip.path)/export")
        }
    }

    /// A fresh channel belongs to root until udev has run, which takes from 30 ms to a second (measured by
    /// others: python-periphery#35, raspberrypi/linux#1007).
    private func waitForAccess(_ clock: any MonotonicClock) async throws {
        let deadline = clock.now + .seconds(2)
        while true {
            do {
                for attribute in ["period", "duty_cycle", "enable"] {
                    _ = try FileDescriptor(opening: "\(path)/\(attribute)", flags: O_WRONLY)
                }
                return
            } catch let error as SystemError {
                let mayChange = error.code == EACCES || error.code == ENOENT
                guard mayChange, clock.now < deadline else { throw accessError(error) }
            }
            try await clock.sleep(for: .milliseconds(20))
        }
    }

    /// No pulses, width zero, normal polarity, whatever was set before.
    private func makeSafe() throws {
        // Before there is a period nothing can run, and the kernel refuses every other attribute.
        guard try read("period") != "0" else { return }
        try write("duty_cycle", "0")
        try writeDisable()
        // Changes only while disabled, and only where the chip can; where it cannot, it was never inversed.
        if (try? read("polarity")) == "inversed" { try write("polarity", "normal") }
    }

    private func writeDisable() throws {
        guard try read("enable") != "0" else { return }
        try write("enable", "0")
    }

    private func set(_ attribute: String, _ value: Duration, minimum: Duration, _ what: String) throws {
        try checkOpen()
        let (seconds, attoseconds) = value.components
        // An hour: far above every use, far below what the arithmetic takes.
        guard value >= minimum, value < .seconds(3600) else {
            throw PeripheralError(.invalidArgument, "\(name): \(what) of \(value) is out of range")
        }
        try describing("refuses \(what) of \(value)" + situation) {
            try write(attribute, "\(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)")
        }
    }

    // MARK: Attributes

    private var path: String { "\(chip.path)/pwm\(channel)" }

    private func read(_ attribute: String) throws -> String { try SystemFiles.text(of: "\(path)/\(attribute)") }

    private func write(_ attribute: String, _ text: String) throws {
        try SystemFiles.write(text, to: "\(path)/\(attribute)")
    }

    /// What is set, for messages: the kernel's EINVAL does not say what it clashed with.
    private var situation: String {
        guard let period = try? read("period"), let width = try? read("duty_cycle") else { return "" }
        return " (period \(period) ns, pulse width \(width) ns)"
    }

    private func checkOpen() throws {
        if isClosed { throw PeripheralError(.closed, "\(name) was closed before") }
    }

    private func checkPeriod() throws {
        try checkOpen()
        if !hasPeriod { throw PeripheralError(.invalidArgument, "\(name) has no period yet", advice: "set it first") }
    }

    private func describing(_ failure: @autoclosure () -> String, _ body: () throws -> Void) throws {
        try describingErrors({ PeripheralError($0, "\(name) \(failure())") }, body)
    }

    private func accessError(_ error: SystemError) -> PeripheralError {
        let advice = PeripheralError.code(of: error.code) == .permissionDenied ? AccessGroup.pwm.advice : nil
        return PeripheralError(error, "\(name): channel \(channel) of \(chip.device) cannot be opened", advice: advice)
    }
}
