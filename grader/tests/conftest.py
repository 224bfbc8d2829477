"""What several tests need: the command as a subprocess, and a result read back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scanlab import paths, sandbox

needs_machine = pytest.mark.skipif(
    not (paths.BIN / "scanlab_worker").exists() or not paths.find_lab("kogge_stone").harness.exists(),
    reason="the machine is not built",
)
needs_sandbox = pytest.mark.skipif(sandbox.find().name == "none", reason="no sandbox works here")


@dataclass(frozen=True)
class Done:
    """How a command ended, and the result file it wrote."""

    status: int
    stdout: str
    stderr: str
    seconds: float
    result: Any = None

    def kinds(self, *severities: str) -> set[str]:
        wanted = severities or ("error",)
        return {
            finding["kind"]
            for check in self.result["checks"]
            for finding in check["findings"]
            if finding["severity"] in wanted
        }

    def finding(self, kind: str) -> Any:
        return next(
            finding for check in self.result["checks"] for finding in check["findings"] if finding["kind"] == kind
        )

    def verdict(self, name: str) -> str:
        return next(str(check["verdict"]) for check in self.result["checks"] if check["name"] == name)


def scanlab(*words: str | Path, timeout: float = 120, cwd: Path | None = None) -> Done:
    """Runs the command in a process of its own."""
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "scanlab", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        cwd=cwd or paths.ROOT,
    )
    try:
        stdout, stderr = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return Done(
        process.returncode,
        stdout.decode(errors="replace"),
        stderr.decode(errors="replace"),
        time.monotonic() - started,
    )


@pytest.fixture
def check(tmp_path: Path) -> Callable[..., Done]:
    """Checks a text (or a file) as a submission; the result comes along."""

    def run(text: str | bytes | Path, lab: str = "kogge_stone", *options: str) -> Done:
        source = text if isinstance(text, Path) else tmp_path / f"{lab}.cu"
        if isinstance(text, str):
            source.write_text(text)
        elif isinstance(text, bytes):
            source.write_bytes(text)
        out = tmp_path / "result.json"
        out.unlink(missing_ok=True)
        done = scanlab("check", lab, source, "--json", out, *options)
        result = json.loads(out.read_text()) if out.exists() else None
        assert "Traceback" not in done.stdout + done.stderr
        return Done(done.status, done.stdout, done.stderr, done.seconds, result)

    return run
