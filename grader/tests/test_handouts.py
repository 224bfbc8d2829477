"""The handouts: what they include, what they compute, and that no page has a hole."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest
from browser import ask, needs_browser
from conftest import needs_machine

from scanlab import costs, handout_tables, handouts, paths, rubric
from scanlab.handouts import HandoutError, region_lines, render
from scanlab.model import KINDS
from scanlab.render.figures import NetworkError, network_svg, worked_svg
from scanlab.solution_network import UnprovedSolutionError, solution_network

WORKED = paths.ROOT / "datasets" / "worked"


def page(text: str) -> str:
    return str(render(f"# Title\n\n{text}\n", PurePosixPath("99_test.md")).html)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("handouts")
    assert handouts.build(out) == 0
    return out


# --- the pages that are there --------------------------------------------------------------------


def test_every_kind_of_finding_has_a_page_with_example_and_mend(built: Path) -> None:
    assert {path.stem for path in (built / "findings").glob("*.html")} == KINDS
    for kind in KINDS:
        html = (built / "findings" / f"{kind}.html").read_text()
        assert f"examples/{kind}.cu" in html, kind
        assert f"examples/{kind}.mended.cu" in html, kind
        assert 'id="the-mend"' in html
        assert 'id="what-it-costs"' in html


def test_pages_are_self_contained_and_links_resolve(built: Path) -> None:
    for path in built.rglob("*.html"):
        html = path.read_text()
        assert not re.search(r"https?://|@import|url\(| src=", html), path.name
        for link in re.findall(r'<a href="([^"#]+)', html):
            assert (path.parent / link).resolve().is_file(), (path.name, link)
        ids = set(re.findall(r'\bid="([^"]+)"', html))
        assert set(re.findall(r'href="#([^"]+)"', html)) <= ids, path.name


def test_nothing_is_left_unresolved(built: Path) -> None:
    for path in built.rglob("*.html"):
        text = path.read_text()
        assert "{{" not in text, path.name
        assert not re.search(r"<!-- *(listing|figure|states|network|quiz)", text), path.name


def test_the_theory_says_the_courses_figures(built: Path) -> None:
    text = (built / "00_theory.html").read_text()
    for figure in ("523\u202f776", "9217", "2036", "2226", "320.0", "73.6", "72.0", "289", "3.2"):
        assert figure in text, figure
    assert text.count("<svg") == 3


LABS = sorted((paths.ROOT / "labs").glob("[0-9]*_*"))
FIGURES_IN_HANDOUTS = {  # DESIGN section 6, and where each must stand
    "01_kogge_stone": ("511", "4097", "9217", "523\u202f776", "320", "289", "3.2", "3.5"),
    "02_double_buffered": ("9217", "20", "10"),
    "03_brent_kung": ("2036", "1023", "1013", "63.6", "73.6", "71", "14", "3.2"),
    "04_coarsened": ("2226", "2304", "960", "321", "945", "72", "71", "14.2"),
    "05_hierarchical": ("10\u202f494\u202f977", "4N"),
    "06_domino": ("10\u202f487\u202f808", "1046"),
    "07_look_back": ("2N",),
}


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_each_lab_has_its_handout(built: Path, lab: Path) -> None:
    html = (built / f"{lab.name}.html").read_text()
    for part in ("the-idea", "a-worked-example", "what-it-costs", "traps", "what-is-graded"):
        assert f'id="{part}"' in html, part
    assert '<table class="states">' in html
    assert re.search(r'href="quiz/\d\d_\w+\.html"', html)
    assert "<svg" in html or lab.name == "07_look_back"


@pytest.mark.parametrize("name", FIGURES_IN_HANDOUTS)
def test_the_costs_stand_in_the_labs_handouts(built: Path, name: str) -> None:
    words = re.sub(r"<[^>]+>", " ", (built / f"{name}.html").read_text())
    for figure in FIGURES_IN_HANDOUTS[name]:
        assert re.search(rf"(?<![\d.]){re.escape(figure)}(?![\d])", words), figure


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_a_handout_does_not_show_the_whole_solution(built: Path, lab: Path) -> None:
    """Regions of the lab's own solution may be shown, its kernel may not."""
    name = lab.name.split("_", 1)[1]
    shown = re.findall(r"<!-- listing: (\S+) -->", (paths.ROOT / f"handouts/{lab.name}.md").read_text())
    own = {listing for listing in shown if listing.startswith(f"solutions/{lab.name}/")}
    parts = {listing.partition("#")[2] for listing in own}
    assert not parts & {"", "inclusive", "exclusive", "kernel", "driver", "steps", f"{name}_scan_kernel"}
    assert len(own) <= 2


