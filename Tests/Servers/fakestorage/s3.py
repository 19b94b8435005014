"""S3, as far as a client that stores needs it.

settings.json may have, under "s3": access, secret, token, region, and "conditions": "yes", "unknown" (501, as OpenStack
Swift answers), or "ignored" (as older servers do).
"""
import base64
import datetime
import hashlib
import html
import re
import urllib.parse

from .signature import Refused, verify
from .store import Answer

SMALLEST_PART = 5 << 20
XML = {"Content-Type": "application/xml"}


def answer(request, store, fault):
    settings = {
        "access": "AKIDEXAMPLE", "secret": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "region": "us-east-1",
        "conditions": "yes", **request.settings.get("s3", {})}
    try:
        if not fault.is_cut:
            verify(request, settings["access"], settings["secret"], settings["region"], settings.get("token"))
            check_md5(request)
        return Service(request, store, settings).answer()
    except Refused as refused:
        return error(refused.status, refused.code, str(refused))


def error(status, code, message):
    text = f"<?xml version=\"1.0\"?>\n<Error><Code>{code}</Code><Message>{html.escape(message)}</Message></Error>"
    return Answer(status, dict(XML), text.encode())


def check_md5(request):
    md5 = request.headers.get("Content-MD5")
    if md5 and base64.b64encode(hashlib.md5(request.body).digest()).decode() != md5:
        raise Refused(400, "BadDigest", "the Content-MD5 is not that of the body")


