"""The student's own lines: which part of a line a site means, and the lines around it.

A site has a line but no column. `locate` finds the likely part from the kind of access and the
array that the message names, as a reader would; where it cannot tell, the whole line is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scanlab.render.clean import visible
from scanlab.render.model import Finding, Site

TAB = 4
_ELEMENT = re.compile(r"\b([A-Za-z_]\w*)\s*\[")
_ASSIGN = re.compile(r"(?<![=!<>])(?:[-+*/|&^]|<<|>>)?=(?!=)")
_BARRIER = re.compile(r"\b(?:__syncthreads\w*|__syncwarp|\w+\.sync)\s*\(")
_FENCE = re.compile(r"\b__threadfence\w*\s*\(")
_ATOMIC = re.compile(r"\batomic\w+\s*\(|\.(?:load|store|fetch_\w+|exchange|compare_exchange_\w+)\s*\(")


@dataclass(frozen=True)
class Mark:
    """A stretch of one line, [start, end) in characters, and what happens there."""

    start: int
    end: int
    label: str


@dataclass(frozen=True)
class Line:
    number: int
    text: str
    marks: tuple[Mark, ...]


def split_lines(source: str) -> list[str]:
    """Lines as the compiler counts them (by newline alone), visible and with tabs expanded."""
    return [visible(line.removesuffix("\r")).expandtabs(TAB) for line in source.split("\n")]


def excerpts(finding: Finding, lines: Sequence[str], context: int = 1) -> list[list[Line]]:
    """The lines around each site in order, as runs: a gap in the numbers starts a new run."""
    marks = _marks_by_line(finding, lines)
    wanted = sorted({n for line in marks for n in range(line - context, line + context + 1) if 1 <= n <= len(lines)})
    runs: list[list[Line]] = []
    for number in wanted:
        line = Line(number, lines[number - 1], tuple(marks.get(number, ())))
        if runs and runs[-1][-1].number == number - 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def _marks_by_line(finding: Finding, lines: Sequence[str]) -> dict[int, list[Mark]]:
    several_blocks = len({site.block for site in finding.sites}) > 1
    marks: dict[int, list[Mark]] = {}
    for site in finding.sites:
        if not 1 <= site.line <= len(lines):
            continue
        start, end = locate(lines[site.line - 1], site.access, finding.message)
        mark = Mark(start, end, who(site, several_blocks))
        if mark not in marks.setdefault(site.line, []):
            marks[site.line].append(mark)
    return {line: sorted(found, key=lambda mark: mark.start) for line, found in marks.items()}


def who(site: Site, with_block: bool) -> str:
    """ "thread 33 reads", "thread 0 of block 2 writes": who was here, doing what."""
    thread = f"thread {_index(site.thread)}" if site.thread is not None else ""
    block = f"block {_index(site.block)}" if site.block is not None else ""
    actor = " of ".join(part for part in (thread, block if with_block or not thread else "") if part)
    return " ".join(part for part in (actor, _verb(site.access, bool(actor))) if part)


def _verb(access: str, has_actor: bool) -> str:
    verbs = {
        "read": "reads",
        "write": "writes",
        "barrier": "waits here",
        "exit": "has left the kernel",
        "atomic": "does an atomic",
        "fence": "fences",
        "flag write": "writes the flag",
        "flag read": "reads the flag",
        "wait": "waits here",
        "running": "was here",
        "poll": "polls",
    }
    return verbs.get(access, visible(access)) if has_actor else visible(access)


def _index(index: tuple[int, int, int]) -> str:
    x, y, z = index
    return str(x) if y == z == 0 else f"({x}, {y}, {z})"


def locate(line: str, access: str, message: str) -> tuple[int, int]:
    """The part of `line` that does `access`; the whole statement where that is not clear."""
    code = _code_span(line)
    for pattern in _calls_for(access):
        found = pattern.search(line, *code)
        if found:
            return found.start(), _closing(line, found.end() - 1, code[1])
    if access in ("read", "write"):
        element = _element(line, code, access, message)
        if element:
            return element
    return code


def _calls_for(access: str) -> Iterable[re.Pattern[str]]:
    if "barrier" in access:
        yield _BARRIER
    elif "fence" in access:
        yield _FENCE
    elif "atomic" in access or "flag" in access or access == "poll":
        yield _ATOMIC


def _element(line: str, code: tuple[int, int], access: str, message: str) -> tuple[int, int] | None:
    """The element `name[…]` read or written: on the right side of an assignment, or the left."""
    found = list(_ELEMENT.finditer(line, *code))
    named = [m for m in found if re.search(rf"\b{re.escape(m[1])}\b", message)]
    assign = _ASSIGN.search(line, *code)
    if assign:
        side = [m for m in named if (m.start() < assign.start()) == (access == "write")]
        # `a[i] += b` reads its left side too.
        compound = access == "read" and len(assign[0]) > 1 and named
        named = side or (named if compound else [])
    if len(named) != 1:
        return None
    return named[0].start(), _closing(line, named[0].end() - 1, code[1])


def _closing(line: str, opening: int, end: int) -> int:
    """One past the bracket that closes the one at `opening`."""
    depth = 0
    for position in range(opening, end):
        depth += (line[position] in "([") - (line[position] in ")]")
        if depth == 0:
            return position + 1
    return end


def _code_span(line: str) -> tuple[int, int]:
    """Where the statement stands: without the indent and a trailing // comment."""
    comment = line.find("//")
    end = comment if comment > 0 and line[:comment].strip() else len(line)
    start = len(line) - len(line.lstrip())
    return start, max(len(line[:end].rstrip()), start + 1)
