"""Runs one command where it can do no harm: bubblewrap, limits, no network, nothing inherited.

Three ways in, tried in this order by `find()`:

* as root, bubblewrap makes the namespaces itself, and `setpriv` drops to a user id of this run's own;
* as root in a plain chroot (debootstrap), where pivot_root refuses because `/` is no mount point: first a
  mount namespace of our own whose root is a bind mount of `/`, then as above;
* as a user, bubblewrap with a user namespace.

Limits are set by `prlimit` inside, after the user id was dropped (root ignores RLIMIT_NPROC).
"""

from __future__ import annotations

import contextlib
import math
import os
import selectors
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from pathlib import Path

from scanlab import paths

MIB = 1 << 20
GIB = 1 << 30

# What a compiler, a linker and a dynamically linked program need of the system, and no more.
_SYSTEM = ("/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32", "/usr/libexec", "/usr/include")
_SYSTEM_LINKS = ("/bin", "/lib", "/lib32", "/lib64", "/libx32")
_SYSTEM_FILES = ("/etc/alternatives", "/etc/ld.so.cache")
_PATH = "/usr/bin:/bin"

# In a chroot: give `/` a mount of its own. The first bind is made private, so that the second, which
# holds everything, is never seen outside of this namespace.
_CHROOT_SCRIPT = (
    'mount --bind "$1" "$1" && mount --make-private "$1" && mount --rbind / "$1" || exit 125; '
    'cd "$1" || exit 125; [ -e proc/self ] || mount -t proc proc proc || exit 125; '
    'root=$1; shift; exec chroot "$root" "$@"'
)


class Way(Enum):
    """How a command is shut in."""

    ROOT = "bubblewrap as root"
    CHROOT = "bubblewrap as root, in a chroot"
    USER = "bubblewrap as a user"
    NONE = "none"


@dataclass(frozen=True)
class Limits:
    """What one command may use."""

    seconds: float = 10.0  # by the clock; on a busy machine more, see `_starved`
    cpu_seconds: int = 10
    memory: int | None = 2 * GIB  # of address space; None where a driver maps more than there is
    file_bytes: int = 64 * MIB
    processes: int = 64
    open_files: int = 256
    output_bytes: int = 256 << 10  # of stdout and of stderr each; the rest is read and thrown away
    extends: bool = True  # not for what waits for a device: that uses little processor, and is not starved


@dataclass(frozen=True)
class Binds:
    """Host paths shown inside, as {host: inside}; `writable` is given to the sandboxed user."""

    readonly: Mapping[Path, str] = field(default_factory=dict)
    writable: Mapping[Path, str] = field(default_factory=dict)
    devices: tuple[Path, ...] = ()  # nodes of /dev, with what the kernel says of its devices


@dataclass(frozen=True)
class Outcome:
    """How the command ended. `status` is negative for a signal, as in subprocess."""

    status: int
    stdout: bytes
    stderr: bytes
    timed_out: bool = False
    truncated: bool = False
    seconds: float = 0.0

    @property
    def signal_name(self) -> str | None:
        """The signal that ended it, also where bubblewrap passed it on as 128 + number."""
        number = -self.status if self.status < 0 else self.status - 128
        try:
            return signal.Signals(number).name if 0 < number < 65 else None
        except ValueError:
            return None


@dataclass(frozen=True)
class Sandbox:
    """A way that was found to work."""

    way: Way
    flags: tuple[str, ...] = ()
    why_not: str = ""  # what the last refused way said

    @property
    def name(self) -> str:
        """As in the result file."""
        return "none" if self.way is Way.NONE else "bubblewrap"

    def run(
        self,
        command: Sequence[str],
        *,
        binds: Binds | None = None,
        limits: Limits | None = None,
        cwd: str = "/",
        environment: Mapping[str, str] | None = None,
        passthrough: bool = False,
    ) -> Outcome:
        """Runs `command` (paths as seen inside) and waits. Never raises for what the command does."""
        binds, limits = binds or Binds(), limits or Limits()
        user = _claim_user() if self.way in (Way.ROOT, Way.CHROOT) else None
        for folder in binds.writable:
            if user is not None:
                os.chown(folder, user, user)
        line = self._command(command, binds, limits, cwd, environment or {}, user)
        outer = None if self.way is not Way.NONE else _environment(environment or {})
        workdir = _outside(cwd, binds) if self.way is Way.NONE else None
        return _watch(line, limits, outer, workdir, passthrough)

    def inside(self, path: Path, binds: Binds) -> str:
        """The path by which the sandboxed command knows a host path."""
        if self.way is Way.NONE:
            return str(path)
        for host, inner in (*binds.writable.items(), *binds.readonly.items()):
            if path == host:
                return inner
            if host in path.parents:
                return f"{inner}/{path.relative_to(host)}"
        raise ValueError(f"{path} is not shown inside the sandbox")

    def _command(
        self,
        command: Sequence[str],
        binds: Binds,
        limits: Limits,
        cwd: str,
        environment: Mapping[str, str],
        user: int | None,
    ) -> list[str]:
        limited = [*_prlimit(limits, shared_user=user is None), *command]
        if self.way is Way.NONE:
            return limited
        if user is not None:
            limited = [*_setpriv(user), *limited]
        bwrap = ["bwrap", *self.flags, *_isolation(self.way), *_view(binds), "--chdir", cwd]
        for name, value in _environment(environment).items():
            bwrap += ["--setenv", name, value]
        return [*_enter(self.way), *bwrap, "--", *limited]


