"""The class's grades in the forms that learning management systems take."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scanlab.model import Check, Finding, Result


@dataclass(frozen=True)
class Row:
    """One student's results, one per lab."""

    student: str
    slug: str
    identifier: str = ""
    cells: Mapping[str, str] = field(default_factory=dict)  # of the roster
    results: tuple[Result, ...] = ()

    @property
    def score(self) -> float:
        return sum(result.score for result in self.results)

    @property
    def max_score(self) -> float:
        return sum(result.max_score for result in self.results)

    def cell(self, *names: str) -> str:
        lower = {key.lower().replace("_", " "): value for key, value in self.cells.items()}
        return next((lower[name] for name in names if lower.get(name)), "")


def write(formats: Sequence[str], rows: Sequence[Row], out: Path) -> list[Path]:
    """Writes each format; gives the files written (a folder for formats of one file per student)."""
    return [FORMATS[name](rows, out) for name in dict.fromkeys(formats)]


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _text(value: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{value}" if value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _write_csv(path: Path, heading: Sequence[str], lines: Sequence[Sequence[str]]) -> Path:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(lines)
    path.write_text(buffer.getvalue(), encoding="utf-8")
    return path


def _labs(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(result.lab for row in rows for result in row.results))


def _result_of(row: Row, lab: str) -> Result | None:
    return next((result for result in row.results if result.lab == lab), None)


def _score_of(row: Row, lab: str) -> str:
    result = _result_of(row, lab)
    return "" if result is None or result.error is not None else number(result.score)


def _json(rows: Sequence[Row], out: Path) -> Path:
    data = {
        "schema": "scanlab/class/v1",
        "students": [
            {
                "student": row.student,
                "identifier": row.identifier,
                "score": row.score,
                "max_score": row.max_score,
                "results": [result.to_json() for result in row.results],
            }
            for row in rows
        ],
    }
    path = out / "class.json"
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def _csv(rows: Sequence[Row], out: Path) -> Path:
    labs = _labs(rows)
    lines = []
    for row in rows:
        kinds = sorted(
            {finding.kind for result in row.results for finding in result.findings if finding.severity == "error"}
        )
        failed = [result.lab for result in row.results if result.error is not None]
        note = f"grader error: {' '.join(failed)}" if failed else " ".join(kinds)
        lines.append(
            [
                _text(row.student),
                _text(row.identifier),
                *(_score_of(row, lab) for lab in labs),
                number(row.score),
                number(row.max_score),
                note,
            ]
        )
    return _write_csv(out / "grades.csv", ["student", "identifier", *labs, "total", "maximum", "findings"], lines)


def _moodle(rows: Sequence[Row], out: Path) -> Path:
    """Moodle's offline grading worksheet."""
    lines = []
    for row in rows:
        participant = row.cell("identifier") or (f"Participant {row.identifier}" if row.identifier else "")
        lines.append(
            [
                participant,
                _text(row.student),
                _text(row.cell("email address", "email")),
                number(row.score),
                number(row.max_score),
                _text(_feedback(row)),
            ]
        )
    heading = ["Identifier", "Full name", "Email address", "Grade", "Maximum grade", "Feedback comments"]
    return _write_csv(out / "moodle.csv", heading, lines)


def _canvas(rows: Sequence[Row], out: Path) -> Path:
    """Canvas's gradebook import: the second line says the maximum."""
    labs = _labs(rows)
    most = [
        number(max((result.max_score for row in rows for result in row.results if result.lab == lab), default=0))
        for lab in labs
    ]
    lines = [["    Points Possible", "", "", "", "", *most]]
    for row in rows:
        lines.append(
            [
                _text(row.student),
                row.cell("id") or row.identifier,
                row.cell("sis user id"),
                row.cell("sis login id", "login", "username"),
                row.cell("section"),
                *(_score_of(row, lab) for lab in labs),
            ]
        )
    heading = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *labs]
    return _write_csv(out / "canvas.csv", heading, lines)


def _gradescope(rows: Sequence[Row], out: Path) -> Path:
    """One results.json per student, as Gradescope's autograder harness takes it."""
    folder = out / "gradescope"
    for row in rows:
        path = folder / row.slug / "results.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(gradescope(row), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return folder


def gradescope(row: Row) -> dict[str, Any]:
    tests = []
    for result in row.results:
        for check in result.checks:
            status = {"pass": "passed", "fail": "failed"}.get(check.verdict, "failed")
            tests.append(
                {
                    "name": f"{result.lab}: {check.name}",
                    "score": check.points,
                    "max_score": check.max_points,
                    "status": status,
                    "output": _words(check),
                }
            )
    return {"score": row.score, "output": _feedback(row), "output_format": "text", "tests": tests}


def _markdown(rows: Sequence[Row], out: Path) -> Path:
    labs = _labs(rows)
    lines = [f"| student | {' | '.join(labs)} | total |", "|---|" + "--:|" * (len(labs) + 1)]
    for row in rows:
        scores = " | ".join(_score_of(row, lab) or "-" for lab in labs)
        lines.append(f"| {_cell(row.student)} | {scores} | {number(row.score)} of {number(row.max_score)} |")
    path = out / "grades.md"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _cell(text: str) -> str:
    for char in "\\`*_{}[]<>|#":
        text = text.replace(char, f"\\{char}")
    return " ".join(text.split())


def _words(check: Check) -> str:
    return "\n".join(_sentence(finding) for finding in check.findings)


def _sentence(finding: Finding) -> str:
    lines = sorted({site.line for site in finding.sites if site.line})
    where = f" (line {', '.join(map(str, lines))})" if lines else ""
    return f"{finding.severity} {finding.kind}{where}: {finding.message}"


def _feedback(row: Row) -> str:
    parts = []
    for result in row.results:
        if result.error is not None:
            parts.append(f"{result.lab}: not graded, the grader failed")
            continue
        errors = dict.fromkeys(_sentence(finding) for finding in result.findings if finding.severity == "error")
        parts.append(f"{result.lab}: {number(result.score)} of {number(result.max_score)}")
        parts += list(errors)[:3]
    return "\n".join(parts)


FORMATS: Mapping[str, Callable[[Sequence[Row], Path], Path]] = {
    "json": _json,
    "csv": _csv,
    "moodle": _moodle,
    "canvas": _canvas,
    "gradescope": _gradescope,
    "markdown": _markdown,
}
