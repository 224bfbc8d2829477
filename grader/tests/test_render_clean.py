"""Hostile text comes out visible; ordinary text of any language comes out as it is."""

from __future__ import annotations

import unicodedata

import pytest
from render_samples import NASTY

from scanlab.render.clean import one_line, shortened, visible


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "tab\tand\nnewline",
        "Grüße",
        "שרה כהן",
        "山田太郎",
        "می‌خواهم",
        "e\u0301",
        "2·log₂ N ≤ 20",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", "\\x1b[31m"),
        ("a\rb", "a\\x0db"),
        ("a\r\nb", "a\nb"),
        ("\x9b", "\\x9b"),
        ("\u202eabc", "<U+202E>abc"),
        ("a\u200bb", "a<U+200B>b"),
        ("\u2028", "<U+2028>"),
        ("\ud800", "<U+D800>"),
        ("\U000e0041", "<U+E0041>"),
        ("\u3164", "<U+3164>"),
        ("a\u200db", "a<U+200D>b"),
    ],
)
def test_hidden_characters_are_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_nothing_hidden_is_left_of_the_nasty_text() -> None:
    assert all(unicodedata.category(char) not in ("Cc", "Cf") for char in visible(NASTY))


def test_a_smear_of_combining_marks_is_cut() -> None:
    assert len(visible("a" + "\u0301" * 500)) <= 4


def test_every_code_point_is_harmless() -> None:
    everything = "".join(map(chr, range(0x3000)))
    left = {unicodedata.category(char) for char in visible(everything) if char not in "\n\t"}
    assert not left & {"Cc", "Cf", "Cs", "Zl", "Zp"} - ({"Cf"} if "\u200c" in visible(everything) else set())


def test_ascii_only() -> None:
    assert visible("≤ é", ascii_only=True) == "\\u2264 \\xe9"


def test_one_line_and_shortened() -> None:
    assert one_line("a\n  b", 10) == "a b"
    assert one_line("x" * 50, 10) == "x" * 9 + "…"
    assert shortened("abc", 10) == "abc"
    assert "5000 characters" in shortened("y" * 5000, 100)
