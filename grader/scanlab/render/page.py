"""The pages' common part: one Jinja2 environment, and one self-contained file per page.

Style and script are inlined. A content security policy names the script by its hash, so that no
other script runs even if a text slipped through the escaping.
"""

from __future__ import annotations

import base64
import hashlib
import os
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from scanlab.render.clean import shortened, visible
from scanlab.render.model import points_text

_TEMPLATES = Path(__file__).parent / "templates"
_MOST_TEXT = 6000


def write_page(template: str, out: Path, **values: Any) -> None:
    """Renders `template` to `out`: whole or not at all, so that no half page is ever left."""
    html = _environment().get_template(template).render(**values)
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_name(f".{out.name}.{os.getpid()}.part")
    part.write_text(html, encoding="utf-8", newline="\n")
    part.replace(out)


def scrolling_table(head: Markup, body: Markup) -> Markup:
    """Of rows; on a narrow screen it scrolls by itself."""
    return Markup('<div class="scroll"><table><thead>{}</thead><tbody>{}</tbody></table></div>').format(head, body)


def captioned(svg: Markup, caption: str) -> Markup:
    """A figure with its words; on a narrow screen it scrolls by itself."""
    return Markup('<figure><div class="scroll">{}</div><figcaption>{}</figcaption></figure>').format(svg, caption)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(clean=_clean, points=points_text)
    environment.globals.update(style=_raw("page.css"), script=_raw("page.js"), policy=_policy(_raw("page.js")))
    return environment


def _clean(text: object) -> str:
    return visible(shortened(text, _MOST_TEXT))


def _raw(name: str) -> Markup:
    # Our own file, which holds no "</": nothing of a submission passes here.
    return Markup((_TEMPLATES / name).read_text(encoding="utf-8"))


def _policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        f"form-action 'none'; script-src 'sha256-{digest}'"
    )
