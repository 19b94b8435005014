import DeviceKit

/// The people of the simulated board.
enum Visitors {
    static let flag = Verb.Flag(
        name: "visitors", value: "TIME",
        summary: "on the simulated board, about how often somebody comes by")

    static func interval(_ arguments: Arguments) throws -> Duration {
        try arguments.value("visitors", default: "10min", expected: "a duration from 1ms on, such as 10min") { text in
            Duration(configurationText: text).flatMap { $0 >= .milliseconds(1) ? $0 : nil }
        }
    }
}
