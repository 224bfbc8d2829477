"""The quiz: reading answers as people type them, and asking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scanlab import quiz
from scanlab.formula import FormulaError, evaluate, same


def question(kind: str, answer: object, **fields: object) -> quiz.Question:
    return quiz.Question("x", kind, "?", answer, "because", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "typed",
    [
        "N*log2(N) - (N-1)",
        "n log2 n - n + 1",
        "N log N-(N-1)",
        "N·log₂N \u2212 (N \u2212 1)",
        "N lg(N) + 1 - N",
        "1 + N(log2(N) - 1)",
        "N * log2 N - [N-1]",
    ],
)
def test_ways_to_type_one_formula(typed: str) -> None:
    assert same(typed, "N*log2(N) - (N-1)", ["N"])


@pytest.mark.parametrize("typed", ["N log2 N", "N", "2N-2-log2 N", "N log2(N-1)", "0"])
def test_other_formulas_differ(typed: str) -> None:
    assert not same(typed, "N*log2(N) - (N-1)", ["N"])


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("2^10", 1024),
        ("2**3**2", 512),
        ("-2^2", -4),
        ("1024*10/32", 320),
        ("(3)(4)", 12),
        ("6/2*3", 9),
        ("ceil(7/2)", 4),
        ("2 - -3", 5),
        ("log2 8 + 1", 4),
        ("2·3²", 18),
    ],
)
def test_evaluate(typed: str, value: float) -> None:
    assert evaluate(typed) == value


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "N+",
        "(N",
        "N)",
        "foo",
        "__import__('os')",
        "9^9^9^9",
        "1/0",
        "log2(0)",
        "log2(-1)",
        "(" * 150,
        "-" * 150 + "1",
        "1" * 500,
        "N^N^N",
        "(-8)^0.5",
        "*2",
        "2^^3",
        "é",
        "1e999",
        "M",
    ],
)
def test_what_is_no_formula_is_said_so(typed: str) -> None:
    with pytest.raises(FormulaError):
        evaluate(typed, {"N": 1024})


@pytest.mark.parametrize("typed", ["3 4 11", "[3, 4, 11]", "3,4,11", "{3;4;11}", " [3 4 | 11] "])
def test_ways_to_type_an_array(typed: str) -> None:
    assert quiz.mark(question("array", [3, 4, 11]), typed)


@pytest.mark.parametrize("typed", ["3 4", "3 4 11 0", "11 4 3"])
def test_wrong_arrays(typed: str) -> None:
    assert not quiz.mark(question("array", [3, 4, 11]), typed)


@pytest.mark.parametrize(
    ("typed", "right"),
    [
        ("523776", True),
        ("523,776", True),
        ("523 776", True),
        ("1024*1023/2", True),
        ("523777", False),
    ],
)
def test_numbers(typed: str, right: bool) -> None:
    assert quiz.mark(question("number", 523776), typed) == right


def test_tolerance() -> None:
    assert quiz.mark(question("number", 73.6, tolerance=0.05), "73.625")
    assert not quiz.mark(question("number", 73.6, tolerance=0.05), "73.7")


@pytest.mark.parametrize("typed", ["bc", "B C", "c, b", "b and c", "b) c)"])
def test_choices(typed: str) -> None:
    assert quiz.mark(question("choice", "bc", choices=("1", "2", "3", "4")), typed)


@pytest.mark.parametrize(
    ("kind", "answer", "typed"),
    [
        ("array", [1], "one"),
        ("array", [1], "[]"),
        ("number", 1, "many"),
        ("choice", "a", "z"),
        ("formula", "N", "N + ?"),
    ],
)
def test_unreadable_is_not_wrong(kind: str, answer: object, typed: str) -> None:
    with pytest.raises(quiz.UnreadableError):
        quiz.mark(question(kind, answer, choices=("1", "2"), variables=("N",)), typed)


# --- asking ------------------------------------------------------------------------------------

CHAPTER = """
title = "Little"
[[question]]
id = "one"
kind = "number"
ask = "What is 1 + 1?"
answer = 2
why = "One and one."
[[question]]
id = "two"
kind = "choice"
ask = "Which?"
choices = ["this", "that"]
answer = "b"
why = "That one."
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "01_little.toml").write_text(CHAPTER)
    return tmp_path


def typist(*answers: str) -> Callable[[str], str]:
    """Types the answers, then closes the input."""
    left: Iterator[str] = iter(answers)

    def ask(_: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return ask


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (("2", "b"), "2 of 2 right."),
        (("3", "b"), "1 of 2 right."),
        (("x", "y", "2", "a"), "1 of 2 right."),
        (("x", "y", "z", "b"), "1 of 2 right."),
        (("", ""), "0 of 2 right."),
        (("2",), "1 of 1 right, 1 not asked."),
        (("q",), "0 of 0 right, 2 not asked."),
        ((), "0 of 0 right, 2 not asked."),
    ],
)
def test_a_round(folder: Path, capsys: pytest.CaptureFixture[str], answers: tuple[str, ...], said: str) -> None:
    assert quiz.run("little", ask=typist(*answers), folder=folder) == 0
    assert said in capsys.readouterr().out


def test_explanations_are_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quiz.run(None, ask=typist("2", "a"), folder=folder)
    text = capsys.readouterr().out
    assert "Right. One and one." in text
    assert "b: that" in text


@pytest.mark.parametrize("name", ["1", "01", "little", "Little"])
def test_chapter_names(folder: Path, name: str) -> None:
    assert quiz.run(name, ask=typist(), folder=folder) == 0


def test_an_unknown_chapter_lists_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert quiz.run("nope", ask=typist(), folder=folder) == 2
    assert "little" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('kind = "number"', 'kind = "riddle"'),
        ('answer = "b"', 'answer = "c"'),
        ('why = "One and one."', 'why = ""'),
        ('title = "Little"', 'title = ""'),
    ],
)
def test_broken_question_files_are_refused(folder: Path, old: str, new: str) -> None:
    (folder / "01_little.toml").write_text(CHAPTER.replace(old, new))
    with pytest.raises(quiz.QuizError):
        quiz.load_chapters(folder)
