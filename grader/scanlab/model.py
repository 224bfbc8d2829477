"""The result file `scanlab/result/v1` as frozen dataclasses, and its strict reader and writer."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

SCHEMA_NAME = "scanlab/result/v1"

KINDS = frozenset(
    """
    build.error build.forbidden build.contract
    value.wrong value.unwritten value.input_modified value.order
    race.shared race.global fence.missing barrier.divergent
    memory.out_of_bounds memory.uninitialized memory.illegal memory.leak
    deadlock state.not_reset work.wrong steps.too_many barriers.too_many
    traffic.uncoalesced traffic.bank_conflict divergence.high launch.invalid
    run.crash run.timeout run.limit
    """.split()
)
SEVERITIES = ("error", "warning", "note")
VERDICTS = ("pass", "fail", "skip", "error")

Index = tuple[int, int, int]


class MalformedResultError(ValueError):
    """The result file is not what the schema says: the grader's failure, never the student's."""


@dataclass(frozen=True)
class Site:
    """One place in the submission, and who was there."""

    file: str
    line: int
    block: Index | None = None
    thread: Index | None = None
    access: str | None = None

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"file": self.file, "line": self.line}
        if self.block is not None:
            out["block"] = list(self.block)
        if self.thread is not None:
            out["thread"] = list(self.thread)
        if self.access is not None:
            out["access"] = self.access
        return out


@dataclass(frozen=True)
class Finding:
    """What is wrong (or worth knowing), of one of the closed list of kinds."""

    kind: str
    severity: str
    message: str
    help: str = ""
    sites: tuple[Site, ...] = ()
    count: int = 1

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "severity": self.severity,
            "message": self.message,
            "help": self.help,
            "sites": [site.to_json() for site in self.sites],
            "count": self.count,
        }


@dataclass(frozen=True)
class Check:
    """One line of the verdict."""

    name: str
    verdict: str
    points: float = 0
    max_points: float = 0
    requires: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    expected: Any = None
    actual: Any = None
    measured: Any = None
    extra: tuple[tuple[str, Any], ...] = ()  # further fields of the harness (the proof, the network)

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "name": self.name,
            "verdict": self.verdict,
            "points": _number(self.points),
            "max_points": _number(self.max_points),
            "requires": list(self.requires),
            "findings": [finding.to_json() for finding in self.findings],
            "expected": self.expected,
            "actual": self.actual,
            "measured": self.measured,
        }
        out.update(self.extra)
        return out


@dataclass(frozen=True)
class GraderFailure:
    """Why there is no verdict: our own fault."""

    kind: str
    message: str

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "message": self.message}


@dataclass(frozen=True)
class Result:
    """All that is known of one submission."""

    lab: str
    file: str
    sha256: str
    backend: str = "cpu"
    seed: int = 20260101
    sandbox: str = "none"
    checks: tuple[Check, ...] = ()
    error: GraderFailure | None = None
    extra: tuple[tuple[str, Any], ...] = ()

    @property
    def score(self) -> float:
        return float(sum(check.points for check in self.checks))

    @property
    def max_score(self) -> float:
        return float(sum(check.max_points for check in self.checks))

    @property
    def full_marks(self) -> bool:
        return self.error is None and self.max_score > 0 and self.score >= self.max_score

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for check in self.checks for finding in check.findings)

    def with_checks(self, checks: tuple[Check, ...]) -> Result:
        return replace(self, checks=checks)

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "schema": SCHEMA_NAME,
            "lab": self.lab,
            "file": self.file,
            "sha256": self.sha256,
            "backend": self.backend,
            "seed": self.seed,
            "sandbox": self.sandbox,
            "score": self.score,
            "max_score": self.max_score,
            "checks": [check.to_json() for check in self.checks],
            "error": self.error.to_json() if self.error else None,
        }
        out.update(self.extra)
        return out

    def to_text(self) -> str:
        return json.dumps(self.to_json(), indent=2, ensure_ascii=False) + "\n"


def _number(value: float) -> int | float:
    return int(value) if value == int(value) else value


# --- reading -----------------------------------------------------------------------------------


def parse(text: str | bytes) -> Result:
    """Reads a result file; anything unexpected is a MalformedResultError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise MalformedResultError(f"not JSON: {problem}") from problem
    return result_from_json(data)


