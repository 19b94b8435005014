"""Hands a request on to a real server, as it is but for the fault."""
import http.client
import socket

from .faults import Dropped
from .store import Answer

# Of one connection only (RFC 9110, 7.6.1).
HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "expect"}


def answer(handler, fault, length, port):
    if fault.reset is not None and fault.reset < length:
        break_off(handler, fault.reset, length, port)
        raise Dropped(reset=True)
    body = fault.read(handler, length)
    upstream = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    upstream.putrequest(handler.command, handler.path, skip_host=True, skip_accept_encoding=True)
    for name, value in handler.headers.items():
        if name.lower() not in HOP:
            upstream.putheader(name, value)
    if handler.headers.get("Content-Length") is not None:
        upstream.putheader("Content-Length", str(len(body)))
    upstream.endheaders()
    if body:
        try:
            upstream.send(body)
        except ConnectionError:
            pass  # It has answered before it had all.
    response = upstream.getresponse()
    content = response.read()
    headers = {name: value for name, value in response.getheaders() if name.lower() not in HOP}
    if handler.command == "HEAD" and response.getheader("Content-Length") is not None:
        headers["Content-Length"] = response.getheader("Content-Length")
    upstream.close()
    return Answer(response.status, headers, content)


def break_off(handler, count, length, port):
    """Sends the beginning of a request that promises more, and hangs up."""
    body = handler.rfile.read(count)
    with socket.create_connection(("127.0.0.1", port)) as upstream:
        lines = [f"{handler.command} {handler.path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in handler.headers.items() if name.lower() not in HOP]
        lines += [f"Content-Length: {length}", "", ""]
        upstream.sendall("\r\n".join(lines).encode() + body)
