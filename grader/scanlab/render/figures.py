"""Drawings of scans as inline SVG, made from data: worked examples, and networks that were counted.

A worked example (datasets/worked/*.json, scanlab/worked/v1) gives rows of boxes, one row per state,
with a line for each addition. A network (what the counting element type saw of a real run, `network`
in a result file) gives the classic picture: one lane per element, one dot per addition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

_BOX_H, _ROW = 24, 56
_LETTER = 7  # a generous width of one character
_LEVEL = 34  # from one level of a network to the next
_MOST_NODES = 1200
_MOST_LANES = 64
_MOST_ROWS = 64


# --- worked examples ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Cell:
    """Where a cell of the example's memory is drawn."""

    x: int
    width: int
    array: str
    index: int

    @property
    def middle(self) -> int:
        return self.x + self.width // 2


def worked_svg(example: Mapping[str, Any], first: int = 0, last: int | None = None) -> Markup:
    """Every state from step `first` to `last` (0: what was loaded), and what each step adds."""
    states = _states(example)
    cells = _cells(example, states)
    end = len(states) - 1 if last is None else min(last, len(states) - 1)
    shown = range(first, end + 1)
    parts: list[Markup] = []
    for row, number in enumerate(shown):
        y = _ROW * row + (26 if len(example["arrays"]) > 1 else 8)
        if row:
            parts += _lines(example["steps"][number - 1], cells, y)
    for row, number in enumerate(shown):
        y = _ROW * row + (26 if len(example["arrays"]) > 1 else 8)
        step = example["steps"][number - 1] if number else None
        parts += _boxes(states[number], step, cells, y)
    parts += _array_names(example["arrays"], cells)
    width = max(cell.x + cell.width for cell in cells.values()) + 4
    height = _ROW * (len(shown) - 1) + _BOX_H + (34 if len(example["arrays"]) > 1 else 16)
    return _svg(width, height, str(example["title"]), parts)


def _cells(example: Mapping[str, Any], states: Sequence[Mapping[str, Sequence[Any]]]) -> dict[int, _Cell]:
    values = [_value(value) for state in states for array in state.values() for value in array]
    width = max(36, _LETTER * max(map(len, values)) + 8)
    names = [_step_name(step) for step in (None, *example["steps"])]
    x = _LETTER * max(map(len, names)) + 6
    cells: dict[int, _Cell] = {}
    for array in example["arrays"]:
        for index in range(array["size"]):
            cells[array["first"] + index] = _Cell(x, width, str(array["name"]), index)
            x += width + 4
        x += width // 2
    return cells


def _states(example: Mapping[str, Any]) -> list[dict[str, list[Any]]]:
    """The arrays as loaded (others empty), then after each step."""
    names = [str(array["name"]) for array in example["arrays"]]
    loaded: dict[str, list[Any]] = {name: [] for name in names}
    loaded[names[0]] = list(example["loaded"])
    return [loaded, *({name: list(step[name]) for name in names} for step in example["steps"])]


def _lines(step: Mapping[str, Any], cells: Mapping[int, _Cell], y: int) -> Iterator[Markup]:
    """From the row above to the row at `y`: copies thin, additions clear."""
    for source, target in step.get("copies", ()):
        yield from _line(cells, source, target, y, "copied")
    for left, right, target in step["operations"]:
        yield from _line(cells, right, target, y, "kept")
        yield from _line(cells, left, target, y, "added")


def _line(cells: Mapping[int, _Cell], source: int, target: int, y: int, css: str) -> Iterator[Markup]:
    if source in cells and target in cells:
        x1, x2 = cells[source].middle, cells[target].middle
        yield Markup('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(css, x1, y - _ROW + _BOX_H, x2, y)


def _boxes(
    state: Mapping[str, Sequence[Any]],
    step: Mapping[str, Any] | None,
    cells: Mapping[int, _Cell],
    y: int,
) -> Iterator[Markup]:
    written = {operation[2] for operation in step["operations"]} if step else set()
    yield Markup('<text class="label" x="0" y="{}">{}</text>').format(y + 16, _step_name(step))
    for at, cell in cells.items():
        values = state[cell.array]
        if cell.index >= len(values):
            continue
        css = "box new" if at in written else "box"
        yield Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="3"/>').format(
            css, cell.x, y, cell.width, _BOX_H
        )
        yield Markup('<text class="value" x="{}" y="{}">{}</text>').format(
            cell.middle, y + 16, _value(values[cell.index])
        )


def _step_name(step: Mapping[str, Any] | None) -> str:
    if step is None:
        return "loaded"
    phase = str(step["phase"]).removesuffix(" (level 0)")
    if not step["stride"]:
        return phase
    return f"{'' if phase == 'scan' else phase + ', '}stride {step['stride']}"


def _value(value: Any) -> str:
    """A number, or an interval of inputs as first-last."""
    if isinstance(value, list) and len(value) == 2:
        return str(value[0]) if value[0] == value[1] else f"{value[0]}\u2013{value[1]}"
    return str(value)


def _array_names(arrays: Sequence[Mapping[str, Any]], cells: Mapping[int, _Cell]) -> Iterator[Markup]:
    if len(arrays) > 1:
        for array in arrays:
            x = cells[array["first"]].x
            name = str(array["name"]).replace("_", " ")
            yield Markup('<text class="label" x="{}" y="14">{}</text>').format(x, name)


# --- networks ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Node:
    level: int  # the row
    thread: int  # -1: the host
    low: int
    high: int
    operands: tuple[str, str]


