import DeviceDaemon
import DriverTesting
import TMP102Driver
import TMP102Model
import Testing

@Suite("TMP102 keeps the rules of drivers")
struct TMP102RulesTests {
    /// The folder of the package.
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    @Test("Its source has no other clock, blocks nothing and cannot trap")
    func sources() throws {
        #expect(try DriverRules.problems(inSources: "\(Self.package)/Sources/TMP102Driver") == [])
    }

    @Test("Its README names everything that a configuration may say")
    func readme() throws {
        #expect(try DriverRules.problems(of: TMP102.driver, readme: "\(Self.package)/README.md") == [])
    }

    @Test("It gives back what it has opened, runs again, and does the same again")
    func running() async throws {
        let connect = TMP102Part.model.connect(to:_:)
        let problems = try await DriverRules.problems(running: TMP102.driver, connecting: connect)
        #expect(problems == [])
    }
}
