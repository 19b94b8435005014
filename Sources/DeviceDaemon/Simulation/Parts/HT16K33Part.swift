import DeviceKit
import HT16K33Driver
import SimulatedPeripherals

/// A display on a device's bus, with keys.
struct HT16K33Part: SimulatedPart {
    static let key = Option("key", .integer(1...(8 * 39)), "which one: 39 for each chip")
    static let hold = Option("for", .duration(.milliseconds(1) ... .seconds(3600)), default: "200ms", "how long")
    static let model = PartModel(
        driver: HT16K33.driver.name,
        stimuli: [
            CommandDescription(
                "press", "somebody presses a key of its matrix", arguments: [key.description, hold.description]),
            CommandDescription("glitch", "its supply fails for a moment: it has forgotten everything"),
        ],
        observations: [
            ObservationDescription("text", "what a person reads on the glass; spaces while it is dark"),
            ObservationDescription("drawing", "what the glass looks like, in lines of text"),
            ObservationDescription("lit", "how many of its LEDs are lit"),
            ObservationDescription("brightness", "from 1 to 16 sixteenths; 0 while it is off"),
            ObservationDescription("blink", "off, 2Hz, 1Hz or 0.5Hz"),
        ]
    ) { wiring in
        let board = wiring.board
        let layout = try HT16K33.layoutName(wiring.options)
        let addresses = try wiring.options[HT16K33.address]
        let display = HT16K33Display(
            name: wiring.name, glass: HT16K33Glass.all.first { $0.name == layout } ?? .alphanumeric,
            count: addresses.count, loop: board.loop, trace: board.trace,
            interrupt: try HT16K33.interrupt(wiring.options).map { try board.line($0.line) },
            generator: wiring.generator)
        let bus = try board.i2cBus(wiring.options[HT16K33.bus])
        for (chip, address) in zip(display.chips, addresses) { bus.attach(chip, at: address) }
        return HT16K33Part(display: display)
    }

    let display: HT16K33Display

    func apply(_ stimulus: Command) throws {
        switch stimulus.name {
        case "press":
            let (chip, key) = (try stimulus.arguments[Self.key] - 1).quotientAndRemainder(dividingBy: 39)
            guard display.chips.indices.contains(chip) else { return }
            display.chips[chip].press(key + 1, for: try stimulus.arguments[Self.hold])
        case "glitch": for chip in display.chips { chip.powerOn() }
        default: throw DeviceError.unknownCommand(stimulus.name)
        }
    }

    func observe(_ name: String) -> Value? {
        switch name {
        case "text": display.text.map { .text($0) }
        case "drawing": .text(display.drawing)
        case "lit": .integer(display.litCount)
        case "brightness": .integer(display.brightness)
        case "blink": .text(display.blink)
        default: nil
        }
    }

    var picture: String? { display.svg }
}
