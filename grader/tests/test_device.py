"""The cuda backend where there is no GPU: what it says, what nvcc makes, how compute-sanitizer's words are read."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import needs_machine, needs_sandbox, scanlab

from scanlab import (
    bench_model,
    build,
    device,
    device_box,
    device_build,
    device_check,
    doctor,
    paths,
    sandbox,
    sanitizer,
)
from scanlab.model import Check
from scanlab.pipeline import scratch_folder

NO_GPU = pytest.mark.skipif(device.gpu() is not None, reason="there is a GPU")
NEEDS_NVCC = pytest.mark.skipif(device.tool("nvcc") is None, reason="needs nvcc")
FILE = "kogge_stone.cu"

# As the tools of CUDA 13.0 print it.
MEMCHECK = """========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at void kogge_stone_inclusive_scan<int, (unsigned int)64>(const T1 *, T1 *, unsigned int)+0x320 in kogge_stone.cu:31
=========     by thread (7,0,0) in block (3,0,0)
=========     Access to 0x7f1d24802010 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f1d24802000 of size 796 bytes
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: main in other.cu:12 [0x1]
=========
========= Leaked 796 bytes at 0x7f1d24800000
=========     Saved host backtrace up to driver entry point at allocation time
=========
========= ERROR SUMMARY: 2 errors
"""
RACECHECK = """========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at void kogge_stone_steps<int>(int *)+0x3a0 in kogge_stone.cu:21
=========     and Read access at void kogge_stone_steps<int>(int *)+0x280 in kogge_stone.cu:19 [4 hazards]
=========
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
"""
INITCHECK = """========= COMPUTE-SANITIZER
========= Host API memory access error at host access to 0x7f0e69430200 of size 16 bytes
=========     Uninitialized access at 0x7f0e69430200 on access by cudaMemcpy source
=========
========= ERROR SUMMARY: 1 error
"""


@NO_GPU
@pytest.mark.parametrize("command", [("check", "kogge_stone", "--backend", "cuda"), ("bench", "--backend", "cuda")])
def test_without_a_gpu_one_line_says_so(command: tuple[str, ...]) -> None:
    done = scanlab(*command)
    assert done.status == 3
    assert done.stderr.count("\n") == 1 and "NVIDIA GPU" in done.stderr


def test_doctor_names_device_toolkit_and_sanitizer() -> None:
    names = {fact.name: fact for fact in doctor.examine()}
    assert {"GPU", "CUDA toolkit", "compute-sanitizer", "backend cuda"} <= set(names)
    assert not any(names[name].needed for name in ("GPU", "CUDA toolkit", "compute-sanitizer", "backend cuda"))


def test_memcheck_is_read_with_the_students_line() -> None:
    (fault, leak) = sanitizer.read(MEMCHECK, FILE)
    assert fault.kind == "memory.out_of_bounds" and fault.severity == "error"
    assert [(site.line, site.block, site.thread, site.access) for site in fault.sites] == [
        (31, (3, 0, 0), (7, 0, 0), None)
    ]
    assert leak.kind == "memory.leak" and leak.severity == "warning"


def test_racecheck_is_read_with_both_lines() -> None:
    (race,) = sanitizer.read(RACECHECK, FILE)
    assert race.kind == "race.shared"
    assert [(site.line, site.access) for site in race.sites] == [(21, "write"), (19, "read")]


def test_initcheck_of_our_own_copy_is_an_unwritten_output() -> None:
    assert [finding.kind for finding in sanitizer.read(INITCHECK, FILE)] == ["value.unwritten"]


def test_other_peoples_lines_are_no_sites() -> None:
    assert all(not finding.sites for finding in sanitizer.read(MEMCHECK, "brent_kung.cu"))


def test_findings_land_in_their_checks() -> None:
    checks = [Check(name, "skip") for name in ("no races", "memory", "barriers")]
    reports = [
        sanitizer.Report("racecheck", "found", sanitizer.read(RACECHECK, FILE)),
        sanitizer.Report("memcheck", "clean"),
        sanitizer.Report("initcheck", "clean"),
    ]
    verdicts = {check.name: check.verdict for check in device_check.merged(checks, reports)}
    assert verdicts == {"no races": "fail", "memory": "pass", "barriers": "skip"}


@pytest.mark.parametrize("lab", paths.labs(), ids=lambda lab: lab.name)
def test_every_lab_says_what_to_launch(lab: paths.Lab) -> None:
    launches = device_check.launches(lab)
    assert launches and all(len(launch.split(":")) == 6 for launch in launches)


@pytest.mark.parametrize(
    ("text", "keeps"),
    [
        ("__device__ unsigned counter;", True),
        ("static __device__ unsigned counter = 0;", True),
        ("void f() {\n  static unsigned epoch = 0;\n}", True),
        ("__device__ int add(int a, int b) { return a + b; }", False),
        ("int x = static_cast<int>(1.0);", False),
        ("static constexpr unsigned kTile = 256;", False),
    ],
)
def test_variables_that_outlive_a_launch_are_seen(text: str, keeps: bool) -> None:
    assert device_check.keeps_state(text) is keeps


@pytest.fixture
def folder() -> Iterator[Path]:
    with scratch_folder() as made:
        yield made


def compiled(text: str, lab: paths.Lab, folder: Path, monkeypatch: pytest.MonkeyPatch) -> device_check.Outcome | Path:
    """What nvcc makes of a submission in the sandbox: the object, or the failed check."""
    monkeypatch.setattr(device_build, "architecture", lambda: ["-arch=sm_90"])
    source = folder / lab.source_name
    source.write_text(text)
    made, findings = device_build.compile_submission(source, lab, folder, sandbox.find())
    return made or device_check.Outcome((Check("builds", "fail", findings=findings),))


@NEEDS_NVCC
def test_nvcc_accepts_a_solution_with_the_counting_type(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = paths.find_lab("look_back")
    made = compiled(lab.solution.read_text(), lab, folder, monkeypatch)
    assert isinstance(made, Path)
    symbols = subprocess.run(["nm", "-D", str(made)], capture_output=True, text=True, check=True).stdout
    assert "scanlab_entry" in symbols and "scanlab_device_graph" in symbols
    assert " u " not in symbols, "a unique symbol would keep the object from being loaded anew"


@NEEDS_NVCC
def test_nvccs_errors_have_the_students_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = paths.find_lab("look_back")
    text = "int a;\nint f() { return b; }\n" + lab.solution.read_text()
    outcome = compiled(text, lab, folder, monkeypatch)
    assert isinstance(outcome, device_check.Outcome)
    (finding, *_) = outcome.checks[0].findings
    assert finding.kind == "build.error" and finding.sites[0].line == 2


# --- what is refused, before anything is loaded -----------------------------------------------------

# None of this is seen by the CPU machine, which does not define __NVCC__.
HIDDEN = {
    "a system call": 'void f() { system("id"); }',
    "a system call, put together": '#define JOIN(a, b) a##b\nvoid f() { JOIN(sys, tem)("id"); }',
    "assembly of the host": 'void f() { asm volatile("syscall"); }',
    "assembly of both sides": '__host__ __device__ void f() { asm volatile("syscall"); }',
    "assembly outside of functions": 'asm(".globl hidden");',
    "a system header": "#include <unistd.h>",
    "a constructor": "__attribute__((constructor)) void f() {}",
    "a function with a C name": 'extern "C" int getpid();',
    "a function of the library": "namespace std { void terminate() noexcept; }\nint strange(int);\nint f() { return strange(1); }",
}  # fmt: skip


@NEEDS_NVCC
@pytest.mark.parametrize("name", HIDDEN)
def test_what_only_nvcc_sees_is_refused_too(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = paths.find_lab("kogge_stone")
    text = f"#ifdef __NVCC__\n{HIDDEN[name]}\n#endif\n{lab.solution.read_text()}"
    outcome = compiled(text, lab, folder, monkeypatch)
    assert isinstance(outcome, device_check.Outcome), "it was built"
    assert {finding.kind for finding in outcome.checks[0].findings} == {"build.forbidden"}
    if name != "a function of the library":  # which the object tells, without a line
        assert min(finding.sites[0].line for finding in outcome.checks[0].findings) in (2, 3)


@NEEDS_NVCC
def test_ptx_in_device_functions_is_welcome(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = paths.find_lab("look_back")
    fast = lab.solution.with_name("look_back_fast.cu").read_text()
    assert "asm volatile" in fast
    assert isinstance(compiled(fast, lab, folder, monkeypatch), Path)


@NEEDS_NVCC
def test_memory_of_the_host_is_no_call_of_the_system(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = paths.find_lab("look_back")
    text = (lab.solution.parent / "wrong" / "scanned_on_the_host.cu").read_text()
    assert isinstance(compiled(text, lab, folder, monkeypatch), Path)


def test_what_the_cpu_refuses_never_reaches_nvcc(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object) -> tuple[None, tuple[()]]:
        raise AssertionError("nvcc was called")

    monkeypatch.setattr(device_build, "compile_submission", unreachable)
    lab = paths.find_lab("kogge_stone")
    text = lab.solution.read_text() + '\nint outside() { return system("true"); }\n'
    outcome = device_check.examine(text, lab, folder, device_check.Settings(1))
    assert [check.verdict for check in outcome.checks] == ["fail"]
    assert [finding.kind for finding in outcome.checks[0].findings] == ["build.forbidden"]


# As nvcc preprocesses it: CUDA's words are attributes, and a header stands between.
PREPROCESSED = """# 1 "/scanlab/work/submission.cu"
# 1 "/scanlab/work/kogge_stone.cu" 1
# 1 "/usr/include/c++/12/cstdio" 1 3
int vprintf_of_the_system();
# 2 "/scanlab/work/kogge_stone.cu" 2
__attribute__((global)) void __attribute__((launch_bounds(256))) k(int* a) { asm volatile("bar.sync 1;"); }
# 1 "/usr/include/unistd.h" 1 3 4
void fork();
# 5 "/scanlab/work/kogge_stone.cu" 2
__attribute__((host)) void h() { asm("nop"); }
"""


def test_the_students_part_of_what_nvcc_preprocessed() -> None:
    from scanlab import refuse

    source = device_build.source_of(PREPROCESSED, "", FILE)
    assert [name for _, name in source.headers] == ["cstdio", "unistd.h"]
    assert {token.text for token in source.code} & {"vprintf_of_the_system", "fork"} == set()
    told = [(refusal.line, refusal.words) for refusal in refuse.host_refusals(source)]
    assert told == [(3, "#include <unistd.h>"), (5, "asm")]


def fake_nvcc(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """An nvcc that leaves what this script leaves; it runs in the sandbox, in the submission's folder."""
    program = folder / "toolkit" / "bin" / "nvcc"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\n: > submission.so\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(device, "tool", lambda name: str(program))


