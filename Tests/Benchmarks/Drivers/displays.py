"""Counts what Python's libraries put on the bus for the same updates as DriverBenchmark.swift.

Prints lines of `case, transactions, bytes` for the library that is named, against a bus that only counts. An I2C transaction
costs the byte of its address too; on SPI, a transaction is one chip select.
"""

import contextlib
import io
import sys
import time

SMILE = ["..####..", ".#....#.", "#.#..#.#", "#......#", "#.#..#.#", "#..##..#", ".#....#.", "..####.."]


class Counter:
    transactions = 0
    bytes = 0

    def take(self):
        taken = (self.transactions, self.bytes)
        self.transactions = self.bytes = 0
        return taken


class CountingI2C(Counter):
    """As CircuitPython's busio.I2C."""

    def try_lock(self):
        return True

    def unlock(self):
        pass

    def writeto(self, address, buffer, *, start=0, end=None):
        self.transactions += 1
        self.bytes += 1 + len(bytes(buffer)[start:end])

    def readfrom_into(self, address, buffer, *, start=0, end=None):
        self.transactions += 1
        self.bytes += 1 + len(bytes(buffer)[start:end])


class CountingSPI(Counter):
    """As luma's serial interface."""

    def command(self, *command):
        self.data(list(command))

    def data(self, data):
        self.transactions += 1
        self.bytes += len(data)

    def cleanup(self):
        pass


def image_of(rows, mode="1", lit=1, left=0, width=8):
    from PIL import Image
    image = Image.new(mode, (width, 8))
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark == "#" and left + x < width:
                image.putpixel((left + x, y), lit)
    return image


def tell(name, bus, update):
    bus.take()
    update()
    print(name, *bus.take(), sep="\t")


def adafruit():
    """As its examples use it. Where that writes more than once for an update, its buffer is used and written once."""
    from adafruit_ht16k33.bargraph import Bicolor24
    from adafruit_ht16k33.matrix import Matrix8x8, Matrix8x8x2, MatrixBackpack16x8
    from adafruit_ht16k33.segments import Seg14x4, Seg7x4
    bus = CountingI2C()

    display = Seg14x4(bus)
    print("setting up, dark", *bus.take(), sep="\t")
    display.print("HELP")
    tell("14 segments: HELP becomes HELD", bus, lambda: display.print("HELD"))
    display.print("1234")
    tell("14 segments: 1234 becomes 5678", bus, lambda: display.print("5678"))
    display.print("HELP")
    tell("14 segments: the same text again", bus, lambda: display.print("HELP"))
    time.monotonic, real = (lambda: None), time.monotonic
    moment = [0.0]

    def clock():
        moment[0] += 0.3
        return moment[0]

    time.monotonic = clock
    # Its marquee shows the text to its last character; four blanks let it leave.
    tell("14 segments: HELLO WORLD moves through", bus, lambda: display.marquee("HELLO WORLD    ", 0.25, loop=False))
    time.monotonic = real
    two = Seg14x4(bus, address=(0x70, 0x71))
    two.print("TEMP 21C")
    tell("14 segments, two chips: the last of eight characters", bus, lambda: two.print("TEMP 21F"))

    clock7 = Seg7x4(bus)
    clock7.print("12:34")
    tell("7 segments: 12:34 becomes 12:35", bus, lambda: clock7.print("12:35"))

    def darken():
        clock7.colon = False

    tell("7 segments: the colon goes out", bus, darken)

    def move(matrix, lit):
        matrix.auto_write = False
        matrix[3, 3] = lit
        matrix.show()

        def update():
            matrix[3, 3] = 0
            matrix[4, 3] = lit
            matrix.show()
        return update

    tell("8×8: a point moves by one column", bus, move(Matrix8x8(bus), 1))
    small = Matrix8x8(bus)
    tell("8×8: a picture", bus, lambda: small.image(image_of(SMILE)))
    wide = MatrixBackpack16x8(bus)
    wide.image(image_of(SMILE, width=16))
    tell("16×8: a picture moves by one column", bus, lambda: wide.shift_right())
    tell("8×8 in two colours: a point moves by one column", bus, move(Matrix8x8x2(bus), 2))
    two_colours = Matrix8x8x2(bus)
    tell("8×8 in two colours: a picture", bus, lambda: two_colours.image(image_of(SMILE, "RGB", (255, 0, 0))))

    bar = Bicolor24(bus)
    bar.auto_write = False
    for index in range(11):
        bar[index] = bar.LED_GREEN
    bar.show()

    def longer():
        bar[11] = bar.LED_GREEN
        bar.show()

    tell("bar graph: 11 becomes 12", bus, longer)

    def dim():
        display.brightness = 0.5

    def blink():
        display.blink_rate = 2

    tell("brightness", bus, dim)
    tell("blinking", bus, blink)


def luma():
    """It has no driver for this chip: the same updates on a MAX7219, which it has."""
    from luma.core.virtual import sevensegment
    from luma.led_matrix.device import max7219
    bus = CountingSPI()
    device = max7219(bus)
    print("setting up, dark", *bus.take(), sep="\t")
    digits = sevensegment(device)
    digits.text = "12.34"

    def show(text):
        digits.text = text

    tell("7 segments: 12:34 becomes 12:35", bus, lambda: show("12.35"))
    tell("7 segments: the colon goes out", bus, lambda: show("1235"))
    device.display(image_of(["", "", "", "...#...."]))
    tell("8×8: a point moves by one column", bus, lambda: device.display(image_of(["", "", "", "....#..."])))
    tell("8×8: a picture", bus, lambda: device.display(image_of(SMILE)))
    wide = max7219(bus, cascaded=2)
    wide.display(image_of(SMILE, width=16))
    tell("16×8: a picture moves by one column", bus, lambda: wide.display(image_of(SMILE, left=1, width=16)))
    tell("brightness", bus, lambda: device.contrast(128))


if __name__ == "__main__":
    {"adafruit": adafruit, "luma": luma}[sys.argv[1]]()
