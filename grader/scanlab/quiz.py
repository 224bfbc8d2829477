"""Practice questions: answers are typed, marked at once, and explained.

The questions are data, `handouts/quiz/NN_chapter.toml`; the same file gives the handout with
folded answers. Kinds: `array` (whole numbers), `number`, `formula` (compared by value) and
`choice` (one letter or several).
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scanlab import paths
from scanlab.formula import FormulaError, evaluate, same
from scanlab.render.clean import one_line

KINDS = ("array", "number", "formula", "choice")
_LETTERS = "abcdefgh"
_THOUSANDS = re.compile(r"(?<=\d)[ ,_\u202f\u00a0'](?=\d{3}(?!\d))")
_MISREADINGS = 3  # how often an unreadable answer is asked again before the answer is shown


class QuizError(ValueError):
    """A question file is not as it should be."""


class UnreadableError(ValueError):
    """The answer was not understood; that is not yet wrong."""


@dataclass(frozen=True)
class Question:
    id: str
    kind: str
    ask: str
    answer: Any
    why: str
    variables: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    tolerance: float = 0.0

    @property
    def answer_text(self) -> str:
        """The answer as a reader wants it."""
        if self.kind == "array":
            return "[" + " ".join(map(str, self.answer)) + "]"
        if self.kind == "choice":
            return "; ".join(f"{c}: {self.choices[_LETTERS.index(c)]}" for c in self.answer)
        return f"{self.answer}"

    @property
    def how(self) -> str:
        """What form the answer has."""
        if self.kind == "choice":
            return "the letter" if len(self.answer) == 1 else "the letters"
        if self.kind == "formula":
            return "a formula in " + " and ".join(self.variables)
        return {"array": "the numbers, with spaces", "number": "a number"}[self.kind]


@dataclass(frozen=True)
class Chapter:
    number: int
    name: str
    title: str
    questions: tuple[Question, ...]


# --- reading -----------------------------------------------------------------------------------


def load_chapters(folder: Path | None = None) -> list[Chapter]:
    """All chapters in order of their file names."""
    where = folder or paths.ROOT / "handouts" / "quiz"
    return [_chapter(path) for path in sorted(where.glob("[0-9]*_*.toml"))]


def _chapter(path: Path) -> Chapter:
    with path.open("rb") as file:
        data = tomllib.load(file)
    number, _, name = path.stem.partition("_")
    questions = tuple(_question(item, path) for item in data.get("question", ()))
    if not questions or not data.get("title"):
        raise QuizError(f"{path.name}: needs a title and questions")
    return Chapter(int(number), name, str(data["title"]), questions)


def _question(data: Mapping[str, Any], path: Path) -> Question:
    question = Question(
        id=str(data["id"]),
        kind=str(data["kind"]),
        ask=str(data["ask"]).strip(),
        answer=data["answer"],
        why=str(data["why"]).strip(),
        variables=tuple(data.get("variables", ())),
        choices=tuple(data.get("choices", ())),
        tolerance=float(data.get("tolerance", 0)),
    )
    _validate(question, path)
    return question


def _validate(question: Question, path: Path) -> None:
    """A wrong question file is found when it is read, not when the question comes up."""
    typed = " ".join(map(str, question.answer)) if question.kind == "array" else str(question.answer)
    try:
        sound = question.kind in KINDS and bool(question.why) and mark(question, typed)
    except (UnreadableError, IndexError) as problem:
        raise QuizError(f"{path.name}, {question.id}: {problem}") from problem
    if not sound:
        raise QuizError(f"{path.name}, {question.id}: its own answer is not marked right")


# --- marking -----------------------------------------------------------------------------------


def mark(question: Question, typed: str) -> bool:
    """True when `typed` is right; UnreadableError when it is no answer of this kind."""
    try:
        return _MARKERS[question.kind](question, typed.strip())
    except FormulaError as problem:
        raise UnreadableError(str(problem)) from problem


def _mark_array(question: Question, typed: str) -> bool:
    if re.search(r"[^\d\s,;|\[\](){}+-]", typed):
        raise UnreadableError("type whole numbers, with spaces between them")
    numbers = [int(number) for number in re.findall(r"[-+]?\d{1,15}", typed)]
    if not numbers:
        raise UnreadableError("type the numbers, with spaces between them")
    return numbers == list(question.answer)


def _mark_number(question: Question, typed: str) -> bool:
    value = evaluate(_THOUSANDS.sub("", typed).replace("≈", ""))
    return math.isclose(value, question.answer, rel_tol=1e-9, abs_tol=max(question.tolerance, 1e-9))


def _mark_formula(question: Question, typed: str) -> bool:
    right_side = typed.rsplit("=", 1)[-1]
    return same(right_side, str(question.answer), question.variables)


def _mark_choice(question: Question, typed: str) -> bool:
    letters = set(re.sub(r"[\s,;.)]|and", "", typed.lower()))
    known = set(_LETTERS[: len(question.choices)])
    if not letters or not letters <= known:
        raise UnreadableError(f"type {', '.join(sorted(known))}")
    return letters == set(question.answer)


_MARKERS: dict[str, Callable[[Question, str], bool]] = {
    "array": _mark_array,
    "number": _mark_number,
    "formula": _mark_formula,
    "choice": _mark_choice,
}


# --- asking ------------------------------------------------------------------------------------


@dataclass
class _Tally:
    asked: int = 0
    right: int = 0


class _StopError(Exception):
    """The learner wants to stop, or input has ended."""


def run(
    chapter: str | None = None,
    *,
    ask: Callable[[str], str] = input,
    folder: Path | None = None,
) -> int:
    """Asks a chapter's questions, or all; 0 however it went, 2 for an unknown chapter."""
    chapters = load_chapters(folder)
    chosen = chapters if chapter is None else [c for c in chapters if _is(c, chapter)]
    if not chosen:
        _list_chapters(chapters, str(chapter))
        return 2
    tally = _Tally()
    total = sum(len(one.questions) for one in chosen)
    _say(f"{total} questions. An empty answer shows the solution, q stops.")
    try:
        for one in chosen:
            _ask_chapter(one, tally, ask)
    except _StopError:
        pass
    _say(f"\n**{tally.right} of {tally.asked} right**" + _left(total - tally.asked))
    return 0


