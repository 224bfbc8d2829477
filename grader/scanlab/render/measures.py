"""What a check measured: the proof and what it rests on, counts beside what was expected.

The harness writes `expected`, `actual` and `measured` (reference/harness/cases); this reads:

    measured.proved | measured.tested    the launch shapes and sizes, one text each
    measured.preconditions               "no data race: held", one text each
    measured.schedules                   how many schedules, or their names
    expected, actual                     of the launch that failed
    measured.expected | .ceiling         what `measured.<name of the check>` should be (at most)
    measured.launch                      which launch was counted
    measured.<anything else>             a count, where it is a number

and beside them a check may have `network`, what scanlab::probe::to_json(Network) writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_NOT_COUNTS = frozenset({"proved", "tested", "preconditions", "schedules", "launch", "expected", "ceiling"})
_MOST_COUNTS = 20


@dataclass(frozen=True)
class Precondition:
    text: str
    held: bool


@dataclass(frozen=True)
class Proof:
    """Proved for these cases, or (`held` false) only tested, and under which schedules."""

    held: bool
    cases: tuple[str, ...]
    preconditions: tuple[Precondition, ...]
    schedules: str


@dataclass(frozen=True)
class Comparison:
    """A quantity beside what the algorithm needs; `off` where the check failed over it."""

    name: str
    expected: str
    got: str
    off: bool = False


@dataclass(frozen=True)
class Measures:
    proof: Proof | None
    comparisons: tuple[Comparison, ...]
    counts: tuple[tuple[str, str], ...]
    network: Mapping[str, Any] | None


def read_measures(check: Mapping[str, Any]) -> Measures:
    measured = check.get("measured")
    fields = measured if isinstance(measured, Mapping) else {}
    comparison = _comparison(check, fields)
    taken = {str(check.get("name"))} if comparison else set()
    numbers = {str(key): value for key, value in fields.items() if isinstance(value, int | float)}
    counts = [(k, v) for k, v in numbers.items() if k not in taken and k not in _NOT_COUNTS]
    network = check.get("network")
    return Measures(
        proof=_proof(fields),
        comparisons=(comparison,) if comparison else (),
        counts=tuple((key.replace("_", " "), shown(value)) for key, value in counts[:_MOST_COUNTS]),
        network=network if isinstance(network, Mapping) else None,
    )


def _proof(fields: Mapping[str, Any]) -> Proof | None:
    cases = fields.get("proved", fields.get("tested"))
    if not isinstance(cases, list):
        return None
    return Proof(
        held="proved" in fields,
        cases=tuple(map(str, cases)),
        preconditions=tuple(map(_precondition, _texts(fields.get("preconditions")))),
        schedules=shown(fields.get("schedules")),
    )


def _precondition(text: str) -> Precondition:
    """ "no data race: held", or anything else after the colon where it did not."""
    what, _, state = text.partition(":")
    return Precondition(what.strip(), state.strip().startswith("held"))


def _comparison(check: Mapping[str, Any], fields: Mapping[str, Any]) -> Comparison | None:
    """Of the launch that failed where there is one, else of the largest."""
    name = str(check.get("name"))
    failed = check.get("verdict") == "fail"
    expected, actual = check.get("expected"), check.get("actual")
    said = isinstance(actual, str) and check.get("findings")  # a value: the finding tells it
    if (expected is not None or actual is not None) and not said:
        return Comparison(name, shown(expected), shown(actual), failed)
    if name not in fields or not fields.keys() & {"expected", "ceiling"}:
        return None
    most = f"at most {shown(fields['ceiling'])}" if "ceiling" in fields else ""
    launch = f" ({fields['launch']})" if fields.get("launch") else ""
    return Comparison(name + launch, most or shown(fields["expected"]), shown(fields[name]), failed)


def _texts(value: Any) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def shown(value: Any) -> str:
    """A JSON value as a reader wants it: numbers grouped, lists short."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return grouped(value)
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Mapping):
        pairs = list(value.items())[:8]
        return ", ".join(f"{str(key).replace('_', ' ')} {shown(item)}" for key, item in pairs)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(shown(item) for item in value[:8]) + (" …" if len(value) > 8 else "")
    return str(value)


def grouped(value: int) -> str:
    """1234567 as 1 234 567 with narrow no-break spaces; four digits stay together."""
    return f"{value:,}".replace(",", "\u202f") if abs(value) >= 10000 else str(value)
