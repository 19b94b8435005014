import DeviceDaemon
import DeviceRuntime
import TMP102Driver
import TMP102Model

try DaemonProcess(
    configurationPath: CommandLine.arguments.dropFirst().first ?? "/etc/perch/perch.yaml",
    drivers: standardDrivers + [TMP102.driver], parts: standardParts + [TMP102Part.model],
    stateDirectory: "state", logger: Logger(TextLogSink(), level: .debug)
).run()