def _is(chapter: Chapter, wanted: str) -> bool:
    text = wanted.strip().lower().replace("-", "_")
    return text in (chapter.name, str(chapter.number), f"{chapter.number:02d}")


def _left(count: int) -> str:
    return f", {count} not asked." if count else "."


def _list_chapters(chapters: Sequence[Chapter], wanted: str) -> None:
    _say(f"There is no chapter called {one_line(wanted, 40)}. The chapters:\n")
    _say("\n".join(f"{c.number}. `{c.name}`: {c.title}, {len(c.questions)} questions" for c in chapters))


def _ask_chapter(chapter: Chapter, tally: _Tally, ask: Callable[[str], str]) -> None:
    _say(f"\n## {chapter.number}. {chapter.title}")
    for number, question in enumerate(chapter.questions, 1):
        _say(f"\n**{chapter.number}.{number}** {question.ask}")
        if question.choices:
            _say("\n".join(f"- **{c}** {t}" for c, t in zip(_LETTERS, question.choices, strict=False)))
        _ask_question(question, tally, ask)


def _ask_question(question: Question, tally: _Tally, ask: Callable[[str], str]) -> None:
    typed, right = _answer(question, ask)
    tally.asked += 1
    tally.right += right
    if right:
        _say(f"**Right.** {question.why}")
    else:
        opening = "The answer is" if not typed else "Not so. The answer is"
        _say(f"{opening} `{question.answer_text}`. {question.why}")


def _answer(question: Question, ask: Callable[[str], str]) -> tuple[str, bool]:
    """What was typed, and whether it is right. Unreadable answers are asked again."""
    for _ in range(_MISREADINGS):
        try:
            typed = ask(f"{question.how}: ").strip()
        except (EOFError, KeyboardInterrupt):
            raise _StopError from None
        if typed.lower() in ("q", "quit", "exit"):
            raise _StopError
        if not typed:
            return "", False
        try:
            return typed, mark(question, typed)
        except UnreadableError as problem:
            _say(f"I cannot read that: {one_line(problem, 80)}.")
    return "", False


def _say(text: str) -> None:
    from scanlab.render.prose import print_markdown

    print_markdown(text)
