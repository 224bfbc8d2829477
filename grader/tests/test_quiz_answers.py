"""Every answer that can be computed, computed again by running the algorithms themselves."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import accumulate
from typing import Any

import pytest

from scanlab import quiz
from scanlab.formula import evaluate

CHAPTERS = quiz.load_chapters()
QUESTIONS = {question.id: question for chapter in CHAPTERS for question in chapter.questions}
COMPUTED = {id: q for id, q in QUESTIONS.items() if q.kind != "choice"}

SCAN_INPUT = [3, 1, 7, 0, 4, 1, 6, 3]
KOGGE_INPUT = [4, 6, 7, 1, 2, 8, 5, 2]
PARTS = [[2, 1, 3, 1], [0, 4, 1, 2], [0, 3, 1, 2], [1, 4, 2, 4]]
PART_SCANS = [list(accumulate(part)) for part in PARTS]
ENDS = list(accumulate(part[-1] for part in PART_SCANS))


def exclusive(values: list[int]) -> list[int]:
    return [0, *accumulate(values)][:-1]


def kogge_stone(values: list[int]) -> tuple[list[list[int]], int]:
    """All states, and the number of additions."""
    states, additions, stride = [values], 0, 1
    while stride < len(values):
        old = states[-1]
        states.append([old[i] + (old[i - stride] if i >= stride else 0) for i in range(len(old))])
        additions += len(values) - stride
        stride *= 2
    return states, additions


def brent_kung(values: list[int]) -> tuple[list[list[int]], list[int], list[int], list[list[int]]]:
    """All states; additions per step of the reduction and of the reverse tree; what it writes."""
    xy, states, down, up, targets = list(values), [list(values)], [], [], []
    stride = 1
    while stride < len(xy):
        written = list(range(2 * stride - 1, len(xy), 2 * stride))
        for i in written:
            xy[i] += xy[i - stride]
        down.append(len(written))
        states.append(list(xy))
        stride *= 2
    stride = len(xy) // 4
    while stride:
        written = [i + stride for i in range(2 * stride - 1, len(xy) - stride, 2 * stride)]
        for i in written:
            xy[i] += xy[i - stride]
        up.append(len(written))
        targets.append(written)
        states.append(list(xy))
        stride //= 2
    assert xy == list(accumulate(values))
    return states, down, up, targets


def strides(n: int) -> list[int]:
    return [2**k for k in range(n.bit_length() - 1)]


def inputs_summed(element: int, steps: int) -> int:
    ones = [1] * 64
    return kogge_stone(ones)[0][steps][element]


def partly_active_warps(threads: int, stride: int) -> int:
    active = [thread >= stride for thread in range(threads)]
    warps = [active[w : w + 32] for w in range(0, threads, 32)]
    return sum(any(warp) and not all(warp) for warp in warps)


def levels(n: int, section: int) -> int:
    count = 1
    while n > section:
        n = -(-n // section)
        count += 1
    return count


def finished_sections(sections: int, resident: int) -> int:
    """Blocks dispatched from the last down; a block ends once the one before it has."""
    waiting, running, done = list(range(sections - 1, -1, -1)), set[int](), set[int]()
    while True:
        while waiting and len(running) < resident:
            running.add(waiting.pop(0))
        able = {b for b in running if b == 0 or b - 1 in done}
        if not able:
            return len(done)
        running -= able
        done |= able


def sectors(lanes: int, bytes_apart: int) -> int:
    return len({lane * bytes_apart // 32 for lane in range(lanes)})


VALUES: dict[str, Callable[[], Any]] = {
    "ie-inclusive": lambda: list(accumulate(SCAN_INPUT)),
    "ie-exclusive": lambda: exclusive(SCAN_INPUT),
    "ie-max": lambda: list(accumulate([2, 5, 1, 4, 7, 3, 7, 8], max)),
    "ie-to-exclusive": lambda: exclusive([5, 2, 0, 5, 8, 1]),
    "ie-input-back": lambda: [b - a for a, b in zip([0, 5, 7, 7, 12, 20], [5, 7, 7, 12, 20, 21], strict=True)],
    "ie-slots": lambda: exclusive([4, 0, 2, 3, 1])[3],
    "ie-max-identity": lambda: next(e for e in range(9) if all(max(e, x) == x for x in range(99))),
    "ba-naive-1024": lambda: sum(range(1024)),
    "ba-naive-ratio": lambda: sum(range(1024)) / 1023,
    "ks-stride-1": lambda: kogge_stone(KOGGE_INPUT)[0][1],
    "ks-stride-2": lambda: kogge_stone(KOGGE_INPUT)[0][2],
    "ks-stride-4": lambda: kogge_stone(KOGGE_INPUT)[0][3],
    "ks-invariant": lambda: inputs_summed(20, 3),
    "ks-invariant-edge": lambda: inputs_summed(5, 3),
    "ks-strides": lambda: strides(64),
    "ks-active": lambda: sum(thread >= 16 for thread in range(128)),
    "ks-work-512": lambda: kogge_stone([1] * 512)[1],
    "ks-work-ratio": lambda: round(kogge_stone([1] * 512)[1] / 511),
    "ks-units": lambda: 1024 * len(strides(1024)) / 32,
    "ks-speed-up": lambda: 1024 / (1024 * len(strides(1024)) / 32),
    "ks-barriers": lambda: 2 * len(strides(1024)),
    "ks-double-buffer": lambda: len(strides(1024)),
    "ks-divergence": lambda: partly_active_warps(256, 64),
    "bk-tree": lambda: brent_kung(list(range(1, 9)))[0][3],
    "bk-reverse": lambda: brent_kung(list(range(1, 9)))[0][4],
    "bk-last": lambda: brent_kung(list(range(1, 9)))[0][5],
    "bk-tree-operations": lambda: brent_kung([1] * 16)[1],
    "bk-reverse-operations": lambda: brent_kung([1] * 16)[2],
    "bk-reverse-targets": lambda: brent_kung([1] * 16)[3][1],
    "bk-index": lambda: [i for t in range(8) if (i := (t + 1) * 2 * 2 - 1) < 16],
    "bk-work-1024": lambda: sum(brent_kung([1] * 1024)[1] + brent_kung([1] * 1024)[2]),
    "bk-threads": lambda: next(n for n in (4096, 2048, 1024) if max(brent_kung([1] * n)[1]) <= 1024),
    "bk-units": lambda: sum(brent_kung([1] * 1024)[1] + brent_kung([1] * 1024)[2]) / 32 + 10,
    "bk-warps": lambda: math.ceil(brent_kung([1] * 1024)[1][3] / 32),
    "co-phase-1": lambda: [value for part in PART_SCANS for value in part],
    "co-phase-2": lambda: ENDS,
    "co-phase-3": lambda: list(accumulate(value for part in PARTS for value in part)),
    "co-work-2": lambda: kogge_stone([1] * 64)[1],
    "co-estimate": lambda: (1024 - 64) / 32 + 64 * len(strides(64)) / 32 + (1024 - 64) / 32,
    "co-sectors": lambda: sectors(32, 16 * 4),
    "hi-block-sums": lambda: list(accumulate(map(sum, ([1, 2, 3, 4], [5, 6, 7, 8], [1] * 4)))),
    "hi-carries": lambda: exclusive([sum(s) for s in ([1, 2, 3, 4], [5, 6, 7, 8], [1] * 4)]),
    "hi-levels": lambda: levels(2**20 + 1, 1024),
    "hi-two-levels": lambda: max(n for n in range(1024**2 - 2, 1024**2 + 3) if levels(n, 1024) == 2),
    "hi-traffic": lambda: len(["read X", "write Y"]) + len(["read Y", "write Y"]),
    "do-carries": lambda: exclusive([5, 3, 8, 1]),
    "do-traffic": lambda: len(["read X", "write Y"]),
    "do-deadlock": lambda: finished_sections(100, 64),
    "pr-hull": lambda: [min(2, 5), max(4, 7)],
    "pr-outputs": lambda: [0, len(SCAN_INPUT[: 5 + 1]) - 1],
    "pr-warp-steps": lambda: len(strides(32)),
}


def naive_additions(n: int) -> int:
    return sum(len(range(i)) for i in range(n))


def coarsened_additions(threads: int, factor: int) -> tuple[int, int]:
    """Additions of phases 1 and 3, one by one."""
    first = sum(1 for _ in range(threads) for _ in range(1, factor))
    third = sum(1 for thread in range(threads) for k in range(factor) if thread and k < factor - 1)
    return first, third


def chain(d: int, u: float) -> float:
    """gamma_d from its definition: the series d u + (d u)^2 + …"""
    return sum((d * u) ** k for k in range(1, 400))


FORMULAS: dict[str, Callable[..., float]] = {
    "ba-sequential": lambda n: len(range(1, int(n))),
    "ba-naive": lambda n: naive_additions(int(n)),
    "ks-work": lambda n: kogge_stone([1] * int(n))[1],
    "ks-steps": lambda n: len(strides(int(n))),
    "bk-work": lambda n: sum(brent_kung([1] * int(n))[1] + brent_kung([1] * int(n))[2]),
    "bk-steps": lambda n: len(brent_kung([1] * int(n))[0]) - 1,
    "co-work-1": lambda t, c: coarsened_additions(int(t), int(c))[0],
    "co-work-3": lambda t, c: coarsened_additions(int(t), int(c))[1],
    "hi-sections": lambda n, s: len(range(0, int(n), int(s))),
    "do-chain": lambda m: sum(1 for block in range(int(m)) if block > 0),
    "pr-float-bound": lambda d, u: chain(int(d), u),
}

POINTS = {
    "N": (2, 8, 64, 256),
    "S": (2, 8, 32),
    "T": (4, 32),
    "C": (2, 16),
    "M": (1, 7, 100),
    "d": (3, 10),
    "u": (0.001, 0.01),
}


def test_every_computable_answer_is_checked() -> None:
    assert set(VALUES) | set(FORMULAS) == set(COMPUTED)


@pytest.mark.parametrize("name", VALUES)
def test_value(name: str) -> None:
    question, value = COMPUTED[name], VALUES[name]()
    if question.kind == "array":
        assert question.answer == value
    else:
        assert question.answer == pytest.approx(value, abs=max(question.tolerance, 1e-9))


@pytest.mark.parametrize("name", FORMULAS)
def test_formula(name: str) -> None:
    from itertools import product

    question = COMPUTED[name]
    for values in product(*(POINTS[variable] for variable in question.variables)):
        point = dict(zip(question.variables, values, strict=True))
        assert evaluate(question.answer, point) == pytest.approx(FORMULAS[name](*values)), point


def test_there_are_enough_and_each_id_is_there_once() -> None:
    ids = [question.id for chapter in CHAPTERS for question in chapter.questions]
    assert len(ids) == len(set(ids)) >= 30
    assert [chapter.number for chapter in CHAPTERS] == list(range(1, len(CHAPTERS) + 1))


def test_choices_name_real_letters() -> None:
    for question in QUESTIONS.values():
        if question.kind == "choice":
            assert 2 <= len(question.choices) <= 5
            assert set(question.answer) <= set("abcde"[: len(question.choices)])
