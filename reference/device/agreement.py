#!/usr/bin/env python3
"""Both backends on every solution and every wrong one of every lab, in one table.

    reference/device/agreement.py cpu OUT.json [-j N] [--bin DIR]  where the CPU machine is built
    reference/device/agreement.py gpu OUT.json [-j N] [--seconds S] [--bin DIR] [--cpu CPU.json] [--done EARLIER.json]
    reference/device/agreement.py table CPU.json GPU.json OUT      writes OUT.json and OUT.md

`gpu` stops starting files after S seconds; solutions come first, then one wrong file of each lab in turn. What was
not run is counted in the table's head.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "grader"))

from scanlab import device, device_build, device_check, paths, pipeline, sandbox, sanitizer  # noqa: E402
from scanlab.model import Check, Result  # noqa: E402
from scanlab.paths import Lab  # noqa: E402

Row = dict[str, Any]
_TOOL_SECONDS = 25.0

# What a tool can see, in our kinds: a file that the tool complains of needs one of these from us.
_SAME = {
    "memcheck": {"memory.out_of_bounds", "memory.illegal", "memory.leak", "launch.invalid", "run.crash", "deadlock",
                 "barrier.divergent", "run.timeout"},
    "racecheck": {"race.shared", "race.global", "barrier.divergent", "fence.missing"},
    "initcheck": {"memory.uninitialized", "value.unwritten", "memory.out_of_bounds"},
    "synccheck": {"barrier.divergent", "deadlock"},
}  # fmt: skip


def files() -> list[tuple[Lab, Path]]:
    """Solutions, other right ones, then the wrong ones of all labs in turn."""
    folders = [(lab, lab.solution.parent) for lab in paths.labs()]
    first = [(lab, path) for lab, folder in folders for path in (lab.solution, *sorted(folder.glob("right/*.cu")))]
    columns = [[(lab, path) for path in sorted(folder.glob("wrong/*.cu"))] for lab, folder in folders]
    return first + [entry for row in zip_longest(*columns) for entry in row if entry is not None]


# These keep a GPU busy until a watchdog ends them, and slow down whatever runs beside them.
_HANGS = {"deadlock", "run.timeout", "barrier.divergent", "state.not_reset", "run.crash"}


def ordered(cpu: Path | None, done: Path | None) -> list[tuple[Lab, Path]]:
    """The files that are not among the rows of `done`; those that hang by the CPU's rows come last."""
    rows = json.loads(cpu.read_text()) if cpu else []
    hangs = {row["file"] for row in rows if _HANGS & set(row.get("errors", ()))}
    had = {row["file"] for row in json.loads(done.read_text())["rows"]} if done else set()
    left = [(lab, path) for lab, path in files() if name(path) not in had]
    return sorted(left, key=lambda entry: name(entry[1]) in hangs)


def body(path: Path) -> str:
    """The file without its first comments, which say what is wrong; every line stays in its place."""
    lines = path.read_text().split("\n")
    for number, line in enumerate(lines):
        if not line.startswith("//"):
            break
        lines[number] = "//"
    return "\n".join(lines)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT / "solutions"))


def kinds(checks: tuple[Check, ...], severities: tuple[str, ...] = ("error",)) -> list[str]:
    found = {finding.kind for check in checks for finding in check.findings if finding.severity in severities}
    return sorted(found)


# --- the two sides -----------------------------------------------------------------------------------


def cpu_row(lab: Lab, path: Path) -> Row:
    settings = pipeline.Settings(sandbox.find(), seconds=60.0)
    result: Result = pipeline.check(body(path).encode(), lab.source_name, lab, settings).result
    if result.error is not None:
        return {"file": name(path), "error": result.error.message}
    return {
        "file": name(path),
        "full_marks": result.full_marks,
        "errors": kinds(result.checks),
        "others": kinds(result.checks, ("warning", "note")),
    }


def gpu_row(lab: Lab, path: Path, settings: device_check.Settings) -> Row:
    with pipeline.scratch_folder() as folder:
        try:
            outcome = device_check.examine(body(path), lab, folder, settings)
        except device_build.DeviceError as problem:
            return {"file": name(path), "output": "not judged", "why": str(problem)}
    row: Row = {"file": name(path), "output": output_word(outcome.checks), "errors": kinds(outcome.checks)}
    row |= {report.tool: report.verdict for report in outcome.reports}
    row["lines"] = {
        report.tool: sorted({site.line for finding in report.findings for site in finding.sites})
        for report in outcome.reports
        if report.findings
    }
    row["kinds"] = {
        report.tool: sorted({finding.kind for finding in report.findings})
        for report in outcome.reports
        if report.findings
    }
    row["unread"] = {report.tool: report.text[:1500] for report in outcome.reports
                     if report.verdict == "failed" or (report.verdict == "found" and not report.findings)}  # fmt: skip
    return row


