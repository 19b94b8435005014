public import DeviceKit
import DeviceRuntime
import SimulatedPeripherals

/// Something that goes wrong, as data: a kind, what it concerns and when.
///
///     let fault = try Fault.read("unplug: sign, at: 10s, for: 30s", for: configuration)
public struct Fault: Sendable, CustomStringConvertible {
    public let kind: FaultKind
    /// What the first option names, if that is wires.
    public let wires: [Wire]
    public let values: OptionValues
    /// The options as they are given, in the order of the table.
    public let texts: [OptionText]
    /// When it begins, as time since boot.
    public var start: Duration

    /// How long a fault that lasts does; until the end if it is not given. The same option for all of them.
    static let duration = Option<Duration?>(
        "for",
        OptionKind("a duration from 1us to 365d, such as 30s, or the-end") { input in
            if input == .scalar("the-end") { return .some(nil) }
            return OptionKind<Duration>.duration(.microseconds(1)...(.seconds(365 * 86400))).parse(input).map {
                .some($0)
            }
        }, default: "the-end", "how long it lasts")

    /// How long it lasts; `nil` for until the end.
    public var duration: Duration? {
        guard kind.options.contains(where: { $0.name == Self.duration.name }) else { return nil }
        return (try? values[Self.duration]) ?? nil
    }

    /// `unplug sign, for 30s`
    public var description: String {
        let rest = texts.filter { $0.name != kind.options.first?.name }.map { ", \($0.name) \($0.text)" }.joined()
        return kind.name + (texts.first { $0.name == kind.options.first?.name }.map { " \($0.text)" } ?? "") + rest
    }
}

extension SimulatedWorld {
    /// Brings a fault about now, and ends it when its time is over. Throws what keeps it from happening.
    public func begin(_ fault: Fault) throws {
        trace.record("fault", "\(fault)")
        let end = try fault.kind.begin(FaultSite(wires: fault.wires, values: fault.values, world: self))
        guard let duration = fault.duration else { return }
        board.loop.schedule(after: duration) { [trace] in
            trace.record("fault", "over: \(fault)")
            end()
        }
    }

    /// Brings a fault about when its time has come; `failed` is told of what keeps it from happening.
    public func schedule(_ fault: Fault, failed: @escaping @Sendable (any Error) -> Void) {
        if fault.start <= board.loop.now {
            do { try begin(fault) } catch { failed(error) }
            return
        }
        board.loop.schedule(at: fault.start) { [self] in
            do { try begin(fault) } catch { failed(error) }
        }
    }
}
