"""The code that handouts show: each example has the finding it is shown for, its mend has not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from scanlab import paths
from scanlab.model import KINDS

EXAMPLES = paths.ROOT / "handouts" / "findings" / "examples"


@dataclass(frozen=True)
class Outcome:
    status: int
    findings: tuple[tuple[str, str], ...]
    output: str


def scanlab(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "scanlab", *words],
        cwd=paths.ROOT,
        env={**os.environ, "PYTHONPATH": str(paths.ROOT / "grader")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def run_example(path: Path) -> Outcome:
    """As its first line says: a program is run, a submission is checked."""
    _, command = path.read_text().split("\n")[0].split("./scanlab ")
    words = command.replace("FILE", str(path)).split()
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        done = scanlab(*words, "--json", str(result))
        if not result.is_file():
            return Outcome(done.returncode, (), done.stdout + done.stderr)
        data = json.loads(result.read_text())
    is_run = "findings" in data  # of a program; a submission has its findings in its checks
    found = data["findings"] if is_run else [f for c in data["checks"] for f in c["findings"]]
    pairs = tuple((f["kind"], f["severity"]) for f in found)
    return Outcome(done.returncode, pairs, done.stdout + done.stderr)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_example_has_its_finding(kind: str) -> None:
    outcome = run_example(EXAMPLES / f"{kind}.cu")
    assert kind in {found for found, _ in outcome.findings}, outcome


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_mend_has_it_no_more(kind: str) -> None:
    outcome = run_example(EXAMPLES / f"{kind}.mended.cu")
    loud = [(k, severity) for k, severity in outcome.findings if severity == "error" or k == kind]
    assert loud == [], outcome
    assert outcome.status == 0, outcome


def test_sequential_and_naive_print_the_worked_example() -> None:
    done = scanlab("run", str(paths.ROOT / "handouts" / "examples" / "sequential_and_naive.cu"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:2] == ["3 4 11 11 15 16 22 25"] * 2
