"""What the fake's services share: requests, answers, and objects as files."""
import base64
import hashlib
import json
import os
import threading


class Request:
    def __init__(self, method, path, query, headers, body, now, settings):
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.now = now
        self.settings = settings

    def parameter(self, name):
        return dict(self.query).get(name)


class Answer:
    def __init__(self, status, headers=None, body=b""):
        self.status = status
        self.headers = headers or {}
        self.body = body


class Object:
    def __init__(self, body, headers, generation):
        self.body = body
        self.headers = headers
        self.generation = generation

    @property
    def md5(self):
        return hashlib.md5(self.body)

    @property
    def md5_base64(self):
        return base64.b64encode(self.md5.digest()).decode()

    @property
    def crc32c_base64(self):
        if len(self.body) > 1 << 20:
            return None  # Python would take seconds for it.
        return base64.b64encode(crc32c(self.body).to_bytes(4, "big")).decode()


class Store:
    """Objects by name, in memory and as files for the test to look at."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, "objects")
        self.lock = threading.Lock()
        self.objects = {}
        self.collections = {"dav"}
        self.sessions = {}
        self.uploads = {}
        self.tokens = {}
        self.count = 0

    def next_number(self):
        self.count += 1
        return self.count

    def put(self, name, body, headers=None):
        self.objects[name] = Object(body, headers or {}, self.next_number())
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new~", "wb") as file:
            file.write(body)
        os.rename(path + ".new~", path)
        told = os.path.join(os.path.dirname(self.folder), "metadata", name)
        os.makedirs(os.path.dirname(told), exist_ok=True)
        with open(told, "w") as file:
            json.dump(headers or {}, file)
        return self.objects[name]

    def remove(self, name):
        del self.objects[name]
        os.remove(os.path.join(self.folder, name))


def _table():
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ 0x82F63B78 if byte & 1 else byte >> 1
        yield byte


_TABLE = list(_table())


def crc32c(content):
    value = 0xFFFFFFFF
    for byte in content:
        value = value >> 8 ^ _TABLE[(value ^ byte) & 255]
    return value ^ 0xFFFFFFFF
