import DeviceKit
import Peripherals

/// An angle in a second.
struct AngularSpeed: Sendable, Hashable {
    let degreesPerSecond: Double

    /// `nil` unless above zero and finite.
    init?(degreesPerSecond: Double) {
        guard degreesPerSecond > 0, degreesPerSecond.isFinite else { return nil }
        self.degreesPerSecond = degreesPerSecond
    }
}

/// A step of a sequence.
enum ServoMove: Sendable, Hashable {
    case move(to: Angle, over: Duration)
    case wait(Duration)
}

extension OptionKind<AngularSpeed> {
    /// From what takes an hour for a turn to what no servo reaches.
    static var angularSpeed: OptionKind {
        OptionKind("an angular speed from 0.1deg/s to 10000deg/s, such as 90deg/s") { input in
            guard case .scalar(let text) = input, text.hasSuffix("/s"),
                let angle = Angle(configurationText: String(text.dropLast(2))), (0.1...10_000).contains(angle.degrees)
            else { return nil }
            return AngularSpeed(degreesPerSecond: angle.degrees)
        }
    }
}

extension OptionKind<[ServoMove]> {
    /// `[20deg, 90deg over 1s, wait 500ms]`
    static var servoSteps: OptionKind {
        OptionKind("a list of angles from -360deg to 360deg and waits, such as [20deg, 90deg over 1s, wait 500ms]") {
            input in
            // On a command line it is one text: `20deg, 90deg over 1s`.
            let texts = input.texts.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            let steps = texts.compactMap { step(String($0)) }
            return !steps.isEmpty && steps.count == texts.count ? steps : nil
        }
    }

    private static func step(_ text: String) -> ServoMove? {
        let words = text.split(separator: " ").map(String.init)
        let longest = Duration.seconds(600)
        if words.count == 2, words[0] == "wait" {
            return Duration(configurationText: words[1]).flatMap { $0 <= longest ? .wait($0) : nil }
        }
        guard let first = words.first, let angle = Angle(configurationText: first), abs(angle.degrees) <= 360 else {
            return nil
        }
        if words.count == 1 { return .move(to: angle, over: .zero) }
        guard words.count == 3, words[1] == "over", let time = Duration(configurationText: words[2]), time <= longest
        else { return nil }
        return .move(to: angle, over: time)
    }
}
