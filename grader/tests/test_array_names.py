"""Findings name device arrays as the program does."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import needs_machine, needs_sandbox, scanlab

from scanlab import array_names, launch_pass


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("cudaMalloc(&sums, 4 * n);", "1:sums"),
        ("cudaMalloc((void**)&d.sums, n);", "1:d.sums"),
        ("cudaMalloc<float>(&flags, n);", "1:flags"),
        ("CHECK(cudaMallocManaged(&p->data[i], f(a, b)));", "1:p->data[i]"),
        ("cudaMalloc(reinterpret_cast<void**>(&x), n);", "1:x"),
        ("cudaMalloc(pointer, n);", "1:pointer"),
        ("cudaMalloc(\n&sums,\nn);", "1:sums\\n2:sums\\n3:sums"),
        ("cudaMalloc(f(&a) + 1, n);", None),
        ("cudaFree(sums);", None),
        ("cudaMalloc(", None),
    ],
)
def test_table(text: str, entries: str | None) -> None:
    table = array_names.table(launch_pass.code_tokens('# 1 "a.cu"\n' + text))
    assert table == "" if entries is None else f'"{entries}\\n"' in table


PROGRAM = """\
__global__ void fill(int* a, unsigned n) { a[threadIdx.x + n] = 1; }
int main() {
  int *first, *second, *none;
  cudaMalloc(&first, 64 * sizeof(int));
  cudaMalloc(&second, 32 * sizeof(int));
  cudaMalloc(&none, 0);
  fill<<<1, 32>>>(%s);
  cudaDeviceSynchronize();
}
"""


@needs_machine
@needs_sandbox
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("first, 33", "writes first[64] at line 1, 1 element past its end; first has 64 elements"),
        ("second, 1", "writes second[32] at line 1, 1 element past its end; second has 32 elements"),
        ("none, 0", "writes none[0] at line 1, 1 element past its end; none has 0 elements"),
        ("second, -1u", "writes second[-1] at line 1, 1 element before its beginning; second has 32 elements"),
    ],
)
def test_a_finding_names_the_array(arguments: str, said: str, tmp_path: Path) -> None:
    program = tmp_path / "fill.cu"
    program.write_text(PROGRAM % arguments)
    done = scanlab("run", program)
    assert said in " ".join((done.stdout + done.stderr).split())
