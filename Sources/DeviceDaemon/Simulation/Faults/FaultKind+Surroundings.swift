import CaptureStore
import DeviceKit
import SimulatedPeripherals

// What goes wrong around the board: camera, disk, network, calendar time.

extension FaultKind {
    static let camera: FaultKind = {
        let what = Option(
            "what", .choice(["hangs": CameraFault.hangs, "absent": .absent]),
            "the program that takes pictures never ends, or it finds no camera")
        return FaultKind(
            "camera", "the camera takes no pictures", .none, [what.description, Fault.duration.description]
        ) { site in site.board.camera.inject(try site[what]) }
    }()

    static let disk: FaultKind = {
        let what = Option(
            "what", .choice(Dictionary(uniqueKeysWithValues: DiskFault.allCases.map { ($0.rawValue, $0) })),
            "nothing more fits on it, or nothing can be written at all")
        return FaultKind(
            "disk", "the disk under the outbox takes nothing", .none, [what.description, Fault.duration.description]
        ) { site in
            let fault = try site[what]
            let ends = [
                try site.surroundings.injectDiskFault(fault),
                // A picture is written before it comes into the outbox.
                site.board.camera.inject(
                    .cannotWrite(fault == .full ? "No space left on device" : "Read-only file system")),
            ]
            return { for end in ends { end() } }
        }
    }()

    static let network: FaultKind = {
        let what = Option(
            "what", .choice(["down": SimulatedSurroundings.Answer.noNetwork]), "no storage can be reached")
        return FaultKind(
            "network", "the network is gone", .none, [what.description, Fault.duration.description]
        ) { site in try site.surroundings.injectAnswer(try site[what], of: nil) }
    }()

    static let storage: FaultKind = {
        let name = Option("name", .target("the name of a storage, such as photos"), "which storage")
        let answers = SimulatedSurroundings.Answer.allCases.filter { $0 != .noNetwork }
        let answer = Option(
            "answer", .choice(Dictionary(uniqueKeysWithValues: answers.map { ($0.rawValue, $0) })),
            "503, for a while; 400, never to take this; nothing at all; or lost: it stores and the confirmation is lost"
        )
        return FaultKind(
            "storage", "the server of a storage does not do what it should", .storage,
            [name.description, answer.description, Fault.duration.description]
        ) { site in try site.surroundings.injectAnswer(try site[answer], of: try site[name]) }
    }()

    static let stepClock: FaultKind = {
        let step = Option("by", .step, "how far, and in which direction")
        return FaultKind("step-clock", "calendar time is set", .none, [step.description]) { site in
            try site.surroundings.stepClock(by: try site[step])
            return {}
        }
    }()
}

extension FaultSite {
    fileprivate var surroundings: SimulatedSurroundings {
        get throws {
            if let surroundings = world.surroundings { return surroundings }
            throw FaultError("only the board is simulated here: its disk, its network and its calendar time are real")
        }
    }
}

/// The kinds of faults that there are.
public let standardFaults: [FaultKind] = [
    .nack, .flipBits, .stretchClock, .interrupt, .holdBus,
    .dropEdge, .doubleEdge, .glitch, .stall,
    .unplug, .remove, .hold, .deny,
    .camera, .disk, .network, .storage, .stepClock,
]
