import BoardScripts
import DeviceKit
import DeviceRuntime
import Peripherals

/// A daemon's recording: what happens on its board, and what its devices tell, as a trace in a file
/// (docs/record-and-replay.md).
public struct Recording: Sendable {
    /// The file; what had its name is replaced.
    public var path: String
    /// How long; `nil` until the daemon is told to stop.
    public var duration: Duration?

    public init(to path: String, for duration: Duration? = nil) {
        self.path = path
        self.duration = duration
    }
}

/// A recording that is going on.
final class RunningRecording: Sendable {
    let loop: EventLoop
    private let recorder: ScriptRecorder
    private let file: TraceFile
    private let duration: Duration?

    /// Makes the loop whose time can be played again. Throws ``SystemError`` when the file cannot be written.
    init(_ recording: Recording) throws {
        let file = Protected<TraceFile?>(nil)
        let recorder = ScriptRecorder { line in file.withLock { $0 }?.add(line) }
        loop = try EventLoop(noteTimers: { recorder.noteTimer(at: $0) })
        let opened = try TraceFile(recording.path, loop: loop)
        file.withLock { $0 = opened }
        self.file = opened
        self.recorder = recorder
        duration = recording.duration
    }

    /// The daemon is about to begin.
    func begin(on board: any Board) -> any Board {
        recorder.begin(on: loop, date: "\(WallClock.system(on: loop).now)", board: board.name)
        return ScriptBoard(recording: board, to: recorder)
    }

    /// What a device tells, and what somebody tells it to do.
    func note(_ change: DeviceDirectory.Change) {
        switch change {
        case .event(let event): recorder.note(event)
        // What rules ask for follows from the events.
        case .asked(let device, let command): if let words = command.words { recorder.noteCommand(words, for: device) }
        case .state, .health, .fault, .command, .devices: break
        }
    }

    /// The daemon is told to stop: devices close what they have, which is the recording's end.
    func noteStop() { recorder.noteStop() }

    /// Writes until cancelled. Calls `isOver` when the time is over, or the disk takes no more.
    func run(_ isOver: @escaping @Sendable () -> Void) async {
        let timer = duration.map { loop.schedule(after: $0, isOver) }
        defer { timer?.cancel() }
        do { try await file.run() } catch is CancellationError {} catch { isOver() }
    }

    /// Writes what is left. Throws ``SystemError`` also for what could not be written before.
    func finish() async throws { try await file.flush() }
}
