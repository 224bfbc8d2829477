"""The programs in handouts/examples print what the handouts say, without a finding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scanlab import paths

EXAMPLES = paths.ROOT / "handouts" / "examples"
PRINTED = {
    "sequential_and_naive": "3 4 11 11 15 16 22 25\n3 4 11 11 15 16 22 25\n",
    "two_arrays": "9 9 9 9 4 5 6 7\n",
    "draw_a_number": "a place for each block\n",
}


def test_every_program_is_tested() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.cu")} == set(PRINTED)


@pytest.mark.parametrize("name", PRINTED)
def test_the_program_runs_without_a_finding(name: str, tmp_path: Path) -> None:
    result = tmp_path / "result.json"
    words = ["run", str(EXAMPLES / f"{name}.cu"), "--json", str(result)]
    done = subprocess.run(
        [sys.executable, "-m", "scanlab", *words],
        cwd=paths.ROOT,
        env={**os.environ, "PYTHONPATH": str(paths.ROOT / "grader")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == PRINTED[name]
    assert json.loads(result.read_text())["findings"] == []
