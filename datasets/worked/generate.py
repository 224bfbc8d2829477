#!/usr/bin/env python3
"""Writes the worked examples: every intermediate state of every scan, and the figure table.

An implementation of its own, in another language than reference/scan: the C++ tests compare the
two. `generate.py` rewrites the JSON files beside it; `generate.py --check` only says whether they
are up to date.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PMPP = "W. Hwu, D. Kirk, I. El Hajj: Programming Massively Parallel Processors, 4th ed., 2022, "

EIGHT = [3, 1, 7, 0, 4, 1, 6, 3]
KOGGE_STONE_EIGHT = [4, 6, 7, 1, 2, 8, 5, 2]
SIXTEEN = [2, 1, 3, 1, 0, 4, 1, 2, 0, 3, 1, 2, 1, 4, 2, 4]

Plus = Callable[[Any, Any], Any]
Operation = tuple[int, int, int]  # cells: left, right, target


@dataclass
class Example:
    """One algorithm on one input. Cells hold the arrays one after the other."""

    name: str
    title: str
    source: str
    algorithm: str
    input: list[Any]
    loaded: list[Any]
    parameters: dict[str, Any] = field(default_factory=dict)
    identity: Any = 0
    plus: Plus = lambda a, b: a + b
    arrays: list[tuple[str, int, int]] = field(default_factory=list)  # name, first cell, size
    steps: list[dict[str, Any]] = field(default_factory=list)
    cells: list[Any] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)

    def lay_out(self, *arrays: tuple[str, int, int]) -> None:
        """`arrays` are (name, cells, cells shown)."""
        first = 0
        for name, size, shown in arrays:
            self.arrays.append((name, first, shown))
            first += size
        self.cells = self.loaded + [self.identity] * (first - len(self.loaded))

    def step(
        self,
        phase: str,
        stride: int,
        operations: list[Operation],
        copies: list[tuple[int, int]] | None = None,
    ) -> None:
        """All operands are read before anything is stored: a barrier, or a second buffer."""
        before = list(self.cells)
        for source, target in copies or []:
            self.cells[target] = before[source]
        for left, right, target in operations:
            self.cells[target] = self.plus(before[left], before[right])
        record: dict[str, Any] = {"phase": phase, "stride": stride}
        record["operations"] = [list(operation) for operation in operations]
        if copies:
            record["copies"] = [list(copy) for copy in copies]
        record |= {name: self.cells[first : first + size] for name, first, size in self.arrays}
        self.steps.append(record)

    def finish(self, result: str = "values") -> dict[str, Any]:
        first, size = next((first, size) for name, first, size in self.arrays if name == result)
        return {
            "schema": "scanlab/worked/v1",
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "algorithm": self.algorithm,
            "parameters": self.parameters,
            "input": self.input,
            "loaded": self.loaded,
            "arrays": [
                {"name": name, "first": first, "size": size} for name, first, size in self.arrays
            ],
            "steps": self.steps,
            "output": self.cells[first : first + size][: len(self.input)],
            **self.more,
        }


# --- step generators: (phase, stride, operations) over the elements at the given cells ------------


def kogge_stone(cells: list[int], phase: str) -> list[tuple[str, int, list[Operation]]]:
    n = len(cells)
    strides = [2**k for k in range((n - 1).bit_length())]
    return [(phase, s, [(cells[i - s], cells[i], cells[i]) for i in range(s, n)]) for s in strides]


def brent_kung(cells: list[int], up: str, down: str) -> list[tuple[str, int, list[Operation]]]:
    n = len(cells)
    levels = n.bit_length() - 1
    steps = []
    for k in range(levels):
        s = 2**k
        steps.append(
            (up, s, [(cells[i - s], cells[i], cells[i]) for i in range(2 * s - 1, n, 2 * s)])
        )
    for k in reversed(range(levels - 1)):
        s = 2**k
        steps.append(
            (
                down,
                s,
                [(cells[i], cells[i + s], cells[i + s]) for i in range(2 * s - 1, n - s, 2 * s)],
            )
        )
    return steps


# --- the examples ---------------------------------------------------------------------------------


def sequential_8() -> dict[str, Any]:
    example = Example(
        "sequential_8",
        "Sequential scan, inclusive and exclusive",
        PMPP + "section 11.1",
        "sequential",
        EIGHT,
        EIGHT,
    )
    example.lay_out(("values", 8, 8))
    for i in range(1, 8):
        example.step("sequential", 0, [(i - 1, i, i)])
    example.more["exclusive_output"] = [0, *example.cells[:-1]]
    return example.finish()


def naive_8() -> dict[str, Any]:
    example = Example(
        "naive_8",
        "Naive scan: every thread sums from scratch",
        PMPP + "chapter 11",
        "naive",
        EIGHT,
        EIGHT,
    )
    example.lay_out(("input_array", 8, 8), ("values", 8, 8))
    example.step("start", 0, [], [(0, 8 + i) for i in range(8)])
    for k in range(1, 8):
        example.step("naive", 0, [(8 + i, k, 8 + i) for i in range(k, 8)])
    return example.finish()


def kogge_stone_8() -> dict[str, Any]:
    example = Example(
        "kogge_stone_8",
        "Kogge-Stone, inclusive",
        PMPP + "section 11.2",
        "kogge_stone",
        KOGGE_STONE_EIGHT,
        KOGGE_STONE_EIGHT,
    )
    example.lay_out(("values", 8, 8))
    for step in kogge_stone(list(range(8)), "scan"):
        example.step(*step)
    return example.finish()


def kogge_stone_exclusive_8() -> dict[str, Any]:
    example = Example(
        "kogge_stone_exclusive_8",
        "Kogge-Stone, exclusive: the input is shifted when it is loaded",
        PMPP + "section 11.2",
        "kogge_stone",
        EIGHT,
        [0, *EIGHT[:-1]],
        {"kind": "exclusive"},
    )
    example.lay_out(("values", 8, 8))
    for step in kogge_stone(list(range(8)), "scan"):
        example.step(*step)
    return example.finish()


def kogge_stone_invariant_16() -> dict[str, Any]:
    runs = [[i, i] for i in range(16)]

    def hull(a: list[int], b: list[int]) -> list[int]:
        assert a[1] + 1 == b[0], "only neighbours merge"
        return [a[0], b[1]]

    example = Example(
        "kogge_stone_invariant_16",
        "After k steps element i holds the sum of itself and its left neighbours, 2^k in all",
        "invariant of " + PMPP + "section 11.2",
        "kogge_stone",
        runs,
        runs,
        {"elements": "intervals"},
        identity=None,
        plus=hull,
    )
    example.lay_out(("values", 16, 16))
    for step in kogge_stone(list(range(16)), "scan"):
        example.step(*step)
    return example.finish()


def double_buffered_8() -> dict[str, Any]:
    example = Example(
        "double_buffered_8",
        "Kogge-Stone between two buffers: one barrier per step",
        PMPP + "section 11.2",
        "double_buffered",
        KOGGE_STONE_EIGHT,
        KOGGE_STONE_EIGHT,
    )
    example.lay_out(("first_buffer", 8, 8), ("second_buffer", 8, 8))
    source, target = 0, 8
    for stride in (1, 2, 4):
        example.step(
            "scan",
            stride,
            [(source + i - stride, source + i, target + i) for i in range(stride, 8)],
            [(source + i, target + i) for i in range(stride)],
        )
        source, target = target, source
    return example.finish("second_buffer" if source else "first_buffer")


def brent_kung_16() -> dict[str, Any]:
    example = Example(
        "brent_kung_16",
        "Brent-Kung: reduction tree 8+4+2+1, reverse tree 1+3+7",
        PMPP + "section 11.4",
        "brent_kung",
        SIXTEEN,
        SIXTEEN,
    )
    example.lay_out(("values", 16, 16))
    for step in brent_kung(list(range(16)), "tree", "reverse tree"):
        example.step(*step)
    return example.finish()


def brent_kung_exclusive_8() -> dict[str, Any]:
    example = Example(
        "brent_kung_exclusive_8",
        "Brent-Kung, exclusive: the input is shifted when it is loaded",
        PMPP + "section 11.4",
        "brent_kung",
        EIGHT,
        [0, *EIGHT[:-1]],
        {"kind": "exclusive"},
    )
    example.lay_out(("values", 8, 8))
    for step in brent_kung(list(range(8)), "tree", "reverse tree"):
        example.step(*step)
    return example.finish()


def coarsened(phase_2: str) -> dict[str, Any]:
    threads, factor = 4, 4
    words = {"kogge_stone": "Kogge-Stone", "brent_kung": "Brent-Kung"}
    example = Example(
        f"coarsened_4x4_{phase_2}",
        f"Three phases, 4 threads of 4 elements, {words[phase_2]} in phase 2",
        PMPP + "section 11.5",
        "coarsened",
        SIXTEEN,
        SIXTEEN,
        {"threads": threads, "factor": factor, "phase_2": phase_2},
    )
    example.lay_out(("values", 16, 16))
    ends = [t * factor + factor - 1 for t in range(threads)]
    for c in range(1, factor):
        example.step(
            "phase 1",
            0,
            [(t * factor + c - 1, t * factor + c, t * factor + c) for t in range(threads)],
        )
    example.more["ends_after_phase_1"] = [example.cells[i] for i in ends]
    for step in (
        kogge_stone(ends, "phase 2")
        if phase_2 == "kogge_stone"
        else brent_kung(ends, "phase 2", "phase 2")
    ):
        example.step(*step)
    example.more["ends_after_phase_2"] = [example.cells[i] for i in ends]
    for c in range(factor - 1):
        example.step(
            "phase 3", 0, [(ends[t - 1], t * factor + c, t * factor + c) for t in range(1, threads)]
        )
    return example.finish()


def hierarchical(n: int, section: int, data: list[int]) -> dict[str, Any]:
    """Any n: each level is padded to whole sections; its sums are the level below."""
    sizes, levels = [n], []
    while True:
        sections = math.ceil(sizes[-1] / section)
        levels.append((sizes[-1], sections))
        if sections == 1:
            break
        sizes.append(sections)
    example = Example(
        f"hierarchical_{n}_by_{section}",
        f"Hierarchical scan of {n} elements in sections of {section}",
        PMPP + "section 11.6",
        "hierarchical",
        data,
        data,
        {"section": section, "kind": "kogge_stone"},
    )
    names = ["values"] + [f"block_sums_{level}" for level in range(1, len(levels))]
    example.lay_out(
        *((name, m * section, size) for name, (size, m) in zip(names, levels, strict=True))
    )
    firsts = [first for _, first, _ in example.arrays]

    def scan_level(level: int) -> None:
        size, sections = levels[level]
        first = firsts[level]
        blocks = [
            kogge_stone(
                [first + b * section + i for i in range(section)], f"scan sections (level {level})"
            )
            for b in range(sections)
        ]
        for together in zip(*blocks, strict=True):
            example.step(
                together[0][0], together[0][1], [op for block in together for op in block[2]]
            )
        if sections == 1:
            return
        sums = firsts[level + 1]
        example.step(
            f"block sums (level {level})",
            0,
            [],
            [(first + (b + 1) * section - 1, sums + b) for b in range(sections)],
        )
        scan_level(level + 1)
        example.step(
            f"add carries (level {level})",
            0,
            [(sums + i // section - 1, first + i, first + i) for i in range(section, size)],
        )

    scan_level(0)
    return example.finish()


def domino_16_by_4() -> dict[str, Any]:
    section, sections = 4, 4
    example = Example(
        "domino_16_by_4",
        "Domino scan: the carry goes from section to section",
        PMPP + "section 11.7",
        "domino",
        SIXTEEN,
        SIXTEEN,
        {"section": section, "kind": "kogge_stone"},
    )
    example.lay_out(("values", 16, 16), ("carries", sections, sections - 1))
    blocks = [
        kogge_stone([b * section + i for i in range(section)], "scan sections")
        for b in range(sections)
    ]
    for together in zip(*blocks, strict=True):
        example.step(together[0][0], together[0][1], [op for block in together for op in block[2]])
    example.step("carry from section 0", 0, [], [(section - 1, 16)])
    for b in range(1, sections - 1):
        example.step(f"carry from section {b}", 0, [(16 + b - 1, (b + 1) * section - 1, 16 + b)])
    example.step("add carries", 0, [(16 + i // section - 1, i, i) for i in range(section, 16)])
    return example.finish()


def kogge_stone_race_8() -> dict[str, Any]:
    """XY[i] += XY[i - stride] with no barrier between reading and writing, in two orders."""
    orders: dict[str, Any] = {}
    for name, order in (("ascending", list(range(8))), ("descending", list(range(7, -1, -1)))):
        values = list(KOGGE_STONE_EIGHT)
        states = []
        for stride in (1, 2, 4):
            for i in order:
                if i >= stride:
                    values[i] = values[i - stride] + values[i]
            states.append({"stride": stride, "values": list(values)})
        orders[name] = {"steps": states, "output": values}
    return {
        "schema": "scanlab/worked_race/v1",
        "name": "kogge_stone_race_8",
        "title": "The write-after-read race: right only when threads run from last to first",
        "source": PMPP + "section 11.2",
        "input": KOGGE_STONE_EIGHT,
        "orders": orders,
    }


# --- figures --------------------------------------------------------------------------------------


def ceil_sum(active: list[int], units: int) -> int:
    return sum(math.ceil(count / units) for count in active)


def figure(name: str, textbook: float, exact: float, formula: str) -> dict[str, Any]:
    return {"id": name, "textbook": textbook, "exact": exact, "formula": formula}


def figures() -> dict[str, Any]:
    n, p, t = 1024, 32, 64
    strides = [2**k for k in range(10)]
    stone = ceil_sum([n - s for s in strides], p)
    kung = ceil_sum([n // (2 * s) for s in strides] + [n // (2 * s) - 1 for s in strides[:-1]], p)
    coarse = (
        15 * ceil_sum([t], p)
        + ceil_sum([t - s for s in strides[:6]], p)
        + 15 * ceil_sum([t - 1], p)
    )
    rows = [
        figure("sequential.work.512", 511, 511, "N - 1"),
        figure("sequential.work.1024", 1023, 1023, "N - 1"),
        figure("naive.work.1024", sum(range(n)), sum(range(n)), "N(N - 1)/2"),
        figure(
            "kogge_stone.work.512",
            512 * 9 - 511,
            sum(512 - s for s in strides[:9]),
            "N log2 N - (N - 1)",
        ),
        figure(
            "kogge_stone.work.1024",
            n * 10 - 1023,
            sum(n - s for s in strides),
            "N log2 N - (N - 1)",
        ),
        figure("brent_kung.work.1024", 2 * n - 2 - 10, 1023 + 1013, "2N - 2 - log2 N"),
        figure(
            "coarsened.work.1024",
            960 + 384 + 960,
            960 + (64 * 6 - 63) + 63 * 15,
            "(S - T) + T log2 T + (S - T), T = 64",
        ),
        figure("kogge_stone.unit_steps.1024.32", n * 10 / p, stone, "1024 * 10 / 32"),
        figure("brent_kung.unit_steps.1024.32", 2036 / p + 10, kung, "2036 / 32 + 2 * 5"),
        figure("coarsened.unit_steps.1024.32", 2304 / p, coarse, "(960 + 384 + 960) / 32"),
        figure("kogge_stone.speed_up.1024.32", n / 320, 1023 / stone, "1024 / 320"),
        figure("brent_kung.speed_up.1024.32", n / (2036 / p + 10), 1023 / kung, "1024 / 73.6"),
        figure("coarsened.speed_up.1024.32", n / 72, 1023 / coarse, "1024 / 72"),
    ]
    return {"schema": "scanlab/figures/v1", "source": PMPP + "chapter 11", "figures": rows}


# --- writing --------------------------------------------------------------------------------------


def render(document: dict[str, Any]) -> str:
    """One line per field, one line per step."""
    lines = []
    for key, value in document.items():
        if key in ("steps", "figures") and value:
            inner = ",\n".join("    " + json.dumps(item) for item in value)
            lines.append(f'  "{key}": [\n{inner}\n  ]')
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def documents() -> dict[str, str]:
    twenty = [*SIXTEEN, 3, 1, 0, 2]
    examples = [
        sequential_8(),
        naive_8(),
        kogge_stone_8(),
        kogge_stone_exclusive_8(),
        kogge_stone_invariant_16(),
        double_buffered_8(),
        brent_kung_16(),
        brent_kung_exclusive_8(),
        coarsened("kogge_stone"),
        coarsened("brent_kung"),
        hierarchical(16, 4, SIXTEEN),
        hierarchical(20, 4, twenty),
        hierarchical(13, 4, SIXTEEN[:13]),
        domino_16_by_4(),
        kogge_stone_race_8(),
    ]
    files = {f"{example['name']}.json": render(example) for example in examples}
    files["figures.json"] = render(figures())
    return files


def main(arguments: list[str]) -> int:
    stale = []
    for name, text in documents().items():
        path = HERE / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
    print("up to date" if not stale else "changed: " + ", ".join(stale))
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
