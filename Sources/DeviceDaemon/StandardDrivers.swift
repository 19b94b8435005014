import ButtonDriver
import CameraDriver
import ChordDriver
public import DeviceKit
import HT16K33Driver
import MotionSensorDriver
import ServoDriver

/// The drivers that Perch comes with. A daemon of your own adds its drivers to them.
public let standardDrivers: [Driver] = [
    Button.driver, Camera.driver, Chord.driver, ContinuousServo.driver, HT16K33.driver, MotionSensor.driver,
    Servo.driver,
]
