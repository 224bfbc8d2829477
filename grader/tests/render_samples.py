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


PRECONDITIONS = ["no data race: held", "no divergent barrier: held", "T is opaque: broken"]


def proof_check(name: str = "inclusive scan: right for every size", **fields: Any) -> dict[str, Any]:
    """As the harness writes a proof."""
    measured = {
        "proved": ["section 32: N = 1..32", "section 64: N = 1..64"],
        "preconditions": PRECONDITIONS[:2],
        "n": 1024,
        "work": 9217,
        "steps": 10,
    }
    return check(name, most=30, measured=measured, **fields)


def network() -> dict[str, Any]:
    """Kogge-Stone on four elements, as scanlab::probe::to_json writes it."""
    nodes = [
        [1, 0, 1, 0, 1, "i0", "i1"],
        [1, 0, 2, 1, 2, "i1", "i2"],
        [1, 0, 3, 2, 3, "i2", "i3"],
        [2, 0, 2, 0, 2, "i0", "n1"],
        [2, 0, 3, 0, 3, "n0", "n2"],
    ]
    return {"nodes": nodes, "outputs": ["i0", "n0", "n3", "n4"]}


def racy() -> dict[str, Any]:
    """The in-place Kogge-Stone: a race, and a wrong count."""
    wrong_work = finding("work.wrong", message="17 additions too many", sites=[], count=1)
    return result(
        check("builds"),
        check("no races", "fail", 30, findings=[finding()]),
        check("work", "fail", 20, findings=[wrong_work], expected=9217, actual=9234),
        check("barriers", measured={"barriers": 10}),
        check("second launch", "skip", 10, requires=["work"]),
    )


def clean() -> dict[str, Any]:
    measured = {"launch": "S = 1024, N = 1024", "work": 9217, "expected": 9217}
    return result(check("builds"), proof_check(), check("work", measured=measured))


def hostile() -> dict[str, Any]:
    """Every text that a submission can reach holds something nasty."""
    nasty_site = {**site(2, 0, NASTY), "file": NASTY}
    bad = finding(message=NASTY, help=NASTY, sites=[nasty_site, site(1, 1, "read")])
    proof = {"proved": [NASTY], "preconditions": [f"{NASTY}: held"], NASTY: NASTY, "launch": NASTY}
    return result(
        check(NASTY, "fail", findings=[bad], expected=NASTY, actual=NASTY, requires=[NASTY]),
        check("skipped", "skip", requires=[NASTY], measured=proof),
        check("tested", measured={"tested": [NASTY], "schedules": [NASTY]}),
        file=NASTY,
    )


def hostile_source() -> str:
    return f"// {NASTY}\nint x = 1; /* {NASTY} */\n"
