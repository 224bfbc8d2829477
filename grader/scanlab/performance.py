"""Measured figures as a page: a plot and a table for each type. Handouts take the same parts by their directives."""

from __future__ import annotations

import re
from pathlib import Path

from markupsafe import Markup

from scanlab import measured
from scanlab.measured import Figures
from scanlab.render.page import captioned, scrolling_table, write_page
from scanlab.render.plots import MARKS, Series, speed_svg

_SHAPES = dict(zip(measured.LABS, (*MARKS, *MARKS), strict=False))


def plot(figures: Figures, kind: str) -> Markup:
    """Every lab's solution beside a copy and CUB, GB/s over N; with a caption that says how to read it."""
    series = [_series(figures, name, kind) for name in figures.candidates(kind)]
    if not series:
        raise measured.MeasuredError(f"nothing was measured of the labs with {kind}")
    title = f"Speed of the labs' solutions, {kind}, {figures.device['name']}"
    caption = (f"{kind}. Twice the speed is one line up; dashed: a copy and CUB. Hollow marks: labs 1 to 4, which scan "
               "each section on its own, an easier task than CUB’s.")  # fmt: skip
    return captioned(speed_svg(series, title), caption)


def _series(figures: Figures, name: str, kind: str) -> Series:
    there = [(n, figures.rows.get(("labs", name, kind, n))) for n in figures.sizes(kind)]
    points = [(n, figure.gb_per_s) for n, figure in there if figure is not None]
    if name not in measured.LABS:
        return Series("cub::DeviceScan" if name == measured.CUB else name, points, f"of-{name}")
    lab, sections = measured.LABS[name]
    return Series(name, points, f"lab-{lab}", _SHAPES[name], sections)


def table_html(name: str, figures: Figures) -> Markup:
    """A table of `measured.table`."""
    made = measured.table(name, figures)

    def row(cells: list[str], tag: str) -> Markup:
        tags = (f"<{tag}>" if at < made.left else f'<{tag} class="num">' for at in range(len(cells)))
        return Markup("").join(
            Markup("{}{}</{}>").format(Markup(opening), _with_code(cell), Markup(tag))
            for opening, cell in zip(tags, cells, strict=True)
        )

    body = Markup("").join(Markup("<tr>{}</tr>").format(row(list(cells), "td")) for cells in made.rows)
    head = Markup("<tr>{}</tr>").format(row(list(made.head), "th"))
    return scrolling_table(head, body)


def _with_code(text: str) -> Markup:
    parts = re.split(r"`([^`]+)`", text)
    return Markup("").join(Markup("<code>{}</code>").format(part) if at % 2 else Markup.escape(part)
                           for at, part in enumerate(parts))  # fmt: skip


def write(figures: Figures, out: Path) -> bool:
    """The page of a run of the set `labs`; False where it has none of it."""
    kinds = [kind for kind in measured.TYPES if figures.candidates(kind)]
    parts = [(kind, plot(figures, kind), table_html(f"labs {kind}", figures)) for kind in kinds]
    if parts:
        write_page("performance.html.j2", out, device=measured.device_words(figures), parts=parts)
    return bool(parts)
