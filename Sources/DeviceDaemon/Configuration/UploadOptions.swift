import CaptureStore
import DeviceKit

/// The options that every storage has.
enum UploadOptions {
    static let window = Option(
        "window", .either(.dailyWindow, or: "always"), default: "always", "when it is given records")
    static let windowFor = Option(
        "window-for", OptionKind<UploadLimits.Scope>.word, default: "all",
        "what keeps to the window: all, or files, while documents go at any time")
    static let rate = Option(
        "rate", .either(.size(1000...1_000_000_000, per: "/s", example: "50kB/s"), or: "unlimited"),
        default: "unlimited", "bytes a second, over time")
    static let parallel = Option(
        "parallel", .integer(1...16), default: "1",
        "how many uploads may be under way at once; with more than one, order is not kept")

    static let table = [window.description, windowFor.description, rate.description, parallel.description]

    static func limits(_ values: OptionValues) -> UploadLimits {
        var limits = UploadLimits()
        // The table has a default for each, and a value that was refused is an error already.
        limits.window = (try? values[window])?.value
        limits.windowScope = (try? values[windowFor]) ?? .everything
        limits.rate = (try? values[rate])?.value.map { Int($0) }
        limits.parallel = (try? values[parallel]) ?? 1
        return limits
    }
}
