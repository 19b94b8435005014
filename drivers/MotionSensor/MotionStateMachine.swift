/// One sensor or several, which watch one zone together: somebody moves where any of them sees it.
struct MotionStateMachine {
    struct Settings: Equatable {
        var holdOff: Duration = .zero
        var occupiedFor: Duration?
        var stuckAfter: Duration = .seconds(4 * 3600)
    }

    enum Happening: Equatable {
        /// By the sensor that saw somebody begin or stop last.
        case presence(PresenceStateMachine.Happening, sensor: Int)
        case sensor(SensorStateMachine.Report, Int)
    }

    private var sensors: [SensorStateMachine]
    private var presence: PresenceStateMachine
    private var lastSensor = 0

    /// The outputs read as this: a state, and no event.
    init(_ settings: Settings, areHigh: [Bool], at now: Duration) {
        sensors = areHigh.map { SensorStateMachine(stuckAfter: settings.stuckAfter, isHigh: $0, at: now) }
        presence = PresenceStateMachine(
            holdOff: settings.holdOff, occupiedFor: settings.occupiedFor, isMotion: areHigh.contains(true), at: now)
    }

    var isMotion: Bool { presence.isMotion }
    var isOccupied: Bool { presence.isOccupied }

    /// When to read the levels, if no edge comes before.
    var deadline: Duration? { (sensors.map(\.deadline) + [presence.deadline]).compactMap(\.self).min() }

    /// A sensor's output has changed, or reads as this.
    mutating func level(of sensor: Int, isHigh: Bool, at time: Duration) -> [Happening] {
        guard sensors.indices.contains(sensor) else { return [] }
        let before = sensors[sensor].isMotion
        let reports = sensors[sensor].level(isHigh: isHigh, at: time)
        if sensors[sensor].isMotion != before { lastSensor = sensor }
        let isMoving = sensors.contains(where: \.isMotion)
        return reports.map { .sensor($0, sensor) }
            + presence.change(isMoving: isMoving, at: time).map { .presence($0, sensor: lastSensor) }
    }
}
