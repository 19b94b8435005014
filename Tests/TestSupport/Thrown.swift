/// The error of a kind that `body` throws. (`#expect(throws:)` returns it only from Swift 6.1 on.)
public func thrown<Failure: Error>(_ kind: Failure.Type, by body: () throws -> some Any) -> Failure? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? Failure
    }
}