def result_from_json(data: Any) -> Result:
    root = _object(data, "result")
    if root.get("schema") != SCHEMA_NAME:
        raise MalformedResultError(f"schema is {root.get('schema')!r}, not {SCHEMA_NAME!r}")
    known = {"schema", "lab", "file", "sha256", "backend", "seed", "sandbox", "score", "max_score", "checks", "error"}
    return Result(
        lab=_text(root, "lab"),
        file=_text(root, "file"),
        sha256=_text(root, "sha256"),
        backend=_text(root, "backend"),
        seed=_whole(root, "seed"),
        sandbox=_text(root, "sandbox"),
        checks=tuple(_check(item) for item in _list(root, "checks")),
        error=_failure(root.get("error")),
        extra=_rest(root, known),
    )


def _failure(data: Any) -> GraderFailure | None:
    if data is None:
        return None
    fields = _object(data, "error")
    return GraderFailure(_text(fields, "kind"), _text(fields, "message"))


def _check(data: Any) -> Check:
    fields = _object(data, "check")
    known = {"name", "verdict", "points", "max_points", "requires", "findings", "expected", "actual", "measured"}
    return Check(
        name=_text(fields, "name"),
        verdict=_one_of(fields, "verdict", VERDICTS),
        points=_real(fields, "points"),
        max_points=_real(fields, "max_points"),
        requires=tuple(str(name) for name in _list(fields, "requires")),
        findings=tuple(_finding(item) for item in _list(fields, "findings")),
        expected=fields.get("expected"),
        actual=fields.get("actual"),
        measured=fields.get("measured"),
        extra=_rest(fields, known),
    )


def _finding(data: Any) -> Finding:
    fields = _object(data, "finding")
    return Finding(
        kind=_one_of(fields, "kind", KINDS),
        severity=_one_of(fields, "severity", SEVERITIES),
        message=_text(fields, "message"),
        help=_text(fields, "help"),
        sites=tuple(_site(item) for item in _list(fields, "sites")),
        count=_whole(fields, "count"),
    )


def _site(data: Any) -> Site:
    fields = _object(data, "site")
    access = fields.get("access")
    return Site(
        file=_text(fields, "file"),
        line=_whole(fields, "line"),
        block=_index(fields.get("block")),
        thread=_index(fields.get("thread")),
        access=None if access is None else str(access),
    )


def _index(data: Any) -> Index | None:
    if data is None:
        return None
    if not isinstance(data, list) or len(data) != 3 or not all(_is_whole(v) for v in data):
        raise MalformedResultError(f"an index is three whole numbers, not {data!r}")
    return (data[0], data[1], data[2])


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _object(data: Any, what: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise MalformedResultError(f"{what} is not an object")
    return data


def _list(fields: dict[str, Any], key: str) -> list[Any]:
    value = fields.get(key)
    if not isinstance(value, list):
        raise MalformedResultError(f"{key!r} is not a list")
    return value


def _text(fields: dict[str, Any], key: str) -> str:
    value = fields.get(key)
    if not isinstance(value, str):
        raise MalformedResultError(f"{key!r} is not a text")
    return value


def _whole(fields: dict[str, Any], key: str) -> int:
    value = fields.get(key)
    if not _is_whole(value):
        raise MalformedResultError(f"{key!r} is not a whole number")
    assert isinstance(value, int)
    return value


def _real(fields: dict[str, Any], key: str) -> float:
    value = fields.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MalformedResultError(f"{key!r} is not a number")
    return value


def _one_of(fields: dict[str, Any], key: str, allowed: frozenset[str] | tuple[str, ...]) -> str:
    value = _text(fields, key)
    if value not in allowed:
        raise MalformedResultError(f"{key!r} is {value!r}, which is none of the known ones")
    return value


def _rest(fields: dict[str, Any], known: set[str]) -> tuple[tuple[str, Any], ...]:
    return tuple((key, value) for key, value in fields.items() if key not in known)
