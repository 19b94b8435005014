import DeviceRuntime
import Testing

@Suite("Wall time")
struct WallTimeTests {
    @Test(
        "What is written is read back",
        arguments: ["1970-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "2026-03-01T07:30:00.250Z"])
    func roundTrip(text: String) {
        #expect(WallTime(text)?.description == text)
    }

    @Test(
        "What is no such time is refused",
        arguments: [
            "", "yesterday", "2026-03-01", "2026-02-30T00:00:00.000Z", "2026-03-01T07:30:00Z",
            "2026-03-01T07:30:00.250+01:00", "99999999999-01-01T00:00:00.000Z",
        ])
    func refusals(text: String) {
        #expect(WallTime(text) == nil)
    }
}
