"""As edges.c, with the `gpiod` package from PyPI: edges-gpiod.py OFFSET COUNT"""

import sys
import time

import gpiod

offset, count = int(sys.argv[1]), int(sys.argv[2])
settings = gpiod.LineSettings(edge_detection=gpiod.line.Edge.BOTH)
latencies = []
with gpiod.request_lines("/dev/gpiochip0", consumer="edges", config={offset: settings}) as request:
    print("ready", flush=True)
    while len(latencies) < count:
        for event in request.read_edge_events():
            latencies.append(time.monotonic_ns() - event.timestamp_ns)
for latency in latencies[:count]:
    print(latency)
