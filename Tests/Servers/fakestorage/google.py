"""Google Cloud Storage's JSON interface, its token endpoint, and Firebase's Realtime Database.

settings.json may have, under "google": "expires", the seconds that a token is valid; "revoke", a number that is changed
to make all tokens invalid; "issuer", the service account's address.
"""
import base64
import json
import os
import re
import subprocess
import tempfile
import urllib.parse

from .store import Answer, Object

JSON = {"Content-Type": "application/json; charset=UTF-8"}
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
QUANTUM = 256 * 1024


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def answer(request, store, fault, base):
    try:
        if request.path == "/token":
            return token(request, store, base)
        service = Service(request, store, fault, base)
        if request.path.startswith("/session/"):
            return service.session()
        service.authorize()
        if request.path.startswith("/database/"):
            return service.database()
        if request.path.startswith("/upload/"):
            return service.upload()
        return service.object()
    except Refused as refused:
        body = {"error": {"code": refused.status, "message": str(refused)}}
        if request.path.startswith("/database/"):
            body = {"error": str(refused)}
        return Answer(refused.status, dict(JSON), json.dumps(body).encode())


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def token(request, store, base):
    def refused(reason):
        return Answer(400, dict(JSON), json.dumps({"error": "invalid_grant", "error_description": reason}).encode())

    settings = request.settings.get("google", {})
    form = dict(urllib.parse.parse_qsl(request.body.decode()))
    if form.get("grant_type") != GRANT:
        return Answer(400, dict(JSON), b'{"error":"unsupported_grant_type"}')
    try:
        head, claims, signature = form["assertion"].split(".")
        header, content = json.loads(decoded(head)), json.loads(decoded(claims))
    except (KeyError, ValueError):
        return refused("the assertion is no JWT")
    if header.get("alg") != "RS256" or not is_signed(f"{head}.{claims}".encode(), decoded(signature), store):
        return refused("Invalid JWT Signature.")
    if content.get("aud") != f"{base}/token":
        return refused("Invalid JWT: the audience is wrong.")
    if content.get("iss") != settings.get("issuer", "perch@porch.iam.gserviceaccount.com"):
        return refused("Invalid grant: account not found")
    if not content.get("scope"):
        return refused("Invalid JWT: no scope.")
    lifetime = content.get("exp", 0) - content.get("iat", 0)
    if not 0 < lifetime <= 3600 or abs(content["iat"] - request.now) > 300:
        return refused("Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
                       "Check your iat and exp values in the JWT claim.")
    name = f"token-{store.next_number()}"
    expires = settings.get("expires", 3600)
    store.tokens[name] = (request.now + expires, settings.get("revoke"))
    return Answer(200, dict(JSON), json.dumps(
        {"access_token": name, "expires_in": expires, "token_type": "Bearer"}).encode())


def is_signed(text, signature, store):
    key = os.path.join(os.path.dirname(store.folder), "public.pem")
    with tempfile.NamedTemporaryFile() as file:
        file.write(signature)
        file.flush()
        return subprocess.run(
            ["openssl", "dgst", "-sha256", "-verify", key, "-signature", file.name], input=text,
            capture_output=True).returncode == 0


