"""Reports: one result file as terminal text or as pages.

    from scanlab import render

    render.print_report(result, source)                        # after `check`
    render.render_student(results, {"kogge_stone": text}, "Ada", out / "ada.html")
    render.render_class(rows, out / "index.html")

`result` is the parsed JSON of scanlab/result/v1, `source` the text of the student's file; `sources`
maps a lab's name to it. A row of the class page is a mapping

    {"student": "Ada", "page": "students/ada.html", "results": [result, ...]}

where `page` is the link from the class page to the student's. All text may be hostile.

Imports are late on purpose: `check` must not pay for Jinja2 and Pygments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

__all__ = ["print_findings", "print_report", "render_class", "render_student"]


def print_report(
    result: Mapping[str, Any],
    source: str | None,
    *,
    file: IO[str] | None = None,
    width: int | None = None,
) -> None:
    """The report of one submission for a terminal (or plain text where `file` is none)."""
    from scanlab.render import terminal

    terminal.print_report(result, source, file=file, width=width)


def print_findings(
    findings: list[dict[str, Any]],
    source: str | None,
    *,
    file: IO[str] | None = None,
    width: int | None = None,
) -> None:
    """Findings without checks, points and verdict: what `run` has to say of a whole program."""
    from scanlab.render import terminal

    terminal.print_findings(findings, source, file=file, width=width)


def render_student(
    results: list[dict[str, Any]],
    sources: dict[str, str],
    student: str,
    out: Path,
    *,
    class_page: str | None = None,
    handouts: str | None = None,
) -> None:
    """Writes one student's page.

    `class_page` is the link back to the class overview. `handouts` is the link to the folder that
    `scanlab.handouts.build_pages` wrote ("../handouts"): each kind then leads to its page.
    """
    from scanlab.render import student_page

    student_page.render_student(results, sources, student, out, class_page=class_page, handouts=handouts)


def render_class(rows: Iterable[Mapping[str, Any]], out: Path, *, title: str = "Class overview") -> None:
    """Writes the class overview."""
    from scanlab.render import class_page

    class_page.render_class(rows, out, title=title)
