"""Whole CUDA programs, right and wrong, unmodified under `scanlab run`."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import scanlab

from scanlab import paths

PROGRAMS = sorted((paths.ROOT / "datasets" / "programs").glob("*.cu"))
pytestmark = pytest.mark.skipif(not (paths.BIN / "scanlab_run").exists(), reason="scanlab_run is not built")

HELLO = """\
#include <stdio.h>
__global__ void hello(int n) { if (threadIdx.x == 0) printf("block %d of %d\\n", blockIdx.x, n); }
int main(int argc, char** argv) {
  hello<<<2, 32>>>(2);
  cudaDeviceSynchronize();
  printf("%d arguments\\n", argc - 1);
  return argc > 1 ? 7 : 0;
}
"""


def head(path: Path) -> list[tuple[str, str]]:
    """The first lines: `// expect: ok`, `// expect: fail kind`, `// output: a line that it prints`."""
    return re.findall(r"^// (expect|output): (.*)$", path.read_text(), re.MULTILINE)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "run.json"
    done = scanlab("run", program, "--json", out)
    findings = json.loads(out.read_text())["findings"]
    errors = {finding["kind"] for finding in findings if finding["severity"] == "error"}
    for key, words in head(program):
        if key == "output":
            assert words in done.stdout
        elif words == "ok":
            assert not errors and done.status == 0, (done.stdout[-500:], done.stderr, findings)
        else:
            assert errors & set(re.split(r"[ ,]+", words)[1:]) and done.status == 1, findings


def test_status_output_and_arguments(tmp_path: Path) -> None:
    source = tmp_path / "hello.cu"
    source.write_text(HELLO)
    done = scanlab("run", source)
    assert done.status == 0 and "0 arguments" in done.stdout and "block 1 of 2" in done.stdout
    done = scanlab("run", source, "--", "a", "--b")
    assert done.status == 7 and "2 arguments" in done.stdout


def test_what_does_not_compile(tmp_path: Path) -> None:
    source = tmp_path / "bad.cu"
    source.write_text("int main() { return x; }\n")
    done = scanlab("run", source)
    assert done.status == 2 and "'x' was not declared" in done.stdout and "bad.cu:1" in done.stdout


def test_without_checks_a_race_is_not_told(tmp_path: Path) -> None:
    source = tmp_path / "race.cu"
    source.write_text(
        "#include <stdio.h>\n__global__ void k(int* p) { *p = threadIdx.x; }\n"
        "int main() { int* p; cudaMalloc(&p, 4); k<<<1, 64>>>(p); cudaDeviceSynchronize(); cudaFree(p); }\n"
    )
    assert scanlab("run", source, "--checks", "none").status == 0
    done = scanlab("run", source)
    assert done.status == 1 and "race.global" in done.stdout


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
@pytest.mark.parametrize("program", PROGRAMS[::6], ids=lambda path: path.stem)
def test_nvcc_takes_them_too(program: Path, tmp_path: Path) -> None:
    subprocess.run(["nvcc", "-c", str(program), "-o", str(tmp_path / "x.o")], check=True, capture_output=True)
