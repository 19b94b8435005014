import DeviceRuntime

@testable import CaptureStore
@testable import DeviceDaemon

/// A daemon that has run for three hours: one device works, one fails, one storage is out of reach.
func sampleStatus() -> Status {
    var bell = Status.Device(name: "bell", driver: "button")
    bell.states = ["down"]
    bell.lastEvent = ("pressed", .seconds(10_000))
    bell.tally.events = ["pressed": 7, "held": 2]
    var sign = Status.Device(name: "sign", driver: "ht16k33")
    sign.health = .failing("I2C1 0x70 did not acknowledge its address", failures: 3)
    sign.tally.failures = 3
    sign.tally.commands = 12
    var nas = Status.Storage(name: "nas", backend: "webdav")
    nas.waiting = 4
    nas.oldest = .seconds(90)
    nas.failure = .init(since: WallTime(sinceEpoch: .seconds(1_700_000_000)), reason: "nas.local cannot be reached")
    nas.uploads.objects = 20
    nas.uploads.bytes = 4096
    nas.uploads.failures = 5
    nas.uploads.lastSuccess = .seconds(10_700)
    var status = Status(
        name: "porch", board: "raspberry-pi-4", now: .seconds(10_800),
        time: WallTime(sinceEpoch: .seconds(1_700_000_090)), uptime: .seconds(10_790), devices: [bell, sign],
        storage: [nas, Status.Storage(name: "stick", backend: "directory")],
        usage: ProcessUsage(cpu: .milliseconds(1250), residentBytes: 12_000_000, openFiles: 14, diskBytesWritten: 4096))
    status.turns.add(.microseconds(200))
    status.turns.add(.milliseconds(20))
    return status
}
