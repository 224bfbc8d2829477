"""`scanlab bench`: the machine's own benchmarks (C++) and those of the whole grader, as one table and one JSON."""

from __future__ import annotations

import json as json_format
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from scanlab import (
    build,
    device,
    device_build,
    device_check,
    measured,
    paths,
    performance,
    pipeline,
    sandbox,
    toolchain,
)
from scanlab.check_command import write_atomically
from scanlab.cli import Status
from scanlab.paths import Lab

SCHEMA = "scanlab/bench/v1"
REPEATS = 5


@dataclass(frozen=True)
class Measure:
    """One line: the median, and the distance between the quartiles."""

    name: str
    value: float
    unit: str
    spread: float
    compared_to: str | None = None
    ratio: float | None = None


PAGE = paths.ROOT / "build" / "performance.html"


def run(only: str | None, backend: str, json: Path | None, further: Sequence[str], html: Path | None = None) -> int:
    """Measures, prints a table, writes JSON; on a GPU a page too."""
    if backend not in ("cpu", "cuda"):
        print(f"scanlab: --backend is cpu or cuda, not {backend!r}", file=sys.stderr)
        return int(Status.USAGE)
    if backend == "cuda":
        return _device(json, html or PAGE, further)
    toolchain.ensure_built()
    results = [*_machine(only, backend, further), *(asdict(measure) for measure in _grader(only))]
    if not results:
        print(f"scanlab: there is no benchmark called {only!r}", file=sys.stderr)
        return int(Status.USAGE)
    if json is not None:
        write_atomically(json, json_format.dumps({"schema": SCHEMA, "results": results}, indent=2) + "\n")
    _print(results)
    return 0


def _device(json: Path | None, html: Path, further: Sequence[str]) -> int:
    """`scanlab_scan_bench` as it is: it prints its own table and writes the same JSON, of which the page is made."""
    reason = device.why_not()
    if reason is not None:
        print(f"scanlab: {reason}", file=sys.stderr)
        return int(Status.OURS)
    try:
        program = device_check.scan_bench()
    except device_build.DeviceError as problem:
        print(f"scanlab: {problem}", file=sys.stderr)
        return int(Status.OURS)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "bench.json")
        words = [word for word in further if word != "--"] or ["--set", "labs"]
        done = subprocess.run([str(program), *words, "--json", str(out)], check=False)
        if out.exists():
            _keep_device(json_format.loads(out.read_text()), json, html)
    return done.returncode if done.returncode in tuple(Status) else int(Status.OURS)


def _keep_device(data: dict[str, Any], json: Path | None, html: Path) -> None:
    """The JSON with the driver's version, which the runtime does not tell, and the page."""
    gpu = device.gpu()
    if gpu is not None:
        data["device"] = {"driver": gpu.driver, **data["device"]}
    if json is not None:
        write_atomically(json, json_format.dumps(data, indent=1) + "\n")
    if performance.write(measured.parse(data), html):
        print(f"\nThe plot and the tables as a page: {html}")


def _machine(only: str | None, backend: str, further: Sequence[str]) -> list[dict[str, Any]]:
    """What scanlab_bench measures; its names begin with `machine.`, `scan.` and so on."""
    program = paths.BIN / "scanlab_bench"
    if not program.exists() or (only and only.startswith(("check.", "grade."))):
        return []
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "bench.json")
        command = [
            str(program),
            "--json",
            str(out),
            "--backend",
            backend,
            *(["--only", only] if only else []),
            *further,
        ]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        if not out.exists():
            if only is None or done.returncode not in (0, 2):
                print(f"scanlab: {program.name} ended with {done.returncode} and no results", file=sys.stderr)
            return []
        return list(json_format.loads(out.read_text())["results"])


def _grader(only: str | None) -> Iterator[Measure]:
    for lab in paths.labs():
        name = f"check.{lab.name}"
        if (only in (None, name)) and lab.harness.exists() and lab.solution.exists():
            yield _time(name, partial(_check, lab))
    if only in (None, "grade.per_submission"):
        yield from _per_submission()


def _check(lab: Lab) -> None:
    command = [str(paths.ROOT / "scanlab"), "check", lab.name, str(lab.solution)]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def _per_submission() -> Iterator[Measure]:
    """A submission of lab 1 in a class, against the bare compile of the same file."""
    lab = next((one for one in paths.labs() if one.harness.exists() and one.solution.exists()), None)
    if lab is None:
        return
    data = lab.solution.read_bytes()
    settings = pipeline.Settings(sandbox.find())
    graded = _time("grade.per_submission", lambda: pipeline.check(data, lab.source_name, lab, settings))
    bare = _bare_compile(data, lab)
    yield Measure(graded.name, graded.value, graded.unit, graded.spread, "bare compile", graded.value / bare)


def _bare_compile(data: bytes, lab: Lab) -> float:
    folder = Path(tempfile.mkdtemp(prefix="scanlab-bench-"))
    try:
        folder.chmod(0o755)
        build.build(data, lab.source_name, lab, folder, sandbox.none())
        return _time("bare", lambda: build.compile_again(folder)).value
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _time(name: str, work: Callable[[], object]) -> Measure:
    work()
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    quartiles = statistics.quantiles(times, n=4)
    return Measure(name, statistics.median(times), "s", quartiles[2] - quartiles[0])


def _print(results: Sequence[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading, side in (
        ("name", "left"),
        ("value", "right"),
        ("unit", "left"),
        ("spread", "right"),
        ("compared to", "left"),
        ("ratio", "right"),
    ):
        table.add_column(heading, justify="right" if side == "right" else "left")
    for row in results:
        ratio = row.get("ratio")
        table.add_row(
            row["name"],
            f"{row['value']:.4g}",
            row["unit"],
            f"{row.get('spread') or 0:.2g}",
            row.get("compared_to") or "",
            "" if ratio is None else f"{ratio:.3g}",
        )
    Console().print(table)