@needs_sandbox
def test_the_texts_that_nvcc_keeps_are_judged(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "work").mkdir(mode=0o755)
    fake_nvcc(folder, monkeypatch, f"cat > keep/a.cpp1.ii <<'END'\n{PREPROCESSED}END\ncp keep/a.cpp1.ii keep/a.cpp4.ii")
    outcome = compiled("int a;\n", paths.find_lab("kogge_stone"), folder / "work", monkeypatch)
    assert isinstance(outcome, device_check.Outcome)
    assert [finding.sites[0].line for finding in outcome.checks[0].findings] == [3, 5]


@needs_sandbox
def test_an_nvcc_that_keeps_no_texts_is_not_believed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "work").mkdir(mode=0o755)
    fake_nvcc(folder, monkeypatch, "true")
    with pytest.raises(device_build.DeviceError, match="kept no preprocessed texts"):
        compiled("int a;\n", paths.find_lab("kogge_stone"), folder / "work", monkeypatch)


# --- the sandbox, with a worker that is none ---------------------------------------------------------


def stand_in(folder: Path, script: str) -> Path:
    program = folder / "scanlab_worker_cuda"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


@needs_sandbox
def test_where_the_device_is_reached_in_the_sandbox_it_stays(folder: Path) -> None:
    worker = stand_in(folder, f'[ "$1" = --context ] && [ ! -e {paths.ROOT} ]')
    assert device_box.working(sandbox.find(), worker) is sandbox.find()


