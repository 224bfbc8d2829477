"""One submission from file to result: build, harness, rubric. Never raises for what a student wrote."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from scanlab import build, model, paths, rubric
from scanlab.model import Check, Finding, GraderFailure, Result, Site
from scanlab.paths import Lab
from scanlab.sandbox import GIB, MIB, Binds, Limits, Outcome, Sandbox

DEFAULT_SEED = 20260101
TOTAL_SECONDS = 15.0  # of one submission, from the first look at it to its verdict
_HARNESS_STATUS = (0, 3)  # 3: it failed, and says so in its result file
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][\w.+-]{0,60}\.cuh?")


@dataclass(frozen=True)
class Settings:
    """How to check."""

    box: Sandbox
    seed: int = DEFAULT_SEED
    seconds: float = TOTAL_SECONDS
    random_schedules: int = 0
    thorough: bool = False


@dataclass(frozen=True)
class Verdict:
    """A result, and the student's text for quoting."""

    result: Result
    text: str | None
    why_not_sandboxed: str = ""  # where a sandbox works, but not for this backend


def check_file(path: Path, lab: Lab, settings: Settings) -> Verdict:
    """Checks a file under its own name where that is plain, else under the lab's."""
    name = path.name if _PLAIN_NAME.fullmatch(path.name) else lab.source_name
    with path.open("rb") as handle:
        data = handle.read(build.LARGEST_SOURCE + 1)
    return check(data, name, lab, settings)


def check(data: bytes, file: str, lab: Lab, settings: Settings) -> Verdict:
    """The verdict on one file; a failure of ours is in `result.error`."""
    started = time.monotonic()
    result = Result(lab.name, file, hashlib.sha256(data).hexdigest(), seed=settings.seed, sandbox=settings.box.name)
    text: str | None = None
    try:
        text = build.decode(data)
        points = rubric.load(lab.rubric_script)
        with scratch_folder() as folder:
            built = build.build(data, file, lab, folder, settings.box)
            if not built.ok:
                checks = (_builds("fail", built.findings), *points.skipped())
            else:
                left = max(settings.seconds - (time.monotonic() - started), 1.0)
                checks = _harness(built, folder, lab, settings, left) or _too_slow(built, points, left)
                checks = (_builds("pass", built.findings), *checks)
        result = result.with_checks(points.apply(checks))
    except (build.BuildFailureError, rubric.RubricError, model.MalformedResultError, HarnessError, OSError) as problem:
        result = replace(result, checks=(), error=GraderFailure(type(problem).__name__, str(problem)))
    return Verdict(result, text)


class HarnessError(RuntimeError):
    """The harness made no result: our failure, never the student's."""


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder for one submission, readable by the sandbox's user and gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="scanlab-"))
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _builds(verdict: str, findings: tuple[Finding, ...]) -> Check:
    return Check(name=rubric.BUILDS, verdict=verdict, findings=findings)


def _harness(built: build.Built, folder: Path, lab: Lab, settings: Settings, seconds: float) -> tuple[Check, ...]:
    if not lab.harness.exists():
        raise HarnessError(f"the harness of {lab.name} is not built: {lab.harness} is missing")
    assert built.shared_object is not None
    out = folder / "out"
    out.mkdir()
    out.chmod(0o700)
    binds = Binds(readonly={paths.BIN: "/scanlab/bin", folder: "/scanlab/in"}, writable={out: "/scanlab/out"})
    box = settings.box

    def inside(path: Path) -> str:
        return box.inside(path, binds)

    result_file = out / "result.json"
    command = [
        inside(lab.harness),
        "--submission",
        inside(built.shared_object),
        "--source",
        built.file,
        "--worker",
        inside(paths.BIN / "scanlab_worker"),
        "--seed",
        str(settings.seed),
        "--sha256",
        built.sha256,
        "--sandbox",
        box.name,
        "--json",
        inside(result_file),
    ]
    if settings.random_schedules:
        command += ["--random-schedules", str(settings.random_schedules)]
    if settings.thorough:
        command += ["--thorough", "--patience", "6"]
    outcome = box.run(command, binds=binds, limits=_limits(seconds), cwd="/scanlab/out")
    return _read(outcome, result_file)


def _limits(seconds: float) -> Limits:
    return Limits(
        seconds=seconds,
        cpu_seconds=int(4 * seconds) + 30,
        memory=12 * GIB,
        file_bytes=256 * MIB,
        processes=64,
        open_files=256,
    )


def _read(outcome: Outcome, result_file: Path) -> tuple[Check, ...]:
    """The harness's checks; none where its time was up."""
    if outcome.timed_out:
        return ()
    if outcome.status not in _HARNESS_STATUS:
        words = outcome.stderr.decode(errors="replace").strip().split("\n")[-1][:300]
        ended = outcome.signal_name or f"status {outcome.status}"
        raise HarnessError(f"the harness ended with {ended}: {words or 'no message'}")
    try:
        data = result_file.read_bytes()
    except OSError as problem:
        raise HarnessError(f"the harness left no result file ({problem.strerror})") from problem
    result = model.parse(data)
    if result.error is not None:
        raise HarnessError(result.error.message)
    return result.checks


def _too_slow(built: build.Built, points: rubric.Rubric, seconds: float) -> tuple[Check, ...]:
    """All that can be said where the whole took longer than a submission may."""
    finding = Finding(
        "run.timeout",
        "error",
        f"the checks of this file were not done after {seconds:.0f} seconds of running",
        "Look for loops whose end does not come, or comes late: the condition, and what changes it.",
        (Site(built.file, 1),),
    )
    first, *rest = points.skipped()
    return (replace(first, verdict="fail", findings=(finding,)), *rest)
