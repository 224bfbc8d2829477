"""One submission on a real GPU: nvcc, the same harness with another worker, compute-sanitizer.

Correctness is graded by the cpu backend. This one says whether the device agrees: outputs, work and steps are the
device's own; races, waits and memory are compute-sanitizer's, where it is installed; what only the CPU machine sees
is skipped."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scanlab import device, diagnostics, model, paths, rubric, sanitizer
from scanlab.model import Check, Finding, GraderFailure, Result, Site
from scanlab.paths import Lab
from scanlab.pipeline import Verdict, scratch_folder

WORKER = paths.ROOT / "build" / "cuda" / "scanlab_worker_cuda"
_SOURCES = paths.REFERENCE / "device" / "worker"
_SHARED_SOURCES = (paths.REFERENCE / "harness" / "shared_memory.cpp", paths.REFERENCE / "scan" / "probe.cpp")
_NVCC_SECONDS = 120.0
_BENCH_SECONDS = 900.0
_HARNESS_SECONDS = 90.0
_SANITIZER_SECONDS = 40.0
_HANGING_SECONDS = 10.0  # of a tool on what hangs without it

# Whose check a tool's findings belong to.
_CHECK_OF_TOOL = {
    "racecheck": "no races",
    "synccheck": "no thread waits forever",
    "memcheck": "memory",
    "initcheck": "memory",
}
_NOT_SEEN = ("no races", "no thread waits forever", "memory", "barriers", "divergence", "memory traffic",
             "every schedule gives the same")  # fmt: skip


class DeviceError(RuntimeError):
    """Our own failure, never the student's."""


@dataclass(frozen=True)
class Settings:
    """`bin`: where the harnesses lie."""

    seed: int
    bin: Path = paths.BIN
    worker: Path = WORKER
    sanitizers: Sequence[str] = sanitizer.TOOLS
    sanitizer_seconds: float = _SANITIZER_SECONDS


@dataclass(frozen=True)
class Outcome:
    """What the device said: the checks, and each tool's report."""

    checks: tuple[Check, ...]
    reports: tuple[sanitizer.Report, ...] = ()


def check_file(path: Path, lab: Lab, settings: Settings) -> Verdict:
    """The verdict on one file, as `pipeline.check_file` gives it."""
    data = path.read_bytes()
    text = data.decode(errors="replace")
    result = Result(lab.name, lab.source_name, hashlib.sha256(data).hexdigest(), "cuda", settings.seed)
    try:
        points = rubric.load(lab.rubric_script)
        ensure_worker(settings.worker)
        with scratch_folder() as folder:
            outcome = examine(text, lab, folder, settings)
        checks = outcome.checks if len(outcome.checks) > 1 else (*outcome.checks, *points.skipped())
        result = result.with_checks(points.apply(checks))
    except (DeviceError, rubric.RubricError, model.MalformedResultError, OSError) as problem:
        result = replace(result, checks=(), error=GraderFailure(type(problem).__name__, str(problem)))
    return Verdict(result, text)


def examine(text: str, lab: Lab, folder: Path, settings: Settings) -> Outcome:
    """Builds, runs, sanitizes. The checks carry no points yet; `builds` alone where it does not build."""
    source = folder / lab.source_name
    source.write_text(text)
    shared_object, findings = compile_submission(source, lab, folder)
    if shared_object is None:
        return Outcome((Check(name=rubric.BUILDS, verdict="fail", findings=findings),))
    checks = run_harness(shared_object, text, lab, folder, settings)
    if any(finding.kind == "run.timeout" for check in checks for finding in check.findings):
        settings = replace(settings, sanitizer_seconds=min(settings.sanitizer_seconds, _HANGING_SECONDS))
    reports = tuple(sanitize(shared_object, lab, settings))
    return Outcome((Check(name=rubric.BUILDS, verdict="pass"), *merged(checks, reports)), reports)


# --- building ----------------------------------------------------------------------------------------


def architecture() -> list[str]:
    """That of the device; without one, all from Turing to Hopper."""
    gpu = device.gpu()
    if gpu is not None:  # what -arch=native finds out by opening a context, which is slow
        return [f"-arch=sm_{gpu.capability.replace('.', '')}"]
    return [f"-gencode=arch=compute_{number},code=sm_{number}" for number in (75, 80, 86, 89, 90)]


