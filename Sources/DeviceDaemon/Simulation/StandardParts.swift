/// The models of the parts that Perch has drivers for. A daemon of your own adds its models to them.
public let standardParts: [PartModel] = [
    BME280Part.model,
    ButtonPart.model,
    ContinuousServoPart.model,
    GPSPart.model,
    HT16K33Part.model,
    KernelSensorPart.model,
    LEDPart.model,
    MCP3008Part.model,
    MotionSensorPart.model,
    RelayPart.model,
    RotaryEncoderPart.model,
    SHT31Part.model,
    ServoPart.model,
    SpeakerPart.model,
]
