public import Glibc

/// A value behind a lock, for the few places where another thread meets the loop.
///
/// The standard library's `Mutex` would do; a generic class that holds one crashes the compiler of Swift 6.0.3,
/// which is what Debian 13 has. Unchecked: every access holds the lock.
///
/// Inlinable, since every edge goes through several of them: without it each access looks up its types at run time.
public final class Protected<Value: Sendable>: @unchecked Sendable {
    @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    @usableFromInline var value: Value

    public init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the value. Not recursive: the body must not come back here.
    @inlinable
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