class Service:
    def __init__(self, request, store, settings):
        self.request = request
        self.store = store
        self.settings = settings
        parts = urllib.parse.unquote(request.path)[len("/s3/"):].split("/", 1)
        self.bucket = parts[0]
        self.key = parts[1] if len(parts) > 1 else ""
        self.name = f"s3/{self.bucket}/{self.key}"

    def answer(self):
        if self.bucket != "porch":
            raise Refused(404, "NoSuchBucket", "the bucket does not exist")
        method, upload = self.request.method, self.request.parameter("uploadId")
        if not self.key:
            if method == "GET" and self.request.parameter("uploads") is not None:
                return self.list_uploads()
            raise Refused(501, "NotImplemented", "not here")
        if method == "POST" and self.request.parameter("uploads") is not None:
            return self.begin()
        if upload is not None:
            if upload not in self.store.uploads:
                raise Refused(404, "NoSuchUpload", "the upload does not exist")
            action = {"PUT": self.put_part, "GET": self.list_parts, "POST": self.complete, "DELETE": self.abort}
            return action[method](upload)
        action = {"PUT": self.put, "HEAD": self.head, "GET": self.get, "DELETE": self.delete}
        if method not in action:
            raise Refused(405, "MethodNotAllowed", "not on an object")
        return action[method]()

    def refuse_taken(self):
        if "If-None-Match" not in self.request.headers or self.settings["conditions"] == "ignored":
            return
        if self.settings["conditions"] == "unknown":
            raise Refused(501, "NotImplemented", "a header implies functionality that is not implemented")
        if self.name in self.store.objects:
            raise Refused(412, "PreconditionFailed", "the key is taken")

    def kept_headers(self, source):
        kept = {name: value for name, value in source.items() if name.lower().startswith("x-amz-meta-")}
        kept["Content-Type"] = source.get("Content-Type", "binary/octet-stream")
        if "X-Amz-Storage-Class" in source:
            kept["X-Amz-Storage-Class"] = source["X-Amz-Storage-Class"]
        return kept

    def put(self):
        self.refuse_taken()
        stored = self.store.put(self.name, self.request.body, self.kept_headers(self.request.headers))
        return Answer(200, {"ETag": f'"{stored.md5.hexdigest()}"'})

    def head(self):
        found = self.store.objects.get(self.name)
        if not found:
            return Answer(404, dict(XML))
        tag = found.headers.get("ETag", f'"{found.md5.hexdigest()}"')
        return Answer(200, {**found.headers, "ETag": tag, "Content-Length": str(len(found.body))})

    def get(self):
        head = self.head()
        if head.status == 200:
            head.body = self.store.objects[self.name].body
        return head

    def delete(self):
        if self.name in self.store.objects:
            self.store.remove(self.name)
        return Answer(204)

    # Uploads in parts.

    def begin(self):
        upload = f"upload-{self.store.next_number()}"
        self.store.uploads[upload] = {
            "key": self.key, "parts": {}, "headers": self.kept_headers(self.request.headers),
            "initiated": self.request.now - self.settings.get("age", 0)}
        return Answer(200, dict(XML), (
            f"<InitiateMultipartUploadResult><Bucket>{self.bucket}</Bucket><Key>{html.escape(self.key)}</Key>"
            f"<UploadId>{upload}</UploadId></InitiateMultipartUploadResult>").encode())

    def put_part(self, upload):
        number = int(self.request.parameter("partNumber"))
        self.store.uploads[upload]["parts"][number] = self.request.body
        return Answer(200, {"ETag": f'"{hashlib.md5(self.request.body).hexdigest()}"'})

    def list_uploads(self):
        prefix = self.request.parameter("prefix") or ""
        entries = "".join(
            f"<Upload><Key>{html.escape(upload['key'])}</Key><UploadId>{name}</UploadId>"
            f"<Initiated>{stamp(upload['initiated'])}</Initiated></Upload>"
            for name, upload in self.store.uploads.items() if upload["key"].startswith(prefix))
        return Answer(200, dict(XML), (
            f"<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>{entries}</ListMultipartUploadsResult>"
        ).encode())

    def list_parts(self, upload):
        start = int(self.request.parameter("part-number-marker") or 0)
        # Pages of two, so that a client has to turn them.
        parts = sorted((n, p) for n, p in self.store.uploads[upload]["parts"].items() if n > start)
        entries = "".join(
            f"<Part><PartNumber>{number}</PartNumber><ETag>&quot;{hashlib.md5(part).hexdigest()}&quot;</ETag>"
            f"<Size>{len(part)}</Size></Part>" for number, part in parts[:2])
        more = "true" if len(parts) > 2 else "false"
        marker = f"<NextPartNumberMarker>{parts[:2][-1][0]}</NextPartNumberMarker>" if parts else ""
        return Answer(200, dict(XML), (
            f"<ListPartsResult>{marker}<IsTruncated>{more}</IsTruncated>{entries}</ListPartsResult>").encode())

    def complete(self, upload):
        self.refuse_taken()
        text = self.request.body.decode()
        chosen = re.findall(r"<PartNumber>(\d+)</PartNumber><ETag>(?:&quot;|\")?([0-9a-f]+)", text)
        parts = self.store.uploads[upload]["parts"]
        digests, body = b"", b""
        for index, (number, tag) in enumerate(chosen):
            part = parts.get(int(number))
            if part is None or hashlib.md5(part).hexdigest() != tag:
                raise Refused(400, "InvalidPart", "a part was not found")
            if index + 1 < len(chosen) and len(part) < SMALLEST_PART:
                raise Refused(400, "EntityTooSmall", "a part is smaller than the smallest allowed size")
            digests += hashlib.md5(part).digest()
            body += part
        tag = f'"{hashlib.md5(digests).hexdigest()}-{len(chosen)}"'
        if self.settings.get("complete") == "error":
            # As AWS does: 200 is sent before it is known whether it will be.
            return error(200, "InternalError", "we encountered an internal error; please try again")
        self.store.put(self.name, body, {**self.store.uploads[upload]["headers"], "ETag": tag})
        del self.store.uploads[upload]
        return Answer(200, dict(XML), (
            f"<CompleteMultipartUploadResult><Key>{html.escape(self.key)}</Key><ETag>{html.escape(tag)}</ETag>"
            "</CompleteMultipartUploadResult>").encode())

    def abort(self, upload):
        del self.store.uploads[upload]
        return Answer(204)


def stamp(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
