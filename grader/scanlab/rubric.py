"""Rubrics: points per check. A lab's grade.py defines one and is runnable as it is.

from scanlab.rubric import Rubric, main
RUBRIC = Rubric(lab="kogge_stone", points={"builds": 10, "exact work": 5})
if __name__ == "__main__":
    main(RUBRIC)
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from scanlab.model import Check

BUILDS = "builds"
SPEED = "speed"


class RubricError(ValueError):
    """The rubric and the harness do not speak of the same checks: the grader's failure."""


class Against(Enum):
    """What a submission's speed is measured by, in the same run."""

    COPY = "copy"
    CUB = "cub"

    @property
    def words(self) -> str:
        return "a copy's speed" if self is Against.COPY else "cub::DeviceScan's speed"


@dataclass(frozen=True)
class Speed:
    """Points for speed on a GPU: `check --backend cuda` alone gives them.

    Speed(points=10, steps={0.25: 0.5, 0.4: 1})  half of them from a quarter of a copy's speed, all from 40 %
    """

    points: float
    steps: Mapping[float, float]  # from this ratio on, this share of the points
    against: Against = Against.COPY
    n: int = 1 << 26  # floats

    def __post_init__(self) -> None:
        shares = [share for _, share in sorted(self.steps.items())]
        if self.points <= 0 or not shares or shares != sorted(shares) or shares[-1] != 1:
            raise RubricError("points for speed need steps whose shares rise to 1")

    def share(self, ratio: float) -> float:
        return max((share for least, share in self.steps.items() if ratio >= least), default=0.0)


@dataclass(frozen=True)
class Rubric:
    """Points per check name. It names every check of the harness; one that only warns is worth 0."""

    lab: str
    points: Mapping[str, float]
    speed: Speed | None = None  # off unless a rubric asks for it

    def __post_init__(self) -> None:
        if BUILDS not in self.points:
            raise RubricError(f"the rubric of {self.lab} has no points for {BUILDS!r}")
        if any(value < 0 for value in self.points.values()):
            raise RubricError(f"the rubric of {self.lab} has negative points")

    @property
    def max_score(self) -> float:
        return float(sum(self.points.values()))

    def apply(self, checks: tuple[Check, ...]) -> tuple[Check, ...]:
        """The checks with their points filled in. A name that only one side knows is our fault: a check
        without points would let a wrong submission have full marks."""
        made = [check.name for check in checks]
        missing = [name for name in self.points if name not in made]
        if missing:
            raise RubricError(f"the harness of {self.lab} made no check called {missing[0]!r}")
        unknown = [name for name in made if name not in self.points]
        if unknown:
            raise RubricError(f"the rubric of {self.lab} has no points for {unknown[0]!r}")
        return tuple(self._with_points(check) for check in checks)

    def skipped(self) -> tuple[Check, ...]:
        """Every check but `builds`, as skipped: what a submission that does not build gets."""
        return tuple(
            Check(name=name, verdict="skip", max_points=points, requires=(BUILDS,))
            for name, points in self.points.items()
            if name != BUILDS
        )

    def _with_points(self, check: Check) -> Check:
        most = self.points[check.name]
        return replace(check, max_points=most, points=most if check.verdict == "pass" else 0)


def load(script: Path) -> Rubric:
    """The RUBRIC of a lab's grade.py."""
    try:
        rubric = runpy.run_path(str(script), run_name="scanlab_rubric").get("RUBRIC")
    except Exception as problem:
        raise RubricError(f"{script}: {problem}") from problem
    if not isinstance(rubric, Rubric):
        raise RubricError(f"{script} defines no RUBRIC")
    return rubric


def main(rubric: Rubric) -> None:
    """Runs `scanlab check` for the rubric's lab: what `python grade.py [FILE]` does."""
    from scanlab.cli import run

    sys.exit(run(["check", rubric.lab, *sys.argv[1:]]))
