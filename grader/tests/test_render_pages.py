"""The pages, as files and in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from browser import ask, dom, needs_browser, print_pdf
from render_samples import (
    NASTY,
    SOURCE,
    check,
    clean,
    finding,
    hostile,
    hostile_source,
    network,
    proof_check,
    racy,
    result,
)

from scanlab import render


@pytest.fixture
def page(tmp_path: Path) -> Path:
    out = tmp_path / "students" / "ada.html"
    results = [racy(), {**clean(), "lab": "brent_kung"}]
    sources = {"kogge_stone": SOURCE, "brent_kung": SOURCE}
    render.render_student(results, sources, "Ada Lovelace", out, class_page="../index.html")
    return out


def row(student: str, *results: dict[str, Any]) -> dict[str, Any]:
    return {"student": student, "page": f"students/{len(student)}.html", "results": list(results)}


def scored(score: float, lab: str = "kogge_stone", kind: str = "race.shared") -> dict[str, Any]:
    most = 100.0
    bad = [] if score >= most else [finding(kind)]
    return {
        **result(check("c", "fail" if bad else "pass", most, findings=bad)),
        "lab": lab,
        "score": score,
    }


@pytest.fixture
def overview(tmp_path: Path) -> Path:
    rows = [
        row("Ada", scored(100), scored(40, "brent_kung", "work.wrong")),
        row("Grace H", scored(9)),
        row("Alan", scored(62), scored(100, "brent_kung")),
        row("Mary", result(error={"kind": "harness", "message": "died"})),
        row(
            "",
        ),
    ]
    out = tmp_path / "index.html"
    render.render_class(rows, out)
    return out


def test_student_page_says_everything(page: Path) -> None:
    html = page.read_text()
    for text in (
        "Ada Lovelace",
        "20 <small>of 80 points</small>",
        "race.shared",
        "with no barrier between",
        "Nothing is proved while an error stands.",
        "inclusive scan: right for every size, for every input",
        "section 64: N = 1..64",
        "no divergent barrier",
        "S = 1024, N = 1024",
        "bubblewrap",
        "20260101",
        "./scanlab check kogge_stone kogge_stone.cu",
        'href="../index.html"',
    ):
        assert text in html, text


def test_findings_link_to_source_lines_and_back(page: Path) -> None:
    html = page.read_text()
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    for target in re.findall(r'href="#([^"]+)"', html):
        assert target in ids
    assert "lab1-L10" in ids
    assert 'href="#lab1-finding1"' in html


@pytest.mark.parametrize("name", ["page", "overview"])
def test_pages_are_self_contained(name: str, request: pytest.FixtureRequest) -> None:
    html = request.getfixturevalue(name).read_text()
    assert not re.search(r"https?://|@import|url\(|<link(?! rel=\"icon\" href=\"data:,\")| src=", html)


def test_no_half_page_is_left(page: Path) -> None:
    assert [path.name for path in page.parent.iterdir()] == ["ada.html"]


def test_same_input_same_page(page: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.html"
    sources = {"kogge_stone": SOURCE, "brent_kung": SOURCE}
    results = [racy(), {**clean(), "lab": "brent_kung"}]
    render.render_student(results, sources, "Ada Lovelace", again, class_page="../index.html")
    assert again.read_bytes() == page.read_bytes()


def test_class_page_counts(overview: Path) -> None:
    html = overview.read_text()
    assert "5 students, 2 labs" in html
    assert "0\u20139: 1" in html
    assert "The grader itself failed" in html
    assert html.index("kogge_stone</button>") < html.index("brent_kung</button>")
    assert re.search(r"3 handed in|4 handed in", html)


def test_a_students_page_without_results(tmp_path: Path) -> None:
    out = tmp_path / "none.html"
    render.render_student([], {}, "Nobody", out)
    assert "Nothing was handed in" in out.read_text()


def test_links_stay_inside(tmp_path: Path) -> None:
    out = tmp_path / "index.html"
    pages = ["javascript:alert(1)", "//evil.example/x", "\\\\evil", "data:text/html,x"]
    render.render_class([{"student": "x", "page": p, "results": []} for p in pages], out)
    assert "<a href" not in out.read_text()


def test_the_network_is_drawn(tmp_path: Path) -> None:
    out = tmp_path / "a.html"
    data = result(proof_check(network=network()), check("odd", network={"nodes": [NASTY]}))
    render.render_student([data], {}, "A", out)
    html = out.read_text()
    assert html.count("<circle") == 5
    assert "thread 3: inputs 0 to 3" in html
    assert 'role="img" aria-label="Network of additions, inclusive scan: right for every size"' in html
    assert "<desc>4 lanes, 5 additions in 2 rows, from the top: 3, 2.</desc>" in html
    assert '<path class="added" d="M14 22L40 56M40 22L66 56M66 22L92 56M14 56L66 90M40 56L92 90"/>' in html


def test_a_sum_that_is_no_run_of_elements_stands_out(tmp_path: Path) -> None:
    out = tmp_path / "a.html"
    nodes = [[1, 0, 1, 0, 1, "i0", "i1"], [2, 0, 3, -1, -1, "n0", "i3"]]
    data = result(check("c", "fail", network={"nodes": nodes, "outputs": ["i0", "n0", "i2", "n1"]}))
    render.render_student([data], {}, "A", out)
    assert re.findall(r'<circle class="dot off"[^>]*><title>([^<]*)', out.read_text()) == [
        "thread 3: not one run of inputs"
    ]
    assert "Red: the sum" in out.read_text() and "Another order of threads may" in out.read_text()
    render.render_student([result(proof_check(network=network()))], {}, "A", out)
    html = re.sub("<style>.*?</style>", "", out.read_text(), flags=re.S)
    assert "dot off" not in html and "Red:" not in html and "Another order" not in html


@pytest.mark.parametrize("kind", ["associative", "commutative"])
def test_a_proof_names_its_operators(tmp_path: Path, kind: str) -> None:
    out = tmp_path / "a.html"
    notes = [finding("value.order", "note")] if kind == "commutative" else []
    render.render_student([result(proof_check(findings=notes))], {}, "A", out)
    assert f"every {kind} operator" in out.read_text()


def test_kinds_lead_to_their_handouts(tmp_path: Path) -> None:
    out = tmp_path / "a.html"
    render.render_student([racy()], {}, "A", out, handouts="../handouts/")
    assert 'href="../handouts/findings/race.shared.html"' in out.read_text()
    odd = result(check("c", "fail", findings=[finding('x"/../y')]))
    render.render_student([odd], {}, "A", out, handouts="../handouts")
    assert "findings/x" not in out.read_text()


def test_unsandboxed_is_said(tmp_path: Path) -> None:
    out = tmp_path / "a.html"
    render.render_student([{**clean(), "sandbox": "none"}], {}, "A", out)
    assert "without a sandbox" in out.read_text()


@needs_browser
def test_hostile_text_is_harmless_in_a_browser(tmp_path: Path) -> None:
    student, index = tmp_path / "s.html", tmp_path / "i.html"
    render.render_student([hostile()], {"kogge_stone": hostile_source()}, NASTY, student)
    render.render_class([{"student": NASTY, "page": "s.html", "results": [hostile()]}], index)
    for path in (student, index):
        raw = path.read_text()
        assert "<img" not in raw
        assert raw.count("<script>") == 1
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b]", raw)
        assert "49" not in re.sub(r"<style>.*?</style>|sha256-[^']*", "", raw, flags=re.S)
        assert "data-pwned" not in dom(path)


@needs_browser
def test_the_policy_allows_our_script_and_no_other(overview: Path) -> None:
    assert '<input class="filter"' in dom(overview)
    assert "hidden" not in re.findall(r'<input class="filter"[^>]*>', dom(overview))[0]
    injected = overview.with_name("injected.html")
    script = "<script>document.documentElement.dataset.pwned=1</script></body>"
    injected.write_text(overview.read_text().replace("</body>", script))
    assert "data-pwned" not in dom(injected).split("<body>")[0]


@needs_browser
def test_the_table_sorts_by_number_and_back(overview: Path) -> None:
    names = "[...document.querySelectorAll('#students tbody tr')].map(r => r.cells[0].innerText).join()"
    button = "document.querySelectorAll('#students th button')[1]"
    assert ask(overview, f"({button}.click(), {names})") == "Ada,Alan,Grace H,Mary,"
    assert ask(overview, f"({button}.click(), {button}.click(), {names})") == ",Mary,Grace H,Alan,Ada"


@needs_browser
def test_the_filter_hides_rows(overview: Path) -> None:
    script = (
        "(() => { const f = document.querySelector('.filter'); f.value = 'grace';"
        " f.dispatchEvent(new Event('input'));"
        " const rows = [...document.querySelectorAll('#students tbody tr')];"
        " return rows.filter(r => !r.hidden).length; })()"
    )
    assert ask(overview, script) == "1"


@needs_browser
@pytest.mark.parametrize("name", ["page", "overview"])
def test_pages_fit_a_phone(name: str, request: pytest.FixtureRequest) -> None:
    path = request.getfixturevalue(name)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert int(ask(path, wide, width=390)) <= 0


@needs_browser
def test_a_page_prints(page: Path, tmp_path: Path) -> None:
    assert print_pdf(page, tmp_path / "ada.pdf").startswith(b"%PDF")