def output_word(checks: tuple[Check, ...]) -> str:
    """What the device itself showed, tools aside."""
    verdicts = {check.name: check.verdict for check in checks}
    said = " ".join(finding.message for check in checks for finding in check.findings)
    if "A kernel wrote outside of" in said or "was made from memory that nobody had written" in said:
        return "wrong"
    if verdicts["builds"] == "fail":
        return "does not build"
    judged = [verdict for check, verdict in verdicts.items()
              if "right for every size" in check or check.startswith(("whole numbers", "every schedule", "second"))]
    if "error" in judged:
        return "not judged"
    return "wrong" if "fail" in judged else ("right" if "pass" in judged else "not judged")  # fmt: skip


def all_rows(
    one: Callable[[Lab, Path], Row], wanted: list[tuple[Lab, Path]], jobs: int, seconds: float, out: Path
) -> list[Row]:
    """Runs `one` for every file, writes as it goes."""
    end, rows, lock = time.monotonic() + seconds, [], threading.Lock()

    def run(entry: tuple[Lab, Path]) -> None:
        if time.monotonic() > end:
            return
        started = time.monotonic()
        row = one(*entry)
        row["seconds"] = round(time.monotonic() - started, 1)
        with lock:
            rows.append(row)
            if len(rows) % 10 == 0:
                write(out, rows)
                print(f"{len(rows)} files, {seconds - (end - time.monotonic()):.0f} s", flush=True)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, wanted))
    return sorted(rows, key=lambda row: str(row["file"]))


def write(path: Path, data: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1) + "\n")


# --- the table ---------------------------------------------------------------------------------------


def unexplained(row: Row) -> list[str]:
    """What the device or a tool sees and the CPU machine does not say. A tool's clean verdict claims nothing."""
    ours = set(row["cpu"]) | set(row["cpu_others"])
    wrong: list[str] = []
    if row["gpu"] in ("wrong", "does not build") and not row["cpu"]:
        wrong.append(f"the GPU's output: {row['gpu']}")
    for tool in sanitizer.TOOLS:
        # The tools make two calls in a row: what the second does with old state is state.not_reset.
        if row.get(tool) == "found" and not ours & (_SAME[tool] | {"state.not_reset"}):
            wrong.append(f"{tool}: {', '.join(row['tool_kinds'].get(tool, ['?']))}")
    return wrong


def joined(cpu: list[Row], gpu: list[Row]) -> Iterator[Row]:
    ours = {row["file"]: row for row in cpu}
    for theirs in sorted(gpu, key=lambda row: str(row["file"])):
        mine = ours.get(theirs["file"])
        if mine is None or "error" in mine:
            continue
        row: Row = {"file": theirs["file"], "cpu": mine["errors"], "cpu_others": mine["others"], "gpu": theirs["output"]}
        row |= {tool: theirs.get(tool, "not run") for tool in sanitizer.TOOLS}
        row |= {"tool_kinds": theirs.get("kinds", {}), "tool_lines": theirs.get("lines", {})}
        row["unexplained"] = unexplained(row)
        yield row


def summary(rows: list[Row]) -> list[str]:
    """Where the two sides could part, counted."""
    races = [row for row in rows if "race.shared" in row["cpu"]]
    values = [row for row in rows if {"value.wrong", "value.unwritten"} & set(row["cpu"])]
    clean = [row for row in rows if not row["cpu"]]
    return [
        f"- Right by the CPU machine: {len(clean)}; of these right on the GPU: {sum(r['gpu'] == 'right' for r in clean)},"
        f" with a complaint of a tool: {sum('found' in (r[tool] for tool in sanitizer.TOOLS) for r in clean)}.",
        f"- `value.wrong` or `value.unwritten` by the CPU machine: {len(values)}; of these right on the GPU:"
        f" {sum(r['gpu'] == 'right' for r in values)}.",
        f"- `race.shared` by the CPU machine: {len(races)}; racecheck sees {sum(r['racecheck'] == 'found' for r in races)},"
        f" and the GPU's output is right in {sum(r['gpu'] == 'right' for r in races)} of them.",
    ]


