"""Headless Chromium for the tests of pages: the DOM after the scripts ran."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (apt install chromium)")
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


def _run(page: Path, *options: str) -> str:
    assert CHROMIUM is not None
    command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", *options, page.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=120, check=True)
    return done.stdout.decode(errors="replace")


def dom(page: Path, width: int = 1100) -> str:
    """The page's DOM as text, after loading and running its scripts."""
    return _run(page, f"--window-size={width},900", "--virtual-time-budget=2000", "--dump-dom")


def ask(page: Path, script: str, width: int = 1100) -> str:
    """What `script` (an expression) gives in (a copy of) the page, as text."""
    copy = page.with_name(f"asked-{page.name}")
    html = _POLICY.sub("", page.read_text(encoding="utf-8"))
    probe = f"<script>document.body.dataset.answer = String({script});</script></body>"
    copy.write_text(html.replace("</body>", probe), encoding="utf-8")
    found = re.search(r'<body[^>]* data-answer="([^"]*)"', dom(copy, width))
    assert found, "the script gave no answer"
    return found[1]


def print_pdf(page: Path, out: Path) -> bytes:
    _run(page, f"--print-to-pdf={out}", "--no-pdf-header-footer")
    return out.read_bytes()
