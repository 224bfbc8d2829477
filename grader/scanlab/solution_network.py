"""The network of additions of a lab's solution, as a run of it made it: for the figures of the handouts."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from scanlab import build, paths, pipeline, sandbox, toolchain
from scanlab.model import Check, Result
from scanlab.paths import Lab


class UnprovedSolutionError(ValueError):
    """The solution gave no network that is proved right."""


def solution_network(lab: Lab) -> dict[str, Any]:
    """From the checks of the solution, or from the cache where nothing changed since they were made."""
    toolchain.ensure_built()
    cached = paths.CACHE / f"network-{lab.name}-{_key(lab)}.json"
    try:
        network = json.loads(cached.read_text())
    except (OSError, ValueError):
        network = _proved(_checked(lab))
        build.store(cached, json.dumps(network))
    assert isinstance(network, dict)
    return network


def _checked(lab: Lab) -> Result:
    return pipeline.check_file(lab.solution, lab, pipeline.Settings(sandbox.find())).result


def _proved(result: Result) -> dict[str, Any]:
    """That of the first check that has one and that proves it right."""
    for check in result.checks:
        network = dict(check.extra).get("network")
        if isinstance(network, dict) and _is_proof(check):
            return network
    raise UnprovedSolutionError(f"no check of the solution of {result.lab} proves a network")


def _is_proof(check: Check) -> bool:
    return check.verdict == "pass" and isinstance(check.measured, dict) and "proved" in check.measured


def _key(lab: Lab) -> str:
    """Of all that decides what the solution adds: its text, how it is built, and the programs that run it."""
    digest = hashlib.sha256(build.key(lab.entry).encode() + lab.solution.read_bytes())
    for program in (lab.harness, paths.BIN / "scanlab_worker"):
        digest.update(_stamp(program).encode())
    return digest.hexdigest()[:16]


def _stamp(path: Path) -> str:
    stat = path.stat()
    return f"{path.name} {stat.st_size} {stat.st_mtime_ns}\n"
