public import Peripherals
import Testing

/// The error of `body`; `nil` and a failed test when it ends well or otherwise. (`#expect(throws:)` returns its error
/// only from Swift 6.1 on.)
public func failure(_ body: () async throws -> Void) async -> PeripheralError? {
    do {
        try await body()
        Issue.record("nothing failed")
    } catch let error as PeripheralError {
        return error
    } catch {
        Issue.record(error)
    }
    return nil
}
