import Peripherals

struct NothingFailed: Error {}

/// The error of `body`; throws when it ends well. (`#expect(throws:)` returns its error from Swift 6.1 on.)
func failure(_ body: () async throws -> Void) async throws -> PeripheralError {
    do { try await body() } catch let error as PeripheralError { return error }
    throw NothingFailed()
}
