"""The class overview: who got what, how the scores lie, and which findings are common per lab."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scanlab import paths
from scanlab.render.model import Result, parse_result
from scanlab.render.page import write_page

_BINS = 10
_MOST_KINDS = 12


@dataclass(frozen=True)
class Row:
    """One student. `cells` stand in the order of the labs; None where nothing was handed in."""

    student: str
    page: str
    cells: tuple[Result | None, ...]

    @property
    def graded(self) -> list[Result]:
        return [result for result in self.cells if result is not None and not result.error]

    @property
    def percent(self) -> float | None:
        """Of the points of the labs that were graded."""
        most = sum(result.max_score for result in self.graded)
        return 100 * sum(result.score for result in self.graded) / most if most else None

    @property
    def main_kinds(self) -> list[str]:
        """The error kinds of this student, the most urgent of each lab first."""
        kinds = [f.kind for r in self.graded for f in r.distinct_findings() if f.severity == "error"]
        return list(dict.fromkeys(kinds))


@dataclass(frozen=True)
class Bar:
    """One column of the distribution, in the units of the drawing."""

    x: float
    y: float
    height: float
    count: int
    label: str


@dataclass(frozen=True)
class Common:
    """A kind of error in a lab, and how many students have it."""

    kind: str
    students: int
    share: float


@dataclass(frozen=True)
class LabSummary:
    name: str
    handed_in: int
    full_marks: int
    mean: float | None
    commons: tuple[Common, ...]


def render_class(rows: Iterable[Mapping[str, Any]], out: Path, *, title: str = "Class overview") -> None:
    raw = list(rows)
    labs = _lab_names(raw)
    students = [_row(row, labs) for row in raw]
    write_page(
        "class.html.j2",
        out,
        title=title,
        labs=[_summary(name, index, students) for index, name in enumerate(labs)],
        rows=students,
        bars=_distribution([row.percent for row in students if row.percent is not None]),
        failed=[row for row in students if any(r is not None and r.error for r in row.cells)],
        unsandboxed=any(r.sandbox in ("", "none") for row in students for r in row.graded),
    )


def _lab_names(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The labs of the checkout in their order, then others as they are first met."""
    met = dict.fromkeys(str(r.get("lab")) for row in rows for r in row.get("results") or ())
    known = [lab.name for lab in paths.labs() if lab.name in met]
    return known + [name for name in met if name not in known]


def _row(data: Mapping[str, Any], labs: Sequence[str]) -> Row:
    results = {str(result.get("lab")): parse_result(result) for result in data.get("results") or ()}
    cells = tuple(results.get(lab) for lab in labs)
    return Row(str(data.get("student", "")), _link(str(data.get("page") or "")), cells)


def _link(page: str) -> str:
    """A relative link only: a page name never becomes another scheme or host."""
    return "" if ":" in page.split("/")[0] or page.startswith(("/", "\\")) else page


def _summary(name: str, index: int, rows: Sequence[Row]) -> LabSummary:
    results = [r for row in rows if (r := row.cells[index]) is not None and not r.error]
    percents = [100 * r.score / r.max_score for r in results if r.max_score > 0]
    kinds = Counter(k for r in results for k in {f.kind for f in r.findings if f.severity == "error"})
    ranked = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))[:_MOST_KINDS]
    return LabSummary(
        name=name,
        handed_in=sum(row.cells[index] is not None for row in rows),
        full_marks=sum(r.full_marks for r in results),
        mean=sum(percents) / len(percents) if percents else None,
        commons=tuple(Common(kind, n, 100 * n / len(results)) for kind, n in ranked),
    )


def _distribution(percents: Sequence[float]) -> list[Bar]:
    """Ten columns of ten per cent, and one for full marks."""
    counts = [0] * (_BINS + 1)
    for percent in percents:
        counts[max(0, min(_BINS, int(percent * _BINS / 100 + 1e-9)))] += 1
    most = max([*counts, 1])
    labels = [f"{10 * n}\u2013{10 * n + 9}" for n in range(_BINS)] + ["100"]
    return [
        Bar(50.0 * n + 6, 150 - 120 * count / most, 120 * count / most, count, label)
        for n, (count, label) in enumerate(zip(counts, labels, strict=True))
    ]
