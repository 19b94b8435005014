"""AWS Signature Version 4, as a server verifies it (AWS's documentation, "Create a signed AWS API request")."""
import datetime
import hashlib
import hmac
import re
import urllib.parse


class Refused(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.status = status
        self.code = code


def verify(request, access_key, secret_key, region, token=None):
    header = request.headers.get("Authorization", "")
    match = re.fullmatch(
        r"AWS4-HMAC-SHA256 Credential=([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})", header)
    if not match:
        raise Refused(403, "AccessDenied", "no signature")
    credential, names, signature = match.groups()
    key, day, scope, service, end = credential.rsplit("/", 4)
    if key != access_key:
        raise Refused(403, "InvalidAccessKeyId", "the access key does not exist")
    if scope != region:
        raise Refused(400, "AuthorizationHeaderMalformed", f"the region '{scope}' is wrong; expecting '{region}'")
    if (service, end) != ("s3", "aws4_request"):
        raise Refused(400, "AuthorizationHeaderMalformed", "the scope is wrong")
    stamp = request.headers.get("X-Amz-Date", "")
    try:
        then = datetime.datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc).timestamp()
    except ValueError:
        raise Refused(403, "AccessDenied", "X-Amz-Date is no time") from None
    if abs(then - request.now) > 900:
        raise Refused(403, "RequestTimeTooSkewed", "the difference between the request time and the server's is too large")
    if not stamp.startswith(day):
        raise Refused(403, "AccessDenied", "the scope's day is not the request's")
    if request.headers.get("X-Amz-Security-Token") != token:
        raise Refused(403, "InvalidToken" if token is None else "ExpiredToken", "the session token is not valid")
    names = names.split(";")
    for name in [name.lower() for name in request.headers if name.lower().startswith("x-amz-")] + ["host"]:
        if name not in names:
            raise Refused(403, "AccessDenied", f"the header {name} is not signed")
    content = request.headers.get("X-Amz-Content-Sha256", "")
    query = "&".join(sorted(f"{quote(name)}={quote(value)}" for name, value in request.query))
    canonical = "\n".join(
        [request.method, urllib.parse.quote(urllib.parse.unquote(request.path), safe="/-_.~"), query]
        + [f"{name}:{' '.join(request.headers.get(name, '').split())}" for name in names]
        + ["", ";".join(names), content])
    text = "\n".join(
        ["AWS4-HMAC-SHA256", stamp, f"{day}/{region}/s3/aws4_request", hashlib.sha256(canonical.encode()).hexdigest()])
    derived = ("AWS4" + secret_key).encode()
    for part in (day, region, "s3", "aws4_request"):
        derived = hmac.new(derived, part.encode(), hashlib.sha256).digest()
    if not hmac.compare_digest(hmac.new(derived, text.encode(), hashlib.sha256).hexdigest(), signature):
        raise Refused(403, "SignatureDoesNotMatch", "the signature is not the one that was calculated")
    if content != "UNSIGNED-PAYLOAD" and hashlib.sha256(request.body).hexdigest() != content:
        raise Refused(400, "XAmzContentSHA256Mismatch", "the body's hash is not the one that was signed")


def quote(text):
    return urllib.parse.quote(text, safe="-_.~")
