"""Several machines on one: network namespaces on a switch of ours, with real programs in them.

Nothing leaves: a namespace has its own loopback, one device whose other end is the switch of the test, and no route to
anywhere else. Needs root, the command `ip` and /dev/net/tun; `why_not` says what is missing.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from switch import DEVICE, TUN, Switch

PORT = 47377
"""Where a host listens unless told otherwise."""
SECONDS = 90.0
"""For whatever a test waits for; the build machine may be busy with other things."""
POLL = 0.05
_serial = itertools.count()


def why_not() -> str:
    """Why there can be no namespaces here; empty if there can."""
    if not sys.platform.startswith("linux"):
        return "network namespaces are a thing of Linux"
    if os.geteuid() != 0:
        return "network namespaces need root"
    if shutil.which("ip") is None:
        return "network namespaces need the command ip (iproute2)"
    if not os.access(TUN, os.R_OK | os.W_OK):
        return f"the switch between the namespaces needs {TUN}"
    name = f"frp2p-{os.getpid()}-try"
    made = _ip("netns", "add", name)
    if made.returncode:
        return f"ip netns add: {made.stderr.strip()}"
    try:
        Switch([name], 0)._close()
    except OSError as error:
        return f"{TUN}: {error}"
    finally:
        _ip("netns", "del", name)
    return ""


def _ip(*arguments: str, batch: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["ip", *arguments], input="\n".join(batch), capture_output=True, text=True, timeout=SECONDS, check=False
    )


class Program:
    """A program on a machine; what it says goes to files."""

    def __init__(self, machine: Machine, arguments: Sequence[str], *, stdin: bool) -> None:
        number = next(_serial)
        self.out = machine.home / f"{number}.out"
        self.err = machine.home / f"{number}.err"
        home = machine.home / "frp2p"
        environment = {name: text for name, text in os.environ.items() if name not in ("LANGUAGE", "LC_ALL", "LANG")}
        environment |= {"FRP2P_HOME": str(home), "HOME": str(machine.home), "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1"}
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", machine.namespace, *arguments],
                stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=environment,
            )

    def said(self) -> str:
        """What it has written to stderr so far."""
        return self.err.read_text()

    def lines(self) -> list[dict[str, Any]]:
        """The whole JSON lines that it has written to stdout so far."""
        text = self.out.read_text()
        return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]

    def end(self) -> dict[str, Any]:
        """Wait until it ends by itself; the last line of stdout, with the exit code as `exit`."""
        code = self.process.wait(SECONDS)
        if not self.lines():
            raise AssertionError(f"no result, exit code {code}: {self.said()}")
        return {**self.lines()[-1], "exit": code}

    def kill(self, number: signal.Signals = signal.SIGKILL) -> int:
        """Send it a signal; the exit code."""
        self.process.send_signal(number)
        return self.process.wait(SECONDS)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(SECONDS)
        if self.process.stdin is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.close()


class Machine:
    """One namespace. `address` is its IPv4 address, `ula` and `link_local` those of IPv6 (link-local with scope)."""

    def __init__(self, number: int, home: Path) -> None:
        self.number = number
        self.namespace = f"frp2p-{os.getpid()}-{next(_serial)}"
        self.home = home
        self.address = f"10.213.7.{number + 1}"
        self.ula = f"fd13:7::{number + 1}"
        self.link_local = f"fe80::{number + 1}%{DEVICE}"
        self.programs: list[Program] = []

    def run(self, *arguments: str, stdin: bool = False) -> Program:
        """Start `frp2p` with these arguments."""
        return self.start(sys.executable, "-m", "frp2p", *arguments, stdin=stdin)

    def start(self, *arguments: str, stdin: bool = False) -> Program:
        """Start any program."""
        program = Program(self, arguments, stdin=stdin)
        self.programs.append(program)
        return program


class Lan:
    """The machines and the switch between them; see `lan`."""

    def __init__(self, machines: list[Machine], switch: Switch) -> None:
        self.machines = machines
        self.switch = switch

    def pull(self, machine: Machine) -> None:
        """Pull the cable of this machine."""
        self.switch.cut = self.switch.cut | {machine.number}

    def plug(self, machine: Machine) -> None:
        """Put it back."""
        self.switch.cut = self.switch.cut - {machine.number}


@contextlib.contextmanager
def lan(folder: Path, count: int, *families: str, seed: int = 1) -> Iterator[Lan]:
    """So many machines on one LAN, without a default route; `families` are of "ipv4", "ula" and "link-local"."""
    machines = [Machine(number, folder / f"machine{number}") for number in range(count)]
    with contextlib.ExitStack() as stack:
        for machine in machines:
            machine.home.mkdir()
            made = _ip("netns", "add", machine.namespace)
            if made.returncode:
                raise OSError(made.stderr)
            stack.callback(_ip, "netns", "del", machine.namespace)
        switch = Switch([machine.namespace for machine in machines], seed)
        stack.callback(switch.stop)
        for machine in machines:
            _set_up(machine, families or ("ipv4",))
        switch.start()
        for machine in machines:
            stack.callback(_end, machine)
        yield Lan(machines, switch)


def _set_up(machine: Machine, families: Sequence[str]) -> None:
    lines = [f"link set {DEVICE} addrgenmode none", "link set lo up", f"link set {DEVICE} up"]
    if "ipv4" in families:
        lines.append(f"addr add {machine.address}/24 brd + dev {DEVICE}")
    if "ula" in families:
        lines.append(f"addr add {machine.ula}/64 dev {DEVICE} nodad")
    if "link-local" in families:
        lines.append(f"addr add {machine.link_local.partition('%')[0]}/64 dev {DEVICE} nodad")
    done = _ip("-n", machine.namespace, "-batch", "-", batch=lines)
    if done.returncode:
        raise OSError(done.stderr)


def _end(machine: Machine) -> None:
    for program in machine.programs:
        program.close()


def until(condition: Callable[[], Any], seconds: float = SECONDS) -> Any:
    """Wait for something that must happen soon; what `condition` then said."""
    deadline = time.monotonic() + seconds
    while not (result := condition()):
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(POLL)
    return result
