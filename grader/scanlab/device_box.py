"""What a program that uses the GPU is shut in: the sandbox with the driver's nodes, where that works.

Whether it does is found out by trying to get a context inside. Where it does not, the program runs with limits
alone, and the report says so.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from scanlab import device, device_build
from scanlab.sandbox import GIB, MIB, Binds, Limits, Outcome, Sandbox, Way

_WORKER = "/scanlab/cuda"
_PROBE_SECONDS = 30.0
_KEPT = ("CUDA_", "NVIDIA_")  # which device, and how


def binds(worker: Path, readonly: Mapping[Path, str], writable: Mapping[Path, str]) -> Binds:
    """These, the worker, and all that the driver and the toolkit need."""
    shown = {**readonly, worker.parent: _WORKER, **device_build.toolkit()}
    driver = device.driver_folder()
    if driver is not None and not driver.is_relative_to("/usr"):
        shown[driver] = str(driver)
    return Binds(shown, writable, device.nodes())


def limits(seconds: float) -> Limits:
    """A driver maps more addresses than there is memory, and who waits for the device is not starved."""
    return Limits(seconds=seconds, cpu_seconds=int(4 * seconds) + 30, memory=None, file_bytes=GIB, processes=256,
                  open_files=1024, output_bytes=4 * MIB, extends=False)  # fmt: skip


def environment(reload: bool = False) -> dict[str, str]:
    """SCANLAB_CUDA_RELOAD: the file has variables of its own, which begin anew in every run."""
    variables = {name: value for name, value in os.environ.items() if name.startswith(_KEPT)}
    runtime = device.runtime_folder()
    folders = [os.environ.get("LD_LIBRARY_PATH", ""), str(runtime or "")]
    variables["LD_LIBRARY_PATH"] = ":".join(filter(None, folders))
    return variables | ({"SCANLAB_CUDA_RELOAD": "1"} if reload else {})


@cache
def working(box: Sandbox, worker: Path, before: tuple[str, ...] = ()) -> Sandbox:
    """`box`, if the worker gets a context in it, under a tool that stands `before` it."""
    if box.way is Way.NONE:
        return box
    outcome = _probe(box, worker, before)
    if outcome.status == 0 and not outcome.timed_out:
        return box
    said = (outcome.stdout + outcome.stderr).decode(errors="replace").strip().split("\n")[-1]
    return Sandbox(Way.NONE, why_not=f"the device cannot be reached in the sandbox ({said[:200] or outcome.status})")


def _probe(box: Sandbox, worker: Path, before: Sequence[str]) -> Outcome:
    shown = binds(worker, {}, {})
    command = [*before, box.inside(worker, shown), "--context"]
    return box.run(command, binds=shown, limits=limits(_PROBE_SECONDS), environment=environment())