@needs_sandbox
def test_where_it_is_not_the_report_says_so(folder: Path) -> None:
    worker = stand_in(folder, "echo no CUDA-capable device is detected >&2; exit 5")
    box = device_box.working(sandbox.find(), worker)
    assert box.name == "none" and "no CUDA-capable device" in box.why_not


@needs_sandbox
def test_nodes_of_devices_are_shown_only_where_asked_for() -> None:
    node = Path("/dev/full")
    seen = sandbox.find().run(
        ["cat", "/sys/kernel/mm/transparent_hugepage/enabled"], binds=sandbox.Binds(devices=(node,))
    )
    assert seen.status == 0 or b"No such file" in seen.stderr  # a kernel without
    assert sandbox.find().run(["ls", "/sys/kernel"]).status != 0


def test_who_waits_for_a_device_is_not_starved() -> None:
    limits = sandbox.Limits(seconds=0.3, extends=False)
    assert sandbox.none().run(["sleep", "5"], limits=limits).seconds < 3


@needs_machine
def test_the_harness_runs_in_the_devices_box(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the CPU's worker in the GPU's place: the same command, binds and limits."""
    lab, box = paths.find_lab("kogge_stone"), sandbox.find()
    built = build.build(lab.solution.read_bytes(), lab.source_name, lab, folder, box)
    assert built.shared_object is not None
    monkeypatch.setattr(device_box, "working", lambda box, *_: box)
    settings = device_check.Settings(1, box, worker=paths.BIN / "scanlab_worker")
    checks = device_check.run_harness(built.shared_object, built.text, lab, folder, settings)
    assert len(checks) > 5 and not [check.name for check in checks if check.verdict in ("fail", "error")]


# --- what there is ---------------------------------------------------------------------------------

TOOLS = {
    "nvidia-smi": 'echo "NVIDIA H200, 580.159.04, 9.0"',
    "nvcc": 'echo "Cuda compilation tools, release 13.0, V13.0.88"',
    "compute-sanitizer": 'echo "NVIDIA (R) Compute Sanitizer"; echo "Version 2025.3.0.0 (build 36000000)"',
}


@needs_machine
def test_doctor_shows_device_driver_toolkit_and_sanitizer(tmp_path: Path) -> None:
    for name, script in TOOLS.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run([sys.executable, "-m", "scanlab", "doctor"], capture_output=True, text=True, cwd=paths.ROOT,
                          env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout
    lines = {line[8:].split("  ")[0]: line for line in done.stdout.split("\n") if line.startswith(("ok ", "-", "MISS"))}
    assert "NVIDIA H200, compute capability 9.0, driver 580.159.04" in lines["GPU"]
    assert "13.0" in lines["CUDA toolkit"] and str(tmp_path) in lines["CUDA toolkit"]
    assert "2025.3.0.0" in lines["compute-sanitizer"]
    assert lines["backend cuda"].startswith("ok ") and "ready" in lines["backend cuda"]


@NO_GPU
@needs_machine
def test_doctor_is_content_without_a_gpu() -> None:
    done = scanlab("doctor")
    assert done.status == 0
    assert [line for line in done.stdout.split("\n") if "GPU" in line and "not needed" in line]


@pytest.mark.parametrize(("gpu", "needs"), [(None, "an NVIDIA GPU"), (device.Gpu("H200", "580", "9.0"), "nvcc")])
def test_one_line_says_what_is_missing(gpu: device.Gpu | None, needs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "gpu", lambda: gpu)
    monkeypatch.setattr(device, "tool", lambda name: None)
    reason = device.why_not()
    assert reason is not None and f"needs {needs}" in reason and "\n" not in reason


def test_the_model_table_has_the_textbooks_figures() -> None:
    rows = {lab.name: bench_model.row(lab, None) for lab in paths.labs() if lab.name in bench_model._TEXTBOOK}
    assert rows["kogge_stone"].textbook == 320 and rows["kogge_stone"].elements == 1024
    assert rows["brent_kung"].textbook == pytest.approx(73.625)
    assert rows["coarsened"].shape == "256 x 8" and rows["coarsened"].elements == 2048


def test_what_no_device_shows_is_worth_nothing() -> None:
    """A right submission has full marks on a device, though barriers and schedules are not seen there."""
    checks = (
        Check(name="builds", verdict="pass", max_points=5),
        Check(name="every schedule gives the same", verdict="skip", max_points=4, requires=("builds",)),
        Check(name="steps", verdict="skip", max_points=8, requires=("builds",)),
    )
    assert [check.max_points for check in device_check._without_unseen_points(checks)] == [5, 0, 8]
    unbuilt = (replace(checks[0], verdict="fail"), *checks[1:])
    assert device_check._without_unseen_points(unbuilt) == unbuilt
