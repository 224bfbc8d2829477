"""Points for speed, where a rubric gives any: a submission's time on the device, beside a copy's and CUB's.

What is not the student's fault costs no points: where the device gives no figures the check is skipped, and its points
are no part of the sum. Where the submission is wrong there is nothing to time: the points stay, and are not had."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scanlab.model import Check
from scanlab.rubric import BUILDS, SPEED, Against, Speed

_FIELDS = ("n", "samples", "us", "spread", "copy_us", "cub_us", "wrong")
_RIGHT = ("right for every size", "whole numbers exactly")  # the checks whose outputs are timed


@dataclass(frozen=True)
class Figures:
    """What `scanlab_worker_cuda --speed` wrote; times are medians in microseconds."""

    n: int
    samples: int
    us: float
    spread: float
    copy_us: float
    cub_us: float
    wrong: int

    def ratio(self, against: Against) -> float:
        return (self.copy_us if against is Against.COPY else self.cub_us) / self.us

    @property
    def gigabytes(self) -> float:
        """GB/s: each element read once and written once."""
        return 8e-3 * self.n / self.us


@dataclass(frozen=True)
class Unfinished:
    """The device could be timed, and the submission ended it, or never came to an end."""

    n: int


def read(path: Path) -> Figures | Unfinished | None:
    """None where the worker left nothing, or half of it."""
    try:
        data = json.loads(path.read_text())
        if list(data) == ["n"]:
            return Unfinished(int(data["n"]))
        figures = Figures(**{name: data[name] for name in _FIELDS})
        whole = min(figures.us, figures.copy_us, figures.cub_us) > 0
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return figures if whole else None


def check(speed: Speed, others: Sequence[Check], figures: Figures | Unfinished | None) -> Check:
    """The check `speed`, its points filled in."""
    broken = tuple(one.name for one in others if one.verdict == "fail" and _needed(one.name))
    if broken:
        return Check(SPEED, "skip", max_points=speed.points, requires=broken)
    if figures is None:
        return Check(SPEED, "skip")
    words = speed.against.words
    expected = "; ".join(f"{least:.0%} of {words}: {speed.points * part:g} points"
                         for least, part in sorted(speed.steps.items()))  # fmt: skip
    if isinstance(figures, Unfinished):
        actual = f"no time: its scan of {figures.n} elements crashed or did not end"
        return Check(SPEED, "fail", max_points=speed.points, expected=expected, actual=actual)
    ratio = figures.ratio(speed.against)
    share = speed.share(ratio) if figures.wrong == 0 else 0.0
    wrong = f", with {figures.wrong} elements wrong" if figures.wrong else ""
    return Check(
        SPEED,
        "pass" if share else "fail",
        points=speed.points * share,
        max_points=speed.points,
        expected=expected,
        actual=f"{ratio:.1%} of {words}{wrong}",
        measured={"elements": figures.n, "microseconds": figures.us, "spread": figures.spread,
                  "GB/s": round(figures.gigabytes, 1), "of a copy": round(figures.ratio(Against.COPY), 4),
                  "of cub::DeviceScan": round(figures.ratio(Against.CUB), 4), "samples": figures.samples},
    )  # fmt: skip


def _needed(name: str) -> bool:
    return name == BUILDS or any(part in name for part in _RIGHT)
