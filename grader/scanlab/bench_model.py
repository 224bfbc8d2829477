"""`scanlab bench --model`: what the machine counts of each solution, next to the textbook's cost model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scanlab import costs, device_check, paths, pipeline, sandbox, toolchain
from scanlab.cli import Status
from scanlab.paths import Lab

UNITS = 32  # the lanes of a warp
_COUNTED = "steps on 32 units"  # the harness's word in the check "divergence"

# Of one section; the labs that scan whole arrays have no estimate in the book.
_TEXTBOOK: dict[str, Callable[[int, int], float]] = {
    "kogge_stone": lambda section, _: costs.kogge_stone_units(section, UNITS),
    "double_buffered": lambda section, _: costs.kogge_stone_units(section, UNITS),
    "brent_kung": lambda section, _: costs.brent_kung_units(section, UNITS),
    "coarsened": lambda threads, factor: costs.coarsened_units(threads, factor, UNITS),
}


@dataclass(frozen=True)
class Row:
    """One solution on one full section."""

    lab: str
    shape: str
    elements: int
    textbook: float
    counted: int | None


def run() -> int:
    """Checks the solutions and prints the table."""
    toolchain.ensure_built()
    rows = [row(lab, counted(lab)) for lab in paths.labs() if lab.name in _TEXTBOOK]
    _print(rows)
    return int(Status.FULL_MARKS if all(one.counted is not None for one in rows) else Status.OURS)


def row(lab: Lab, steps: int | None) -> Row:
    section, factor = device_check.number_shapes(lab)[-1]
    shape = f"{section} x {factor}" if factor else str(section)
    return Row(lab.name, shape, section * max(factor, 1), _TEXTBOOK[lab.name](section, factor), steps)


def counted(lab: Lab) -> int | None:
    """The machine's own count, where the solution is right."""
    data = lab.solution.read_bytes()
    result = pipeline.check(data, lab.source_name, lab, pipeline.Settings(sandbox.find())).result
    found = (check.measured[_COUNTED] for check in result.checks if check.measured and _COUNTED in check.measured)
    return next(found, None)


def _print(rows: list[Row]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in ("solution", "one block", "one unit", "textbook", "counted"):
        table.add_column(heading, justify="left" if heading in ("solution", "one block") else "right")
    for one in rows:
        count = "not counted" if one.counted is None else str(one.counted)
        table.add_row(one.lab, one.shape, str(one.elements - 1), f"{one.textbook:.1f}", count)
    Console().print(table)
    print(f"\nSteps on {UNITS} units. Counted: additions of whole warps; one active lane costs as much as a full warp.")
    steps = costs.coarsened_units(64, 16, UNITS)
    print(f"The book's coarsened example, 1024 elements by 64 threads: {steps:.1f} steps.")
