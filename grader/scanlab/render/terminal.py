"""The report of one submission for a terminal, in the manner of a good compiler.

Only Rich's console and text are imported (about 50 ms). Colours go when NO_COLOR is set or the
output is no terminal; the words and carets say everything without them.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from scanlab.render.clean import shortened, visible
from scanlab.render.measures import Comparison, Measures, Proof
from scanlab.render.model import Check, Finding, Result, parse_result, points_text
from scanlab.render.source import Line, excerpts, split_lines, who

_STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "pass": "green",
    "fail": "bold red",
    "skip": "dim",
}
_MOST_FINDINGS = 8  # of one report; the page has them all
_MOST_MESSAGE = 3000
_NARROWEST, _WIDEST = 40, 110


@dataclass(frozen=True)
class _Paper:
    """Where the report is written, and in what width and character set."""

    console: Console
    width: int
    ascii_only: bool
    lines: Sequence[str] = field(default_factory=list)

    def clean(self, text: str) -> str:
        return visible(text, ascii_only=self.ascii_only)

    def put(self, *parts: str | tuple[str, str]) -> None:
        """One line of (text, style) parts, never wrapped by Rich."""
        line = Text.assemble(*parts)
        line.rstrip()
        self.console.print(line, soft_wrap=True, no_wrap=True, overflow="ignore", crop=False)

    def paragraph(self, first: str, text: str, style: str = "", first_style: str = "bold") -> None:
        """`text` wrapped, hanging under the end of `first`."""
        indent = len(first) if len(first) < 14 else 4
        parts: list[str] = []
        for line in self.clean(text).split("\n"):
            lead = len(first) - indent if not parts else 0
            wrapped = textwrap.wrap(
                " " * lead + line, self.width - indent, break_on_hyphens=False, drop_whitespace=True
            ) or [""]
            parts += [part[lead:] if not parts and i == 0 else part for i, part in enumerate(wrapped)]
        self.put((first, first_style), (parts[0], style))
        for part in parts[1:]:
            self.put(" " * indent, (part, style))


def print_report(
    result: Mapping[str, Any],
    source: str | None,
    *,
    file: IO[str] | None = None,
    width: int | None = None,
) -> None:
    out = file or sys.stdout
    paper = _paper(out, width, split_lines(source) if source is not None else [])
    report = parse_result(result)
    _head(paper, report)
    if report.error:
        _grader_failed(paper, report)
    _checks(paper, report.checks)
    unmet = [name for check in report.checks for name in report.unmet(check)]
    if unmet:
        waits_for = ", ".join(dict.fromkeys(unmet))
        paper.paragraph(" " * 8, f"What was skipped waits for: {waits_for}", "dim", "")
    _findings(paper, report)
    _measures(paper, report)
    _next_step(paper, report)


def print_findings(
    findings: Sequence[Mapping[str, Any]],
    source: str | None,
    *,
    file: IO[str] | None = None,
    width: int | None = None,
) -> None:
    """Only findings, as `run` has them."""
    paper = _paper(file or sys.stdout, width, split_lines(source) if source is not None else [])
    _findings(paper, parse_result({"checks": [{"name": "", "findings": list(findings)}]}))


def _paper(out: IO[str], width: int | None, lines: Sequence[str]) -> _Paper:
    wanted = width or (shutil.get_terminal_size().columns if out.isatty() else 100)
    columns = min(max(wanted, _NARROWEST), _WIDEST)
    encoding = (getattr(out, "encoding", None) or "utf-8").lower()
    console = Console(file=out, width=columns, highlight=False, markup=False, emoji=False, legacy_windows=False)
    return _Paper(console, columns, not encoding.startswith("utf"), lines)


def _head(paper: _Paper, report: Result) -> None:
    score = f"{points_text(report.score)} of {points_text(report.max_score)} points"
    if report.error:
        score = "not graded"
    name = paper.clean(f"{report.lab}  {report.file}")
    style = "bold green" if report.full_marks else "bold"
    gap = paper.width - len(name) - len(score)
    if gap < 2:
        paper.paragraph("", name, "bold")
        name, gap = "", 0
    paper.put((name, "bold"), " " * gap, (score, style))


def _grader_failed(paper: _Paper, report: Result) -> None:
    paper.put("")
    paper.paragraph("the grader itself failed: ", report.error, first_style="bold red")
    paper.paragraph("", "This is not your fault and costs no points; please report it.")


def _checks(paper: _Paper, checks: Sequence[Check]) -> None:
    paper.put("")
    for check in checks:
        points = f"{points_text(check.points):>3}/{points_text(check.max_points)}" if check.max_points else ""
        verdict = f"{_verdict_word(check):>6}  "
        name = textwrap.wrap(paper.clean(check.name), max(20, paper.width - 8 - len(points) - 2)) or [""]
        gap = " " * max(2, paper.width - len(verdict) - len(name[0]) - len(points))
        paper.put((verdict, _STYLES.get(_style_key(check), "")), name[0], gap, points)
        for part in name[1:]:
            paper.put(" " * 8, part)


def _verdict_word(check: Check) -> str:
    return {"pass": "pass", "fail": "FAIL", "skip": "skip", "error": "ERROR"}[check.verdict]


def _style_key(check: Check) -> str:
    return "error" if check.verdict == "error" else check.verdict


def _findings(paper: _Paper, report: Result) -> None:
    found = report.distinct_findings()
    for finding in found[:_MOST_FINDINGS]:
        paper.put("")
        seen_in = [c.name for c in report.checks if any(f.key == finding.key for f in c.findings)]
        _finding(paper, finding, seen_in)
    if len(found) > _MOST_FINDINGS:
        paper.put("")
        paper.put((f"and {len(found) - _MOST_FINDINGS} findings more; mend these first", "dim"))


def _finding(paper: _Paper, finding: Finding, checks: Sequence[str]) -> None:
    head = f"{finding.severity}[{paper.clean(finding.kind)}]: "
    paper.paragraph(head, shortened(finding.message, _MOST_MESSAGE), "bold", _STYLES[finding.severity])
    gutter = max((len(str(line)) for line in finding.lines), default=2)
    _excerpt(paper, finding, gutter)
    for label, text in _footers(finding, checks):
        paper.paragraph(" " * gutter + f" = {label}: ", text, first_style="bold cyan")


def _footers(finding: Finding, checks: Sequence[str]) -> Iterator[tuple[str, str]]:
    if len(checks) > 1:
        yield "in", ", ".join(checks)
    if finding.count > 1:
        yield "seen", f"{finding.count} times"
    if finding.help:
        yield "help", shortened(finding.help, _MOST_MESSAGE)


def _excerpt(paper: _Paper, finding: Finding, gutter: int) -> None:
    runs = excerpts(finding, paper.lines)
    site = next((site for site in finding.sites if site.line > 0), None)
    if site is not None:
        paper.put((" " * gutter + "--> ", "blue"), paper.clean(f"{site.file}:{site.line}"))
    if not runs:
        _sites_without_source(paper, finding, gutter)
        return
    first = True
    paper.put((" " * gutter + " |", "blue"))
    for run in runs:
        if not first:
            paper.put(("...", "blue"))
        first = False
        for line in run:
            _source_line(paper, line, gutter, _STYLES[finding.severity])
    paper.put((" " * gutter + " |", "blue"))


def _sites_without_source(paper: _Paper, finding: Finding, gutter: int) -> None:
    for site in finding.sites[:6]:
        actor = who(site, with_block=True)
        place = f"line {site.line}" if site.line else "line unknown"
        paper.put((" " * gutter + " | ", "blue"), paper.clean(f"{place}: {actor}"))


def _source_line(paper: _Paper, line: Line, gutter: int, style: str) -> None:
    room = paper.width - gutter - 3
    offset = _offset(line, room)
    shown = line.text[offset:]
    paper.put((f"{line.number:>{gutter}} | ", "blue"), set_cell_size(paper.clean(shown), room))
    for mark in line.marks:
        # In columns of the terminal: some characters take two, and escaped ones several.
        start = cell_len(paper.clean(line.text[offset : max(mark.start, offset)]))
        length = cell_len(paper.clean(line.text[max(mark.start, offset) : mark.end]))
        start = min(start, room - 1)
        _mark(paper, paper.clean(mark.label), gutter, (start, min(length, room - start)), style)


def _offset(line: Line, room: int) -> int:
    """How much of a long line is left out at its start, so that the first mark is in view."""
    if len(line.text) <= room or not line.marks:
        return 0
    first = line.marks[0]
    return max(0, min(first.start - 8, len(line.text) - room)) if first.end > room else 0


def _mark(paper: _Paper, label: str, gutter: int, span: tuple[int, int], style: str) -> None:
    """Carets under `span` (start, length), and the label beside or below them."""
    start, length = span[0], max(1, span[1])
    room = paper.width - gutter - 3
    edge = (" " * gutter + " | ", "blue")
    if start + length + 1 + len(label) <= room:
        paper.put(edge, " " * start, ("^" * length + " " + label, style))
        return
    paper.put(edge, " " * start, ("^" * length, style))
    if label:
        paper.put(edge, " " * max(0, min(start, room - len(label))), (label, style))


def _measures(paper: _Paper, report: Result) -> None:
    measured = [check for check in report.checks if not _is_empty(check.measures)]
    if measured:
        paper.put("")
    for check in measured:
        if check.measures.proof:
            _proof(paper, check.name, check.measures.proof)
    _table(paper, [row for check in measured for row in check.measures.comparisons])
    for check in measured:
        counts = [f"{name} {value}" for name, value in check.measures.counts if value]
        if counts:
            whose = "" if counts[0].startswith(check.name) else f"{check.name}: "
            paper.paragraph("counted: ", whose + ", ".join(counts), "", "dim")


def _is_empty(measures: Measures) -> bool:
    return not (measures.proof or measures.comparisons or measures.counts)


def _table(paper: _Paper, rows: Sequence[Comparison]) -> None:
    cells = [(paper.clean(r.name), paper.clean(r.got), paper.clean(r.expected)) for r in rows]
    names = max((len(name) for name, _, _ in cells), default=0)
    gots = max((len(got) for _, got, _ in cells), default=0)
    for row, (name, got, expected) in zip(rows, cells, strict=True):
        if 9 + names + 2 + gots + 12 + len(expected) > paper.width:
            paper.paragraph("counted: ", f"{name}: {got}, expected {expected}", "", "dim")
            continue
        style = "bold yellow" if row.off else ""
        tail = f"   expected {expected}" if expected else ""
        paper.put(("counted: ", "dim"), f"{name:<{names}}  ", (f"{got:>{gots}}", style), tail)


def _proof(paper: _Paper, name: str, proof: Proof) -> None:
    first, style = ("proved: ", "bold green") if proof.held else ("tested: ", "bold")
    schedules = f" under {proof.schedules} schedules" if proof.schedules and not proof.held else ""
    paper.paragraph(first, name + schedules, first_style=style)
    for condition in proof.preconditions:
        if not condition.held:
            paper.paragraph("  does not hold: ", condition.text, first_style="yellow")


def _next_step(paper: _Paper, report: Result) -> None:
    paper.put("")
    lab = paper.clean(report.lab)
    if report.full_marks:
        text = "full marks. ./scanlab next shows the lab that follows."
        paper.paragraph("next: ", text, first_style="bold green")
    elif report.checks:
        paper.paragraph("next: ", _advice(report), first_style="bold")
        paper.paragraph("      ", f"stuck? ./scanlab hint {lab}", "dim")
    seed = "" if report.seed is None else f", seed {report.seed}"
    sandbox = report.sandbox or "none"
    paper.paragraph("", f"backend {report.backend}{seed}, sandbox {sandbox}", "dim")


def _advice(report: Result) -> str:
    errors = [f for f in report.distinct_findings() if f.severity == "error"]
    again = f"then ./scanlab check {report.lab} again"
    if not errors:
        failed = next((c.name for c in report.checks if c.verdict != "pass"), "")
        return f'look at the check "{failed}", {again}.'
    line = next((site.line for site in errors[0].sites if site.line), 0)
    where = f" at line {line}" if line else ""
    page = f"handouts/findings/{errors[0].kind}.md"
    return f"mend {errors[0].kind}{where}, {again}. What it means: {page}"