def test_questions_have_folded_answers(built: Path) -> None:
    html = (built / "quiz" / "03_kogge_stone.html").read_text()
    assert html.count('<details class="answer">') == html.count("</details>") >= 15
    assert "<details open" not in html


def test_building_twice_gives_the_same(built: Path, tmp_path: Path) -> None:
    handouts.build(tmp_path)
    for path in built.rglob("*.html"):
        again = tmp_path / path.relative_to(built)
        assert again.read_bytes() == path.read_bytes()


@needs_browser
@pytest.mark.parametrize("name", ["index.html", "00_theory.html", "04_coarsened.html", "findings/race.shared.html"])
def test_pages_fit_a_phone(built: Path, name: str) -> None:
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert int(ask(built / name, wide, width=390)) <= 0


# --- regions -------------------------------------------------------------------------------------

CODE = """\
int before;
  // [region outer]
  int a;
  // [region inner]
    int b;
  // [/region inner]
  int c;
  // [/region]
"""


def test_regions() -> None:
    assert region_lines(CODE, "inner") == ["int b;"]
    assert region_lines(CODE, "outer") == ["int a;", "  int b;", "int c;"]
    assert region_lines(CODE, "")[0] == "int before;"
    assert not any("region" in line for line in region_lines(CODE, ""))


@pytest.mark.parametrize(
    ("text", "region"),
    [
        (CODE, "missing"),
        (CODE + CODE, "inner"),
        ("// [region a]\nint x;\n", "a"),
        ("// [/region]\n", ""),
        ("// [region a]\n// [region b]\n// [/region a]\n// [/region b]\n", "a"),
    ],
)
def test_broken_regions(text: str, region: str) -> None:
    with pytest.raises(HandoutError):
        region_lines(text, region)


# --- what a page may hold ------------------------------------------------------------------------


def test_a_listing_is_highlighted_code() -> None:
    html = page("<!-- listing: handouts/findings/examples/race.shared.cu#shown -->")
    assert '<span class="k">if</span>' in html
    assert "<figcaption>" in html


def test_a_comment_at_the_end_of_a_listing_is_one() -> None:
    html = page("<!-- listing: handouts/findings/examples/fence.missing.cu#shown -->")
    assert '<span class="c">// another block may see this before it sees the 42</span>' in html


def test_numbers() -> None:
    assert "4097" in page("{{ work.kogge_stone(512) }}")
    assert "73.62" in page("{{ units.brent_kung(1024, 32) | .2f }}")
    assert "{{ work }}" in page("\\{{ work }}")


@pytest.mark.parametrize(
    "text",
    [
        "<!-- listing: handouts/findings/examples/race.shared.cu#nope -->",
        "<!-- listing: no/such/file.cu -->",
        "<!-- listing: ../../../../etc/passwd -->",
        "<!-- figure: datasets/worked/kogge_stone_8.json steps=x -->",
        "<!-- figure: datasets/worked/figures.json -->",
        "<!-- quiz: nope -->",
        "<!-- network: nope -->",
        "<!-- points: nope -->",
        "<!-- traps: solutions/01_kogge_stone/wrong nope -->",
        "<!-- states: datasets/worked/kogge_stone_race_8.json order=nope -->",
        "{{ work.nope(3) }}",
        "{{ work.kogge_stone(500) }}",
        "{{ __import__('os').getcwd() }}",
        "{{ 1 / 0 }}",
    ],
)
def test_what_does_not_resolve_fails_the_build(text: str) -> None:
    with pytest.raises(HandoutError, match="99_test"):
        page(text)


def test_a_page_without_a_title_is_refused() -> None:
    with pytest.raises(HandoutError):
        render("no title", PurePosixPath("99_test.md"))


def test_links_between_handouts() -> None:
    one = render("# A\n\n[x](findings/race.shared.md#more)", PurePosixPath("99_a.md"))
    assert 'href="findings/race.shared.html#more"' in one.html
    bad = render("# A\n\n[x](nope.md)", PurePosixPath("99_a.md"))
    with pytest.raises(HandoutError, match=r"nope\.html leads nowhere"):
        handouts._check_links([bad])


def test_headings_get_distinct_anchors() -> None:
    one = render("# A\n\n## Part\n\n## Part\n", PurePosixPath("99_a.md"))
    assert [section.anchor for section in one.sections] == ["part", "part-2"]


