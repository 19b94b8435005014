internal import LineMonitoring

/// Which of the kernel's interfaces for digital lines a simulated board has.
public enum LineInterface: Sendable, CaseIterable {
    /// The first, as libgpiod 1.6 uses it: edges have no numbers, a full queue drops the newest, and the program
    /// debounces.
    case libgpiod1
    /// The second, as libgpiod 2 uses it: edges have numbers, a full queue drops the oldest, and the kernel debounces.
    case libgpiod2

    var facts: LineSourceFacts { self == .libgpiod1 ? .libgpiod1 : .libgpiod2 }
}
