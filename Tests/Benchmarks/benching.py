"""What the benchmarks share: release programs, runs in the kernel of the conformance tests, and counts of what they cost."""

import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
# One release build for all of them.
BUILD = PROJECT / ".build" / "bench"


def run_quietly(command):
    result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stdout}")


def build(product):
    """A release program with the static Swift runtime."""
    run_quietly(["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", product, "--package-path", PROJECT,
                 "--scratch-path", BUILD])
    return BUILD / "release" / product


def machine():
    model = next((line.split(": ")[1] for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith(("model name", "Model"))), platform.machine())
    system = platform.freedesktop_os_release()["PRETTY_NAME"]
    swift = subprocess.run(["swiftc", "--version"], capture_output=True, text=True).stdout
    swift = next(line for line in swift.splitlines() if "Swift version" in line).split("Swift version ")[1].split()[0]
    return (f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} × {model}, {platform.machine()}, Linux {platform.release()}, "
            f"{system}, Swift {swift}, Python {platform.python_version()}; load at the start {os.getloadavg()[0]:.1f}")


def boot(script, tell=None):
    """Runs the script with --inside in the kernel of the conformance tests, and ends as it does.

    Lines that begin with `@` are for `tell`, which gets the rest of the line and the kernel's process; others are printed.
    """
    command = [PROJECT / "Tests" / "Kernel" / "boot", "--timeout", "1200", shutil.which("python3", path="/usr/bin"), script]
    kernel = subprocess.Popen(
        [*map(str, command), "--inside"], cwd=PROJECT, stdout=subprocess.PIPE, text=True, bufsize=1)
    for line in kernel.stdout:
        if line.startswith("@") and tell:
            tell(line[1:].strip(), kernel.pid)
        else:
            print(line, end="", flush=True)
    sys.exit(kernel.wait())


def processor_seconds(root):
    """Of a process and of all below it, those that have ended included."""
    ticks = 0
    families = [root]
    while families:
        process = families.pop()
        try:
            fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
                families += map(int, (thread / "children").read_text().split())
        except (FileNotFoundError, ProcessLookupError):
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def system_calls(run):
    """How many a program makes, with all its threads. `run` gets the command's beginning and runs the program.

    Reading a clock is none: only in that kernel it takes a call.
    """
    with tempfile.NamedTemporaryFile(mode="r") as table:
        run(["strace", "-f", "-c", "-e", "trace=!clock_gettime", "-o", table.name])
        # Share of time, seconds, microseconds for a call, calls, errors if there were any, `total`.
        total = next(line.split() for line in table if line.rstrip().endswith(" total"))
        return int(total[3])
