import Peripherals

/// Which pulse stands for which angle.
struct ServoCalibration: Equatable {
    let angles: ClosedRange<Angle>
    /// The pulses at the first and at the last angle; the second may be the shorter one.
    let firstPulse: Duration
    let lastPulse: Duration

    init(angles: ClosedRange<Angle>, firstPulse: Duration, lastPulse: Duration, isInverted: Bool = false) {
        self.angles = angles
        self.firstPulse = isInverted ? lastPulse : firstPulse
        self.lastPulse = isInverted ? firstPulse : lastPulse
    }

    /// The pulse for an angle; angles outside the range are held at its ends, where the mechanics stop.
    func pulseWidth(for angle: Angle) -> Duration {
        let span = angles.upperBound.degrees - angles.lowerBound.degrees
        let held = min(max(angle, angles.lowerBound), angles.upperBound)
        return firstPulse + (lastPulse - firstPulse) * ((held.degrees - angles.lowerBound.degrees) / span)
    }
}
