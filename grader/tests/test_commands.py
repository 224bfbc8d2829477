"""The commands that are about the kit itself, and what `check` writes and prints."""

from __future__ import annotations

import json
import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from builds import LAB
from conftest import Done, needs_machine, needs_sandbox, scanlab

from scanlab import model, paths, rubric, sandbox, testing, toolchain
from scanlab.model import Check, MalformedResultError
from scanlab.rubric import Rubric, RubricError

SOLUTION = paths.find_lab("kogge_stone").solution


@needs_machine
def test_the_solution_has_full_marks_twice_alike(check: Callable[..., Done], tmp_path: Path) -> None:
    first = check(SOLUTION)
    text = (tmp_path / "result.json").read_bytes()
    second = check(SOLUTION)
    assert first.status == second.status == 0, first.stdout
    assert (tmp_path / "result.json").read_bytes() == text
    jsonschema.validate(first.result, json.loads(paths.SCHEMA.read_text()))
    assert first.result["score"] == first.result["max_score"] == 100
    assert model.result_from_json(first.result).to_json() == first.result
    assert [len(one["network"]["outputs"]) for one in first.result["checks"] if "network" in one] == [16, 16]


@needs_machine
def test_what_a_race_leaves_standing_is_drawn_too(check: Callable[..., Done], tmp_path: Path) -> None:
    """Its proof ends before the launch that is drawn of a right one."""
    done = check(
        paths.find_lab("kogge_stone").solution.parent / "wrong" / "no_temporary.cu",
        "kogge_stone",
        "--html",
        str(tmp_path / "a.html"),
    )
    drawn = [one["network"] for one in done.result["checks"] if "network" in one]
    assert [len(network["outputs"]) for network in drawn] == [16, 16]
    assert (tmp_path / "a.html").read_text().count("<circle") == sum(len(network["nodes"]) for network in drawn)
    jsonschema.validate(done.result, json.loads(paths.SCHEMA.read_text()))


@needs_machine
def test_the_skeletons_fail_kindly(check: Callable[..., Done]) -> None:
    done = check(paths.find_lab("double_buffered").folder / "double_buffered.cu", "double_buffered")
    assert done.status in (0, 1) and done.result["error"] is None


def test_a_compile_error_is_quoted(check: Callable[..., Done], tmp_path: Path) -> None:
    done = check(LAB.replace("Y[i] = s", "Y[j] = s", 1))
    assert done.status == 1 and done.verdict("builds") == "fail"
    assert "'j' was not declared" in done.stdout and "Y[j] = s" in done.stdout
    assert all(one["verdict"] == "skip" for one in done.result["checks"] if one["name"] != "builds")


@needs_machine
def test_without_a_sandbox_check_goes_on_and_says_so(check: Callable[..., Done]) -> None:
    done = check(SOLUTION, "kogge_stone", "--unsandboxed")
    assert done.status == 0 and done.result["sandbox"] == "none" and "Not sandboxed" in done.stdout


def test_without_a_sandbox_grade_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scanlab import grading

    monkeypatch.setattr(sandbox, "find", lambda: sandbox.Sandbox(sandbox.Way.NONE, why_not="tried"))
    (tmp_path / "class" / "ada").mkdir(parents=True)
    (tmp_path / "class" / "ada" / "kogge_stone.cu").write_text("int a;")
    assert grading.grade(tmp_path / "class", grading.Options(out=tmp_path / "out")) == 2
    assert not (tmp_path / "out").exists()


def test_doctor() -> None:
    done = scanlab("doctor")
    assert done.status in (0, 1) and "sandbox" in done.stdout
    assert done.stdout.strip().split("\n")[-1].startswith("usable") == (done.status == 0)


def test_the_launcher_starts_fast() -> None:
    if not (paths.ROOT / ".venv" / "scanlab-stamp").exists():
        pytest.skip("not set up by ./scanlab")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([paths.ROOT / "scanlab", "version"], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Processor time, since the tests may share the machine.
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.5


def test_no_command_is_a_usage_error_with_help() -> None:
    done = scanlab()
    assert "check" in done.stdout + done.stderr and done.status in (0, 2)


def test_our_own_failure_is_no_zero(check: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    from scanlab import pipeline

    lab = paths.find_lab("kogge_stone")
    monkeypatch.setattr(paths, "BIN", Path("/nowhere"))
    verdict = pipeline.check(SOLUTION.read_bytes(), lab.source_name, lab, pipeline.Settings(sandbox.find()))
    assert verdict.result.error is not None and not verdict.result.checks
    assert not verdict.result.full_marks


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"schema": "scanlab/result/v2"}', "null", '{"schema": "scanlab/result/v1"}', "[" * 100_000]
)
def test_half_a_result_is_malformed(text: str) -> None:
    with pytest.raises(MalformedResultError):
        model.parse(text)


def test_rubrics_name_what_the_harness_checks() -> None:
    one = Rubric("x", {"builds": 1, "right": 2, "noted": 0})
    checks = (Check("builds", "pass"), Check("right", "fail"), Check("noted", "pass"))
    assert [check.points for check in one.apply(checks)] == [1, 0, 0]
    with pytest.raises(RubricError, match="made no check"):
        one.apply(checks[:2])
    with pytest.raises(RubricError, match="no points for 'more'"):
        one.apply((*checks, Check("more", "pass")))


@pytest.mark.parametrize("lab", paths.labs(), ids=lambda lab: lab.name)
def test_rubric_of(lab: paths.Lab) -> None:
    one = rubric.load(lab.rubric_script)
    assert one.lab == lab.name and one.max_score == 100


def test_sums_of_both_runners(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text('<testsuites><testsuite tests="10" failures="2" errors="1" skipped="3"/></testsuites>')
    assert testing._tally(report, 1) == testing.Tally(4, 3)
    report.write_text('<testsuite tests="5" failures="0" skipped="0" disabled="1"/>')
    assert testing._tally(report, 0) == testing.Tally(4, 0)
    assert testing._tally(report, 1) == testing.Tally(4, 1)
    assert testing._tally(tmp_path / "missing.xml", 0) == testing.Tally(0, 1)


def test_a_students_file_does_not_rebuild_the_machine() -> None:
    before = toolchain._fingerprint(toolchain.Part.TOOLS)
    copy = paths.find_lab("kogge_stone").student_copy
    os.utime(copy)
    assert toolchain._fingerprint(toolchain.Part.TOOLS) == before


@needs_machine
@needs_sandbox
def test_cluster(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    from scanlab import cluster

    local = distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None)
    with local, cluster.executor(local.scheduler_address) as executor:
        assert executor.submit(sum, [1, 2]).result(timeout=30) == 3