class Service:
    def __init__(self, request, store, fault, base):
        self.request = request
        self.store = store
        self.fault = fault
        self.base = base

    def authorize(self):
        scheme, _, name = self.request.headers.get("Authorization", "").partition(" ")
        expires, revoked = self.store.tokens.get(name, (0, None))
        settings = self.request.settings.get("google", {})
        if scheme != "Bearer" or expires < self.request.now or revoked != settings.get("revoke"):
            raise Refused(401, "Invalid Credentials")

    # Uploads.

    def upload(self):
        match = re.fullmatch(r"/upload/storage/v1/b/([^/]+)/o", self.request.path)
        if not match or self.request.method != "POST":
            raise Refused(404, "Not Found")
        if match[1] != "porch":
            raise Refused(404, "The specified bucket does not exist.")
        kind = self.request.parameter("uploadType")
        if kind == "multipart":
            metadata, media_type, body = self.parts()
            return self.finish(match[1], metadata, media_type, body, self.condition())
        if kind == "resumable":
            metadata = json.loads(self.request.body or b"{}")
            name = f"session-{self.store.next_number()}"
            self.store.sessions[name] = {
                "bucket": match[1], "metadata": metadata, "data": b"", "condition": self.condition(),
                "type": self.request.headers.get("X-Upload-Content-Type", "application/octet-stream"),
                "size": int(self.request.headers["X-Upload-Content-Length"])}
            if self.condition() == "0" and f"google/{match[1]}/{metadata['name']}" in self.store.objects:
                raise Refused(412, "At least one of the pre-conditions you specified did not hold.")
            return Answer(200, {"Location": f"{self.base}/session/{name}"})
        raise Refused(400, "unknown uploadType")

    def condition(self):
        return self.request.parameter("ifGenerationMatch")

    def parts(self):
        boundary = re.search(r'boundary="?([^";]+)', self.request.headers.get("Content-Type", ""))
        if not boundary or not self.request.headers["Content-Type"].startswith("multipart/related"):
            raise Refused(400, "Malformed multipart body.")
        mark = b"--" + boundary[1].encode()
        pieces = (b"\r\n" + self.request.body).split(b"\r\n" + mark)
        if len(pieces) != 4 or pieces[3].strip() != b"--":
            raise Refused(400, "Malformed multipart body.")
        metadata = pieces[1].split(b"\r\n\r\n", 1)[1]
        head, body = pieces[2].split(b"\r\n\r\n", 1)
        media_type = re.search(rb"(?i)content-type: *([^\r\n]+)", head)
        return json.loads(metadata), media_type[1].decode() if media_type else "", body

    def session(self):
        name = self.request.path.rpartition("/")[2]
        session = self.store.sessions.get(name)
        if not session:
            raise Refused(404, "no such session")
        if self.request.method == "DELETE":
            del self.store.sessions[name]
            return Answer(499)
        match = re.fullmatch(r"bytes (?:(\d+)-(\d+)|\*)/(\d+|\*)", self.request.headers.get("Content-Range", ""))
        if not match:
            raise Refused(400, "no Content-Range")
        if match[1] is not None:
            start, end = int(match[1]), int(match[2]) + 1
            if start != len(session["data"]) or end - start != len(self.request.body) or end > session["size"]:
                raise Refused(503, "the range does not go on where the last one ended")
            data = session["data"][:start] + self.request.body
            if end < session["size"]:
                if (end - start) % QUANTUM:
                    raise Refused(400, "a chunk has to be a multiple of 256 KiB")
                kept = self.request.settings.get("google", {}).get("keep", len(data))
                session["data"] = data[: max(kept, start)]
            else:
                session["data"] = data
        if len(session["data"]) == session["size"]:
            del self.store.sessions[name]
            return self.finish(
                session["bucket"], session["metadata"], session["type"], session["data"], session["condition"])
        if not session["data"]:
            return Answer(308)
        return Answer(308, {"Range": f"bytes=0-{len(session['data']) - 1}"})

    def finish(self, bucket, metadata, media_type, body, condition):
        name = f"google/{bucket}/{metadata['name']}"
        if condition == "0" and name in self.store.objects:
            raise Refused(412, "At least one of the pre-conditions you specified did not hold.")
        arrived = Object(body, {}, 0)
        for field, own in (("md5Hash", arrived.md5_base64), ("crc32c", arrived.crc32c_base64)):
            if field in metadata and own and not self.fault.is_cut and metadata[field] != own:
                raise Refused(400, f"Provided {field} does not match the calculated one.")
        stored = self.store.put(name, body, {"type": media_type, "metadata": metadata.get("metadata", {})})
        return self.describe(bucket, metadata["name"], stored)

    def describe(self, bucket, name, stored):
        lies = self.fault.lies
        described = {
            "kind": "storage#object", "bucket": bucket, "name": name, "size": str(len(stored.body)),
            "generation": str(stored.generation), "contentType": stored.headers["type"],
            "metadata": stored.headers["metadata"],
            "md5Hash": "AAAAAAAAAAAAAAAAAAAAAA==" if lies else stored.md5_base64}
        if lies or stored.crc32c_base64:
            described["crc32c"] = "AAAAAA==" if lies else stored.crc32c_base64
        return Answer(200, dict(JSON), json.dumps(described).encode())

    # Objects.

    def object(self):
        match = re.fullmatch(r"/storage/v1/b/([^/]+)/o/([^/]+)", self.request.path)
        if not match:
            raise Refused(404, "Not Found")
        name = urllib.parse.unquote(match[2])
        key = f"google/{match[1]}/{name}"
        stored = self.store.objects.get(key)
        if not stored:
            raise Refused(404, f"No such object: {match[1]}/{name}")
        if self.request.method == "DELETE":
            if self.condition() not in (None, str(stored.generation)):
                raise Refused(412, "At least one of the pre-conditions you specified did not hold.")
            self.store.remove(key)
            return Answer(204)
        return self.describe(match[1], name, stored)

    # Firebase's Realtime Database.

    def database(self):
        path = urllib.parse.unquote(self.request.path)[len("/database/"):]
        if not path.endswith(".json"):
            raise Refused(404, "append .json to your request URI")
        path = path[: -len(".json")]
        if any(set(".$#[]") & set(segment) or not segment for segment in path.split("/")):
            raise Refused(400, "Invalid path: Paths must be non-empty strings and can't contain \".\", \"#\", \"$\", \"[\", or \"]\"")
        if self.request.method != "PUT":
            raise Refused(405, "only PUT here")
        try:
            check_keys(json.loads(self.request.body))
        except ValueError as error:
            raise Refused(400, f"Invalid data; couldn't parse JSON object: {error}") from None
        self.store.put(f"database/{path}.json", self.request.body)
        if self.request.parameter("print") == "silent":
            return Answer(204)
        return Answer(200, dict(JSON), self.request.body)


def check_keys(value):
    if isinstance(value, dict):
        for key, member in value.items():
            if not key or set(".$#[]/") & set(key):
                raise ValueError(f"the key {key!r}")
            check_keys(member)
    elif isinstance(value, list):
        for member in value:
            check_keys(member)
