"""The first lines of a sample submission: what the grader must say of it, and what else it may say.

// expect: pass                  full marks, no error
// expect: fail kind[,kind...]   one of these as an error, and not full marks
// allow: kind,...               further errors that may stand beside it
// may: kind,...                 errors that are a judgement call, even where pass is expected
// report: kind,...              must be said, at any severity
// forbid: kind,...              must not be said as an error or a warning
// line: N                       a finding of an expected (or reported) kind has a site at this line
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from scanlab.model import Finding, Result

_HEAD = re.compile(r"//\s*(expect|allow|may|report|forbid|line|why):\s*(.*)")


@dataclass(frozen=True)
class Head:
    """What is expected of one file. `body` is the file with its head blanked, every line in its place."""

    passes: bool
    wanted: frozenset[str]
    body: str
    allow: frozenset[str] = field(default=frozenset())
    may: frozenset[str] = field(default=frozenset())
    report: frozenset[str] = field(default=frozenset())
    forbid: frozenset[str] = field(default=frozenset())
    line: int = 0


def read(text: str) -> Head:
    """The head of a text; one without has to pass."""
    fields: dict[str, str] = {}
    lines = text.split("\n")
    for number, line in enumerate(lines):
        match = _HEAD.fullmatch(line.rstrip())
        if match is None:
            break
        fields[match[1]] = match[2]
        lines[number] = "//"
    expect, _, wanted = fields.get("expect", "pass").partition(" ")
    assert expect in ("pass", "fail"), f"// expect: {expect}"
    kinds = {key: _kinds(fields.get(key, "")) for key in ("allow", "may", "report", "forbid")}
    return Head(expect == "pass", _kinds(wanted), "\n".join(lines), line=int(fields.get("line", "0")), **kinds)


def _kinds(text: str) -> frozenset[str]:
    return frozenset(kind.strip() for kind in text.split(",") if kind.strip())


def complaints(head: Head, result: Result) -> list[str]:
    """Where a result is not what the head asks for; empty when it is."""
    if result.error is not None:
        return [f"the grader failed: {result.error.kind}: {result.error.message}"]
    found = [finding for check in result.checks for finding in check.findings]
    errors = {finding.kind for finding in found if finding.severity == "error"}
    full = result.score >= result.max_score > 0
    wrong = [f"check {check.name!r} ended in error" for check in result.checks if check.verdict == "error"]
    if head.passes and (errors - head.may or not (full or errors)):
        wrong.append(f"must pass, but: {sorted(errors)}, score {result.score:g}")
    if not head.passes:
        wrong += _wrong_failure(head, errors, full)
    loud = {finding.kind for finding in found if finding.severity != "note"}
    wrong += [f"must not be said: {kind}" for kind in sorted(head.forbid & loud)]
    wrong += [f"must be said: {kind}" for kind in sorted(head.report - {finding.kind for finding in found})]
    return wrong + _wrong_line(head, found)


def _wrong_failure(head: Head, errors: set[str], full: bool) -> list[str]:
    if full or not errors:
        return [f"passes, but must be {sorted(head.wanted)}"]
    if not errors & head.wanted:
        return [f"is {sorted(errors)}, but must be {sorted(head.wanted)}"]
    extra = errors - head.wanted - head.may - head.allow
    return [f"is also {sorted(extra)}"] if extra else []


def _wrong_line(head: Head, found: list[Finding]) -> list[str]:
    wanted = head.wanted | head.report
    lines = {site.line for finding in found if finding.kind in wanted for site in finding.sites}
    if head.line == 0 or head.line in lines:
        return []
    return [f"is told at {sorted(lines)}, but must be told at line {head.line}"]
