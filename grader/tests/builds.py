"""Helpers: what the build stage says of a text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scanlab import build, paths, refuse, sandbox
from scanlab.refuse import Refusal

BOX = sandbox.find()

KERNEL = """\
template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T s[SECTION_SIZE];
  const unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  s[threadIdx.x] = i < N ? X[i] : T{};
  __syncthreads();
  if (i < N) Y[i] = s[threadIdx.x];
}
"""
EXCLUSIVE = KERNEL.replace("inclusive", "exclusive")
LAB = KERNEL + EXCLUSIVE


def refusals(text: str, folder: Path) -> list[Refusal]:
    """What is refused in a text, after the real preprocessor."""
    name = "kogge_stone.cu"
    (folder / name).write_text(text)
    prepared = build.prepare(paths.find_lab("kogge_stone"))
    work = build._Work(name, text, folder, BOX, prepared, lines=text.split("\n"))
    student, findings = build._preprocess(work)
    assert not findings, findings
    foreign = build._cut(student, work.is_own)
    found = refuse.refusals(build._source(work, foreign.own))
    return found or [Refusal(1, "#line", "a jump to another file", "none")] * foreign.jumps


def built(text: str | bytes, folder: Path, lab: str = "kogge_stone") -> Any:
    """The whole build stage."""
    one = paths.find_lab(lab)
    data = text.encode() if isinstance(text, str) else text
    folder.chmod(0o755)
    return build.build(data, one.source_name, one, folder, BOX)
