"""Figures of a real GPU: tables, the plot and the pages hold what the data holds, and nothing else."""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from browser import ask, needs_browser
from conftest import scanlab

from scanlab import bench, costs, device, device_check, handouts, measured, paths, performance
from scanlab.measured import BUNDLED, TYPES, MeasuredError
from scanlab.render.plots import MARKS, Series, speed_svg, spread

DATA = json.loads(BUNDLED.read_text())
TIMED = [row for row in DATA["results"] if row["unit"] == "us"]


def labs(kind: str) -> dict[tuple[str, int], dict[str, Any]]:
    return {(row["candidate"], row["n"]): row for row in TIMED if (row["set"], row["type"]) == ("labs", kind)}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("handouts")
    assert handouts.build(out) == 0
    return out


def cells(html: str) -> list[list[str]]:
    """The rows of all tables, as text."""
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    return [
        [unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in rows
    ]


# --- the pages hold the figures of the data --------------------------------------------------------


@pytest.mark.parametrize("kind", TYPES)
def test_the_table_of_the_labs_is_the_datas(kind: str, built: Path) -> None:
    rows = {
        row[0]: row
        for row in cells((built / "08_performance.html").read_text().split(f'id="{kind}"')[1].split("<h2")[0])
    }
    figures = labs(kind)
    sizes = sorted({n for _, n in figures})
    for name in (*measured.LABS, "copy", "cub"):
        row = rows[{"copy": "a copy", "cub": "cub::DeviceScan"}.get(name, name)]
        shown = [float(cell.rstrip(" %")) for cell in row[1:]]
        us = [figures[name, n]["value"] for n in sizes]
        last = figures[name, sizes[-1]]
        wanted = [*us, last["spread"], last["gb_per_s"], 100 * last["of_copy"], 100 * last["of_cub"]]
        assert shown == [pytest.approx(value, rel=9e-3, abs=0.06) for value in wanted], name


@pytest.mark.parametrize("name", ["large", "beside", "small", "result", "variants"])
def test_every_time_of_the_other_tables_is_measured(name: str) -> None:
    table = measured.table(name, measured.bundled())
    known = {measured.micro(row["value"]) for row in TIMED}
    columns = [at for at, head in enumerate(table.head) if "µs" in head or (name == "small" and at > 0)]
    shown = [row[at].split(" ± ")[0] for row in table.rows for at in columns if at >= table.left]
    assert len(shown) >= 4 and set(shown) <= known


def test_other_data_makes_other_tables() -> None:
    changed = json.loads(json.dumps(DATA))
    for row in changed["results"]:
        row["value"] *= 2
    for name in ("labs float32", "labs int32", "large", "beside", "small", "result", "variants"):
        assert measured.table(name, measured.parse(changed)) != measured.table(name, measured.bundled())


def test_no_handout_has_a_time_typed_in() -> None:
    """But for three attempts of 07b, which the benchmark does not have any more, as it says."""
    for path in (paths.ROOT / "handouts").glob("*.md"):
        text = re.sub(r"\{\{.*?\}\}", "", path.read_text())
        kept, _, attempts = text.partition("And three that are not in the benchmark any more")
        assert not re.findall(r"\d (?:µs|GB/s)", kept + attempts.partition("\n## ")[2]), path.name


def test_the_readable_form_is_not_praised(built: Path) -> None:
    """At 2^28 it takes 51 times as long as the library."""
    row = labs("float32")["look_back", 1 << 28]
    times = f"{1 / row['of_cub']:.0f} times"
    assert row["of_cub"] < 0.03
    for page in ("07_look_back.html", "07b_fast_look_back.html"):
        assert times in re.sub(r"\s+", " ", (built / page).read_text()), page


def test_figures_one_by_one() -> None:
    row = labs("int32")["coarsened", 1 << 26]
    assert costs.evaluate('gpu.us("labs", "coarsened", "int32", 26)') == row["value"]
    assert costs.evaluate('gpu.gb_per_s("labs", "coarsened", "int32", 26)') == row["gb_per_s"]
    assert costs.evaluate('gpu.times_cub("labs", "coarsened", "int32", 26)') == row["of_cub"]
    assert costs.shown('gpu.percent_of_copy("labs", "coarsened", "int32", 26) | .1f') == f"{100 * row['of_copy']:.1f}"
    assert costs.evaluate("gpu.samples()") >= 20
    with pytest.raises(costs.CostError, match="nothing was measured"):
        costs.evaluate('gpu.us("labs", "coarsened", "int32", 27)')


# --- the plot ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TYPES)
def test_the_plot_has_every_point(kind: str) -> None:
    svg = str(performance.plot(measured.bundled(), kind))
    points = {
        (name, int(n)): float(value) for name, n, value in re.findall(r"<title>(\S+), N = (\d+): (\S+) GB/s", svg)
    }
    wanted = {(name, n) for name, n in labs(kind) if name in (*measured.LABS, "copy")}
    assert wanted | {("cub::DeviceScan", n) for name, n in labs(kind) if name == "cub"} == set(points)
    for (name, n), row in labs(kind).items():
        key = ("cub::DeviceScan" if name == "cub" else name, n)
        if key in points:
            assert points[key] == pytest.approx(row["gb_per_s"], abs=0.51 if row["gb_per_s"] >= 10 else 0.06)


def test_height_is_the_logarithm_of_the_speed() -> None:
    svg = str(speed_svg([Series("a", [(1 << 16, 8.0), (1 << 18, 16.0), (1 << 24, 64.0)], "lab-1", "circle")], "t"))
    (places,) = re.findall(r'class="line lab-1" d="M([^"]+)"', svg)
    (x0, y0), (x1, y1), (x2, y2) = (map(float, place.split()) for place in places.split("L"))
    assert (y0 - y1) * 2 == pytest.approx(y1 - y2) and y0 > y1
    assert (x1 - x0) * 3 == pytest.approx(x2 - x1, abs=0.2)
    assert "GB/s" in svg and "N, elements (log2)" in svg


def test_lines_are_told_apart_without_colours() -> None:
    svg = str(performance.plot(measured.bundled(), "float32"))
    for name in measured.LABS:
        assert re.search(rf'class="name [^"]+"[^>]*>{name} ', svg), name
    looks = {name: (performance._SHAPES[name], sections) for name, (_, sections) in measured.LABS.items()}
    assert len(set(looks.values())) == len(looks)
    assert len(set(MARKS.values())) == len(MARKS)


def test_names_do_not_meet() -> None:
    places = [10, 11, 12, 13, 100, 101, 300]
    moved = spread(places, 15)
    assert all(after - before >= 15 - 1e-9 for before, after in pairwise(moved))
    assert moved[-1] == 300 and sum(moved) == pytest.approx(sum(places))
    assert spread([], 15) == []


def test_nothing_to_draw_is_said() -> None:
    with pytest.raises(ValueError, match="nothing to draw"):
        speed_svg([], "t")
    with pytest.raises(MeasuredError, match="float64"):
        performance.plot(measured.bundled(), "float64")
    with pytest.raises(handouts.HandoutError, match="float64"):
        handouts.render("# T\n\n<!-- plot: float64 -->\n", handouts.PurePosixPath("99_x.md"))


@needs_browser
def test_the_page_fits_and_shows_the_plots(built: Path) -> None:
    page = built / "08_performance.html"
    assert ask(page, "document.querySelectorAll('svg.plot').length") == "2"
    assert ask(page, "document.documentElement.scrollWidth <= innerWidth", width=500) == "true"
    over = "[...document.querySelectorAll('svg.plot text')].filter(t => t.getBBox().x + t.getBBox().width > t.ownerSVGElement.viewBox.baseVal.width).length"
    assert ask(page, over) == "0", "a name is cut off"


# --- the page of one's own figures ------------------------------------------------------------------


def bench_stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, results: list[dict[str, Any]]) -> None:
    """A benchmark program that writes these results, and a GPU that is only said to be there."""
    data = {**DATA, "device": {**DATA["device"], "name": "NVIDIA T4"}, "results": results}
    del data["device"]["driver"]
    (tmp_path / "figures.json").write_text(json.dumps(data))
    program = tmp_path / "scan_bench"
    program.write_text(f'#!/bin/sh\nwhile [ "$1" != --json ]; do shift; done; cp {tmp_path}/figures.json "$2"\n')
    program.chmod(0o755)
    monkeypatch.setattr(device, "why_not", lambda: None)
    monkeypatch.setattr(device, "gpu", lambda: device.Gpu("NVIDIA T4", "999.1", "7.5"))
    monkeypatch.setattr(device_check, "scan_bench", lambda: program)


