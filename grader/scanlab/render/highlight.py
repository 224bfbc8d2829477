"""Source lines as HTML: Pygments' token classes, with the marks of findings laid over them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.token import STANDARD_TYPES, _TokenType  # type: ignore[import-untyped]

from scanlab.render.source import Mark

# Pygments' C lexers take quadratic time and more on long runs of blanks: such text stays plain.
_MOST_CHARACTERS = 100_000
_LONG_RUN = re.compile(r"[\s*&]{120}")


@dataclass(frozen=True)
class Token:
    css: str
    text: str


def highlight(lines: Sequence[str], language: str = "cuda") -> list[list[Token]]:
    """One list of tokens per line; joined again they are the lines as given."""
    text = "\n".join(lines)
    if len(text) > _MOST_CHARACTERS or _LONG_RUN.search(text):
        return [[Token("", line)] for line in lines]
    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    rows: list[list[Token]] = [[]]
    for kind, value in lexer.get_tokens(text + "\n"):  # else a comment at the very end is none
        for part in re.split(r"(\n)", value):
            if part == "\n":
                rows.append([])
            elif part:
                rows[-1].append(Token(_css_class(kind), part))
    if not rows[-1]:
        rows.pop()
    same = len(rows) == len(lines) and all(
        "".join(token.text for token in row) == line for row, line in zip(rows, lines, strict=True)
    )
    return rows if same else [[Token("", line)] for line in lines]


def _css_class(kind: _TokenType) -> str:
    """The class of the token's family: `k`, `c`, `s`, `m`, `n`…; two letters for a few names."""
    name = str(STANDARD_TYPES.get(kind, ""))
    return name if name in ("cp", "cpf", "kt", "nf", "nc") else name[:1].replace("w", "")


def line_html(tokens: Sequence[Token], marks: Sequence[Mark] = (), severity: str = "") -> Markup:
    """One line as HTML, the marked stretches inside <mark>."""
    out = Markup("")
    for start, end, marked in _stretches(sum(len(t.text) for t in tokens), marks):
        piece = Markup("").join(_spans(tokens, start, end))
        css = Markup("mark-{}").format(severity)
        out += Markup('<mark class="{}">{}</mark>').format(css, piece) if marked else piece
    return out


def _stretches(length: int, marks: Sequence[Mark]) -> Iterator[tuple[int, int, bool]]:
    """[0, length) cut where a mark begins or ends, and whether each piece is marked."""
    at = 0
    for mark in sorted(marks, key=lambda mark: mark.start):
        start, end = max(mark.start, at), min(mark.end, length)
        if start >= end:
            continue
        if at < start:
            yield at, start, False
        yield start, end, True
        at = end
    if at < length:
        yield at, length, False


def _spans(tokens: Sequence[Token], start: int, end: int) -> Iterator[Markup]:
    at = 0
    for token in tokens:
        piece = token.text[max(0, start - at) : max(0, end - at)]
        at += len(token.text)
        if piece:
            plain = escape(piece)
            yield (Markup('<span class="{}">{}</span>').format(token.css, plain) if token.css else plain)
