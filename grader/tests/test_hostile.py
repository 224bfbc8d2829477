"""Submissions that attack: each is a finding of that submission, in time, and nobody else notices.

The time allowed here is twice the contract's 15 seconds, since tests may share their processors.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from builds import LAB
from conftest import Done, needs_machine, needs_sandbox

from scanlab import paths

pytestmark = [needs_machine, needs_sandbox]
SECONDS = 30

GOOD = paths.find_lab("kogge_stone").solution.read_text()
FORGED = json.dumps({"schema": "scanlab/result/v1", "score": 100, "max_score": 100, "checks": []}).replace('"', '\\"')


def kernel(body: str, before: str = "") -> str:
    """The solution, where thread 0 of block 0 of both kernels first does something else."""
    inserted = f"\n  if (blockIdx.x == 0 && threadIdx.x == 0) {{ {body} }}\n"
    text, position = before, 0
    while (found := GOOD.find("__global__", position)) >= 0:
        brace = GOOD.index("{", found) + 1
        text += GOOD[position:brace] + inserted
        position = brace
    return text + GOOD[position:]


ATTACKS = {
    "exit with a forged printout": (
        kernel(f'printf("{FORGED}\\n"); exit(0);', "void exit(int) noexcept;\n"),
        {"run.crash", "build.forbidden", "build.error"},
    ),
    "abort": (kernel("abort();", "void abort() noexcept;\n"), {"run.crash", "build.forbidden", "build.error"}),
    "segfault": (kernel("*(volatile int*)8 = 1;"), {"memory.illegal", "run.crash", "memory.out_of_bounds"}),
    "division by zero": (kernel("volatile int z = 0; z = 3 / z;"), {"run.crash"}),
    "jump into nothing": (kernel("((void (*)())16)();"), {"run.crash", "memory.illegal"}),
    "endless loop": (kernel("for (volatile int i = 0; ; ) i = 1;"), {"run.timeout", "deadlock"}),
    "endless loop without an access": (kernel("for (;;) {}"), {"run.timeout", "deadlock"}),
    "endless recursion": (
        kernel("deep(1);", "__device__ int deep(int n) { volatile char a[4096]; a[0] = n; return deep(n + 1) + a[0]; }\n"),
        {"run.crash", "run.limit", "memory.illegal"},
    ),
    "large frame": (
        kernel("frame();", "__device__ void frame() { volatile char a[1 << 26]; for (int i = 0; i < (1 << 26); i += 64) a[i] = 1; }\n"),
        {"run.crash", "run.limit", "memory.illegal"},
    ),
    "fork": (kernel("while (fork() >= 0) {}", "int fork();\n"), {"build.forbidden"}),
    "file read": (
        kernel('void* f = fopen("/etc/passwd", "r"); char b[99]; if (f) printf("%s", b);', "void* fopen(const char*, const char*);\n"),
        {"build.forbidden", "build.error"},
    ),
    "system call by hand": (kernel('asm volatile("syscall");'), {"build.forbidden"}),
    "flood": (kernel('for (int i = 0; i < 10000000; ++i) printf("%d a flood of words that never ends\\n", i);'), {"run.limit", "run.timeout"}),
    "constructor": (GOOD + "\nint f();\nint early = f();\nint f() { return 7; }\n", {"build.forbidden"}),
    "destructor": (GOOD + "\nstruct D { ~D() {} };\nD late;\n", {"build.forbidden"}),
    "huge array": (GOOD + "\n__device__ int huge[1 << 29];\n__device__ int* p() { return huge; }\n", set()),
    "huge shared array": (kernel("__shared__ int s[1 << 20]; s[5] = 1;"), {"launch.invalid", "build.error", "run.limit"}),
    "secret in an include": ('#include "/etc/shadow"\n' + GOOD, {"build.forbidden"}),
    "line": ('#line 1 "/etc/passwd"\n' + GOOD + "\nint x = y;\n", {"build.forbidden"}),
    "errors": (GOOD + "\n".join(f"int v{n} = undeclared_{n};" for n in range(8000)), {"build.error"}),
    "entry's macros": ("#define int float\n#define scanlab_entry other\n" + GOOD, {"build.forbidden"}),
    "own entry": (GOOD + '\nextern "C" int scanlab_entry(const void*) { return 0; }\n', {"build.forbidden"}),
    "hooks of one's own": (GOOD + "\nvoid __tsan_write8(void*) {}\n", {"build.forbidden"}),
    "serial for numbers": (
        "template <typename T> __device__ bool known() { return sizeof(T) == 4; }\n" + GOOD,
        {"build.forbidden"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_attack(name: str, check: Callable[..., Done]) -> None:
    text, kinds = ATTACKS[name]
    done = check(text)
    assert done.result is not None, done.stderr
    assert done.result["error"] is None, done.result["error"]
    assert all(one["verdict"] != "error" for one in done.result["checks"])
    assert done.seconds < SECONDS
    if kinds:
        assert done.status == 1, done.stdout
        assert done.kinds() & kinds, done.kinds()
    else:
        assert done.status in (0, 1)
    assert "root:" not in json.dumps(done.result) + done.stdout


def test_the_report_is_the_same_every_time(check: Callable[..., Done]) -> None:
    text = kernel("*(volatile int*)8 = 1;")
    first, second = check(text), check(text)
    assert first.result == second.result


def test_the_rest_of_the_checks_go_on_after_a_crash(check: Callable[..., Done]) -> None:
    inclusive = GOOD.index("__global__")
    exclusive = GOOD.index("__global__", inclusive + 5)
    brace = GOOD.index("{", exclusive) + 1
    done = check(GOOD[:brace] + "\n  if (threadIdx.x == 3) *(volatile int*)8 = 1;\n" + GOOD[brace:])
    assert done.status == 1
    assert done.verdict("inclusive scan: right for every size") == "pass"
    assert done.verdict("exclusive scan: right for every size") in ("fail", "skip")


def test_nothing_is_left_behind(check: Callable[..., Done], tmp_path: Path) -> None:
    before = {path.name for path in Path("/tmp").glob("scanlab-*")}
    check(LAB)
    left = {path.name for path in Path("/tmp").glob("scanlab-*")} - before
    # Other checks may run at the same time; ours is gone.
    assert len(left) <= 4
