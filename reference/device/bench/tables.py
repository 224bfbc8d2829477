#!/usr/bin/env python3
"""The tables of handouts/07b_fast_look_back.md and solutions/performance.md, from measured figures.

    tables.py            prints them
    tables.py --write    puts them into the pages, between `<!-- table NAME -->` and the next empty line
    tables.py --check    exit status 1 if a page has other figures
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
FIGURES = ROOT / "datasets" / "performance" / "h200.json"
PAGES = (ROOT / "handouts" / "07b_fast_look_back.md", ROOT / "solutions" / "performance.md")
TYPES = ("float32", "int32")

Figures = dict[tuple[str, str, str, int], dict[str, Any]]

LARGE = (
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
BESIDE = (
    ("persistent.loads_once", "streaming stores, and loads that say “read once”"),
    ("persistent.in_turn", "tiles in turn instead of drawn"),
    ("persistent.4stages", "4 stages instead of 6, three tiles ahead"),
    ("persistent.overlapped", "launches overlap"),
)
SMALL = (
    ("copy", "a copy"),
    ("cub", "`cub::DeviceScan`"),
    ("look_back", "`look_back.cu`"),
    ("window.256x8", "1: windows of a warp, as for large N (256 × 8)"),
    ("block.256x4", "2: the whole block looks at all tiles at once (256 × 4)"),
    ("block.256x8", "3: tiles of 256 × 8"),
    ("block.256x16", "4: tiles of 256 × 16"),
    ("block.256x16.overlapped", "5: neighbouring launches overlap"),
)
LABS = ("copy", "kogge_stone", "double_buffered", "brent_kung", "coarsened", "hierarchical",
        "hierarchical_coarsened", "domino", "look_back", "look_back_fast", "cub")
SIZES = tuple(1 << bits for bits in (16, 20, 24, 26, 28, 30))


def read() -> Figures:
    results = json.loads(FIGURES.read_text())["results"]
    return {(r["set"], r["candidate"], r["type"], r["n"]): r for r in results}


def power(n: int) -> str:
    return f"2^{n.bit_length() - 1}"


def micro(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def result_table(figures: Figures) -> Iterator[str]:
    yield "| N | type | copy, µs | CUB, µs | fast form, µs | of a copy's speed | times CUB's speed |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for n in SIZES:
        for kind in TYPES:
            if ("labs", "copy", kind, n) not in figures:
                continue
            copy, cub, fast = (figures["labs", name, kind, n] for name in ("copy", "cub", "look_back_fast"))
            yield (f"| {power(n)} | {kind} | {micro(copy['value'])} | {micro(cub['value'])} | {micro(fast['value'])} "
                   f"± {fast['spread'] / 2:.2f} | {100 * fast['of_copy']:.1f} % | {fast['of_cub']:.2f} |")


def step_table(figures: Figures, rows: tuple[tuple[str, str], ...]) -> Iterator[str]:
    n = 1 << 28
    yield "| step | float32, µs | int32, µs | of a copy's speed |"
    yield "|---|--:|--:|--:|"
    for name, words in rows:
        floats, whole = (figures["large", name, kind, n] for kind in TYPES)
        yield (f"| {words} | {micro(floats['value'])} | {micro(whole['value'])} | "
               f"{100 * floats['of_copy']:.1f} % |")


def small_table(figures: Figures) -> Iterator[str]:
    sizes = [1 << bits for bits in (16, 18, 20, 22)]
    yield "| step | " + " | ".join(power(n) for n in sizes) + " |"
    yield "|---|" + "--:|" * len(sizes)
    for name, words in SMALL:
        yield f"| {words} | " + " | ".join(micro(figures["small", name, "float32", n]["value"]) for n in sizes) + " |"


def lab_table(figures: Figures) -> Iterator[str]:
    sizes = [1 << bits for bits in (16, 20, 24, 26, 28)]
    yield "| float32, µs | " + " | ".join(power(n) for n in sizes) + " | GB/s at 2^28 | of a copy's speed |"
    yield "|---|" + "--:|" * (len(sizes) + 2)
    for name in LABS:
        cells = [micro(figures["labs", name, "float32", n]["value"]) for n in sizes]
        last = figures["labs", name, "float32", sizes[-1]]
        yield f"| {name} | " + " | ".join(cells) + f" | {last['gb_per_s']:.0f} | {100 * last['of_copy']:.1f} % |"


def variant_table(figures: Figures) -> Iterator[str]:
    yield "| float32, 2^28 | µs | of a copy's speed |"
    yield "|---|--:|--:|"
    for (kind, name, type_name, _), r in figures.items():
        if kind == "variants" and type_name == "float32" and name not in ("copy", "cub"):
            yield f"| {name} | {micro(r['value'])} | {100 * r['of_copy']:.1f} % |"


def tables(figures: Figures) -> dict[str, str]:
    made = {"result": result_table(figures), "large": step_table(figures, LARGE), "beside": step_table(figures, BESIDE),
            "small": small_table(figures), "labs": lab_table(figures), "variants": variant_table(figures)}
    return {name: "\n".join(lines) for name, lines in made.items()}


def with_tables(text: str, made: dict[str, str]) -> str:
    for name, table in made.items():
        pattern = re.compile(rf"(<!-- table {name} -->\n\n)(?:\|[^\n]*\n)*")
        text = pattern.sub(lambda match, table=table: match.group(1) + table + "\n", text)
    return text


def main(arguments: list[str]) -> int:
    made = tables(read())
    if not arguments:
        print("\n\n".join(f"{name}\n\n{table}" for name, table in made.items()))
        return 0
    status = 0
    for page in PAGES:
        text = page.read_text()
        wanted = with_tables(text, made)
        if arguments == ["--write"]:
            page.write_text(wanted)
        elif text != wanted:
            print(f"{page.relative_to(ROOT)}: not the figures of {FIGURES.relative_to(ROOT)}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