@cache
def find() -> Sandbox:
    """The first way that works here; Way.NONE with the reason where none does."""
    if shutil.which("bwrap") is None:
        return Sandbox(Way.NONE, why_not="bubblewrap (bwrap) is not installed")
    why = ""
    for way in (Way.ROOT, Way.CHROOT, Way.USER) if os.geteuid() == 0 else (Way.USER,):
        for flags in (("--proc", "/proc"), ()):
            candidate = Sandbox(way, flags)
            outcome = candidate.run(["true"], limits=Limits(seconds=5))
            if outcome.status == 0:
                return candidate
            why = outcome.stderr.decode(errors="replace").strip().split("\n")[-1] or why
    return Sandbox(Way.NONE, why_not=why or "bubblewrap failed without a word")


def none() -> Sandbox:
    """No sandbox: limits only."""
    return Sandbox(Way.NONE, why_not="told to go without")


# --- the command line --------------------------------------------------------------------------


def _enter(way: Way) -> list[str]:
    if way is not Way.CHROOT:
        return []
    root = paths.CACHE / "root"
    root.mkdir(parents=True, exist_ok=True)
    return [
        "unshare",
        "--mount",
        "--propagation",
        "unchanged",
        "sh",
        "-c",
        _CHROOT_SCRIPT,
        "sh",
        str(root),
        "/usr/bin/env",
        "-i",
        f"PATH={_PATH}",
    ]


def _isolation(way: Way) -> list[str]:
    flags = [
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--new-session",
        "--die-with-parent",
        "--clearenv",
        "--hostname",
        "scanlab",
    ]
    if way is Way.USER:
        return [*flags, "--unshare-user", "--uid", "65534", "--gid", "65534"]
    # setpriv gives these up again, with everything else, before the command starts.
    for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
        flags += ["--cap-add", capability]
    return flags


def _view(binds: Binds) -> list[str]:
    """The file system inside: the toolchain, what was asked for, an empty /tmp."""
    flags = ["--perms", "1777", "--size", str(256 * MIB), "--tmpfs", "/tmp", "--dev", "/dev"]
    # Parents that bubblewrap makes by itself are closed to all but their owner.
    inner_paths = (*binds.readonly.values(), *binds.writable.values())
    parents = {str(parent) for inner in inner_paths for parent in Path(inner).parents} - {"/", "/tmp"}
    for folder in ("/usr", "/etc", *sorted(parents)):
        flags += ["--perms", "0755", "--dir", folder]
    for folder in (*_SYSTEM, *_SYSTEM_FILES):
        flags += ["--ro-bind-try", folder, folder]
    for link in _SYSTEM_LINKS:
        path = Path(link)
        if path.is_symlink():
            flags += ["--symlink", str(path.readlink()), link]
        elif path.is_dir():
            flags += ["--ro-bind", link, link]
    for host, inner in binds.readonly.items():
        flags += ["--ro-bind", str(host), inner]
    for host, inner in binds.writable.items():
        flags += ["--bind", str(host), inner]
    for node in binds.devices:
        flags += ["--dev-bind", str(node), str(node)]
    return [*flags, "--ro-bind-try", "/sys", "/sys"] if binds.devices else flags


def _setpriv(user: int) -> list[str]:
    return [
        "setpriv",
        f"--reuid={user}",
        f"--regid={user}",
        "--clear-groups",
        "--no-new-privs",
        "--inh-caps=-all",
        "--bounding-set=-all",
    ]


def _prlimit(limits: Limits, *, shared_user: bool) -> list[str]:
    # A user's own processes count too where the id is not this run's alone.
    processes = limits.processes + 2048 if shared_user else limits.processes
    return [
        "prlimit",
        f"--as={'unlimited' if limits.memory is None else limits.memory}",
        f"--cpu={limits.cpu_seconds}:{limits.cpu_seconds + 1}",
        f"--fsize={limits.file_bytes}",
        f"--nproc={processes}",
        f"--nofile={limits.open_files}",
        "--core=0",
    ]


