"""The numbers that handouts compute: `{{ work.kogge_stone(512) }}`.

A small closed set of functions, evaluated without `eval`. The same closed forms as
reference/scan/cost_model.hpp; the tests compare the two through datasets/worked/figures.json.
All sizes are powers of two.
"""

from __future__ import annotations

import ast
import json
import operator
from collections import Counter
from collections.abc import Callable
from functools import cache

from scanlab import measured, paths
from scanlab.render.measures import grouped

Number = int | float


class CostError(ValueError):
    """An expression that is not of the closed set."""


def log2(n: int) -> int:
    if n <= 0 or n & (n - 1):
        raise CostError(f"{n} is no power of two")
    return n.bit_length() - 1


def sequential_work(n: int) -> int:
    return n - 1


def naive_work(n: int) -> int:
    return n * (n - 1) // 2


def kogge_stone_work(n: int) -> int:
    return n * log2(n) - (n - 1)


def brent_kung_work(n: int) -> int:
    return 2 * n - 2 - log2(n)


def coarsened_work(threads: int, factor: int) -> int:
    """Exact, Kogge-Stone in phase 2."""
    return threads * (factor - 1) + kogge_stone_work(threads) + (threads - 1) * (factor - 1)


def coarsened_work_textbook(threads: int, factor: int) -> int:
    return 2 * threads * (factor - 1) + threads * log2(threads)


def hierarchical_ceiling(n: int, section: int) -> int:
    """Per level M·S·log2 S, padding included, and one addition per element."""
    total = 0
    while True:
        sections = -(-n // section)
        total += sections * section * log2(section) + n
        if sections == 1:
            return total
        n = sections


def domino_ceiling(n: int, section: int) -> int:
    sections = -(-n // section)
    return sections * section * log2(section) + sections * section + sections


def kogge_stone_units(n: int, units: int) -> float:
    return n * log2(n) / units


def brent_kung_units(n: int, units: int) -> float:
    return brent_kung_work(n) / units + 2 * log2(units)


def coarsened_units(threads: int, factor: int, units: int) -> float:
    return coarsened_work_textbook(threads, factor) / units


# --- warps: who adds in each step ---------------------------------------------------------------

Steps = list[range]  # for each step the numbers of the threads that add
_WARP = 32


def strides(n: int) -> list[int]:
    return [1 << k for k in range(log2(n))]


def kogge_stone_adders(n: int) -> Steps:
    return [range(stride, n) for stride in strides(n)]


def brent_kung_adders(n: int) -> Steps:
    """Consecutive threads, as index (t + 1) * 2 * stride - 1 gives it."""
    tree = [range(n // (2 * stride)) for stride in strides(n)]
    return tree + [range(n // (2 * stride) - 1) for stride in reversed(strides(n)[:-1])]


def brent_kung_adders_by_number(n: int) -> Steps:
    """A thread for each element; those add whose own element is due."""
    tree = [range(2 * stride - 1, n, 2 * stride) for stride in strides(n)]
    return tree + [range(3 * stride - 1, n, 2 * stride) for stride in reversed(strides(n)[:-1])]


def active_warps(steps: Steps) -> int:
    """Warps with work, summed over the steps: the steps on 32 units, control divergence counted."""
    return sum(len({thread // _WARP for thread in adders}) for adders in steps)


def divergent_warps(steps: Steps) -> int:
    """Warps of which some lanes add and others do not, summed over the steps."""
    counts = [Counter(thread // _WARP for thread in adders) for adders in steps]
    return sum(lanes < _WARP for count in counts for lanes in count.values())


def figure(name: str, which: str) -> Number:
    """A figure of datasets/worked/figures.json: `figure("naive.work.1024", "exact")`."""
    try:
        value = _figures()[name][which]
    except KeyError as problem:
        raise CostError(f"there is no figure {name!r}, {which!r}") from problem
    assert isinstance(value, int | float)
    return value


@cache
def _figures() -> dict[str, dict[str, Number]]:
    text = (paths.ROOT / "datasets" / "worked" / "figures.json").read_text(encoding="utf-8")
    return {item["id"]: item for item in json.loads(text)["figures"]}


FUNCTIONS: dict[str, Callable[..., Number]] = {
    "log2": log2,
    "figure": figure,
    "work.sequential": sequential_work,
    "work.naive": naive_work,
    "work.kogge_stone": kogge_stone_work,
    "work.double_buffered": kogge_stone_work,
    "work.brent_kung": brent_kung_work,
    "work.brent_kung_tree": lambda n: n - 1,
    "work.brent_kung_reverse": lambda n: n - 1 - log2(n),
    "work.coarsened": coarsened_work,
    "work.coarsened_textbook": coarsened_work_textbook,
    "work.hierarchical_ceiling": hierarchical_ceiling,
    "work.domino_ceiling": domino_ceiling,
    "steps.sequential": sequential_work,
    "steps.kogge_stone": log2,
    "steps.double_buffered": log2,
    "steps.brent_kung": lambda n: 2 * log2(n) - 1,
    "steps.coarsened": lambda threads, factor: factor + 2 * log2(threads),
    "steps.domino": lambda sections, section: sections + 2 * log2(section) + 2,
    "barriers.kogge_stone": lambda n: 2 * log2(n) + 1,
    "barriers.double_buffered": lambda n: log2(n) + 1,
    "barriers.brent_kung": lambda n: 2 * log2(n) + 1,
    "barriers.coarsened": lambda threads: 2 * log2(threads) + 4,
    "units.kogge_stone": kogge_stone_units,
    "units.brent_kung": brent_kung_units,
    "units.coarsened": coarsened_units,
    "warps.kogge_stone": lambda n: active_warps(kogge_stone_adders(n)),
    "warps.brent_kung": lambda n: active_warps(brent_kung_adders(n)),
    "warps.brent_kung_by_number": lambda n: active_warps(brent_kung_adders_by_number(n)),
    "divergent.kogge_stone": lambda n: divergent_warps(kogge_stone_adders(n)),
    "divergent.brent_kung": lambda n: divergent_warps(brent_kung_adders(n)),
    "divergent.brent_kung_by_number": lambda n: divergent_warps(brent_kung_adders_by_number(n)),
    **measured.FUNCTIONS,
}

_OPERATORS: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def evaluate(expression: str) -> Number:
    """The value of an expression of FUNCTIONS, whole numbers and + - * /."""
    try:
        return _value(ast.parse(expression.strip(), mode="eval").body)
    except (SyntaxError, TypeError, ZeroDivisionError, measured.MeasuredError) as problem:
        raise CostError(f"{expression.strip()}: {problem}") from problem


def shown(expression: str) -> str:
    """The value as text; `expression | .1f` formats it."""
    formula, _, form = expression.partition("|")
    value = evaluate(formula)
    if form:
        return format(value, form.strip())
    if isinstance(value, float) and not value.is_integer():
        return f"{value:.4g}"
    return grouped(int(value))


def _value(node: ast.expr) -> Number:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.Call) and not node.keywords:
        return FUNCTIONS[_name(node.func)](*(_argument(argument) for argument in node.args))
    raise CostError(f"{ast.unparse(node)} is not of the closed set")


def _argument(node: ast.expr) -> Number | str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return _value(node)


def _name(node: ast.expr) -> str:
    name = ast.unparse(node)
    if name not in FUNCTIONS:
        raise CostError(f"there is no function {name}; there are {', '.join(FUNCTIONS)}")
    return name
