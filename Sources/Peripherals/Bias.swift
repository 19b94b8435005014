/// The pull resistor of an input line (the kernel's word, `gpio/gpio-v2` flags `BIAS_*`).
public enum Bias: String, Sendable, Hashable, CaseIterable {
    /// Leave it as the firmware or the overlay configured it.
    case asIs = "as-is"
    /// No pull resistor: the line floats when nothing drives it.
    case disabled
    case pullUp = "pull-up"
    case pullDown = "pull-down"
}
