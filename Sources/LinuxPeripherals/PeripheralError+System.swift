internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// What the group's name and udev's subsystem are for a kind of device node, for advice.
enum AccessGroup: String {
    case gpio
    case i2c
    case spi
    case pwm
    case tty

    private var group: String {
        switch self {
        case .pwm: "gpio"
        case .tty: "dialout"
        default: rawValue
        }
    }

    /// Raspberry Pi OS has these groups and rules; of them plain Debian has only `dialout`.
    var advice: String {
        return "add the user to the group '\(group)' (sudo usermod -aG \(group) USER), or add a udev rule that "
            + "gives the subsystem '\(rawValue)' to a group of the user"
    }
}

extension PeripheralError {
    /// The one place where the kernel's numbers become kinds of errors.
    static func code(of number: Int32) -> Code {
        switch number {
        case ENOENT, ENODEV, ENXIO: .notFound
        case EACCES, EPERM: .permissionDenied
        case EBUSY: .busy
        case ETIMEDOUT: .timedOut
        case EINVAL, EMSGSIZE, ERANGE: .invalidArgument
        case EBADF: .closed
        case EOPNOTSUPP, ENOTTY, ENOSYS: .unsupported
        default: .io
        }
    }

    /// `code` for where an interface gives a number a meaning of its own.
    init(_ error: SystemError, _ message: String, code: Code? = nil, advice: String? = nil) {
        self.init(
            code ?? Self.code(of: error.code), message, cause: "\(error.reason), \(error.symbol)", advice: advice)
    }
}

/// Runs `body` and turns a ``SystemError`` into what `describe` makes of it.
func describingErrors<Value>(
    _ describe: (SystemError) -> PeripheralError, _ body: () throws -> Value
) throws -> Value {
    do { return try body() } catch let error as SystemError { throw describe(error) }
}
