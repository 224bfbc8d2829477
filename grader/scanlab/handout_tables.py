"""Tables that handouts make from a lab itself: its rubric's points, and what its wrong solutions do.

Both are read where they are graded and tested, so that a handout cannot say anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from scanlab import paths, rubric
from scanlab.render.model import points_text
from scanlab.render.page import scrolling_table

_HEADER = re.compile(r"^// (expect|report|why): (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Trap:
    """A wrong solution, as its first lines describe it."""

    name: str
    why: str
    kinds: tuple[str, ...]
    costs_points: bool


def points_table(lab: str) -> Markup:
    """The checks of a lab's rubric and what each is worth, those that are worth nothing last."""
    whole = rubric.load(_lab_folder(lab) / "grade.py")
    rows = [*_point_rows(whole.points), ("all together", points_text(whole.max_score))]
    if whole.speed is not None:
        rows.append(("speed, where a GPU grades (--backend cuda)", points_text(whole.speed.points)))
    body = Markup("").join(Markup('<tr><td>{}</td><td class="num">{}</td></tr>').format(*row) for row in rows)
    head = Markup('<tr><th>check</th><th class="num">points</th></tr>')
    return scrolling_table(head, body)


def _point_rows(points: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    for name in sorted(points, key=lambda name: not points[name]):
        yield name, points_text(points[name]) if points[name] else "reported only"


def _lab_folder(lab: str) -> Path:
    found = sorted((paths.ROOT / "labs").glob(f"[0-9]*_{lab}"))
    if len(found) != 1:
        raise ValueError(f"there is no lab {lab!r}")
    return found[0]


def read_trap(path: Path) -> Trap:
    fields: dict[str, str] = dict(_HEADER.findall(path.read_text(encoding="utf-8")))
    verdict, _, kinds = fields["expect"].partition(" ")
    listed = kinds or fields.get("report", "")
    return Trap(path.stem, fields["why"], tuple(filter(None, listed.split(","))), verdict == "fail")


def traps_table(folder: Path, names: Sequence[str]) -> tuple[Markup, list[str]]:
    """What goes wrong, in the words of the wrong solutions, and links to the findings it causes."""
    traps = [read_trap(folder / f"{name}.cu") for name in names]
    body = Markup("").join(_trap_row(trap) for trap in traps)
    links = [_finding_page(kind) for trap in traps for kind in trap.kinds]
    return scrolling_table(Markup("<tr><th>what was done</th><th>what you are told</th></tr>"), body), links


def _trap_row(trap: Trap) -> Markup:
    links = Markup(" or ").join(Markup('<a href="{}">{}</a>').format(_finding_page(kind), kind) for kind in trap.kinds)
    warning = "" if trap.costs_points else " (a warning)"
    return Markup("<tr><td>{}</td><td>{}{}</td></tr>").format(_sentence(trap.why), links, warning)


def _sentence(words: str) -> str:
    """With a capital, unless it begins with code."""
    first = words.split()[0].rstrip(",:")
    return words[0].upper() + words[1:] if first.isalpha() and first.islower() else words


def _finding_page(kind: str) -> str:
    return f"findings/{kind}.html"