def _environment(extra: Mapping[str, str]) -> dict[str, str]:
    return {"PATH": _PATH, "LC_ALL": "C.UTF-8", "HOME": "/tmp", "TMPDIR": "/tmp", **extra}


def _outside(cwd: str, binds: Binds) -> str | None:
    for host, inner in {**binds.readonly, **binds.writable}.items():
        if inner == cwd:
            return str(host)
    return None


_next_user = threading.Lock(), [os.getpid() % 4000 * 4]


def _claim_user() -> int:
    """A user id that no other run has now, so that limits on processes do not add up."""
    lock, counter = _next_user
    with lock:
        counter[0] += 1
        number = counter[0]
    most = _highest_id()
    return 300_000 + number % 60_000 if most >= 400_000 else min(65_534, most)


@cache
def _highest_id() -> int:
    """The highest user id that exists here (a container may have few)."""
    try:
        lines = Path("/proc/self/uid_map").read_text().splitlines()
    except OSError:
        return 65_534
    spans = [[int(word) for word in line.split()] for line in lines]
    return max((first + count - 1 for first, _, count in spans), default=65_534)


# --- running and watching ----------------------------------------------------------------------


def _watch(
    line: Sequence[str],
    limits: Limits,
    environment: Mapping[str, str] | None,
    cwd: str | None,
    passthrough: bool,
) -> Outcome:
    started = time.monotonic()
    pipe = None if passthrough else subprocess.PIPE
    try:
        process = subprocess.Popen(
            list(line),
            stdin=None if passthrough else subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe,
            env=environment,
            cwd=cwd,
            start_new_session=True,
            close_fds=True,
        )
    except OSError as problem:
        return Outcome(127, b"", str(problem).encode())
    try:
        collected, truncated, timed_out = _collect(process, limits, started)
    except BaseException:
        _kill(process)
        raise
    if timed_out:
        _kill(process)
    status = process.wait()
    return Outcome(status, collected[0], collected[1], timed_out, truncated, time.monotonic() - started)


def _collect(process: subprocess.Popen[bytes], limits: Limits, started: float) -> tuple[list[bytes], bool, bool]:
    """Reads both streams until the process has ended, or the deadline; keeps the first output_bytes of each."""
    kept: list[bytearray] = [bytearray(), bytearray()]
    truncated = False
    deadline = started + limits.seconds
    ended = os.pidfd_open(process.pid)
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(ended, selectors.EVENT_READ, None)
            for number, stream in enumerate((process.stdout, process.stderr)):
                if stream is not None:
                    selector.register(stream, selectors.EVENT_READ, number)
            while selector.get_map():
                left = deadline - time.monotonic()
                if left <= 0 and _starved(process.pid, limits, started):
                    deadline += limits.seconds / 2
                    continue
                if left <= 0:
                    return [bytes(part) for part in kept], truncated, True
                for key, _ in selector.select(left):
                    if key.data is None:
                        # Not yet reaped, so its number is still its own: end what it left behind.
                        selector.unregister(key.fileobj)
                        _kill_group(process)
                        continue
                    data = os.read(key.fd, 1 << 16)
                    if not data:
                        selector.unregister(key.fileobj)
                        continue
                    room = limits.output_bytes - len(kept[key.data])
                    truncated = truncated or len(data) > room
                    kept[key.data] += data[: max(room, 0)]
    finally:
        os.close(ended)
    return [bytes(part) for part in kept], truncated, False


_PATIENCE = 4  # times the limit, while others have the processors
_TICKS = os.sysconf("SC_CLK_TCK")


def _starved(pid: int, limits: Limits, started: float) -> bool:
    """Did the command get less than half a processor? Then its time is not up: a busy machine is not its fault."""
    elapsed = time.monotonic() - started
    if not limits.extends or elapsed >= limits.seconds * _PATIENCE:
        return False
    return _processor_seconds(pid) < limits.seconds / 2


def _processor_seconds(pid: int) -> float:
    """What a process, its children and those that it has waited for have used."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0  # it has just ended
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return math.inf  # a kernel that does not tell: the clock alone decides
    own = sum(int(field) for field in fields[11:15]) / _TICKS
    return own + sum(_processor_seconds(int(child)) for child in children)


def _kill(process: subprocess.Popen[bytes]) -> None:
    _kill_group(process)
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    # The session was made for this command: whoever is left in it belongs to it.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
