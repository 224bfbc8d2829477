"""Splits C++ text into tokens: knows comments, strings, raw strings, characters, digit separators and
line splices, and (in preprocessed text) linemarkers, so that every token knows the student's own line."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple


class Kind(Enum):
    """What a token is. DIRECTIVE is a whole `#...` line of preprocessed text."""

    WORD = "word"
    NUMBER = "number"
    STRING = "string"
    CHARACTER = "character"
    SIGN = "sign"
    DIRECTIVE = "directive"


class Token(NamedTuple):
    kind: Kind
    text: str
    start: int  # offset into the text as it was given
    end: int
    line: int  # 1-based; the student's own line where linemarkers are read


# Launch brackets stay single signs (`<`, `>`): who needs `<<<` looks at three neighbours.
_TOKEN = re.compile(
    r"""
      (?P<space>[ \t\r\f\v\n]+)
    | (?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))
    | (?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{0,16})\(.*?(?:\)(?P=delimiter)"|\Z))
    | (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
    | (?P<character>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)*')
    | (?P<word>[^\W\d]\w*(?:\$\w*)*)
    | (?P<number>\.?\d(?:[eEpP][+-]|'?\w|\.)*)
    | (?P<sign>::|->\*?|\+\+|--|&&|\|\||[-+*/%&|^!=]=|\#\#|\.\.\.|<:(?!:(?![:>]))|:>|<%|%>|%:|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_KINDS = {
    "word": Kind.WORD,
    "number": Kind.NUMBER,
    "string": Kind.STRING,
    "raw": Kind.STRING,
    "character": Kind.CHARACTER,
    "sign": Kind.SIGN,
}
_DIGRAPHS = {"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#"}
_SPLICE = re.compile(r"\\[ \t]*\r?\n")
_MARKER = re.compile(r'[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)[ \t]+"((?:[^"\\]|\\.)*)"([ \t\d]*)$')
_DIRECTIVE = re.compile(r"[ \t]*#[^\n]*")


@dataclass(frozen=True)
class Marker:
    """A linemarker `# line "file" flags` of preprocessed text; the next line is `line` of `file`."""

    line: int
    file: str
    flags: tuple[int, ...]


def marker_of(line: str) -> Marker | None:
    """The linemarker that this line of preprocessed text is, if it is one."""
    match = _MARKER.match(line)
    if match is None:
        return None
    flags = tuple(int(word) for word in match[3].split())
    return Marker(int(match[1]), re.sub(r"\\(.)", r"\1", match[2]), flags)


def source_tokens(text: str) -> list[Token]:
    """Tokens of a file as the student wrote it, directives included as ordinary tokens."""
    joined, breaks = _without_splices(text)
    starts = _line_starts(text)
    tokens = []
    for match in _TOKEN.finditer(joined):
        kind = _KINDS.get(_group(match))
        if kind is None:
            continue
        start, end = _original(match.start(), breaks), _original(match.end(), breaks)
        sign = _DIGRAPHS.get(match[0], match[0]) if kind is Kind.SIGN else match[0]
        tokens.append(Token(kind, sign, start, end, bisect.bisect_right(starts, start)))
    return tokens


def preprocessed_tokens(text: str) -> list[Token]:
    """Tokens of preprocessed text; `line` follows the linemarkers, which become DIRECTIVE tokens."""
    tokens: list[Token] = []
    line, position, length = 1, 0, len(text)
    at_line_start = True
    while position < length:
        if at_line_start and (directive := _DIRECTIVE.match(text, position)):
            tokens.append(Token(Kind.DIRECTIVE, directive[0].strip(), position, directive.end(), line))
            marker = marker_of(directive[0])
            if marker is not None:
                line = marker.line - 1
            position = directive.end()
            at_line_start = False
            continue
        match = _TOKEN.match(text, position)
        if match is None:  # cannot be: the last alternative takes any character
            position += 1
            continue
        kind = _KINDS.get(_group(match))
        if kind is not None:
            sign = _DIGRAPHS.get(match[0], match[0]) if kind is Kind.SIGN else match[0]
            tokens.append(Token(kind, sign, position, match.end(), line))
            at_line_start = False
        elif "\n" in match[0]:
            # White space up to its last line break: what follows may be a directive.
            stop = position + match[0].rfind("\n") + 1
            line += text.count("\n", position, stop)
            position, at_line_start = stop, True
            continue
        line += match[0].count("\n")
        position = match.end()
    return tokens


def _group(match: re.Match[str]) -> str:
    group = match.lastgroup or ""
    return "raw" if group == "delimiter" else group


def _without_splices(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text with spliced lines joined, and (offset in it, characters removed before) for each splice."""
    parts, breaks, position, removed, length = [], [(0, 0)], 0, 0, 0
    for match in _SPLICE.finditer(text):
        parts.append(text[position : match.start()])
        length += match.start() - position
        removed += match.end() - match.start()
        breaks.append((length, removed))
        position = match.end()
    parts.append(text[position:])
    return "".join(parts), breaks


def _original(offset: int, breaks: Sequence[tuple[int, int]]) -> int:
    index = bisect.bisect_right(breaks, (offset, 1 << 60)) - 1
    return offset + breaks[index][1]


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


# --- walking tokens ------------------------------------------------------------------------------

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {closing: opening for opening, closing in OPENING.items()}


_LONGEST_LIST = 150  # tokens of a template list; what is longer is a comparison, or an attack on our patience


class Code(list[Token]):
    """Tokens with the partner of every bracket, found once."""

    @cached_property
    def partners(self) -> dict[int, int]:
        found: dict[int, int] = {}
        stack: list[int] = []
        for at, token in enumerate(self):
            if token.kind is not Kind.SIGN:
                continue
            if token.text in OPENING:
                stack.append(at)
            elif token.text in CLOSING and stack:
                opened = stack.pop()
                found[opened], found[at] = at, opened
        return found


def closing_index(tokens: Sequence[Token], index: int) -> int | None:
    """Where the bracket at `index` is closed."""
    if isinstance(tokens, Code):
        at = tokens.partners.get(index)
        return at if at is not None and at > index else None
    at = Code(tokens[index:]).partners.get(0)
    return None if at is None else at + index


def opening_index(tokens: Sequence[Token], index: int) -> int | None:
    """Where the bracket that ends at `index` was opened."""
    partners = tokens.partners if isinstance(tokens, Code) else Code(tokens).partners
    at = partners.get(index)
    return at if at is not None and at < index else None


def angle_closing(tokens: Sequence[Token], index: int) -> int | None:
    """Where the template list that opens with `<` at `index` ends; None where it is no list."""
    depth, at = 0, index
    last = min(len(tokens), index + _LONGEST_LIST)
    while at < last:
        text = tokens[at].text if tokens[at].kind is Kind.SIGN else ""
        if text == "<":
            depth += 1
        elif text == ">":
            depth -= 1
            if depth == 0:
                return at
        elif text in OPENING:
            closed = closing_index(tokens, at)
            if closed is None:
                return None
            at = closed
        elif text in CLOSING or text == ";":
            return None
        at += 1
    return None


def angle_opening(tokens: Sequence[Token], index: int) -> int | None:
    """Where the template list that ends with `>` at `index` begins."""
    depth, at = 0, index
    while at >= max(index - _LONGEST_LIST, 0):
        text = tokens[at].text if tokens[at].kind is Kind.SIGN else ""
        if text == ">":
            depth += 1
        elif text == "<":
            depth -= 1
            if depth == 0:
                return at
        elif text in CLOSING:
            opened = opening_index(tokens, at)
            if opened is None:
                return None
            at = opened
        elif text in OPENING or text == ";":
            return None
        at -= 1
    return None


def adjacent(tokens: Sequence[Token], index: int, text: str) -> bool:
    """True where `text` (signs only) stands at `index`, its characters one after the other."""
    if index < 0 or index + len(text) > len(tokens):
        return False
    for offset, char in enumerate(text):
        token = tokens[index + offset]
        if token.kind is not Kind.SIGN or token.text != char:
            return False
        if offset and tokens[index + offset - 1].end != token.start:
            return False
    return True
