"""`scanlab run`: a whole CUDA program on the CPU machine, under the checkers that are asked for."""

from __future__ import annotations

import contextlib
import json as json_format
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scanlab import build, paths, pipeline, sandbox, toolchain
from scanlab.check_command import write_atomically
from scanlab.model import Finding

SCHEMA = "scanlab/run/v1"
_DOES_NOT_COMPILE = 2
_FOUND = 1


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    json: Path | None = None
    checks: str = "all"
    schedule: str = "in_order"


def run(file: Path, arguments: Sequence[str], options: Options) -> int:
    """Builds and runs; gives the program's own status, 1 where a checker found an error, 2 if it does not compile."""
    if not file.is_file():
        print(f"scanlab: there is no file {file}", file=sys.stderr)
        return _DOES_NOT_COMPILE
    toolchain.ensure_built()
    with pipeline.scratch_folder() as folder:
        name = file.name if file.suffix in (".cu", ".cpp") else f"{file.stem}.cu"
        # Your own program on your own machine: it may read its files and its headers, so no sandbox.
        built = build.build_program(file.read_bytes(), name, folder, sandbox.none(), file.resolve().parent)
        if built.shared_object is None:
            return _not_compiled(built, options)
        return _run(built, folder, list(arguments), options)


def _not_compiled(built: build.Built, options: Options) -> int:
    _report([finding.to_json() for finding in built.findings], built, options, None)
    return _DOES_NOT_COMPILE


def _run(built: build.Built, folder: Path, arguments: list[str], options: Options) -> int:
    result = folder / "run.json"
    command = [
        str(paths.BIN / "scanlab_run"),
        "--submission",
        str(built.shared_object),
        "--source",
        built.file,
        "--json",
        str(result),
        "--checks",
        options.checks,
        "--schedule",
        options.schedule,
        "--",
        *arguments,
    ]
    status = _wait(command)
    try:
        data = json_format.loads(result.read_text())
        findings = list(data["findings"])
    except (OSError, ValueError, KeyError, TypeError):
        if status == _DOES_NOT_COMPILE:
            return status  # bad usage: scanlab_run said what
        findings = [_crash(status).to_json()]
    _report(findings, built, options, status)
    errors = any(finding.get("severity") == "error" for finding in findings)
    return _FOUND if errors else status


def _wait(command: list[str]) -> int:
    """Ctrl-C goes to the program, which shares our terminal; we wait for its end."""
    process = subprocess.Popen(command)
    while True:
        with contextlib.suppress(KeyboardInterrupt):
            return process.wait()


def _crash(status: int) -> Finding:
    try:
        name = signal.Signals(-status if status < 0 else status - 128).name
    except ValueError:
        name = f"exit status {status}"
    return Finding(
        "run.crash",
        "error",
        f"the program ended before its report was written ({name})",
        "Look at the host code: a pointer that is not set, an array that is too short, a call of exit.",
    )


def _report(findings: list[dict[str, Any]], built: build.Built, options: Options, status: int | None) -> None:
    data = {
        "schema": SCHEMA,
        "file": built.file,
        "sha256": built.sha256,
        "schedule": options.schedule,
        "checks": options.checks,
        "exit_status": status,
        "findings": findings,
    }
    if options.json is not None:
        write_atomically(options.json, json_format.dumps(data, indent=2, ensure_ascii=False) + "\n")
    if findings:
        from scanlab import render

        sys.stdout.flush()
        render.print_findings(findings, built.text)
