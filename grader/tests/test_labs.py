"""Every lab through the real pipeline: skeletons fail kindly, solutions and other right styles pass, each wrong
solution gets the kind and the line that its head names."""

from __future__ import annotations

from pathlib import Path

import heads
import pytest
from conftest import needs_machine, needs_sandbox

from scanlab import paths, pipeline, sandbox
from scanlab.model import Result

pytestmark = [needs_machine, needs_sandbox]

LABS = {lab.folder.name: lab for lab in paths.labs()}
SOLUTIONS = paths.ROOT / "solutions"


def _files(pattern: str) -> list[Path]:
    return sorted(path for name in LABS for path in (SOLUTIONS / name).glob(pattern))


WRONG, RIGHT = _files("wrong/*.cu"), _files("right/*.cu")
SOLVED = [SOLUTIONS / name / lab.source_name for name, lab in LABS.items()]
SKELETONS = [lab.folder / lab.source_name for lab in LABS.values()]


def _check(path: Path) -> Result:
    folder = next(part for part in path.parts[::-1] if part in LABS)
    lab = LABS[folder]
    body = heads.read(path.read_text()).body.encode()
    return pipeline.check(body, lab.source_name, lab, pipeline.Settings(sandbox.find(), seconds=60.0)).result


def _name(path: Path) -> str:
    return "/".join(path.relative_to(paths.ROOT).parts[1:]).removesuffix(".cu")


@pytest.mark.parametrize("path", SOLVED, ids=_name)
def test_solution_has_full_marks(path: Path) -> None:
    result = _check(path)
    loud = [finding for check in result.checks for finding in check.findings if finding.severity != "note"]
    assert result.error is None
    assert loud == []
    assert result.score == result.max_score == 100


@pytest.mark.parametrize("path", RIGHT, ids=_name)
def test_right_in_another_style(path: Path) -> None:
    assert heads.complaints(heads.read(path.read_text()), _check(path)) == []


@pytest.mark.parametrize("path", WRONG, ids=_name)
def test_wrong_is_caught(path: Path) -> None:
    assert heads.complaints(heads.read(path.read_text()), _check(path)) == []


@pytest.mark.parametrize("path", SKELETONS, ids=_name)
def test_skeleton_fails_kindly(path: Path) -> None:
    result = _check(path)
    assert "TODO" in path.read_text()
    assert result.error is None
    assert result.checks[0].verdict == "pass", "a skeleton compiles"
    assert result.score < result.max_score / 2
    kinds = {finding.kind for check in result.checks for finding in check.findings if finding.severity == "error"}
    assert kinds <= {"value.wrong", "value.unwritten", "work.wrong", "memory.uninitialized"}
    assert all(finding.help for check in result.checks for finding in check.findings)


def test_every_lab_has_enough_of_each() -> None:
    for name in LABS:
        assert len([path for path in RIGHT if name in path.parts]) >= 3
        assert len([path for path in WRONG if name in path.parts]) >= (16 if name.startswith("01") else 12)