def test_bench_writes_a_page_of_its_own_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = [
        {**row, "gb_per_s": row["gb_per_s"] / 2, "value": row["value"] * 2} for row in TIMED if row["type"] == "int32"
    ]
    bench_stand_in(tmp_path, monkeypatch, own)
    out, page = tmp_path / "bench.json", tmp_path / "page.html"
    assert bench.run(None, "cuda", out, [], page) == 0
    assert json.loads(out.read_text())["device"]["driver"] == "999.1"
    html = page.read_text()
    assert "NVIDIA T4" in html and "driver 999.1" in html and "float32" not in html
    assert html.count('<svg class="figure plot"') == 1 and not re.search(r"https?://| src=|url\(", html)
    assert f"{labs('int32')['coarsened', 1 << 30]['gb_per_s'] / 2:.0f}" in html


def test_other_sets_make_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench_stand_in(tmp_path, monkeypatch, [row for row in TIMED if row["set"] == "large"])
    assert bench.run(None, "cuda", None, ["--set", "large"], tmp_path / "page.html") == 0
    assert not (tmp_path / "page.html").exists()


@pytest.mark.skipif(device.gpu() is not None, reason="there is a GPU")
def test_without_a_gpu_there_is_no_page(tmp_path: Path) -> None:
    done = scanlab("bench", "--backend", "cuda", "--html", tmp_path / "page.html")
    assert done.status == 3 and not (tmp_path / "page.html").exists()
