/// When several buttons are one: all down, and pressed together.
struct ChordStateMachine {
    enum Happening: Equatable {
        case pressed(at: Duration)
        case released(at: Duration, after: Duration)
        case longPressed(at: Duration)
    }

    private let buttons: Set<String>
    private let within: Duration
    private let longPress: Duration?
    /// Those that are down, and since when. One that was down at the start is not among them until it is pressed anew:
    /// a stuck button makes no chord of every press of another.
    private var down: [String: Duration] = [:]
    private var pressedAt: Duration?
    private var isLong = false
    /// Those whose press belongs to a chord: it is nothing else.
    private var taken: Set<String> = []

    init(buttons: Set<String>, within: Duration, longPress: Duration?) {
        self.buttons = buttons
        self.within = within
        self.longPress = longPress
    }

    /// When it becomes a long press, if nothing happens before.
    var deadline: Duration? {
        guard let pressedAt, !isLong, let longPress else { return nil }
        return pressedAt + longPress
    }

    /// Whether what the button's press means is the chord's business alone.
    func hasTaken(_ button: String) -> Bool { taken.contains(button) }

    mutating func pressed(_ button: String, at time: Duration) -> [Happening] {
        let happenings = advance(to: time)
        down[button] = time
        taken.remove(button)
        guard down.count == buttons.count, let first = down.values.min(), let last = down.values.max(),
            last - first <= within
        else { return happenings }
        pressedAt = last
        isLong = false
        taken = buttons
        return happenings + [.pressed(at: last)]
    }

    mutating func released(_ button: String, at time: Duration) -> [Happening] {
        let happenings = advance(to: time)
        down[button] = nil
        guard let start = pressedAt else { return happenings }
        pressedAt = nil
        return happenings + [.released(at: time, after: time - start)]
    }

    /// Nothing happened up to `time`.
    mutating func advance(to time: Duration) -> [Happening] {
        guard let due = deadline, due <= time else { return [] }
        isLong = true
        return [.longPressed(at: due)]
    }
}
