import Peripherals

/// Which pulse stands for which angle.
struct ServoCalibration: Equatable {
    let angles: ClosedRange<Angle>
    let pulses: ClosedRange<Duration>

    /// The pulse for an angle; angles outside the range are held at its ends, where the mechanics stop.
    func pulseWidth(for angle: Angle) -> Duration {
        let span = angles.upperBound.degrees - angles.lowerBound.degrees
        let held = min(max(angle, angles.lowerBound), angles.upperBound)
        let part = (held.degrees - angles.lowerBound.degrees) / span
        return pulses.lowerBound + (pulses.upperBound - pulses.lowerBound) * part
    }
}

/// A move from one angle to another, at constant speed.
struct ServoMotion: Equatable {
    let from: Angle
    let to: Angle
    let start: Duration
    let duration: Duration

    func angle(at time: Duration) -> Angle {
        guard !isOver(at: time) else { return to }
        let part = (time - start) / duration
        return .degrees(from.degrees + (to.degrees - from.degrees) * max(part, 0))
    }

    func isOver(at time: Duration) -> Bool { time >= start + duration }
}