# --- figures -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(WORKED.glob("*.json")), ids=lambda path: path.stem)
def test_every_worked_example_can_be_drawn(path: Path) -> None:
    example = json.loads(path.read_text())
    if example["schema"] != "scanlab/worked/v1":
        pytest.skip("no worked example")
    svg = worked_svg(example)
    boxes = svg.count("<rect")
    arrays = {array["name"]: array["size"] for array in example["arrays"]}
    first = next(iter(arrays))
    assert boxes == len(example["loaded"]) + len(example["steps"]) * sum(arrays.values())
    assert len(example["loaded"]) == arrays[first]


def test_a_drawing_shows_the_numbers_of_the_data() -> None:
    example = json.loads((WORKED / "kogge_stone_8.json").read_text())
    svg = worked_svg(example, 3, 3)
    assert re.findall(r'class="value"[^>]*>(\d+)<', svg) == [str(v) for v in example["output"]]
    additions = sum(len(step["operations"]) for step in example["steps"])
    assert worked_svg(example).count('class="added"') == additions == costs.evaluate("work.kogge_stone(8)")


@pytest.mark.parametrize(
    "nodes",
    [
        [],
        [[1]],
        [[1, 0, 0, 0, 1, "i0", "x9"]],
        [["1", 0, 0, 0, 1, "i0", "i1"]],
        [[1, 0, 0, 0, 999, "i0", "i999"]],
        [[1, 0, 0, 0, 1, "i0", "<script>"]],
        [[65, 0, 0, 0, 1, "i0", "i1"]],
    ],
)
def test_what_is_no_network_is_refused(nodes: list[object]) -> None:
    with pytest.raises(NetworkError):
        network_svg({"nodes": nodes})


# An addition: its row, and the first and last input of the left and of the right operand.
Addition = tuple[int, tuple[int, int], tuple[int, int]]


def worked_additions(name: str) -> list[Addition]:
    """By the operations of a worked example, one row for each step that adds."""
    example = json.loads((WORKED / f"{name}.json").read_text())
    held = {cell: (cell, cell) for cell in range(example["arrays"][0]["size"])}
    additions: list[Addition] = []
    row = 0
    for step in example["steps"]:
        row += bool(step["operations"])
        before = dict(held)
        held.update({target: before[source] for source, target in step.get("copies", ())})
        for left, right, target in step["operations"]:
            additions.append((row, before[left], before[right]))
            held[target] = (before[left][0], before[right][1])
    return sorted(additions)


def run_additions(lab: str) -> list[Addition]:
    """By a run of the solution."""
    nodes = solution_network(paths.find_lab(lab))["nodes"]

    def inputs(reference: str) -> tuple[int, int]:
        number = int(reference[1:])
        return (number, number) if reference[0] == "i" else (nodes[number][3], nodes[number][4])

    return sorted((row, inputs(left), inputs(right)) for row, _, _, _, _, left, right in nodes)


@needs_machine
@pytest.mark.parametrize(
    ("lab", "name", "work"),
    [
        ("kogge_stone", "kogge_stone_invariant_16", "work.kogge_stone(16)"),
        ("double_buffered", "kogge_stone_invariant_16", "work.double_buffered(16)"),
        ("brent_kung", "brent_kung_16", "work.brent_kung(16)"),
        ("coarsened", "coarsened_4x4_kogge_stone", "work.coarsened(4, 4)"),
    ],
)
def test_the_solution_adds_what_the_worked_example_adds(lab: str, name: str, work: str) -> None:
    additions = run_additions(lab)
    assert additions == worked_additions(name)
    assert len(additions) == costs.evaluate(work)


@needs_machine
def test_the_figure_of_a_handout_has_a_dot_for_each_addition_of_the_solution() -> None:
    html = page("<!-- network: brent_kung Two <b>trees</b> -->")
    nodes = solution_network(paths.find_lab("brent_kung"))["nodes"]
    dots = re.findall(r'<circle class="dot"[^>]*><title>thread (\d+): inputs (\d+) to (\d+)<', html)
    assert sorted(dots) == sorted((str(n[2]), str(n[3]), str(n[4])) for n in nodes)
    assert html.count("L", html.index('class="added"'), html.index("<circle")) == len(nodes)
    assert "16 lanes, 26 additions in 7 rows, from the top: 8, 4, 2, 1, 1, 3, 7." in html
    assert "Two &lt;b&gt;trees&lt;/b&gt;. From a run of the solution" in html


