"""One submission on a real GPU: nvcc, the same harness with another worker, compute-sanitizer.

Correctness is graded by the cpu backend. This one says whether the device agrees: outputs, work and steps are the
device's own; races, waits and memory are compute-sanitizer's, where it is installed; what only the CPU machine sees
is skipped."""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from scanlab import device, device_box, device_build, device_speed, model, paths, rubric, sandbox, sanitizer
from scanlab.device_build import DeviceError
from scanlab.model import Check, GraderFailure, Result
from scanlab.paths import Lab
from scanlab.pipeline import Verdict, scratch_folder
from scanlab.sandbox import Sandbox

WORKER = paths.ROOT / "build" / "cuda" / "scanlab_worker_cuda"
_SOURCES = paths.REFERENCE / "device" / "worker"
_SHARED_SOURCES = (paths.REFERENCE / "harness" / "shared_memory.cpp", paths.REFERENCE / "scan" / "probe.cpp")
_NVCC_SECONDS = 120.0
_BENCH_SECONDS = 900.0
_HARNESS_SECONDS = 90.0
_SANITIZER_SECONDS = 40.0
_SPEED_SECONDS = 120.0
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


@dataclass(frozen=True)
class Settings:
    """`bin`: where the harnesses lie. `box`: what nvcc and, where it can be, the device's worker are shut in."""

    seed: int
    box: Sandbox = field(default_factory=sandbox.find)
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
    why_not = ""
    try:
        points = rubric.load(lab.rubric_script)
        ensure_worker(settings.worker)
        with scratch_folder() as folder:
            outcome = examine(text, lab, folder, settings)
            checks = outcome.checks if len(outcome.checks) > 1 else (*outcome.checks, *points.skipped())
            checks = _without_unseen_points(points.apply(checks))
            if points.speed is not None:
                checks += (graded_speed(points.speed, checks, lab, folder, settings),)
        box = device_box.working(settings.box, settings.worker)
        result, why_not = replace(result.with_checks(checks), sandbox=box.name), box.why_not
    except (DeviceError, rubric.RubricError, model.MalformedResultError, OSError) as problem:
        result = replace(result, checks=(), error=GraderFailure(type(problem).__name__, str(problem)))
    return Verdict(result, text, why_not)


def examine(text: str, lab: Lab, folder: Path, settings: Settings) -> Outcome:
    """Builds, runs, sanitizes. The checks carry no points yet; `builds` alone where it does not build."""
    source = folder / lab.source_name
    source.write_text(text)
    findings = device_build.refused(source, lab, folder, settings.box)
    shared_object = None
    if not findings:
        shared_object, findings = device_build.compile_submission(source, lab, folder, settings.box)
    if shared_object is None:
        return Outcome((Check(name=rubric.BUILDS, verdict="fail", findings=findings),))
    checks = run_harness(shared_object, text, lab, folder, settings)
    if any(finding.kind == "run.timeout" for check in checks for finding in check.findings):
        settings = replace(settings, sanitizer_seconds=min(settings.sanitizer_seconds, _HANGING_SECONDS))
    reports = tuple(sanitize(shared_object, lab, settings))
    return Outcome((Check(name=rubric.BUILDS, verdict="pass"), *merged(checks, reports)), reports)


# --- building ----------------------------------------------------------------------------------------


def ensure_worker(worker: Path) -> None:
    """Builds the worker where its sources are newer."""
    sources = [*sorted(_SOURCES.glob("*.cpp")), *sorted(_SOURCES.glob("*.cu")), *_SHARED_SOURCES]
    headers = [*_SOURCES.glob("*.hpp"), paths.REFERENCE / "harness" / "protocol.hpp",
               paths.REFERENCE / "device" / "bench" / "bench_support.cuh"]  # fmt: skip
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


def _nvcc(arguments: Sequence[str], seconds: float = _NVCC_SECONDS) -> subprocess.CompletedProcess[str]:
    nvcc = device.tool("nvcc")
    if nvcc is None:
        raise DeviceError("nvcc is not installed")
    command = [nvcc, *device_build.architecture(), *arguments, "-I", str(paths.REFERENCE)]
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                              timeout=seconds)  # fmt: skip
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", "nvcc was not done in time")


# --- running -----------------------------------------------------------------------------------------


_VARIABLE = re.compile(r"^[ \t]*(?:static\s+|inline\s+)*(?:__device__|__managed__)[^(){};]*(?:=[^;]*|\{[^;]*)?;|"
                       r"\bstatic\s+(?!_|inline|constexpr|const\b)[^(){};]*(?:=[^;]*)?;", re.MULTILINE)  # fmt: skip


def keeps_state(text: str) -> bool:
    """Whether a file seems to have static variables; more often yes than needed costs time alone."""
    return _VARIABLE.search(text) is not None


