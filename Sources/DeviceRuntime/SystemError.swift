internal import CLinux
internal import Glibc

/// A system call that failed, with its name and its reason.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    public let code: Int32
    public let call: String

    public init(code: Int32, call: String) {
        self.code = code
        self.call = call
    }

    /// `EACCES (13)`: what a person searches for.
    public var symbol: String {
        let name = perch_error_name(code).map { String(cString: $0) } ?? "error"
        return "\(name) (\(code))"
    }

    /// `Permission denied`
    public var reason: String {
        perch_error_description(code).map { String(cString: $0) } ?? "error \(code)"
    }

    public var description: String { "\(call): \(reason), \(symbol)" }
}

/// The one funnel for system calls: retries when a signal interrupts, and turns -1 into a ``SystemError``.
@inlinable
@discardableResult
public func systemCall<Value: SignedInteger>(_ name: String, _ body: () -> Value) throws -> Value {
    while true {
        let result = body()
        if result >= 0 { return result }
        if let error = systemError(name) { throw error }
    }
}

/// What has just gone wrong; `nil` for a signal's interruption.
@usableFromInline
func systemError(_ name: String) -> SystemError? {
    let code = perch_errno()
    return code == EINTR ? nil : SystemError(code: code, call: name)
}
