"""Builds the C++ side (CMake preset `cpu`) where its sources changed; cheap where they did not."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

from scanlab import paths

_SUFFIXES = (".cpp", ".hpp", ".h", ".txt", ".cmake", ".json")


class Part(Enum):
    """What is wanted: what commands need, or the C++ tests as well."""

    TOOLS = "tools"
    ALL = "all"


class ToolchainError(RuntimeError):
    """CMake or the compiler failed on our own sources."""


def ensure_built(part: Part = Part.TOOLS) -> None:
    """Configures and builds if a source changed since the last time."""
    stamp = paths.BUILD / f".scanlab-{part.value}"
    wanted = _fingerprint(part)
    if _read(stamp) == wanted:
        return
    with _lock():
        if _read(stamp) == wanted:
            return
        _build(part)
        stamp.write_text(wanted)
        if part is Part.ALL:  # that is more than the tools
            (paths.BUILD / f".scanlab-{Part.TOOLS.value}").write_text(_fingerprint(Part.TOOLS))


def _fingerprint(part: Part) -> str:
    """Names, sizes and times of all C++ sources; the students' own files are not among them."""
    digest = hashlib.sha256()
    for path in sorted(_sources(part)):
        stat = path.stat()
        digest.update(f"{path}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _sources(part: Part) -> Iterator[Path]:
    yield paths.ROOT / "CMakeLists.txt"
    yield paths.ROOT / "CMakePresets.json"
    yield from _walk(paths.ROOT / "cmake")
    for folder in (paths.ROOT / "labs").glob("*"):
        if (folder / "harness.cpp").exists():
            yield folder / "harness.cpp"
    for entry in paths.REFERENCE.iterdir():
        if entry.is_dir() and (part is Part.ALL or entry.name != "tests"):
            yield from _walk(entry)


def _walk(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _walk(Path(entry.path))
            elif entry.name.endswith(_SUFFIXES):
                yield Path(entry.path)


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


@contextmanager
def _lock() -> Iterator[None]:
    paths.BUILD.mkdir(parents=True, exist_ok=True)
    with (paths.BUILD / ".scanlab-lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _build(part: Part) -> None:
    print(f"scanlab: building the machine in {_shown(paths.BUILD)} ...", file=sys.stderr, flush=True)
    environment = dict(os.environ)
    if not (paths.BUILD / "CMakeCache.txt").exists():
        environment.setdefault("CMAKE_GENERATOR", "Ninja")
    _step(["cmake", "--preset", "cpu"], environment)
    command = ["cmake", "--build", str(paths.BUILD), "--parallel", str(os.cpu_count() or 1)]
    if part is Part.TOOLS:
        command += ["--target", *_tool_targets(environment)]
    _step(command, environment)


def _tool_targets(environment: dict[str, str]) -> list[str]:
    """Those of our programs that the build knows (a lab in the making may have no harness yet)."""
    listed = subprocess.run(
        ["cmake", "--build", str(paths.BUILD), "--target", "help"],
        cwd=paths.ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    known = {word.rstrip(":") for line in listed.split("\n") for word in line.split()}
    wanted = [
        "scanlab_worker",
        "scanlab_run",
        "scanlab_bench",
        *(f"scanlab_harness_{lab.name}" for lab in paths.labs()),
    ]
    return [target for target in wanted if target in known] or ["all"]


def _step(command: Sequence[str], environment: dict[str, str]) -> None:
    log = paths.BUILD / "build.log"
    try:
        if sys.stderr.isatty():
            status = subprocess.run(command, cwd=paths.ROOT, env=environment, stdout=sys.stderr, check=False)
            tail = ""
        else:
            with log.open("w") as output:
                status = subprocess.run(
                    command, cwd=paths.ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT, check=False
                )
            tail = "\n".join(log.read_text(errors="replace").split("\n")[-25:])
    except FileNotFoundError as problem:
        raise ToolchainError(f"{command[0]} is not installed; ./scanlab installs it on Debian and Ubuntu") from problem
    if status.returncode != 0:
        raise ToolchainError(f"`{' '.join(command[:3])}` failed\n{tail}".rstrip())


def _shown(path: Path) -> str:
    return str(path.relative_to(paths.ROOT))
