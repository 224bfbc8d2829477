"""`scanlab test`: ctest, then pytest, then one line that sums them up."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from scanlab import paths, toolchain


@dataclass(frozen=True)
class Tally:
    """How many tests passed and failed; a runner that dies counts as one failure."""

    passed: int = 0
    failed: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.passed + other.passed, self.failed + other.failed)


def run(only: str | None) -> int:
    """Runs both kinds; the last line is `N passed, N failed`."""
    tally = Tally()
    if only in (None, "cpp"):
        tally += _cpp()
    if only in (None, "python"):
        tally += _python()
    print(f"{tally.passed} passed, {tally.failed} failed", flush=True)
    return 0 if tally.failed == 0 and tally.passed > 0 else 1


def _cpp() -> Tally:
    print("C++ tests (ctest)", flush=True)
    try:
        toolchain.ensure_built(toolchain.Part.ALL)
    except toolchain.ToolchainError as problem:
        print(problem, flush=True)
        return Tally(failed=1)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "ctest.xml")
        command = [
            "ctest",
            "--test-dir",
            str(paths.BUILD),
            "--output-on-failure",
            "--output-junit",
            str(report),
            "--no-tests=error",
            "--parallel",
            str(os.cpu_count() or 1),
        ]
        status = _runs(command)
        return _tally(report, status)


def _python() -> Tally:
    print("\nPython tests (pytest)", flush=True)
    try:
        toolchain.ensure_built(toolchain.Part.TOOLS)
    except toolchain.ToolchainError as problem:
        print(problem, flush=True)
        return Tally(failed=1)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "pytest.xml")
        tests = str(paths.ROOT / "grader" / "tests")
        command = [sys.executable, "-m", "pytest", tests, f"--junitxml={report}", "--durations=10"]
        command += ["-n", str(os.cpu_count() or 1), "--dist", "worksteal"]
        status = _runs(command)
        return _tally(report, status)


def _runs(command: list[str]) -> int:
    try:
        return subprocess.run(command, cwd=paths.ROOT, check=False).returncode
    except OSError as problem:
        print(f"{command[0]}: {problem}", flush=True)
        return 127


def _tally(report: Path, status: int) -> Tally:
    """Counts of a JUnit file; where it is missing, or clean although the runner failed, one failure."""
    passed = failed = 0
    try:
        root = ElementTree.parse(report).getroot()
    except (OSError, ElementTree.ParseError):
        return Tally(failed=1)
    for suite in root.iter("testsuite"):
        counts = {
            name: int(re.sub(r"\D", "", suite.get(name) or "") or 0)
            for name in ("tests", "failures", "errors", "skipped", "disabled")
        }
        bad = counts["failures"] + counts["errors"]
        failed += bad
        passed += max(counts["tests"] - bad - counts["skipped"] - counts["disabled"], 0)
    return Tally(passed, failed + (1 if status != 0 and failed == 0 else 0))
