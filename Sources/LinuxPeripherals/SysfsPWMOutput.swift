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
            output.end()
            throw error
        }
        return output
    }

    let backend = PWMBackend.hardware

    func setPeriod(_ period: Duration) async throws {
        try set("period", period, least: 1, "a period")
        hasPeriod = true
    }

    func setPulseWidth(_ width: Duration) async throws {
        try checkPeriod()
        try set("duty_cycle", width, least: 0, "a pulse width")
    }

    func setPolarity(_ polarity: PWMPolarity) async throws {
        try checkPeriod()
        try describing("cannot tell its polarity") {
            if try read("enable") != "0" {
                throw PeripheralError(
                    .invalidArgument, "\(name): the polarity changes only while disabled", advice: "disable it first")
            }
            if try readPolarity() == polarity { return }
        }
        // What is refused while disabled, with a period, can only be the polarity itself.
        try describingErrors({ error in
            PeripheralError(
                error, "\(name): \(chip.device) cannot inverse its pulses",
                code: PeripheralError.code(of: error.code) == .permissionDenied ? nil : .unsupported)
        }) {
            try write("polarity", polarity.rawValue)
        }
    }

    func enable() async throws {
        try checkPeriod()
        try describing("cannot be enabled" + situation) { try write("enable", "1") }
    }

    func disable() async throws {
        try checkOpen()
        try describing("cannot be disabled") { try writeDisable() }
    }

    func settings() async throws -> PWMSettings {
        try checkOpen()
        return try describingErrors({ PeripheralError($0, "\(name) cannot be read") }) {
            PWMSettings(
                period: try readTime("period"), pulseWidth: try readTime("duty_cycle"), polarity: try readPolarity(),
                isEnabled: try read("enable") != "0")
        }
    }

    func close() async { end() }

    deinit { end() }

    private func end() {
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
        if try readPolarity() == .inversed { try write("polarity", "normal") }
    }

    private func writeDisable() throws {
        guard try read("enable") != "0" else { return }
        try write("enable", "0")
    }

    private func set(_ attribute: String, _ value: Duration, least: Int64, _ what: String) throws {
        try checkOpen()
        let nanoseconds = try PWMSettings.nanoseconds(value, least: least, what, of: name)
        try describing("refuses \(what) of \(value)" + situation) { try write(attribute, "\(nanoseconds)") }
    }

    // MARK: Attributes

    private var path: String { "\(chip.path)/pwm\(channel)" }

    private func read(_ attribute: String) throws -> String { try SystemFiles.text(of: "\(path)/\(attribute)") }

    private func readTime(_ attribute: String) throws -> Duration { .nanoseconds(Int64(try read(attribute)) ?? 0) }

    /// A chip that cannot inverse has normal pulses.
    private func readPolarity() throws -> PWMPolarity {
        do { return PWMPolarity(rawValue: try read("polarity")) ?? .normal } catch let error as SystemError
            where error.code == ENOENT
        { return .normal }
    }

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
