"""What there is of a GPU: the device and its driver, the CUDA toolkit, compute-sanitizer."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_PATIENCE = 30  # seconds for a tool to name itself
_TOOLKIT = Path("/usr/local/cuda/bin")  # where it lies when it is not on the PATH


@dataclass(frozen=True)
class Gpu:
    """The first device that the driver names."""

    name: str
    driver: str
    capability: str  # "9.0"


@cache
def gpu() -> Gpu | None:
    """None where there is no driver, or one that names no device."""
    said = _say(["nvidia-smi", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"])
    fields = [field.strip() for field in said.split("\n")[0].split(",")]
    return Gpu(*fields) if len(fields) == 3 and all(fields) else None


def tool(name: str) -> str | None:
    """The path of nvcc, compute-sanitizer and such."""
    beside = _TOOLKIT / name
    return shutil.which(name) or (str(beside) if beside.exists() else None)


@cache
def version(name: str) -> str | None:
    """Of nvcc or compute-sanitizer; None where it is not installed."""
    path = tool(name)
    if path is None:
        return None
    found = re.search(r"(?:release|[Vv]ersion)\s+V?(\d+\.\d[\d.]*)", _say([path, "--version"]))
    return found[1] if found else "of an unknown version"


def why_not() -> str | None:
    """In one line why the cuda backend cannot run here; None where it can."""
    if gpu() is None:
        return "the cuda backend needs an NVIDIA GPU and its driver; there is none here"
    if tool("nvcc") is None:
        return "the cuda backend needs nvcc (the CUDA toolkit); it is not installed"
    return None


def toolkit_folder() -> Path | None:
    """Where nvcc's bin folder lies."""
    nvcc = tool("nvcc")
    return None if nvcc is None else Path(nvcc).resolve().parents[1]


def runtime_folder() -> Path | None:
    """Where libcudart.so lies."""
    root = toolkit_folder()
    if root is None:
        return None
    folders = (root / "lib64", root / "targets" / "x86_64-linux" / "lib", root / "lib")
    return next((folder for folder in folders if (folder / "libcudart.so").exists()), None)


def nodes() -> tuple[Path, ...]:
    """The nodes of /dev that the driver is reached by."""
    return tuple(sorted(Path("/dev").glob("nvidia*")))


@cache
def driver_folder() -> Path | None:
    """Where libcuda.so lies; in containers it is often none of the system's own folders."""
    found = re.search(r"libcuda\.so\.1 .*=> (\S+)", _say(["/sbin/ldconfig", "-p"]))
    return Path(found[1]).parent if found else None


def _say(command: Sequence[str]) -> str:
    """What a tool prints; nothing where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
