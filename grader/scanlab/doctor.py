"""`scanlab doctor`: what is installed, what is missing, what works."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from scanlab import __version__, device, paths, sandbox


@dataclass(frozen=True)
class Fact:
    """One line of the examination. `needed`: without it the kit is not usable."""

    name: str
    good: bool
    words: str
    needed: bool = True


def run() -> int:
    """Prints every fact; 0 where the kit is usable, else 1."""
    facts = list(examine())
    width = max(len(fact.name) for fact in facts)
    for fact in facts:
        mark = "ok  " if fact.good else ("MISSING" if fact.needed else "-   ")
        print(f"{mark:8}{fact.name:{width}}  {fact.words}")
    usable = all(fact.good for fact in facts if fact.needed)
    print("\nusable" if usable else "\nnot usable: see what is MISSING; ./scanlab installs it on Debian and Ubuntu")
    return 0 if usable else 1


def examine() -> Iterator[Fact]:
    yield Fact("scanlab", True, f"{__version__} in {paths.ROOT}")
    yield Fact("system", True, f"{_system()}, {platform.machine()}")
    yield Fact("Python", sys.version_info >= (3, 11), platform.python_version())
    for name, tool in (("C++ compiler", "g++"), ("CMake", "cmake")):
        yield _tool(name, tool, True)
    yield _built()
    yield _sandbox()
    for lab in paths.labs():
        if not lab.harness.exists():
            yield Fact(f"lab {lab.name}", False, "its harness is not built yet: the first check builds it", False)
    yield from _optional()


def _system() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        return platform.system()


def _tool(name: str, tool: str, needed: bool) -> Fact:
    path = shutil.which(tool)
    if path is None:
        return Fact(name, False, f"{tool} is not installed", needed)
    try:
        first = (
            subprocess.run([path, "--version"], capture_output=True, text=True, check=False, timeout=20)
            .stdout.strip()
            .split("\n")
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return Fact(name, False, f"{path} does not run: {problem}", needed)
    said = next((line for line in first if re.search(r"\d\.\d", line)), path)
    return Fact(name, True, said, needed)


def _built() -> Fact:
    worker = paths.BIN / "scanlab_worker"
    if worker.exists():
        return Fact("backend cpu", True, f"built in {paths.BUILD.relative_to(paths.ROOT)}")
    return Fact("backend cpu", True, "not built yet: the first check builds it")


def _sandbox() -> Fact:
    box = sandbox.find()
    if box.name == "none":
        advice = f"{box.why_not}. check goes on without; grade refuses unless told --unsandboxed"
        return Fact("sandbox", False, advice, needed=False)
    return Fact("sandbox", True, f"{box.way.value}: no network, own files only, limits on time, memory, processes")


def _optional() -> Iterator[Fact]:
    yield _tool("clang++", "clang++", False)
    yield _tool("oclgrind (bench)", "oclgrind", False)
    yield _tool("browser (page tests)", "chromium", False)
    yield from _device()


def _device() -> Iterator[Fact]:
    """What the cuda backend needs, and what it can use."""
    gpu = device.gpu()
    yield Fact("GPU", gpu is not None, _gpu_words(gpu), False)
    for name, tool, without in (
        ("CUDA toolkit", "nvcc", "nvcc is not installed"),
        (
            "compute-sanitizer",
            "compute-sanitizer",
            "not installed: the cuda backend sees no races and no memory faults",
        ),
    ):
        version = device.version(tool)
        yield Fact(name, version is not None, f"{version} ({device.tool(tool)})" if version else without, False)
    reason = device.why_not()
    yield Fact("backend cuda", reason is None, reason or "ready", False)


def _gpu_words(gpu: device.Gpu | None) -> str:
    if gpu is None:
        return "no GPU driver answers: not needed"
    return f"{gpu.name}, compute capability {gpu.capability}, driver {gpu.driver}"
