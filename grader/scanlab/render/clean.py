"""Text from a submission, made harmless to show: in a terminal, a page or a table.

A student's name, a compiler's message and a source line are all hostile until they have passed
`visible`. Escape sequences, control characters and characters that reorder or hide text come out
as what they are ("\\x1b", "<U+202E>"). HTML is escaped by the templates, not here.
"""

from __future__ import annotations

import unicodedata

_KEPT_CONTROLS = frozenset("\n\t")
_JOINERS = frozenset("\u200c\u200d")  # part of the spelling of Persian and Indic names
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f")
_MOST_MARKS = 3  # combining marks on one letter; more is a smear over the neighbouring lines


def visible(text: object, *, ascii_only: bool = False) -> str:
    """`text` with everything that is not plain visible text spelled out. Line count is kept."""
    plain = str(text).replace("\r\n", "\n")
    if not (plain.isascii() and plain.isprintable()):
        plain = _spell_out(plain)
    return plain.encode("ascii", "backslashreplace").decode() if ascii_only else plain


def one_line(text: object, limit: int = 200) -> str:
    """Visible text on one line, cut at `limit` characters."""
    line = " ".join(visible(text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def shortened(text: object, limit: int) -> str:
    """Visible text of at most `limit` characters, which says so where something was cut."""
    plain = visible(str(text)[: 2 * limit])
    if len(plain) <= limit and len(str(text)) <= 2 * limit:
        return plain
    return plain[:limit] + f" … ({len(str(text))} characters in all)"


def _spell_out(text: str) -> str:
    out: list[str] = []
    marks = 0
    for index, char in enumerate(text):
        marks = marks + 1 if unicodedata.combining(char) else 0
        if _is_plain(char, text, index) and marks <= _MOST_MARKS:
            out.append(char)
        elif marks <= _MOST_MARKS:
            out.append(_spelled(char))
    return "".join(out)


def _is_plain(char: str, text: str, index: int) -> bool:
    if char in _KEPT_CONTROLS:
        return True
    if char in _JOINERS:
        return _joins_letters(text, index)
    return unicodedata.category(char) not in _HIDDEN_CATEGORIES and char not in _BLANK_LETTERS


def _joins_letters(text: str, index: int) -> bool:
    """A joiner belongs to the spelling only between two letters or marks of another script."""
    around = text[index - 1 : index] + text[index + 1 : index + 2]
    return len(around) == 2 and all(ord(c) > 127 and unicodedata.category(c)[0] in "LM" for c in around)


def _spelled(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"<U+{code:04X}>"
