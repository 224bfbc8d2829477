"""The cuda backend where there is no GPU: what it says, what nvcc makes, how compute-sanitizer's words are read."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from conftest import scanlab

from scanlab import bench_model, device, device_check, doctor, paths, sanitizer
from scanlab.model import Check

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


@NEEDS_NVCC
def test_nvcc_accepts_a_solution_with_the_counting_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_check, "architecture", lambda: ["-arch=sm_90"])
    lab = paths.find_lab("look_back")
    source = tmp_path / lab.source_name
    source.write_text(lab.solution.read_text())
    made, findings = device_check.compile_submission(source, lab, tmp_path)
    assert findings == () and made is not None
    symbols = subprocess.run(["nm", "-D", str(made)], capture_output=True, text=True, check=True).stdout
    assert "scanlab_entry" in symbols and "scanlab_device_graph" in symbols
    assert " u " not in symbols, "a unique symbol would keep the object from being loaded anew"


@NEEDS_NVCC
def test_nvccs_errors_have_the_students_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_check, "architecture", lambda: ["-arch=sm_90"])
    lab = paths.find_lab("look_back")
    source = tmp_path / lab.source_name
    source.write_text("int a;\nint f() { return b; }\n" + lab.solution.read_text())
    made, findings = device_check.compile_submission(source, lab, tmp_path)
    assert made is None
    assert findings[0].kind == "build.error" and findings[0].sites[0].line == 2


def test_the_model_table_has_the_textbooks_figures() -> None:
    rows = {lab.name: bench_model.row(lab, None) for lab in paths.labs() if lab.name in bench_model._TEXTBOOK}
    assert rows["kogge_stone"].textbook == 320 and rows["kogge_stone"].elements == 1024
    assert rows["brent_kung"].textbook == pytest.approx(73.625)
    assert rows["coarsened"].shape == "256 x 8" and rows["coarsened"].elements == 2048
