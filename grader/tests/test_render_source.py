"""Which part of a line a site means."""

from __future__ import annotations

import time

import pytest
from render_samples import SOURCE, finding, result, site

from scanlab.render.highlight import highlight, line_html
from scanlab.render.model import parse_result
from scanlab.render.source import Mark, excerpts, locate, split_lines

MESSAGE = "thread 33 reads XY[32]"


@pytest.mark.parametrize(
    ("line", "access", "part"),
    [
        ("  XY[tx] += XY[tx - stride];  // XY[0]", "read", "XY[tx - stride]"),
        ("  XY[tx] += XY[tx - stride];", "write", "XY[tx]"),
        ("  if (a[0] <= 3) XY[tx] = b[tx];", "write", "XY[tx]"),
        ("  XY[tx] = XY[idx[tx]] + 1;", "read", "XY[idx[tx]]"),
        ("  XY[tx] = XY[a] + XY[b];", "read", "XY[tx] = XY[a] + XY[b];"),
        ("  if (x) __syncthreads();", "barrier", "__syncthreads()"),
        ("  n += __syncthreads_count(x > 0) + 1;", "barrier", "__syncthreads_count(x > 0)"),
        ("  while (atomicAdd(&flags[b], 0) == 0) {}", "atomic", "atomicAdd(&flags[b], 0)"),
        ("  foo();  // why", "read", "foo();"),
        ("", "read", ""),
        ("// only words", "read", "// only words"),
    ],
)
def test_locate(line: str, access: str, part: str) -> None:
    start, end = locate(line, access, MESSAGE)
    assert line[start:end] == part


def test_excerpts_join_near_lines_and_keep_gaps() -> None:
    data = result(
        {
            "name": "c",
            "verdict": "fail",
            "findings": [finding(sites=[site(3, 0, "read"), site(5, 1, "write"), site(12, 2, "read")])],
            "points": 0,
            "max_points": 1,
        }
    )
    runs = excerpts(parse_result(data).findings[0], split_lines(SOURCE))
    assert [[line.number for line in run] for run in runs] == [[2, 3, 4, 5, 6], [11, 12, 13]]


def test_lines_are_counted_as_the_compiler_counts_them() -> None:
    assert len(split_lines("a\x0bb\x0cc\u2028d\re\r\nf\n")) == 3


def test_highlight_keeps_the_text() -> None:
    lines = split_lines(SOURCE)
    rows = highlight(lines)
    assert ["".join(token.text for token in row) for row in rows] == lines
    assert any(token.css for row in rows for token in row)


def test_marks_cut_through_tokens() -> None:
    row = highlight(["int x = 10;"])[0]
    html = str(line_html(row, [Mark(2, 9, "")], "error"))
    assert html.count("<mark") == 1
    assert 'class="mark-error"' in html


@pytest.mark.parametrize("text", ["int " + " " * 60000 + "x", "a" + "\n" * 50000, "* " * 45000, "(" * 90000])
def test_highlight_is_quick_on_hostile_text(text: str) -> None:
    start = time.perf_counter()
    highlight(text.split("\n"))
    assert time.perf_counter() - start < 5
