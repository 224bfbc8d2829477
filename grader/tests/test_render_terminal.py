"""The terminal report: what it says, at which widths, and that hostile text stays text."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from render_samples import (
    PRECONDITIONS,
    SOURCE,
    check,
    clean,
    finding,
    hostile,
    hostile_source,
    racy,
    result,
    site,
)
from rich.cells import cell_len

from scanlab import render

GRADER = Path(__file__).resolve().parents[1]


def report(data: dict[str, object], source: str | None = SOURCE, width: int = 100) -> str:
    out = io.StringIO()
    render.print_report(data, source, file=out, width=width)
    return out.getvalue()


def test_the_report_reads_like_a_compilers() -> None:
    text = report(racy())
    assert "20 of 80 points" in text
    assert re.search(r"FAIL +no races +0/30", text)
    assert "error[race.shared]: thread 33 reads XY[32]" in text
    assert "--> kogge_stone.cu:10" in text
    lines = text.split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("10 | "))
    marks = [lines[at + 1], lines[at + 2]]
    write, read = (m.index("^") for m in marks)
    assert lines[at][read:].startswith("XY[threadIdx.x - stride]")
    assert lines[at][write:].startswith("XY[threadIdx.x] +=")
    assert "thread 32 writes" in marks[0]
    assert "thread 33 reads" in marks[1]


def test_counts_and_next_step_are_there() -> None:
    text = report(racy())
    assert re.search(r"counted: work +9234 +expected 9217", text)
    assert "counted: barriers 10" in text
    assert "next: mend race.shared at line 10" in text
    assert "./scanlab hint kogge_stone" in text
    assert "seed 20260101" in text


def test_a_proof_is_named() -> None:
    text = report(clean())
    assert "proved: inclusive scan: right for every size" in text
    assert re.search(r"work \(S = 1024, N = 1024\) +9217 +expected 9217", text)
    assert "n 1024, work 9217, steps 10" in text
    tested = {"tested": ["N = 1..70"], "schedules": 6, "preconditions": PRECONDITIONS}
    text = report(result(check("right", measured=tested)))
    assert "tested: right under 6 schedules" in text
    assert "does not hold: T is opaque" in text


def test_why_checks_were_skipped_is_said_once() -> None:
    requires = ["builds", "no races", "memory"]
    skipped = [check(name, "skip", requires=requires) for name in ("one", "two")]
    text = report(result(check("builds"), check("no races", "fail"), check("memory"), *skipped))
    assert text.count("What was skipped waits for: no races\n") == 1


def test_two_orders_of_one_race_are_one_finding() -> None:
    sites = finding()["sites"]
    both = [finding(), finding(sites=sites[::-1], message="the other way round")]
    assert report(result(check("c", "fail", findings=both))).count("error[race.shared]") == 1


def test_full_marks() -> None:
    text = report(clean())
    assert "full marks" in text
    assert "error[" not in text


def test_the_graders_own_failure_is_not_the_students() -> None:
    text = report(result(error={"kind": "harness", "message": "no answer"}))
    assert "the grader itself failed: harness: no answer" in text
    assert "costs no points" in text


def test_one_finding_in_two_checks_is_said_once() -> None:
    same = finding()
    data = result(*(check(name, "fail", findings=[same]) for name in ("first", "second")))
    text = report(data)
    assert text.count("error[race.shared]") == 1
    assert "= in: first, second" in text


def test_blocks_are_named_only_where_they_differ() -> None:
    sites = [site(10, 0, "read", block=1), site(12, 0, "write", block=0)]
    text = report(result(check("c", "fail", findings=[finding("race.global", sites=sites)])))
    assert "thread 0 of block 1 reads" in text
    assert "of block" not in report(racy())


def test_carets_stand_under_wide_characters_too() -> None:
    source = SOURCE.replace("    if (threadIdx.x >= stride)", "    if (/*山田*/ threadIdx.x >= stride)")
    lines = report(racy(), source).split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("10 | "))
    column = cell_len(lines[at][: lines[at].index("XY[threadIdx.x] +=")])
    assert lines[at + 1].index("^") == column


@pytest.mark.parametrize("width", [40, 60, 80, 110])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    long_source = SOURCE.replace("// racy", "// " + "long " * 60)
    assert max(map(len, report(racy(), long_source, width).split("\n"))) <= width


@pytest.mark.parametrize("source", [None, "", SOURCE])
def test_sites_outside_the_source_do_no_harm(source: str | None) -> None:
    odd = finding(sites=[site(0, 1, "read"), site(10**9, 2, "write")])
    assert "error[race.shared]" in report(result(check("c", "fail", findings=[odd])), source)


def test_hostile_text_stays_text() -> None:
    text = report(hostile(), hostile_source())
    hidden = {char for char in text if unicodedata.category(char) in ("Cc", "Cf")} - {"\n"}
    assert not hidden
    assert "\\x1b[2J" in text
    assert "[bold]x[/bold]" in text


def test_a_broken_result_still_gives_a_report() -> None:
    broken = {"lab": None, "checks": [None, {"findings": [{"sites": "x", "count": "y"}]}, 3]}
    assert "points" in report(broken)


def run_python(code: str, **environment: str) -> bytes:
    import os

    env = {**os.environ, "PYTHONPATH": f"{GRADER}:{GRADER / 'tests'}", **environment}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True)
    return done.stdout


PRINT = "from render_samples import *; from scanlab import render; render.print_report(racy(), SOURCE)"


def test_no_colour_where_it_is_not_wanted() -> None:
    assert b"\x1b" not in run_python(PRINT)
    forced = run_python(PRINT, FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="")
    assert b"\x1b[" in forced
    plain = run_python(PRINT, FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1")
    assert not re.search(rb"\x1b\[[0-9;]*3[0-7]", plain)


def test_an_ascii_terminal_gets_ascii() -> None:
    code = PRINT.replace("racy()", "hostile()")
    assert run_python(code, PYTHONIOENCODING="ascii").isascii()


def test_importing_the_reports_is_cheap() -> None:
    code = "import scanlab.render.terminal, sys; print(*sys.modules)"
    loaded = set(run_python(code).decode().split())
    assert not loaded & {"jinja2", "pygments", "markdown_it", "rich.markdown"}
