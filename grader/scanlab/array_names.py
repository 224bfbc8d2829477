"""Device arrays have no names at run time: what `cudaMalloc(&name, ...)` calls them is told to the machine by line,
so that findings can name the array. A table at the end of the submission holds it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scanlab import tokens
from scanlab.tokens import Kind, Token

_ALLOCATORS = frozenset("cudaMalloc cudaMallocManaged cudaMallocHost cudaHostAlloc cudaMallocAsync".split())
_NAME = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*|\[\w+\])*")
_LONGEST = 40
_MOST = 64


def table(code: Sequence[Token]) -> str:
    """C++ text that defines the table, `line:name` by `line:name`; empty where nothing is allocated."""
    names: dict[int, str] = {}
    for first, last, name in _allocations(code):
        for line in range(first, min(last, first + 8) + 1):
            names.setdefault(line, name)
    if not names:
        return ""
    entries = "".join(f"{line}:{name}\\n" for line, name in list(names.items())[:_MOST])
    symbol = "const char scanlab_array_names[]"
    return f'extern "C" {{ extern {symbol}; {symbol} = "{entries}"; }}\n'


def _allocations(code: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """First and last line of each call, and the array."""
    for index, token in enumerate(code):
        if token.kind is not Kind.WORD or token.text not in _ALLOCATORS:
            continue
        opening = index + 1
        if opening < len(code) and code[opening].text == "<":
            opening = (tokens.angle_closing(code, opening) or len(code)) + 1
        closing = tokens.closing_index(code, opening) if opening < len(code) and code[opening].text == "(" else None
        if closing is None:
            continue
        name = _pointer(code[opening + 1 : closing])
        if name:
            yield token.line, code[closing].line, name


def _pointer(arguments: Sequence[Token]) -> str:
    """The variable whose address the first argument is, `(void**)&d.sums` as `d.sums`."""
    depth, end = 0, len(arguments)
    for index, token in enumerate(arguments):
        depth += (token.text in tokens.OPENING) - (token.text in tokens.CLOSING)
        if token.text == "," and depth == 0:
            end = index
            break
    texts = [token.text for token in arguments[:end]]
    if "&" in texts:
        texts = texts[len(texts) - texts[::-1].index("&") :]
    elif ")" in texts:
        texts = texts[len(texts) - texts[::-1].index(")") :]
    name = "".join(texts).strip("()")
    return name if len(name) <= _LONGEST and _NAME.fullmatch(name) else ""