def run_harness(shared_object: Path, text: str, lab: Lab, folder: Path, settings: Settings) -> tuple[Check, ...]:
    """The harness's checks, with our worker. Everything that it cannot see on a device is skipped."""
    box, out = device_box.working(settings.box, settings.worker), _out(folder, "harness")
    shown = {settings.bin: "/scanlab/bin", folder: "/scanlab/in"}
    binds = device_box.binds(settings.worker, shown, {out: "/scanlab/out"})

    def inside(path: Path) -> str:
        return box.inside(path, binds)

    result_file = out / "device.json"
    command = [inside(settings.bin / lab.harness.name), "--submission", inside(shared_object),
               "--source", lab.source_name, "--worker", inside(settings.worker), "--seed", str(settings.seed),
               "--json", inside(result_file), "--many-blocks", "--patience", "8"]  # fmt: skip
    done = box.run(command, binds=binds, limits=device_box.limits(_HARNESS_SECONDS), cwd="/scanlab/out",
                   environment=device_box.environment(keeps_state(text)))  # fmt: skip
    if done.timed_out:
        raise DeviceError("the harness was not done in time")
    if not result_file.exists():
        words = done.stderr.decode(errors="replace").strip()[-300:]
        raise DeviceError(f"the harness ended with {done.status}: {words}")
    result = model.parse(result_file.read_bytes())
    if result.error is not None:
        raise DeviceError(result.error.message)
    return tuple(_without_unseen(check) for check in result.checks)


def _out(folder: Path, name: str) -> Path:
    out = folder / name
    out.mkdir()
    out.chmod(0o700)
    return out


# What the machine's checkers established, and what no device counts.
_NOT_MEASURED = ("preconditions", "barriers", "schedules")


def _without_unseen_points(checks: tuple[Check, ...]) -> tuple[Check, ...]:
    """What no device shows is worth no points here, gained or lost, where the submission builds."""
    if checks[0].verdict != "pass":
        return checks
    return tuple(replace(check, max_points=0) if check.name in _NOT_SEEN and check.verdict == "skip" else check
                 for check in checks)  # fmt: skip


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
    section, factor = number_shapes(lab)[0]
    n = blocks * (section * max(factor, 1) or 256) + 7
    named = re.search(r"\.functions = \{(.*)\},", (lab.folder / "harness.cpp").read_text())
    exclusive = re.findall(r'\{"\w+", (true|false)\}', named[1]) if named else ["false"]
    return [_launch(lab, number, (section, factor), n, int(word == "true")) for number, word in enumerate(exclusive)]


def launch_of(lab: Lab, n: int) -> str:
    """Its first function, an inclusive scan, on its last shape."""
    return _launch(lab, 0, number_shapes(lab)[-1], n, 0)


def _launch(lab: Lab, function: int, shape: tuple[int, int], n: int, exclusive: int) -> str:
    section, factor = shape
    whole = "Launched::by_driver" in (lab.folder / "harness.cpp").read_text()
    length = 0 if whole else section * max(factor, 1) or 256
    return f"{function}:{section}:{factor}:{n}:{length}:{exclusive}"


def number_shapes(lab: Lab) -> list[tuple[int, int]]:
    """Section size (or threads) and factor (or 0) of the runs on numbers, as the lab's harness names them."""
    text = (lab.folder / "harness.cpp").read_text()
    listed = re.search(r"\.number_shapes = \{(.*)\},", text)
    shapes = re.findall(r"\{(\d+)(?:, (\d+))?\}", listed[1]) if listed else []
    if not shapes:
        raise DeviceError(f"{lab.folder.name}/harness.cpp names no shape for numbers")
    return [(int(section), int(factor or 0)) for section, factor in shapes]


def sanitize(shared_object: Path, lab: Lab, settings: Settings) -> list[sanitizer.Report]:
    """Every tool's report; none where compute-sanitizer is not installed."""
    program = device.tool("compute-sanitizer")
    if program is None:
        return []
    program = str(Path(program).resolve())
    box = device_box.working(settings.box, settings.worker, (program, "--tool", "memcheck"))
    binds = device_box.binds(settings.worker, {shared_object.parent: "/scanlab/in"}, {})

    def run(before: Sequence[str]) -> sandbox.Outcome:
        command = [program, *before, box.inside(settings.worker, binds), "--alone", box.inside(shared_object, binds)]
        limits = device_box.limits(settings.sanitizer_seconds)
        return box.run([*command, *launches(lab)], binds=binds, limits=limits, environment=device_box.environment())

    return [sanitizer.run(tool, run, lab.source_name) for tool in settings.sanitizers]


# --- speed -------------------------------------------------------------------------------------------


_Measured = device_speed.Figures | device_speed.Unfinished | None


def graded_speed(speed: rubric.Speed, checks: Sequence[Check], lab: Lab, folder: Path, settings: Settings) -> Check:
    """Timed where the rest is right."""
    check = device_speed.check(speed, checks, None)
    if check.requires:
        return check
    return device_speed.check(speed, checks, measure_speed(speed.n, lab, folder, settings))


def measure_speed(n: int, lab: Lab, folder: Path, settings: Settings) -> _Measured:
    """Of what was built in `folder`: the lab's first function, on its largest shape of numbers."""
    box, out = device_box.working(settings.box, settings.worker), _out(folder, "speed")
    binds = device_box.binds(settings.worker, {folder: "/scanlab/in"}, {out: "/scanlab/out"})
    command = [box.inside(settings.worker, binds), "--speed", box.inside(folder / "submission.so", binds),
               launch_of(lab, n), box.inside(out / "speed.json", binds)]  # fmt: skip
    box.run(command, binds=binds, limits=device_box.limits(_SPEED_SECONDS), environment=device_box.environment())
    return device_speed.read(out / "speed.json")


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