@needs_machine
@pytest.mark.parametrize("lab", ["look_back", "kogge_stone"])
def test_what_is_not_proved_is_not_drawn(lab: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver has no network, and a wrong solution has one that no check proves."""
    wrong = paths.ROOT / "solutions" / "01_kogge_stone" / "wrong" / "no_temporary.cu"
    monkeypatch.setattr(paths, "CACHE", tmp_path)
    if lab == "kogge_stone":
        monkeypatch.setattr(paths.Lab, "solution", wrong)
    with pytest.raises(UnprovedSolutionError):
        solution_network(paths.find_lab(lab))


# --- tables from a lab ---------------------------------------------------------------------------


@pytest.mark.parametrize("folder", sorted((paths.ROOT / "labs").glob("[0-9]*_*")), ids=lambda f: f.name)
def test_points_are_the_rubrics(folder: Path) -> None:
    lab = folder.name.split("_", 1)[1]
    table = handout_tables.points_table(lab)
    cells = re.findall(r'<td>([^<]+)</td><td class="num">(\d+)<', table)
    *named, (_, total) = cells
    points = rubric.load(folder / "grade.py").points
    assert {name: float(most) for name, most in named} == {k: v for k, v in points.items() if v}
    assert sum(points.values()) == float(total)


def test_traps_say_what_the_wrong_solutions_say() -> None:
    wrong = paths.ROOT / "solutions" / "01_kogge_stone" / "wrong"
    table, links = handout_tables.traps_table(wrong, ["no_temporary", "greater_for_greater_or_equal"])
    assert "<td>Adds in place in one statement" in table
    assert "<td>threadIdx.x &gt; stride" in table
    assert links == ["findings/race.shared.html", "findings/value.wrong.html"]


@pytest.mark.parametrize(
    "path",
    sorted((paths.ROOT / "solutions").glob("*/wrong/*.cu")),
    ids=lambda path: f"{path.parts[-3]}/{path.stem}",
)
def test_every_wrong_solution_can_stand_in_a_table(path: Path) -> None:
    trap = handout_tables.read_trap(path)
    assert trap.kinds and set(trap.kinds) <= KINDS
    assert trap.why


# --- numbers -------------------------------------------------------------------------------------

FIGURES = {
    "sequential.work.1024": "work.sequential(1024)",
    "naive.work.1024": "work.naive(1024)",
    "kogge_stone.work.512": "work.kogge_stone(512)",
    "kogge_stone.work.1024": "work.kogge_stone(1024)",
    "brent_kung.work.1024": "work.brent_kung(1024)",
    "coarsened.work.1024": "work.coarsened(64, 16)",
}
TEXTBOOK = {
    "coarsened.work.1024": "work.coarsened_textbook(64, 16)",
    "kogge_stone.unit_steps.1024.32": "units.kogge_stone(1024, 32)",
    "brent_kung.unit_steps.1024.32": "units.brent_kung(1024, 32)",
    "coarsened.unit_steps.1024.32": "units.coarsened(64, 16, 32)",
}


@pytest.mark.parametrize(
    ("name", "which", "expression"),
    [(n, "exact", e) for n, e in FIGURES.items()] + [(n, "textbook", e) for n, e in TEXTBOOK.items()],
)
def test_costs_agree_with_the_cost_model(name: str, which: str, expression: str) -> None:
    assert costs.evaluate(expression) == costs.figure(name, which)


def test_ceilings_of_drivers() -> None:
    # One level: 4 sections of 4, padded; their 4 sums are one section on a second level.
    assert costs.hierarchical_ceiling(13, 4) == (4 * 4 * 2 + 13) + (1 * 4 * 2 + 4)
    assert costs.domino_ceiling(13, 4) == 4 * 4 * 2 + 4 * 4 + 4


@pytest.mark.parametrize("algorithm", ["kogge_stone", "brent_kung"])
def test_active_warps_are_the_exact_steps_on_32_units(algorithm: str) -> None:
    exact = costs.figure(f"{algorithm}.unit_steps.1024.32", "exact")
    assert costs.evaluate(f"warps.{algorithm}(1024)") == exact


def test_kogge_stone_diverges_in_one_warp_below_stride_32() -> None:
    assert costs.evaluate("divergent.kogge_stone(1024)") == len([1, 2, 4, 8, 16])


@pytest.mark.parametrize("adders", [costs.brent_kung_adders, costs.brent_kung_adders_by_number])
def test_both_index_forms_do_all_of_brent_kung(adders: Callable[[int], costs.Steps]) -> None:
    assert sum(map(len, adders(256))) == costs.brent_kung_work(256)