def verdict(row: Row) -> str:
    """Our errors; where there are none, what else we say of a file that a tool complains of."""
    complained = any(row[tool] == "found" for tool in sanitizer.TOOLS)
    others = f" ({', '.join(row['cpu_others'])})" if complained and not row["cpu"] and row["cpu_others"] else ""
    return (", ".join(row["cpu"]) or "right") + others


def markdown(rows: list[Row], head: Row) -> str:
    explained = sum(not row["unexplained"] for row in rows)
    lines = [
        "# Agreement of the two backends",
        "",
        f"{head['gpu']}, driver {head['driver']}, CUDA {head['toolkit']}, compute-sanitizer {head['sanitizer']}; made by",
        "`reference/device/agreement.py`. Every file is a solution or a wrong one of `solutions/`.",
        "",
        f"{len(rows)} of {head['files']} files; {explained} rows agree or are explained by the CPU's verdict,"
        f" {len(rows) - explained} are not (last column).",
        "",
        "How to read it: a tool's `clean` claims nothing, `timeout` means that the launch hangs, `not run` that nvcc",
        "refuses the file. The tools make two calls in a row on three blocks and a bit, so what the second call does with",
        "old state counts as the CPU machine's `state.not_reset`. `not judged`: memory was at fault, or the additions were",
        "more than the graph on the device holds, so the values have no verdict of their own.",
        "",
        *summary(rows),
        "",
        "| file | CPU machine | GPU's output | " + " | ".join(sanitizer.TOOLS) + " | only the GPU sees |",
        "|---|---|---|" + "---|" * len(sanitizer.TOOLS) + "---|",
    ]
    for row in rows:
        tools = " | ".join(row[tool] for tool in sanitizer.TOOLS)
        lines.append(f"| {row['file'].removesuffix('.cu')} | {verdict(row)} | {row['gpu']} | {tools} |"
                     f" {'; '.join(row['unexplained'])} |")  # fmt: skip
    return "\n".join(lines) + "\n"


def table(cpu: Path, gpu: Path, out: Path) -> int:
    measured = json.loads(gpu.read_text())
    rows = list(joined(json.loads(cpu.read_text()), measured["rows"]))
    write(out.with_suffix(".json"), {"schema": "scanlab/agreement/v1", **measured["head"], "rows": rows})
    out.with_suffix(".md").write_text(markdown(rows, measured["head"]))
    bad = [row for row in rows if row["unexplained"]]
    for row in bad:
        print(f"{row['file']}: {'; '.join(row['unexplained'])}; the CPU machine: {', '.join(row['cpu']) or 'right'}")
    print(f"{len(rows)} rows, {len(bad)} unexplained")
    return 1 if bad else 0


def run_gpu(out: Path, options: argparse.Namespace) -> int:
    reason, gpu = device.why_not(), device.gpu()
    if reason is not None or gpu is None:
        print(f"agreement: {reason}", file=sys.stderr)
        return 3
    settings = device_check.Settings(seed=pipeline.DEFAULT_SEED, bin=options.bin, sanitizer_seconds=_TOOL_SECONDS)
    device_check.ensure_worker(settings.worker)
    wanted = ordered(options.cpu, options.done)
    rows = all_rows(lambda lab, path: gpu_row(lab, path, settings), wanted, options.jobs, options.seconds,
                    out.with_suffix(".part.json"))  # fmt: skip
    if options.done:
        rows += json.loads(options.done.read_text())["rows"]
    head = {"gpu": gpu.name, "driver": gpu.driver, "toolkit": device.version("nvcc"),
            "sanitizer": device.version("compute-sanitizer"), "files": len(files())}  # fmt: skip
    write(out, {"head": head, "rows": rows})
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("side", choices=("cpu", "gpu", "table"))
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--bin", type=Path, default=paths.BIN)
    parser.add_argument("--cpu", type=Path, help="the CPU's rows: what hangs by them is run last")
    parser.add_argument("--done", type=Path, help="an earlier OUT.json of `gpu`: its files are not run again")
    options = parser.parse_args()
    if options.side == "table":
        return table(*options.paths)
    if options.side == "gpu":
        return run_gpu(options.paths[0], options)
    paths.BIN = options.bin
    write(options.paths[0], all_rows(cpu_row, files(), options.jobs, options.seconds, options.paths[0].with_suffix(".part.json")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
