"""What the servers of the tests share: they announce their port, and end with the test that started them."""
import ctypes
import os
import select
import signal
import socket
import threading

PR_SET_PDEATHSIG = 1


def end_with_reader():
    """Ends this process when nobody reads its output any more, because the test has ended in whatever way."""
    watched = os.dup(1)

    def watch():
        poll = select.poll()
        poll.register(watched, 0)  # An error is always told.
        poll.poll()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def end_with_parent():
    """For what a server starts, as preexec_fn: the kernel ends it with the server."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def free_ports(count):
    """Ports that nobody has at the moment."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [opened.getsockname()[1] for opened in sockets]
    for opened in sockets:
        opened.close()
    return ports


def announce(port, folder):
    """Says that the server listens. What it prints from then on goes to a file: nobody reads it here any more."""
    print(f"listening on {port}", flush=True)
    log = os.open(os.path.join(folder, "server.log"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
