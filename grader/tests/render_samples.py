"""Results and sources for the tests of the reports: an ordinary one and a hostile one."""

from __future__ import annotations

from typing import Any

SOURCE = """\
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  XY[threadIdx.x] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] += XY[threadIdx.x - stride];  // racy
  }
  if (i < N) Y[i] = XY[threadIdx.x];
}
"""

NASTY = (
    "</script><script>document.documentElement.dataset.pwned=1</script>"
    '<img src=x onerror="document.documentElement.dataset.pwned=2">{{ 7*7 }}'
    "\x1b[2J\x1b]0;pwned\x07\x9b31m\u202eevil\u2066\u200b\x00\r[bold]x[/bold]"
)


def site(line: int, thread: int, access: str, block: int = 0) -> dict[str, Any]:
    return {
        "file": "kogge_stone.cu",
        "line": line,
        "block": [block, 0, 0],
        "thread": [thread, 0, 0],
        "access": access,
    }


def finding(kind: str = "race.shared", severity: str = "error", **fields: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "kind": kind,
        "severity": severity,
        "message": "thread 33 reads XY[32] while thread 32 writes it, with no barrier between",
        "help": "Let every thread read its neighbour before any thread writes.",
        "sites": [site(10, 33, "read"), site(10, 32, "write")],
        "count": 5,
    }
    return {**base, **fields}


def check(name: str, verdict: str = "pass", most: float = 10, **fields: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "name": name,
        "verdict": verdict,
        "points": most if verdict == "pass" else 0,
        "max_points": most,
        "requires": [] if name == "builds" else ["builds"],
        "findings": [],
        "expected": None,
        "actual": None,
        "measured": None,
    }
    return {**base, **fields}


def result(*checks: dict[str, Any], **fields: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "schema": "scanlab/result/v1",
        "lab": "kogge_stone",
        "file": "kogge_stone.cu",
        "sha256": "ab" * 32,
        "backend": "cpu",
        "seed": 20260101,
        "sandbox": "bubblewrap",
        "score": sum(c["points"] for c in checks),
        "max_score": sum(c["max_points"] for c in checks),
        "checks": list(checks),
        "error": None,
    }
    return {**base, **fields}


def racy() -> dict[str, Any]:
    """The in-place Kogge-Stone: a race, a wrong count, a proof that does not hold."""
    return result(
        check("builds"),
        check(
            "inclusive scan: right for every input of 1..1024 elements",
            "fail",
            30,
            findings=[finding()],
            proof={
                "statement": "the inclusive sum of every input of 1 to 1024 elements",
                "held": False,
                "preconditions": [
                    {"text": "no branch or address depends on data", "held": True},
                    {"text": "no race in any barrier interval", "held": False},
                ],
            },
        ),
        check(
            "exact work",
            "fail",
            20,
            findings=[finding("work.wrong", message="17 additions too many", sites=[], count=1)],
            expected={"work": 9217, "barriers": 21},
            measured={"work": 9234, "barriers": 10},
        ),
        check("second launch", "skip", 10, requires=["exact work"]),
    )


def clean() -> dict[str, Any]:
    return result(
        check("builds"),
        check("exact work", expected={"work": 9217}, measured={"work": 9217}),
    )


def hostile() -> dict[str, Any]:
    """Every text that a submission can reach holds something nasty."""
    nasty_site = {**site(2, 0, NASTY), "file": NASTY}
    bad = finding(message=NASTY, help=NASTY, sites=[nasty_site, site(1, 1, "read")])
    return result(
        check(NASTY, "fail", findings=[bad], expected=NASTY, actual=NASTY, requires=[NASTY]),
        check(
            "proof",
            "skip",
            requires=[NASTY],
            measured={NASTY: NASTY},
            proof={
                "statement": NASTY,
                "held": True,
                "preconditions": [{"text": NASTY, "held": True}],
            },
        ),
        file=NASTY,
    )


def hostile_source() -> str:
    return f"// {NASTY}\nint x = 1; /* {NASTY} */\n"
