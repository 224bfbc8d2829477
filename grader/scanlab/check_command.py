"""`scanlab check`: one file, a report in the terminal."""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from scanlab import pipeline, sandbox, toolchain
from scanlab.cli import Status
from scanlab.model import Result
from scanlab.paths import Lab


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    backend: str = "cpu"
    json: Path | None = None
    html: Path | None = None
    seed: int = pipeline.DEFAULT_SEED
    random_schedules: int = 0
    thorough: bool = False
    seconds: float = pipeline.TOTAL_SECONDS
    unsandboxed: bool = False


def check(lab: Lab, file: Path | None, options: Options) -> int:
    """Checks, prints, writes; gives the exit status."""
    source = file or lab.student_copy
    if options.backend not in ("cpu", "cuda"):
        return _complain(f"--backend is cpu or cuda, not {options.backend!r}", Status.USAGE)
    if not source.is_file():
        return _complain(f"there is no file {source}", Status.USAGE)
    if not os.access(source, os.R_OK):
        return _complain(f"{source} cannot be read", Status.USAGE)
    if options.backend == "cuda":
        return _check_on_device(lab, source, options)
    toolchain.ensure_built()
    box = sandbox.none() if options.unsandboxed else sandbox.find()
    threading.Thread(target=_load_ahead, daemon=True).start()
    settings = pipeline.Settings(box, options.seed, options.seconds, options.random_schedules, options.thorough)
    verdict = pipeline.check_file(source, lab, settings)
    _report(verdict, options, source)
    if file is None or source.resolve() == lab.student_copy.resolve():
        _remember(verdict.result)
    return status_of(verdict.result)


def _load_ahead() -> None:
    """What the report needs is loaded while the compiler works."""
    from scanlab import learner, render  # noqa: F401
    from scanlab.render import terminal  # noqa: F401


def _check_on_device(lab: Lab, source: Path, options: Options) -> int:
    """The device's word on a file. It is not graded by it: nothing is remembered."""
    from scanlab import device, device_check

    reason = device.why_not()
    if reason is not None:
        return _complain(reason, Status.OURS)
    toolchain.ensure_built()
    box = sandbox.none() if options.unsandboxed else sandbox.find()
    verdict = device_check.check_file(source, lab, device_check.Settings(options.seed, box))
    _report(verdict, options, source)
    print(
        "\nOn the device: outputs, work and steps; the rest is compute-sanitizer's, or skipped. --backend cpu grades."
    )
    return status_of(verdict.result)


def status_of(result: Result) -> int:
    """0 full marks, 1 something failed, 3 the grader itself failed."""
    if result.error is not None or any(check.verdict == "error" for check in result.checks):
        return int(Status.OURS)
    return int(Status.FULL_MARKS if result.full_marks else Status.FAILED)


def write_atomically(path: Path, text: str) -> None:
    """A reader sees the whole file or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    scratch.write_text(text, encoding="utf-8")
    scratch.replace(path)


def _report(verdict: pipeline.Verdict, options: Options, source: Path) -> None:
    from scanlab import render

    data = verdict.result.to_json()
    if options.json is not None:
        write_atomically(options.json, verdict.result.to_text())
    render.print_report(data, verdict.text)
    if verdict.result.sandbox == "none":
        reason = sandbox.find().why_not or verdict.why_not_sandboxed
        print(f"\nNot sandboxed{': ' + reason if reason else ''}. Check only files that you trust.")
    if options.html is not None:
        options.html.parent.mkdir(parents=True, exist_ok=True)
        render.render_student([data], {verdict.result.lab: verdict.text or ""}, source.stem, options.html)
        print(f"\nThe report as a page: {options.html}")


def _remember(result: Result) -> None:
    from scanlab import learner

    learner.remember(result.to_json())


def _complain(message: str, status: Status) -> int:
    print(f"scanlab: {message}", file=sys.stderr)
    return int(status)