def ensure_worker(worker: Path) -> None:
    """Builds the worker where its sources are newer."""
    sources = [*sorted(_SOURCES.glob("*.cpp")), *sorted(_SOURCES.glob("*.cu")), *_SHARED_SOURCES]
    headers = [*_SOURCES.glob("*.hpp"), paths.REFERENCE / "harness" / "protocol.hpp"]
    newest = max(path.stat().st_mtime for path in (*sources, *headers))
    if worker.exists() and worker.stat().st_mtime > newest:
        return
    worker.parent.mkdir(parents=True, exist_ok=True)
    runtime = device.runtime_folder()
    path = ["-Xlinker", f"-rpath,{runtime}"] if runtime else []
    done = _nvcc(["-std=c++20", "-O2", "--cudart", "shared", *path, "-o", str(worker), *map(str, sources)])
    if done.returncode != 0:
        raise DeviceError(f"nvcc failed on our own worker: {done.stderr.strip()[-600:]}")


def scan_bench() -> Path:
    """The benchmark of the solutions: the build's own (preset gpu), else made here for this device."""
    built = paths.ROOT / "build" / "gpu" / "bin" / "scanlab_scan_bench"
    made = WORKER.with_name("scanlab_scan_bench")
    source = paths.REFERENCE / "device" / "bench" / "scan_bench.cu"
    parts = [*source.parent.glob("*.cu*"), *(paths.ROOT / "solutions").glob("*/*.cu")]
    newest = max(path.stat().st_mtime for path in parts)
    for program in (built, made):
        if program.exists() and program.stat().st_mtime > newest:
            return program
    made.parent.mkdir(parents=True, exist_ok=True)
    done = _nvcc(["-std=c++17", "-O3", "-I", str(paths.ROOT), "-o", str(made), str(source)], _BENCH_SECONDS)
    if done.returncode != 0:
        raise DeviceError(f"nvcc failed on the benchmark: {done.stderr.strip()[-600:]}")
    return made


def compile_submission(source: Path, lab: Lab, folder: Path) -> tuple[Path | None, tuple[Finding, ...]]:
    """A shared object of submission and entry. The file itself reaches nvcc unmodified."""
    unit, made = folder / "submission.cu", folder / "submission.so"
    unit.write_text(f'#include "{source}"\n#include "{lab.entry}"\n')
    done = _nvcc(["-std=c++17", "-lineinfo", "--cudart", "shared", "-shared", "-w", "-Xcompiler", "-fPIC,-fno-gnu-unique",
                  "-I", str(paths.REFERENCE / "device" / "submission"), "-o", str(made), str(unit)])  # fmt: skip
    if done.returncode == 0 and made.exists():
        return made, ()
    return None, _compiler_findings(done.stderr + done.stdout, source.name)


def _nvcc(arguments: Sequence[str], seconds: float = _NVCC_SECONDS) -> subprocess.CompletedProcess[str]:
    nvcc = device.tool("nvcc")
    if nvcc is None:
        raise DeviceError("nvcc is not installed")
    command = [nvcc, *architecture(), *arguments, "-I", str(paths.REFERENCE)]
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                              timeout=seconds)  # fmt: skip
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", "nvcc was not done in time")


_NVCC_ERROR = re.compile(r"(?P<file>[^\s(:]+)\((?P<line>\d+)\): (?:catastrophic )?error:? ?(?:#\d+(?:-D)?:?)? ?(?P<text>.*)")


def _compiler_findings(words: str, file: str) -> tuple[Finding, ...]:
    """nvcc writes `name(line): error: ...`, its host compiler `name:line: error: ...`."""
    errors = [(Path(match["file"]).name, int(match["line"]), match["text"]) for match in _NVCC_ERROR.finditer(words)]
    errors += [(Path(error.file).name, error.line, error.text) for error in diagnostics.read(words)]
    found = [
        Finding("build.error" if name == file else "build.contract", "error", f"{text}.", "",
                (Site(file, line),) if name == file else ())
        for name, line, text in errors[: diagnostics.FIRST_ERRORS]
    ]  # fmt: skip
    last = words.strip().split("\n")[-1][:300]
    return tuple(found) or (Finding("build.error", "error", f"nvcc refuses the file: {last}", ""),)


# --- running -----------------------------------------------------------------------------------------


def environment(text: str) -> dict[str, str]:
    """SCANLAB_CUDA_RELOAD: the file has variables of its own, which begin anew in every run."""
    variables = dict(os.environ)
    runtime = device.runtime_folder()
    if runtime is not None:
        variables["LD_LIBRARY_PATH"] = f"{variables.get('LD_LIBRARY_PATH', '')}:{runtime}".strip(":")
    if keeps_state(text):
        variables["SCANLAB_CUDA_RELOAD"] = "1"
    return variables


