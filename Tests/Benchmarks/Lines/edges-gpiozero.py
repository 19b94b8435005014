"""As edges.c, with gpiozero on lgpio, from the edge to the device's own callback: edges-gpiozero.py OFFSET COUNT"""

import sys
import threading
import time

from gpiozero import DigitalInputDevice
from gpiozero.pins.lgpio import LGPIOFactory

offset, count = int(sys.argv[1]), int(sys.argv[2])
latencies = []
done = threading.Event()
stamp = 0


class Device(DigitalInputDevice):
    def _pin_changed(self, ticks, state):
        # The kernel's time stamp, which a callback is not given.
        global stamp
        stamp = ticks
        super()._pin_changed(ticks, state)


def changed():
    latencies.append(int((time.monotonic() - stamp) * 1e9))
    if len(latencies) == count:
        done.set()


device = Device(offset, pull_up=False, pin_factory=LGPIOFactory(chip=0))
device.when_activated = changed
device.when_deactivated = changed
print("ready", flush=True)
done.wait()
for latency in latencies[:count]:
    print(latency)
