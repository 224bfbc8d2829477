"""Points for speed, by figures that were recorded on an H200."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scanlab import device_box, device_build, device_check, device_speed, handout_tables, model, paths, rubric, sandbox
from scanlab.device_speed import Figures
from scanlab.model import Check
from scanlab.rubric import Against, Rubric, RubricError, Speed

SPEED = Speed(points=10, steps={0.25: 0.5, 0.4: 1})
RIGHT = (Check("builds", "pass"), Check("inclusive scan: right for every size", "pass"))


def recorded(candidate: str, n: int = 1 << 26) -> dict[str, Any]:
    """What the worker writes, with an H200's times."""
    rows = json.loads((paths.ROOT / "datasets" / "performance" / "h200.json").read_text())["results"]
    us = {row["candidate"]: row for row in rows if (row["set"], row["type"], row["n"]) == ("labs", "float32", n)}
    return {"n": n, "samples": 21, "us": us[candidate]["value"], "spread": us[candidate]["spread"],
            "copy_us": us["copy"]["value"], "cub_us": us["cub"]["value"], "wrong": 0}  # fmt: skip


def graded(candidate: str, speed: Speed = SPEED, **changed: Any) -> Check:
    return device_speed.check(speed, RIGHT, Figures(**{**recorded(candidate), **changed}))


@pytest.mark.parametrize(
    ("candidate", "points", "verdict"),
    [("domino", 0, "fail"), ("kogge_stone", 5, "pass"), ("hierarchical_coarsened", 10, "pass"), ("copy", 10, "pass")],
)
def test_points_by_steps(candidate: str, points: float, verdict: str) -> None:
    check = graded(candidate)
    assert (check.points, check.max_points, check.verdict) == (points, 10, verdict)


def test_measured_by_the_library() -> None:
    speed = Speed(points=4, steps={1: 1}, against=Against.CUB)
    assert graded("look_back_fast", speed).points == 4
    assert graded("look_back", speed).points == 0
    assert "cub::DeviceScan" in str(graded("look_back", speed).actual)


def test_a_fast_wrong_scan_has_no_points() -> None:
    check = graded("look_back_fast", wrong=7)
    assert check.points == 0 and check.verdict == "fail" and "7 elements wrong" in str(check.actual)


def test_without_figures_nothing_is_lost() -> None:
    check = device_speed.check(SPEED, RIGHT, None)
    assert (check.verdict, check.points, check.max_points) == ("skip", 0, 0)


@pytest.mark.parametrize("broken", ["builds", "inclusive scan: right for every size"])
def test_what_is_wrong_is_not_timed(broken: str) -> None:
    others = tuple(Check(one.name, "fail" if one.name == broken else "pass") for one in RIGHT)
    check = device_speed.check(SPEED, others, None)
    assert (check.verdict, check.max_points, check.requires) == ("skip", 10, (broken,))


@pytest.mark.parametrize("text", ["", "{", "[]", '{"n": 3, "us": 1}', json.dumps({**recorded("cub"), "us": 0}),
                                  json.dumps({**recorded("cub"), "copy_us": "fast"})])  # fmt: skip
def test_half_a_file_is_no_figure(text: str, tmp_path: Path) -> None:
    (tmp_path / "speed.json").write_text(text)
    assert device_speed.read(tmp_path / "speed.json") is None
    assert device_speed.read(tmp_path / "none.json") is None


@pytest.mark.parametrize("steps", [{}, {0.5: 0.5}, {0.5: 1, 0.8: 0.5}])
def test_steps_must_rise_to_all_points(steps: dict[float, float]) -> None:
    with pytest.raises(RubricError):
        Speed(points=5, steps=steps)


def test_it_is_off_unless_asked_for() -> None:
    assert all(rubric.load(lab.rubric_script).speed is None for lab in paths.labs())


def test_the_cpu_gives_and_takes_no_points_for_it() -> None:
    with_speed = Rubric("kogge_stone", {"builds": 5, "work": 5}, speed=SPEED)
    assert with_speed.max_score == 10
    assert [check.name for check in with_speed.apply((Check("builds", "pass"), Check("work", "pass")))] == [
        "builds",
        "work",
    ]


def on_the_device(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str) -> model.Result:
    """check_file with a rubric that has points for speed, a build that is there, and a worker that is a script."""
    worker = tmp_path / "worker"
    worker.write_text(f"#!/bin/sh\n{script}\n")
    worker.chmod(0o755)
    lab = paths.find_lab("kogge_stone")
    whole = Rubric(lab.name, rubric.load(lab.rubric_script).points, speed=SPEED)
    checks = tuple(Check(name, "pass") for name in whole.points)
    monkeypatch.setattr(rubric, "load", lambda script: whole)
    monkeypatch.setattr(device_check, "ensure_worker", lambda worker: None)
    monkeypatch.setattr(device_check, "examine", lambda *_: device_check.Outcome(checks))
    monkeypatch.setattr(device_box, "working", lambda *_: sandbox.none())
    return device_check.check_file(lab.solution, lab, device_check.Settings(1, sandbox.none(), worker=worker)).result


def test_the_workers_figures_become_points(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    figures = json.dumps(recorded("coarsened"))
    result = on_the_device(monkeypatch, tmp_path, f'[ "$1" = --speed ] && echo \'{figures}\' > "$4"')
    assert result.error is None
    assert (result.score, result.max_score, result.checks[-1].name) == (110, 110, "speed")
    assert model.parse(result.to_text()) == result


def test_a_worker_that_dies_costs_no_points(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    result = on_the_device(monkeypatch, tmp_path, "exit 5")
    assert result.error is None
    assert (result.score, result.max_score, result.checks[-1].verdict) == (100, 100, "skip")


def test_who_ends_the_worker_does_lose_points(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    result = on_the_device(monkeypatch, tmp_path, 'echo \'{"n": 1024}\' > "$4"; kill -SEGV $$')
    assert result.error is None
    assert (result.score, result.max_score, result.checks[-1].verdict) == (100, 110, "fail")
    assert "1024 elements crashed" in str(result.checks[-1].actual)


def test_what_is_timed_is_the_first_function_on_its_largest_shape() -> None:
    timed = {lab.name: device_check.launch_of(lab, 1 << 20) for lab in paths.labs()}
    assert timed["kogge_stone"] == "0:1024:0:1048576:1024:0"
    assert timed["coarsened"] == "0:256:8:1048576:2048:0"
    assert timed["look_back"] == "0:0:0:1048576:0:0"


def test_the_handouts_table_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "--backend cuda" not in handout_tables.points_table("coarsened")
    monkeypatch.setattr(rubric, "load", lambda script: Rubric("coarsened", {"builds": 5}, speed=SPEED))
    assert "speed, where a GPU grades (--backend cuda)" in handout_tables.points_table("coarsened")


def test_an_error_of_ours_is_none_of_the_students(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fails(*_: object) -> None:
        raise device_build.DeviceError("nvcc failed on our own worker")

    monkeypatch.setattr(device_check, "ensure_worker", fails)
    lab = paths.find_lab("kogge_stone")
    result = device_check.check_file(lab.solution, lab, device_check.Settings(1, sandbox.none())).result
    assert result.error is not None and result.error.kind == "DeviceError" and not result.checks
