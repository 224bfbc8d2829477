"""Where things lie in a checkout. Nothing here touches the disk except `labs()`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "cpu"
BIN = BUILD / "bin"
CACHE = ROOT / "build" / "cache"
REFERENCE = ROOT / "reference"
PROLOGUE = REFERENCE / "machine" / "cuda" / "prologue.h"
SCHEMA = Path(__file__).with_name("result.schema.json")

_LAB_FOLDER = re.compile(r"(\d\d+)_([a-z][a-z0-9_]*)")


@dataclass(frozen=True)
class Lab:
    """One folder labs/NN_name."""

    number: int
    name: str
    folder: Path

    @property
    def source_name(self) -> str:
        return f"{self.name}.cu"

    @property
    def student_copy(self) -> Path:
        return self.folder / self.source_name

    @property
    def entry(self) -> Path:
        return self.folder / "entry.cu"

    @property
    def rubric_script(self) -> Path:
        return self.folder / "grade.py"

    @property
    def harness(self) -> Path:
        return BIN / f"scanlab_harness_{self.name}"

    @property
    def solution(self) -> Path:
        return ROOT / "solutions" / self.folder.name / self.source_name


class UnknownLabError(ValueError):
    """The name is no lab's; the message lists those there are."""


@cache
def labs() -> tuple[Lab, ...]:
    """All labs, in order. A lab is a folder: adding one edits no file here."""
    folder = ROOT / "labs"
    found = []
    for entry in folder.iterdir() if folder.is_dir() else ():
        match = _LAB_FOLDER.fullmatch(entry.name)
        if match and entry.is_dir():
            found.append(Lab(int(match[1]), match[2], entry))
    return tuple(sorted(found, key=lambda lab: (lab.number, lab.name)))


def find_lab(name: str) -> Lab:
    """A lab by name (`kogge_stone`), number (`1`) or folder (`01_kogge_stone`)."""
    wanted = name.strip().rstrip("/").split("/")[-1].lower().replace("-", "_")
    for lab in labs():
        if wanted in (lab.name, str(lab.number), f"{lab.number:02d}", lab.folder.name):
            return lab
    known = ", ".join(lab.name for lab in labs()) or "none"
    raise UnknownLabError(f"there is no lab called {name!r}; the labs are: {known}")
