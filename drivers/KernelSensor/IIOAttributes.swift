import Peripherals

/// The files that an IIO sensor tells a quantity in (Documentation/ABI/testing/sysfs-bus-iio): `in_temp_input`, or
/// `in_temp_raw`, to which the offset is added and which is then multiplied by the scale, where there are such. These may
/// be those of the channel, or one for all of its kind: `in_voltage0_raw` and `in_voltage_scale`.
struct IIOAttributes: Equatable {
    let value: String
    let isProcessed: Bool
    var offset: String?
    var scale: String?

    /// `nil` for a sensor that is no IIO sensor. Throws `notFound` with the channels that there are.
    static func needed(for source: KernelSensorSource, among attributes: [String]) throws -> IIOAttributes? {
        guard source.sensor.sensorClass == .iio else { return nil }
        let channel = source.channel
        if attributes.contains("in_\(channel)_input") {
            return IIOAttributes(value: "in_\(channel)_input", isProcessed: true)
        }
        guard attributes.contains("in_\(channel)_raw") else {
            let channels = attributes.compactMap { name -> Substring? in
                guard name.hasPrefix("in_"), let end = name.lastIndex(of: "_") else { return nil }
                return ["_raw", "_input"].contains(name[end...]) ? name[..<end].dropFirst(3) : nil
            }
            let list = Set(channels).sorted().joined(separator: ", ")
            throw PeripheralError(
                .notFound, "\(source.sensor) has no '\(channel)'", advice: "it has \(list.isEmpty ? "none" : list)")
        }
        let kind = channel.prefix { !$0.isNumber }
        func shared(_ what: String) -> String? {
            ["in_\(channel)_\(what)", "in_\(kind)_\(what)"].first { attributes.contains($0) }
        }
        return IIOAttributes(
            value: "in_\(channel)_raw", isProcessed: false, offset: shared("offset"), scale: shared("scale"))
    }
}
