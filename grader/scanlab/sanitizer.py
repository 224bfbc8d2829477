"""compute-sanitizer's tools on a submission, and their words as our findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scanlab.model import Finding, Site
from scanlab.sandbox import Outcome

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
ERROR_EXIT = 9
_OPTIONS = {"memcheck": ("--leak-check", "full")}

_PREFIX = "========= "
_PLACE = re.compile(r"in (?:\S*/)?(?P<file>[\w.+-]+\.cuh?):(?P<line>\d+)")
_THREAD = re.compile(r"by thread \((\d+),(\d+),(\d+)\) in block \((\d+),(\d+),(\d+)\)")
_HEADS = (
    (re.compile(r"Invalid __(?:global|shared|local)__ (?:read|write|atomic)"), "memory.out_of_bounds", "error"),
    (re.compile(r"Program hit cudaErrorInvalid(?:Configuration|Value)|.*cudaErrorLaunchOutOfResources"),
     "launch.invalid", "error"),
    (re.compile(r"Leaked \d"), "memory.leak", "warning"),
    (re.compile(r"(?:Error|Warning): (?:Potential )?(?:Race|[WR]A[WR] hazard)"), "race.shared", "error"),
    (re.compile(r"Uninitialized __global__ memory read"), "memory.uninitialized", "error"),
    (re.compile(r"Host API memory access error"), "memory.out_of_bounds", "error"),
    (re.compile(r"Barrier error detected"), "barrier.divergent", "error"),
)  # fmt: skip
_HELP = "compute-sanitizer's words; the cpu backend says more about the same line."


@dataclass(frozen=True)
class Report:
    """What one tool said of one submission."""

    tool: str
    verdict: str  # clean, found, timeout, failed
    findings: tuple[Finding, ...] = ()
    text: str = ""


def run(tool: str, start: Callable[[Sequence[str]], Outcome], file: str) -> Report:
    """`start` runs compute-sanitizer with these options; the lines of `file` are the student's."""
    done = start(["--tool", tool, "--error-exitcode", str(ERROR_EXIT), *_OPTIONS.get(tool, ())])
    text = done.stdout.decode(errors="replace")
    if done.timed_out:
        return Report(tool, "timeout", read(text, file), text)
    findings = _without_consequences(read(text, file))
    if findings or done.status == ERROR_EXIT:
        return Report(tool, "found", findings, text)
    if done.status == 4:  # the worker's watchdog
        return Report(tool, "timeout", (), text)
    clean = "ERROR SUMMARY: 0 errors" in text or "RACECHECK SUMMARY: 0" in text
    return Report(tool, "clean" if clean else "failed", (), text + done.stderr.decode(errors="replace"))


def read(text: str, file: str) -> tuple[Finding, ...]:
    """One finding for each kind and set of lines, with how often it was said."""
    found: dict[tuple[str, tuple[int, ...]], Finding] = {}
    for block in _blocks(text):
        finding = _finding(block, file)
        if finding is None:
            continue
        key = (finding.kind, tuple(site.line for site in finding.sites))
        before = found.get(key)
        found[key] = finding if before is None else _once_more(before)
    return tuple(found.values())


def _without_consequences(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """A process that an error ended has not freed its memory."""
    broken = any(finding.severity == "error" for finding in findings)
    return tuple(finding for finding in findings if not (broken and finding.kind == "memory.leak"))


def _once_more(finding: Finding) -> Finding:
    return Finding(finding.kind, finding.severity, finding.message, finding.help, finding.sites, finding.count + 1)


def _blocks(text: str) -> list[list[str]]:
    """The paragraphs of the tool's output: a head, and its indented lines."""
    blocks: list[list[str]] = []
    for line in text.split("\n"):
        if not line.startswith(_PREFIX):
            continue
        words = line.removeprefix(_PREFIX)
        if words.startswith(" ") and blocks:
            blocks[-1].append(words.strip())
        elif words.strip():
            blocks.append([words.strip()])
    return blocks


def _finding(block: Sequence[str], file: str) -> Finding | None:
    kind, severity = next(((kind, severity) for head, kind, severity in _HEADS if head.match(block[0])), (None, ""))
    if kind is None:
        return None
    if kind == "memory.out_of_bounds" and any("misaligned" in line for line in block):
        kind = "memory.illegal"
    if kind == "memory.out_of_bounds" and any(line.startswith("Uninitialized access") for line in block):
        kind = "value.unwritten"
    words = [
        block[0],
        *(line for line in block[1:] if line.startswith(("Access", "and is", "Divergent", "Uninit", "and "))),
    ]
    return Finding(kind, severity, f"{': '.join(words).rstrip('.')}.", _HELP, _sites(block, file))


def _sites(block: Sequence[str], file: str) -> tuple[Site, ...]:
    """The student's own lines; host frames below them do not count."""
    sites: list[Site] = []
    thread = next((match for line in block if (match := _THREAD.search(line))), None)
    at = tuple(int(number) for number in thread.groups()) if thread else None
    for line in block:
        if line.startswith(("Saved host", "Host Frame")):
            break
        place = _PLACE.search(line)
        if place is None or place["file"] != file:
            continue
        access = next((word for word in ("write", "read") if word in line.lower()), None)
        sites.append(Site(file, int(place["line"]), at[3:] if at else None, at[:3] if at else None, access))  # type: ignore[arg-type]
    return tuple(sites)
