import BME280Driver
import ButtonDriver
import CameraDriver
import ChordDriver
public import DeviceKit
import GPSDriver
import HT16K33Driver
import KernelSensorDriver
import LEDDriver
import MCP3008Driver
import MotionSensorDriver
import RelayDriver
import RotaryEncoderDriver
import SHT31Driver
import ServoDriver
import SpeakerDriver

/// The drivers that Perch comes with. A daemon of your own adds its drivers to them.
public let standardDrivers: [Driver] = [
    BME280.driver,
    Button.driver,
    Camera.driver,
    Chord.driver,
    ContinuousServo.driver,
    GPS.driver,
    HT16K33.driver,
    KernelSensorDevice.driver,
    LED.driver,
    MCP3008.driver,
    MotionSensor.driver,
    Relay.driver,
    RotaryEncoder.driver,
    SHT31.driver,
    Servo.driver,
    Speaker.driver,
]
