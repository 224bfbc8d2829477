"""A result file (scanlab/result/v1) as typed, immutable values for the reports.

Reading is forgiving: a report must come out for whatever the grader could still write, so that a
missing part becomes an empty one. Validating against the schema is the grader's work, not ours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scanlab.render.measures import Measures, read_measures

SEVERITIES = ("error", "warning", "note")
VERDICTS = ("pass", "fail", "skip", "error")

# What a student should mend first: nothing later means much while an earlier kind stands.
_URGENCY = (
    "build.",
    "run.",
    "launch.",
    "memory.",
    "barrier.divergent",
    "deadlock",
    "race.",
    "fence.",
    "state.",
    "value.",
    "steps.",
    "work.",
    "barriers.",
    "traffic.",
    "divergence.",
)


@dataclass(frozen=True)
class Site:
    """One place in the submission, and who was there."""

    file: str
    line: int
    block: tuple[int, int, int] | None
    thread: tuple[int, int, int] | None
    access: str


@dataclass(frozen=True)
class Finding:
    kind: str
    severity: str
    message: str
    help: str
    sites: tuple[Site, ...]
    count: int

    @property
    def key(self) -> tuple[object, ...]:
        """Two findings with one key tell the student the same thing."""
        places = tuple(sorted((site.line, site.access) for site in self.sites))
        return (self.kind, self.severity, places, self.help if not places else "")

    @property
    def is_known_kind(self) -> bool:
        """Safe to make a link of; the schema holds the closed list."""
        return re.fullmatch(r"[a-z_]+(\.[a-z_]+)?", self.kind) is not None

    @property
    def lines(self) -> list[int]:
        return sorted({site.line for site in self.sites if site.line > 0})


@dataclass(frozen=True)
class Check:
    name: str
    verdict: str
    points: float
    max_points: float
    requires: tuple[str, ...]
    findings: tuple[Finding, ...]
    measures: Measures


@dataclass(frozen=True)
class Result:
    lab: str
    file: str
    sha256: str
    backend: str
    seed: int | None
    sandbox: str
    score: float
    max_score: float
    checks: tuple[Check, ...]
    error: str

    @property
    def full_marks(self) -> bool:
        return not self.error and self.score >= self.max_score > 0

    @property
    def findings(self) -> list[Finding]:
        return [finding for check in self.checks for finding in check.findings]

    def unmet(self, check: Check) -> list[str]:
        """Of what a check requires, the checks that failed: why it was not tried."""
        failed = {other.name for other in self.checks if other.verdict in ("fail", "error")}
        return [name for name in check.requires if name in failed]

    def distinct_findings(self) -> list[Finding]:
        """Each thing said once, the most urgent first."""
        distinct: dict[tuple[object, ...], Finding] = {}
        for finding in self.findings:
            distinct.setdefault(finding.key, finding)
        return sorted(distinct.values(), key=urgency)

    def count(self, severity: str) -> int:
        return sum(finding.severity == severity for finding in self.distinct_findings())


def urgency(finding: Finding) -> tuple[int, int]:
    """Sort key: errors before warnings before notes, then what hides what."""
    severity = SEVERITIES.index(finding.severity)
    ranks = [rank for rank, start in enumerate(_URGENCY) if finding.kind.startswith(start)]
    return severity, ranks[0] if ranks else len(_URGENCY)


def parse_result(data: Mapping[str, Any]) -> Result:
    return Result(
        lab=_text(data.get("lab")),
        file=_text(data.get("file")),
        sha256=_text(data.get("sha256")),
        backend=_text(data.get("backend")) or "cpu",
        seed=data["seed"] if isinstance(data.get("seed"), int) else None,
        sandbox=_text(data.get("sandbox")),
        score=_number(data.get("score")),
        max_score=_number(data.get("max_score")),
        checks=tuple(_check(check) for check in _mappings(data.get("checks"))),
        error=_error(data.get("error")),
    )


def _check(data: Mapping[str, Any]) -> Check:
    verdict = _text(data.get("verdict"))
    return Check(
        name=_text(data.get("name")),
        verdict=verdict if verdict in VERDICTS else "error",
        points=_number(data.get("points")),
        max_points=_number(data.get("max_points")),
        requires=tuple(_text(name) for name in data.get("requires") or ()),
        findings=tuple(_finding(finding) for finding in _mappings(data.get("findings"))),
        measures=read_measures(data),
    )


def _finding(data: Mapping[str, Any]) -> Finding:
    severity = _text(data.get("severity"))
    count = data.get("count")
    return Finding(
        kind=_text(data.get("kind")),
        severity=severity if severity in SEVERITIES else "error",
        message=_text(data.get("message")),
        help=_text(data.get("help")),
        sites=tuple(_site(site) for site in _mappings(data.get("sites"))),
        count=count if isinstance(count, int) else 1,
    )


def _site(data: Mapping[str, Any]) -> Site:
    line = data.get("line")
    return Site(
        file=_text(data.get("file")),
        line=line if isinstance(line, int) and line > 0 else 0,
        block=_index3(data.get("block")),
        thread=_index3(data.get("thread")),
        access=_text(data.get("access")),
    )


def points_text(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list | tuple) else []


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _index3(value: Any) -> tuple[int, int, int] | None:
    if not isinstance(value, list | tuple) or len(value) != 3:
        return None
    x, y, z = value
    return (x, y, z) if all(isinstance(part, int) for part in (x, y, z)) else None


def _error(value: Any) -> str:
    if isinstance(value, Mapping):
        return ": ".join(part for part in (_text(value.get("kind")), _text(value.get("message"))) if part)
    return _text(value)
