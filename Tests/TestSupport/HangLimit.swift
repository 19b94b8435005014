public import Testing

extension Trait where Self == TimeLimitTrait {
    /// For tests that wait for another program: one that hangs fails by name, and does not hold up the ring for good.
    /// Far beyond what any of them takes, so that nothing depends on the machine's speed.
    public static var boundedHang: Self { .timeLimit(.minutes(10)) }
}
