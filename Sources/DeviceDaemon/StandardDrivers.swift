import ButtonDriver
import CameraDriver
import ChordDriver
public import DeviceKit
import HT16K33Driver
import LEDDriver
import MotionSensorDriver
import RelayDriver
import ServoDriver

/// The drivers that Perch comes with. A daemon of your own adds its drivers to them.
public let standardDrivers: [Driver] = [
    Button.driver,
    Camera.driver,
    Chord.driver,
    ContinuousServo.driver,
    HT16K33.driver,
    LED.driver,
    MotionSensor.driver,
    Relay.driver,
    Servo.driver,
]
