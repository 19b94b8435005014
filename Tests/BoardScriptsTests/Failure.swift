/// The error that `body` throws; `nil` for none.
func failure<E: Error>(of type: E.Type = E.self, _ body: () async throws -> Void) async -> E? {
    do { try await body() } catch { return error as? E }
    return nil
}
