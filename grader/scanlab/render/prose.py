"""Markdown in the terminal, for hints and questions: in a readable width and calm colours."""

from __future__ import annotations

from rich.console import Console
from rich.markdown import Markdown
from rich.theme import Theme

_WIDEST = 92
_CALM = Theme(
    {
        "markdown.code": "cyan",
        "markdown.code_block": "",
        "markdown.h2": "bold underline",
        "markdown.item.bullet": "dim",
    }
)


def print_markdown(text: str) -> None:
    """`text` as Markdown; an empty line before it where it begins with one."""
    console = Console(highlight=False, emoji=False, theme=_CALM)
    if text.startswith("\n"):
        console.print()
    page = Markdown(text.strip(), code_theme="ansi_dark", inline_code_theme=None)
    console.print(page, width=min(console.width, _WIDEST))