class NetworkError(ValueError):
    """The data is no network, or one too large to draw."""


def network_svg(network: Mapping[str, Any], title: str = "The network of additions") -> Markup:
    """One lane per input, time downwards, one dot per addition at the lane of its last input.

    `network` is {"nodes": [[level, launch, thread, lo, hi, left, right], …], "outputs": […]}, with
    references "i3" (input), "n7" (node), "e" (identity), "?" (never written).
    """
    nodes = _nodes(network)
    lanes = _lane_count(network, nodes)
    depth = max(node.level for node in nodes)
    if lanes > _MOST_LANES or depth > _MOST_ROWS:
        raise NetworkError(f"{lanes} lanes, {depth} rows: too many to draw")
    places = _places(nodes)
    step, top = (26, 22) if lanes <= 32 else (14, 22)
    points = {key: (14 + step * lane, top + _LEVEL * level) for key, (lane, level) in places.items()}
    points |= {f"i{lane}": (14 + step * lane, top) for lane in range(lanes)}
    bottom = top + _LEVEL * depth + 14
    parts = [*_lanes(lanes, points, bottom, step), _edges(nodes, points), *_dots(nodes, points)]
    return _svg(28 + step * (lanes - 1), bottom + 6, title, parts, _in_words(nodes, lanes, depth))


def _lane_count(network: Mapping[str, Any], nodes: Sequence[_Node]) -> int:
    outputs = network.get("outputs")
    inputs = [node.high for node in nodes] + [_input_of(r) for node in nodes for r in node.operands]
    return max(1 + max(inputs), len(outputs) if isinstance(outputs, list) else 0)


def _in_words(nodes: Sequence[_Node], lanes: int, depth: int) -> str:
    """The picture for who does not see it."""
    rows = [sum(node.level == row for node in nodes) for row in range(1, depth + 1)]
    return f"{lanes} lanes, {len(nodes)} additions in {depth} rows, from the top: {', '.join(map(str, rows))}."


def _nodes(network: Mapping[str, Any]) -> list[_Node]:
    """Read strictly: these numbers come out of a process that ran a submission."""
    raw = network.get("nodes")
    if not isinstance(raw, list) or not 0 < len(raw) <= _MOST_NODES:
        raise NetworkError("no nodes, or too many to draw")
    nodes = []
    for item in raw:
        if not isinstance(item, list) or len(item) != 7:
            raise NetworkError("a node has seven fields")
        numbers, references = item[:5], item[5:]
        if not all(isinstance(n, int) and -1 <= n < 2**31 for n in numbers):
            raise NetworkError("a node's numbers are whole")
        if not all(isinstance(r, str) and re.fullmatch(r"[in]\d{1,6}|e|\?", r) for r in references):
            raise NetworkError("a node refers to inputs and nodes")
        level, _, thread, low, high = numbers
        nodes.append(_Node(level, thread, low, high, (references[0], references[1])))
    return nodes


def _places(nodes: Sequence[_Node]) -> dict[str, tuple[int, int]]:
    """(lane, level) of each node; one that is no interval stands under its right operand."""
    places: dict[str, tuple[int, int]] = {}
    for number, node in enumerate(nodes):
        lanes = [places[r][0] if r in places else max(_input_of(r), 0) for r in node.operands]
        places[f"n{number}"] = (node.high if node.high >= 0 else max(lanes), node.level)
    return places


def _input_of(reference: str) -> int:
    return int(reference[1:]) if reference.startswith("i") else -1


def _lanes(lanes: int, points: Mapping[str, tuple[int, int]], bottom: int, step: int) -> Iterator[Markup]:
    every = 1 if step > 20 else 4
    tops = [points[f"i{lane}"] for lane in range(lanes)]
    yield Markup('<path class="kept" d="{}"/>').format("".join(f"M{x} {y}V{bottom}" for x, y in tops))
    for lane, (x, _) in enumerate(tops):
        if lane % every == 0:
            yield Markup('<text class="value" x="{}" y="14">{}</text>').format(x, lane)


def _edges(nodes: Sequence[_Node], points: Mapping[str, tuple[int, int]]) -> Markup:
    """From the operand's lane, one row above, to the sum."""
    edges = []
    for number, node in enumerate(nodes):
        x2, y2 = points[f"n{number}"]
        starts = [points[reference][0] for reference in node.operands if reference in points]
        edges += [f"M{x1} {y2 - _LEVEL}L{x2} {y2}" for x1 in starts if x1 != x2]
    return Markup('<path class="added" d="{}"/>').format("".join(edges))


def _dots(nodes: Sequence[_Node], points: Mapping[str, tuple[int, int]]) -> Iterator[Markup]:
    for number, node in enumerate(nodes):
        x, y = points[f"n{number}"]
        css = "dot" if node.high >= 0 else "dot off"
        words = f"inputs {node.low} to {node.high}" if node.high >= 0 else "not one run of inputs"
        yield Markup('<circle class="{}" cx="{}" cy="{}" r="4"><title>{}{}</title></circle>').format(
            css, x, y, _who(node.thread), words
        )


def _who(thread: int) -> str:
    return "the host: " if thread < 0 else f"thread {thread}: "


def _svg(width: int, height: int, title: str, parts: Sequence[Markup], description: str = "") -> Markup:
    """`title` is its name, `description` what it shows, for who cannot see it."""
    head = Markup('<svg class="figure" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">').format(
        width, height, width, height, title
    )
    said = Markup("<desc>{}</desc>").format(description) if description else Markup("")
    return head + said + Markup("\n").join(parts) + Markup("</svg>")
