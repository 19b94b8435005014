import DeviceDaemon
import DeviceRuntime
import LinuxPeripherals
import Peripherals
import SimulatedPeripherals

/// The boards that a configuration can name.
enum Boards {
    static let names = ["auto", "simulated"] + BoardProfile.all.map(\.name)
}
