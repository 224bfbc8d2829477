"""One page per student: each lab's verdict, findings at the source lines, counts, proof, source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from scanlab.render.clean import visible
from scanlab.render.figures import NetworkError, network_svg
from scanlab.render.highlight import Token, highlight, line_html
from scanlab.render.measures import Comparison, Proof
from scanlab.render.model import Check, Finding, Result, parse_result
from scanlab.render.page import write_page
from scanlab.render.source import Line, Mark, excerpts, split_lines, who

_MOST_LINES = 4000
_MOST_COLUMNS = 1000


@dataclass(frozen=True)
class SourceLine:
    """One row of a listing: a line of the source, or (number 0) a gap."""

    number: int
    html: Markup
    severity: str
    says: tuple[Say, ...]


@dataclass(frozen=True)
class Say:
    """What a finding says under a line: indent in characters, words, and the finding's anchor."""

    pad: int
    text: str
    severity: str
    anchor: str


@dataclass(frozen=True)
class FindingCard:
    anchor: str
    finding: Finding
    lines: tuple[SourceLine, ...]
    checks: tuple[str, ...]
    sites: tuple[str, ...]


@dataclass(frozen=True)
class CountTable:
    """Further counts: one row per check, one column per quantity."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class ProofView:
    name: str
    proof: Proof
    operators: str


@dataclass(frozen=True)
class NetworkView:
    name: str
    svg: Markup
    proved: bool  # else it may be one of several that this file can draw
    gaps: bool  # some sum is of no unbroken run of elements


@dataclass(frozen=True)
class LabView:
    """Everything the template shows of one lab."""

    anchor: str
    result: Result
    cards: tuple[FindingCard, ...]
    comparisons: tuple[Comparison, ...]
    counts: CountTable
    proofs: tuple[ProofView, ...]
    networks: tuple[NetworkView, ...]
    source: tuple[SourceLine, ...]
    cut: bool

    @property
    def percent(self) -> float:
        most = self.result.max_score
        return min(100.0, 100 * max(0.0, self.result.score) / most) if most > 0 else 0.0

    @property
    def summary(self) -> str:
        return summary(self.result)


def render_student(
    results: Sequence[Mapping[str, Any]],
    sources: Mapping[str, str],
    student: str,
    out: Path,
    *,
    class_page: str | None = None,
    handouts: str | None = None,
) -> None:
    labs = [
        _lab_view(parse_result(data), sources.get(str(data.get("lab"))), index) for index, data in enumerate(results, 1)
    ]
    write_page(
        "student.html.j2",
        out,
        labs=labs,
        student=student,
        class_page=class_page,
        handouts=handouts.rstrip("/") if handouts else None,
    )


def summary(result: Result) -> str:
    """One sentence: what came out."""
    if result.error:
        return "The grader itself failed on this file; no verdict, and no points lost."
    counts = [(result.count("error"), "error"), (result.count("warning"), "warning")]
    said = " and ".join(f"{n} {word}{'s' if n > 1 else ''}" for n, word in counts if n)
    if result.full_marks:
        return f"Full marks{f', with {said}' if said else ''}."
    return f"{said[0].upper()}{said[1:]} found." if said else "Some checks did not pass."


def _lab_view(result: Result, source: str | None, index: int) -> LabView:
    anchor = f"lab{index}"
    lines = [line[:_MOST_COLUMNS] for line in split_lines(source)] if source is not None else []
    shown = lines[:_MOST_LINES]
    tokens = highlight(shown)
    cards = tuple(
        _card(finding, f"{anchor}-finding{n}", lines, tokens, result)
        for n, finding in enumerate(result.distinct_findings(), 1)
    )
    return LabView(
        anchor=anchor,
        result=result,
        cards=cards,
        comparisons=tuple(row for check in result.checks for row in check.measures.comparisons),
        counts=_counts(result),
        proofs=_proofs(result),
        networks=_networks(result),
        source=_whole_source(shown, tokens, cards),
        cut=len(lines) > len(shown),
    )


def _counts(result: Result) -> CountTable:
    measured = [(check.name, dict(check.measures.counts)) for check in result.checks]
    columns = tuple(dict.fromkeys(name for _, counts in measured for name in counts))
    rows = [(name, tuple(counts.get(c, "") for c in columns)) for name, counts in measured if counts]
    return CountTable(columns, tuple(rows))


def _proofs(result: Result) -> tuple[ProofView, ...]:
    return tuple(
        ProofView(check.name, proof, _operators(check))
        for check in result.checks
        if (proof := check.measures.proof) is not None
    )


def _operators(check: Check) -> str:
    """For which operators the result is right: `value.order` is said where order was not kept."""
    reordered = any(finding.kind == "value.order" for finding in check.findings)
    return "commutative" if reordered else "associative"


def _networks(result: Result) -> tuple[NetworkView, ...]:
    """Drawings of what the kernel added; a network too large to draw is left out."""
    drawn = []
    for check in result.checks:
        if check.measures.network is not None:
            with suppress(NetworkError):
                svg = network_svg(check.measures.network, f"Network of additions, {visible(check.name)}")
                proved = check.measures.proof is not None and check.measures.proof.held
                drawn.append(NetworkView(check.name, svg, proved, gaps='class="dot off"' in svg))
    return tuple(drawn)


def _card(
    finding: Finding,
    anchor: str,
    lines: Sequence[str],
    tokens: Sequence[Sequence[Token]],
    result: Result,
) -> FindingCard:
    rows: list[SourceLine] = []
    for run in excerpts(finding, lines, context=2):
        if rows:
            rows.append(SourceLine(0, Markup(""), "", ()))
        rows += [_row(line, tokens, finding, anchor) for line in run]
    checks = [c.name for c in result.checks if any(f.key == finding.key for f in c.findings)]
    return FindingCard(anchor, finding, tuple(rows), tuple(checks), _site_words(finding))


def _row(line: Line, tokens: Sequence[Sequence[Token]], finding: Finding, anchor: str) -> SourceLine:
    known = tokens[line.number - 1] if line.number <= len(tokens) else [Token("", line.text)]
    says = tuple(_say(mark, finding.severity, anchor) for mark in line.marks if mark.label)
    severity = finding.severity if line.marks else ""
    return SourceLine(line.number, line_html(known, line.marks, severity), severity, says)


def _say(mark: Mark, severity: str, anchor: str) -> Say:
    return Say(mark.start, mark.label, severity, anchor)


def _site_words(finding: Finding) -> tuple[str, ...]:
    """The sites in words, for findings whose lines are not to be had."""
    places = [
        f"line {site.line}: {who(site, with_block=True)}" if site.line else who(site, True)
        for site in finding.sites[:8]
    ]
    return tuple(place for place in places if place)


def _whole_source(
    lines: Sequence[str], tokens: Sequence[Sequence[Token]], cards: Sequence[FindingCard]
) -> tuple[SourceLine, ...]:
    """The file with each finding's kind under its lines, linked to the finding."""
    says: dict[int, list[Say]] = {}
    for card in cards:
        for number in card.finding.lines:
            text = f"{card.finding.kind} ({card.finding.severity})"
            pad = len(lines[number - 1]) - len(lines[number - 1].lstrip()) if number <= len(lines) else 0
            says.setdefault(number, []).append(Say(pad, text, card.finding.severity, card.anchor))
    return tuple(
        SourceLine(number, line_html(row), _worst(says.get(number, ())), tuple(says.get(number, ())))
        for number, row in enumerate(tokens if lines else [], 1)
    )


def _worst(says: Sequence[Say]) -> str:
    order = ("error", "warning", "note")
    return min((say.severity for say in says), key=order.index, default="")
