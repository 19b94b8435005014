"""WebDAV below /dav/ (RFC 4918) and plain PUT below /put/, both with the login porch:s3cret.

settings.json may have, under "put": "token", a bearer token that is wanted instead of the login.
"""
import base64
import urllib.parse

from .store import Answer

LOGIN = "Basic " + base64.b64encode(b"porch:s3cret").decode()


def answer(request, store, fault):
    settings = request.settings.get("put", {})
    wanted = f"Bearer {settings['token']}" if "token" in settings else LOGIN
    if request.headers.get("Authorization") != wanted:
        return Answer(401, {"WWW-Authenticate": 'Basic realm="porch"'})
    name = urllib.parse.unquote(request.path).strip("/")
    if name.startswith("put/"):
        if request.method != "PUT":
            return Answer(405)
        is_new = name not in store.objects
        store.put(name, request.body)
        return Answer(201 if is_new else 204)
    parent = name.rpartition("/")[0]
    if request.method == "MKCOL":
        if name in store.collections or name in store.objects:
            return Answer(405)
        if parent not in store.collections:
            return Answer(409)
        store.collections.add(name)
        return Answer(201)
    if request.method == "PUT":
        if parent not in store.collections:
            return Answer(409)
        is_new = name not in store.objects
        store.put(name, request.body, {"Content-Type": request.headers.get("Content-Type", "")})
        return Answer(201 if is_new else 204)
    if name not in store.objects:
        return Answer(404)
    found = store.objects[name]
    if request.method in ("HEAD", "GET"):
        return Answer(200, {"ETag": f'"{found.generation}"', "Content-Length": str(len(found.body))}, found.body)
    if request.method == "DELETE":
        store.remove(name)
        return Answer(204)
    if request.method == "MOVE":
        target = urllib.parse.unquote(urllib.parse.urlsplit(request.headers["Destination"]).path).strip("/")
        if target.rpartition("/")[0] not in store.collections:
            return Answer(409)
        taken = target in store.objects
        if taken and request.headers.get("Overwrite", "T") == "F":
            return Answer(412)
        store.put(target, found.body, found.headers)
        store.remove(name)
        return Answer(204 if taken else 201)
    return Answer(405)