_VARIABLE = re.compile(r"^[ \t]*(?:static\s+|inline\s+)*(?:__device__|__managed__)[^(){};]*(?:=[^;]*|\{[^;]*)?;|"
                       r"\bstatic\s+(?!_|inline|constexpr|const\b)[^(){};]*(?:=[^;]*)?;", re.MULTILINE)  # fmt: skip


def keeps_state(text: str) -> bool:
    """Whether a file seems to have static variables; more often yes than needed costs time alone."""
    return _VARIABLE.search(text) is not None


def run_harness(shared_object: Path, text: str, lab: Lab, folder: Path, settings: Settings) -> tuple[Check, ...]:
    """The harness's checks, with our worker. Everything that it cannot see on a device is skipped."""
    out = folder / "device.json"
    command = [str(settings.bin / lab.harness.name), "--submission", str(shared_object), "--source", lab.source_name,
               "--worker", str(settings.worker), "--seed", str(settings.seed), "--json", str(out), "--many-blocks",
               "--patience", "8"]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                              timeout=_HARNESS_SECONDS, env=environment(text))  # fmt: skip
    except subprocess.TimeoutExpired as late:
        raise DeviceError("the harness was not done in time") from late
    if not out.exists():
        raise DeviceError(f"the harness ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    result = model.parse(out.read_bytes())
    if result.error is not None:
        raise DeviceError(result.error.message)
    return tuple(_without_unseen(check) for check in result.checks)


# What the machine's checkers established, and what no device counts.
_NOT_MEASURED = ("preconditions", "barriers", "schedules")


def _without_unseen(check: Check) -> Check:
    """Nothing is proved on a device: its runs are tests."""
    if check.name in _NOT_SEEN and check.verdict == "pass":
        return replace(check, verdict="skip", measured=None)
    if check.measured is None:
        return check
    measured = {"tested" if key == "proved" else key: value for key, value in check.measured.items()
                if key not in _NOT_MEASURED}  # fmt: skip
    return replace(check, measured=measured or None)


# --- compute-sanitizer -------------------------------------------------------------------------------


def launches(lab: Lab, blocks: int = 3) -> list[str]:
    """Each function of a lab on its first shape of numbers, in the words of `scanlab_worker_cuda --alone`."""
    text = (lab.folder / "harness.cpp").read_text()
    shape = re.search(r"\.number_shapes = \{\{(\d+)(?:, (\d+))?\}", text)
    if shape is None:
        raise DeviceError(f"{lab.folder.name}/harness.cpp names no shape for numbers")
    section, factor = int(shape[1]), int(shape[2] or 0)
    length = section * max(factor, 1) or 256
    whole = "Launched::by_driver" in text
    named = re.search(r"\.functions = \{(.*)\},", text)
    exclusive = re.findall(r'\{"\w+", (true|false)\}', named[1]) if named else ["false"]
    n = blocks * length + 7
    return [f"{number}:{section}:{factor}:{n}:{0 if whole else length}:{int(word == 'true')}"
            for number, word in enumerate(exclusive)]  # fmt: skip


def sanitize(shared_object: Path, lab: Lab, settings: Settings) -> list[sanitizer.Report]:
    """Every tool's report; none where compute-sanitizer is not installed."""
    if device.tool("compute-sanitizer") is None:
        return []
    command = [str(settings.worker), "--alone", str(shared_object), *launches(lab)]
    variables = environment("")
    return [sanitizer.run(tool, command, lab.source_name, variables, settings.sanitizer_seconds)
            for tool in settings.sanitizers]  # fmt: skip


def merged(checks: Sequence[Check], reports: Sequence[sanitizer.Report]) -> tuple[Check, ...]:
    """The tools' findings in the checks that they belong to; a check that a tool found nothing for passes."""
    by_name: Mapping[str, list[sanitizer.Report]] = {
        check.name: [report for report in reports if _CHECK_OF_TOOL[report.tool] == check.name] for check in checks
    }
    return tuple(_with_reports(check, by_name[check.name]) for check in checks)


def _with_reports(check: Check, reports: Sequence[sanitizer.Report]) -> Check:
    if not reports:
        return check
    findings = (*check.findings, *(finding for report in reports for finding in report.findings))
    if any(finding.severity == "error" for finding in findings):
        verdict = "fail"
    elif all(report.verdict == "clean" for report in reports):
        verdict = "pass"
    else:
        verdict = "skip"
    tools = [f"{report.tool}: {report.verdict}" for report in reports]
    return replace(check, verdict=verdict, findings=findings, measured={"compute-sanitizer": tools})
