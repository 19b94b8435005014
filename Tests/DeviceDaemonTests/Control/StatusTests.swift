import CaptureStore
import DeviceRuntime
import Testing

@testable import DeviceDaemon

@Suite("How a daemon says that it does")
struct StatusTests {
    @Test("A person reads what fails, what waits and since when")
    func text() {
        #expect(
            sampleStatus().text == """
                porch on board raspberry-pi-4, running for 2 h

                device  driver   health                                                  states  last event
                bell    button   running                                                 down    pressed 13 min ago
                sign    ht16k33  failing, 3×: I2C1 0x70 did not acknowledge its address

                storage  backend    records                         last upload
                nas      webdav     4 waiting, the oldest for 90 s  100 s ago             uploads fail since \
                2023-11-14T22:13:20.000Z: nas.local cannot be reached
                stick    directory  0 waiting                       none since the start
                """)
    }

    @Test("A program reads the same")
    func json() {
        let json = sampleStatus().json
        for part in [
            #""well":false"#, #""oldest":90,"rejected":0,"waiting":4"#, #""lastUpload":100"#,
            #""failing":{"error":"nas.local cannot be reached","since":"2023-11-14T22:13:20.000Z"}"#,
            #"{"backend":"directory","name":"stick","rejected":0,"waiting":0}"#,
        ] {
            #expect(json.contains(part), "\(json)")
        }
    }

    @Test("All is well when nothing fails, is faulty, or was rejected")
    func wellness() {
        var well = sampleStatus()
        well.devices[1].health = .starting
        well.storage[0].failure = nil
        #expect(well.isWell)
        let spoilers: [(inout Status) -> Void] = [
            { $0.devices[0].health = .failing("no chip", failures: 1) }, { $0.devices[0].fault = "stuck" },
            { $0.outbox = OutboxCondition(failure: "full") }, { $0.storage[1].rejected = 1 },
            { $0.storage[0].failure = sampleStatus().storage[0].failure },
        ]
        for spoil in spoilers {
            var status = well
            spoil(&status)
            #expect(!status.isWell)
        }
    }
}
