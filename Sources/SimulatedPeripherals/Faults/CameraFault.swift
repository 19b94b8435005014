/// What goes wrong with the camera: see ``SimulatedCamera/inject(_:)``.
public enum CameraFault: Sendable, Hashable {
    /// The program never ends: it is killed at its deadline.
    case hangs
    /// The program finds no camera.
    case absent
    /// The program cannot write the picture, for this reason.
    case cannotWrite(String)
}
