"""Figures of a real GPU (scanlab/bench/v1, sets of scan_bench.cu): read, put into tables, asked for one by one.

Handouts and the page of `bench --backend cuda` take every figure from here; nobody types one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from scanlab import paths

BUNDLED = paths.ROOT / "datasets" / "performance" / "h200.json"
TYPES = ("float32", "int32")

# The lines of the performance page: the lab, and whether it scans sections alone rather than the whole array.
LABS = {
    "kogge_stone": (1, True),
    "double_buffered": (2, True),
    "brent_kung": (3, True),
    "coarsened": (4, True),
    "hierarchical": (5, False),
    "hierarchical_coarsened": (5, False),
    "domino": (6, False),
    "look_back": (7, False),
    "look_back_fast": (7, False),
}
COPY, CUB = "copy", "cub"
_NAMES = {COPY: "a copy", CUB: "`cub::DeviceScan`"}

# The steps of handout 07b, each with one change more than the line before.
_LARGE = (
    ("copy", "a copy: nothing can be faster"),
    ("cub", "`cub::DeviceScan`"),
    ("look_back", "`look_back.cu`"),
    ("window.128x16", "1: a warp looks back; words; registers (128 threads × 16)"),
    ("window.512x32", "2: larger tiles (512 × 32)"),
    ("window.512x32.back_off", "3: 500 ns of rest between looks"),
    ("persistent.48KB.lead0", "4: one block per multiprocessor, its own running prefix, bulk loads"),
    ("persistent.48KB.lead1", "5: totals told one tile ahead"),
    ("persistent.48KB.lead2", "6: two tiles ahead"),
    ("persistent.32KB.lead2", "7: tiles of 32 KB in 6 stages instead of 48 KB in 4"),
    ("persistent.32KB.lead3", "8: three tiles ahead"),
    ("persistent.plain_stores", "9: plain stores instead of streaming ones"),
)
_BESIDE = (
    ("persistent.loads_once", "streaming stores, and loads that say “read once”"),
    ("persistent.in_turn", "tiles in turn instead of drawn"),
    ("persistent.4stages", "4 stages instead of 6, three tiles ahead"),
    ("persistent.overlapped", "launches overlap"),
)
_SMALL = (
    ("copy", "a copy"),
    ("cub", "`cub::DeviceScan`"),
    ("look_back", "`look_back.cu`"),
    ("window.256x8", "1: windows of a warp, as for large N (256 × 8)"),
    ("block.256x4", "2: the whole block looks at all tiles at once (256 × 4)"),
    ("block.256x8", "3: tiles of 256 × 8"),
    ("block.256x16", "4: tiles of 256 × 16"),
    ("block.256x16.overlapped", "5: neighbouring launches overlap"),
)


class MeasuredError(ValueError):
    """There is no such figure."""


@dataclass(frozen=True)
class Figure:
    """One candidate at one N: microseconds (the median, and between the quartiles) and what follows from them."""

    us: float
    spread: float
    gb_per_s: float
    of_copy: float
    of_cub: float


@dataclass(frozen=True)
class Figures:
    """One run on one device. A key is (set, candidate, type, N)."""

    device: Mapping[str, Any]
    samples: int
    rows: Mapping[tuple[str, str, str, int], Figure]

    def at(self, set_: str, candidate: str, kind: str, n: int) -> Figure:
        try:
            return self.rows[set_, candidate, kind, n]
        except KeyError as problem:
            raise MeasuredError(f"nothing was measured of {set_}, {candidate}, {kind}, N = {n}") from problem

    def sizes(self, kind: str, set_: str = "labs") -> list[int]:
        return sorted({n for s, _, k, n in self.rows if (s, k) == (set_, kind)})

    def candidates(self, kind: str) -> list[str]:
        """Of the set `labs`, in the page's order."""
        there = {candidate for s, candidate, k, _ in self.rows if (s, k) == ("labs", kind)}
        return [name for name in (COPY, *LABS, CUB) if name in there]


