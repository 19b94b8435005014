"""How the fake misbehaves.

settings.json is an object:

    clock       seconds that the server's clock is ahead
    faults      a list of faults. The first whose "on" (a regular expression) is found in "METHOD /path?query" is used,
                "times" times (once if it is not said), after "after" requests that would match
    and what the services read of it: see s3.py, google.py and webdav.py

A fault is one or more of:

    status, headers, body   this answer, without looking at the request
    silent                  no answer, ever
    close                   the request is carried out, and the connection closed instead of an answer
    reset                   so many bytes of the body are read and handed on, then both connections end
    drip                    the answer comes one byte a second
    etag                    the answer is about another content: its ETag and hashes are wrong
    cut                     only so many bytes of the body are kept, as if that were all, and nothing is verified
    flip                    the byte at this place of the body, from its end, is another one
    without                 a header that the answer lacks
"""
import email.utils
import json
import os
import re
import socket
import struct
import threading
import time

from .store import Answer


class Dropped(Exception):
    """The connection ends here, without an answer."""

    def __init__(self, reset=False, silent=False):
        self.reset = reset
        self.silent = silent

    def end(self, handler):
        if self.silent:
            # Until the client gives up.
            try:
                while handler.connection.recv(65536):
                    pass
            except OSError:
                pass
        if self.reset:
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.connection.close()


class Faults:
    def __init__(self, path):
        self.path = path
        self.lock = threading.Lock()
        self.settings = {}
        self.version = None
        self.counts = []

    def load(self):
        status = os.stat(self.path)
        version = (status.st_ino, status.st_mtime_ns)
        # The same faults again are new ones.
        if version != self.version:
            self.version = version
            with open(self.path) as file:
                self.settings = json.load(file)
            self.counts = [0] * len(self.settings.get("faults", []))

    def take(self, line):
        with self.lock:
            self.load()
            for index, fault in enumerate(self.settings.get("faults", [])):
                if not re.search(fault.get("on", ""), line):
                    continue
                self.counts[index] += 1
                start = fault.get("after", 0)
                if start < self.counts[index] <= start + fault.get("times", 1):
                    return Fault(fault)
            return Fault({})

    def now(self):
        return time.time() + self.settings.get("clock", 0)

    def date(self):
        return email.utils.formatdate(self.now(), usegmt=True)


class Fault:
    def __init__(self, fault):
        self.fault = fault

    def before(self, handler):
        if "status" in self.fault:
            return Answer(
                self.fault["status"], dict(self.fault.get("headers", {})), self.fault.get("body", "").encode())
        if self.fault.get("silent"):
            # A byte for each, for a test that waits for it.
            with open(os.path.join(handler.server.folder, "silenced"), "ab") as file:
                file.write(b".")
            raise Dropped(silent=True)
        return None

    def read(self, handler, length):
        if "reset" in self.fault:
            handler.rfile.read(min(length, self.fault["reset"]))
            raise Dropped(reset=True)
        body = handler.rfile.read(length)
        if len(body) < length:
            raise Dropped()
        return self.damaged(body)

    def damaged(self, body):
        if "cut" in self.fault:
            body = body[: self.fault["cut"]]
        if "flip" in self.fault and self.fault["flip"] < len(body):
            place = len(body) - self.fault["flip"]
            body = body[:place] + bytes([body[place] ^ 1]) + body[place + 1:]
        return body

    @property
    def is_cut(self):
        return "cut" in self.fault

    @property
    def reset(self):
        return self.fault.get("reset")

    @property
    def lies(self):
        return "etag" in self.fault

    def changed(self, answer):
        if self.lies and "ETag" in answer.headers:
            answer.headers["ETag"] = '"' + "0" * 31 + '1"'
        if self.fault.get("without") in answer.headers:
            del answer.headers[self.fault["without"]]
        return answer

    def before_answering(self, handler):
        if self.fault.get("close"):
            raise Dropped()
        if self.fault.get("drip"):
            handler.wfile.write(b"HTTP/1.1 ")
            while True:
                handler.wfile.write(b"2")
                handler.wfile.flush()
                time.sleep(1)
