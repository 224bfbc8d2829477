"""A plot of speed over size as inline SVG: both axes by powers of two, every line named where it ends."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

_LEFT, _TOP, _BOTTOM = 74, 34, 54  # margins
_WIDE, _DOUBLING = 560, 36  # of the area between the axes; the height of twice the speed
_LABELS, _APART = 216, 15  # room for the names on the right; from one to the next
_MARK = 4


@dataclass(frozen=True)
class Series:
    """One line. `css` colours it; `mark` is one of MARKS, hollow or filled; a reference has no marks."""

    name: str
    points: Sequence[tuple[int, float]]  # (N, GB/s), by N
    css: str
    mark: str = ""
    hollow: bool = False


# Paths around (0, 0): lines can be told apart without colours.
MARKS = {
    "circle": f"M-{_MARK} 0a{_MARK} {_MARK} 0 1 0 {2 * _MARK} 0a{_MARK} {_MARK} 0 1 0 -{2 * _MARK} 0z",
    "square": "M-3.5 -3.5h7v7h-7z",
    "diamond": "M0 -5L5 0L0 5L-5 0z",
    "up": "M0 -5L4.8 3.5H-4.8z",
    "down": "M0 5L4.8 -3.5H-4.8z",
    "hexagon": "M-4.6 0L-2.3 -4H2.3L4.6 0L2.3 4H-2.3z",
}


@dataclass(frozen=True)
class _Axes:
    sizes: Sequence[int]
    low: int  # powers of two, GB/s
    high: int

    @property
    def bottom(self) -> int:
        return _TOP + _DOUBLING * (self.high - self.low)

    def x(self, n: int) -> float:
        first, last = math.log2(self.sizes[0]), math.log2(self.sizes[-1])
        return _LEFT + 12 + (_WIDE - 24) * (math.log2(n) - first) / max(last - first, 1)

    def y(self, value: float) -> float:
        return self.bottom - _DOUBLING * (math.log2(value) - self.low)


def speed_svg(all_series: Sequence[Series], title: str) -> Markup:
    """GB/s over N. What has no points is left out; ValueError where nothing is left."""
    drawn = [series for series in all_series if series.points]
    values = [value for series in drawn for _, value in series.points]
    if not values or min(values) <= 0:
        raise ValueError("there is nothing to draw")
    sizes = sorted({n for series in drawn for n, _ in series.points})
    axes = _Axes(sizes, math.floor(math.log2(min(values))), math.ceil(math.log2(max(values))))
    parts = [*_grid(axes), *(part for series in drawn for part in _line(series, axes)), *_names(drawn, axes)]
    width, height = _LEFT + _WIDE + _LABELS, axes.bottom + _BOTTOM
    head = Markup('<svg class="figure plot" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">')
    return head.format(width, height, width, height, title) + Markup("\n").join(parts) + Markup("</svg>")


def _grid(axes: _Axes) -> Iterator[Markup]:
    for power in range(axes.low, axes.high + 1):
        y = axes.y(2.0**power)
        yield Markup('<line class="axis" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(_LEFT, y, _LEFT + _WIDE, y)
        yield Markup('<text class="tick" x="{}" y="{}">{}</text>').format(_LEFT - 8, y + 4, f"{2.0**power:g}")
    for n in axes.sizes:
        x = f"{axes.x(n):.1f}"
        yield Markup('<line class="axis" x1="{0}" y1="{1}" x2="{0}" y2="{2}"/>').format(x, axes.bottom, axes.bottom + 5)
        yield Markup('<text class="at" x="{}" y="{}">{}</text>').format(x, axes.bottom + 20, _power(n))
    middle = _LEFT + _WIDE / 2
    yield Markup('<text class="at strong" x="{}" y="{}">N, elements (log2)</text>').format(middle, axes.bottom + 42)
    yield Markup('<text class="strong" x="6" y="16">GB/s, 8N bytes in the time of one call (log2)</text>')


def _power(n: int) -> Markup:
    """As two to the power of …, where it is one."""
    if n & (n - 1):
        return Markup("{}").format(n)
    return Markup('2<tspan dy="-5" font-size="9">{}</tspan>').format(n.bit_length() - 1)


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def _line(series: Series, axes: _Axes) -> Iterator[Markup]:
    places = [(axes.x(n), axes.y(value)) for n, value in series.points]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    yield Markup('<path class="line {}{}" d="{}"/>').format(series.css, "" if series.mark else " reference", path)
    css = f"mark {series.css}{' hollow' if series.hollow else ''}"
    for (x, y), (n, value) in zip(places, series.points, strict=True):
        title = f"{series.name}, N = {n}: {_short(value)} GB/s"
        shape = MARKS[series.mark] if series.mark else "M-6 -6h12v12h-12z"
        shown = css if series.mark else "mark unseen"  # what a pointer finds on a line without marks
        yield Markup('<path class="{}" transform="translate({:.1f} {:.1f})" d="{}"><title>{}</title></path>').format(
            shown, x, y, shape, title
        )


def _names(drawn: Sequence[Series], axes: _Axes) -> Iterator[Markup]:
    """Each line's name at its right end, with its last value; moved apart where they would meet."""
    ordered = sorted(drawn, key=lambda series: axes.y(series.points[-1][1]))
    ends = [axes.y(series.points[-1][1]) for series in ordered]
    for series, end, y in zip(ordered, ends, spread(ends, _APART), strict=True):
        last = series.points[-1]
        x, at = axes.x(last[0]), _LEFT + _WIDE + 22
        yield Markup('<line class="lead {}" x1="{:.1f}" y1="{:.1f}" x2="{}" y2="{:.1f}"/>').format(
            series.css, x + 6, end, at - 4, y
        )
        yield Markup('<text class="name {}" x="{}" y="{:.1f}">{} <tspan class="soft">{}</tspan></text>').format(
            series.css, at, y + 4, series.name, _short(last[1])
        )


def spread(places: Sequence[float], apart: float) -> list[float]:
    """Sorted places moved as little as it takes to be so far apart; each crowd stays around its middle."""
    crowds: list[tuple[float, int]] = []  # (the middle, how many)
    for place in places:
        crowds.append((place, 1))
        while len(crowds) > 1 and _meet(crowds[-2], crowds[-1], apart):
            (one, some), (other, more) = crowds[-2:]
            crowds[-2:] = [((one * some + other * more) / (some + more), some + more)]
    return [middle + apart * (k - (count - 1) / 2) for middle, count in crowds for k in range(count)]


def _meet(above: tuple[float, int], below: tuple[float, int], apart: float) -> bool:
    return below[0] - above[0] < apart * (above[1] + below[1]) / 2