@dataclass(frozen=True)
class Table:
    """Cells are text; `code` between backticks. The first `left` columns are words, the others numbers."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1


def parse(data: Mapping[str, Any]) -> Figures:
    rows = {
        (row["set"], row["candidate"], row["type"], row["n"]): Figure(
            row["value"], row["spread"], row["gb_per_s"], row["of_copy"], row["of_cub"]
        )
        for row in data["results"]
        if row["unit"] == "us"
    }
    return Figures(data["device"], data["samples"], rows)


def read(path: Path) -> Figures:
    return parse(json.loads(path.read_text(encoding="utf-8")))


@cache
def bundled() -> Figures:
    """Those of the H200 that the kit was tuned on."""
    return read(BUNDLED)


def device_words(figures: Figures) -> str:
    device = figures.device
    driver = f", driver {device['driver']}" if "driver" in device else ""
    cache_size = f"{device['l2_bytes'] / (1 << 20):.0f} MB of L2 cache"
    return (f"{device['name']} ({device['multiprocessors']} multiprocessors, {cache_size}{driver}, "
            f"CUDA {device['toolkit']}); medians of {figures.samples} batches")  # fmt: skip


# --- one by one: `{{ gpu.us("labs", "look_back", "float32", 28) }}` ----------------------------------


def _one(field: Callable[[Figure], float]) -> Callable[[str, str, str, int], float]:
    return lambda set_, candidate, kind, log2_n: field(bundled().at(set_, candidate, kind, 1 << log2_n))


FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "gpu.us": _one(lambda figure: figure.us),
    "gpu.gb_per_s": _one(lambda figure: figure.gb_per_s),
    "gpu.percent_of_copy": _one(lambda figure: 100 * figure.of_copy),
    "gpu.times_cub": _one(lambda figure: figure.of_cub),
    "gpu.samples": lambda: bundled().samples,
    "gpu.multiprocessors": lambda: int(bundled().device["multiprocessors"]),
}


# --- tables ------------------------------------------------------------------------------------------


def power(n: int) -> str:
    digits = str(n.bit_length() - 1).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"2{digits}" if n & (n - 1) == 0 else str(n)


def micro(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def _percent(ratio: float) -> str:
    return f"{100 * ratio:.1f} %"


def table(name: str, figures: Figures) -> Table:
    """By name: `labs float32`, `labs int32`, `result`, `large`, `beside`, `small`, `variants`."""
    made: dict[str, Callable[[Figures], Table]] = {
        "result": _result,
        "large": partial(_steps, _LARGE),
        "beside": partial(_steps, _BESIDE),
        "small": _small,
        "variants": _variants,
        **{f"labs {kind}": partial(_labs, kind) for kind in TYPES},
    }
    if name not in made:
        raise MeasuredError(f"there is no table {name!r}; there are {', '.join(made)}")
    return made[name](figures)


def _labs(kind: str, figures: Figures) -> Table:
    """Times, and of the largest N what follows from them."""
    sizes = figures.sizes(kind)
    if not sizes:
        raise MeasuredError(f"nothing was measured of the labs with {kind}")
    head = [f"{kind}, µs", *map(power, sizes), "spread", "GB/s", "of copy", "of CUB"]
    return Table(head, [_lab_row(figures, name, kind, sizes) for name in figures.candidates(kind)])


def _lab_row(figures: Figures, name: str, kind: str, sizes: Sequence[int]) -> list[str]:
    times = [figures.rows.get(("labs", name, kind, n)) for n in sizes]
    last = figures.at("labs", name, kind, sizes[-1])
    return [
        _NAMES.get(name, f"`{name}`"),
        *(micro(one.us) if one else "" for one in times),
        micro(last.spread),
        f"{last.gb_per_s:.{0 if last.gb_per_s >= 10 else 1}f}",
        _percent(last.of_copy),
        _percent(last.of_cub),
    ]


def _result(figures: Figures) -> Table:
    head = ["N", "type", "copy, µs", "CUB, µs", "fast form, µs", "of a copy’s speed", "times CUB’s speed"]
    return Table(head, list(_result_rows(figures)), left=2)


def _result_rows(figures: Figures) -> Iterator[list[str]]:
    for n in sorted({n for kind in TYPES for n in figures.sizes(kind)}):
        for kind in TYPES:
            if n in figures.sizes(kind):
                copy, cub, fast = (figures.at("labs", name, kind, n) for name in (COPY, CUB, "look_back_fast"))
                yield [power(n), kind, micro(copy.us), micro(cub.us), f"{micro(fast.us)} ± {fast.spread / 2:.2f}",
                       _percent(fast.of_copy), f"{fast.of_cub:.2f}"]  # fmt: skip


def _steps(steps: Sequence[tuple[str, str]], figures: Figures) -> Table:
    rows = []
    for name, words in steps:
        floats, whole = (figures.at("large", name, kind, 1 << 28) for kind in TYPES)
        rows.append([words, micro(floats.us), micro(whole.us), _percent(floats.of_copy)])
    return Table(["step", "float32, µs", "int32, µs", "of a copy’s speed"], rows)


def _small(figures: Figures) -> Table:
    sizes = [1 << bits for bits in (16, 18, 20, 22)]
    rows = [[words, *(micro(figures.at("small", name, "float32", n).us) for n in sizes)] for name, words in _SMALL]
    return Table(["step", *map(power, sizes)], rows)


def _variants(figures: Figures) -> Table:
    rows = [
        [f"`{name}`", micro(figure.us), _percent(figure.of_copy)]
        for (set_, name, kind, _), figure in figures.rows.items()
        if (set_, kind) == ("variants", "float32") and name not in (COPY, CUB)
    ]
    return Table([f"float32, {power(1 << 28)}", "µs", "of a copy’s speed"], rows)
