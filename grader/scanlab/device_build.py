"""A submission for a GPU: refused by the same rules as for the CPU machine, built by nvcc in the sandbox.

What `#ifdef __NVCC__` hides from the CPU machine, nvcc compiles all the same. So the rules are applied twice: as the
cpu backend does, and to the very texts that nvcc has preprocessed for the host and for the device, before anything
of the result is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from scanlab import build, device, diagnostics, objectcheck, paths, refuse, tokens
from scanlab.model import Finding, Site
from scanlab.paths import Lab
from scanlab.sandbox import GIB, MIB, Binds, Limits, Outcome, Sandbox
from scanlab.tokens import Kind

LIMITS = Limits(seconds=120, cpu_seconds=240, memory=16 * GIB, file_bytes=256 * MIB, processes=64)
_WORK, _LAB, _HEADERS = "/scanlab/work", "/scanlab/lab", "/scanlab/reference"
_KEEP = "keep"


class DeviceError(RuntimeError):
    """Our own failure, never the student's."""


def architecture() -> list[str]:
    """That of the device; without one, all from Turing to Hopper."""
    gpu = device.gpu()
    if gpu is not None:  # what -arch=native finds out by opening a context, which is slow
        return [f"-arch=sm_{gpu.capability.replace('.', '')}"]
    return [f"-gencode=arch=compute_{number},code=sm_{number}" for number in (75, 80, 86, 89, 90)]


def refused(source: Path, lab: Lab, folder: Path, box: Sandbox) -> tuple[Finding, ...]:
    """What the cpu backend refuses. Its other complaints are left to nvcc, who has words of its own."""
    apart = folder / "cpu"
    apart.mkdir(mode=0o755)
    built = build.build(source.read_bytes(), source.name, lab, apart, box)
    return tuple(finding for finding in built.findings if finding.kind == "build.forbidden")


def compile_submission(source: Path, lab: Lab, folder: Path, box: Sandbox) -> tuple[Path | None, tuple[Finding, ...]]:
    """A shared object of submission and entry. The file itself reaches nvcc unmodified."""
    (folder / _KEEP).mkdir(mode=0o777)
    (folder / _KEEP).chmod(0o777)
    binds = _binds(lab, folder)
    unit = folder / "submission.cu"
    unit.write_text(f'#include "{box.inside(source, binds)}"\n#include "{box.inside(lab.entry, binds)}"\n')
    done = box.run(_command(box, binds, folder), binds=binds, limits=LIMITS, cwd=_WORK)
    findings = _of_text(source, folder / _KEEP)
    made = folder / "submission.so"
    if findings:
        return None, findings
    if done.status != 0 or done.timed_out or not made.exists():
        return None, _compiler_findings(_words(done), source.name)
    if len(list((folder / _KEEP).glob("*.ii"))) < 2:  # host and device
        raise DeviceError("nvcc kept no preprocessed texts, so nothing can be said of what it compiled")
    findings = _of_object(made, source.name)
    return (None if findings else made), findings


def _binds(lab: Lab, folder: Path) -> Binds:
    shown = {lab.folder: _LAB, paths.REFERENCE: _HEADERS}
    return Binds(readonly=shown | toolkit(), writable={folder: _WORK})


def toolkit() -> dict[Path, str]:
    """The toolkit at its own place, where that is none of the system's."""
    root = device.toolkit_folder()
    return {root: str(root)} if root is not None and root != Path("/usr") else {}


def _command(box: Sandbox, binds: Binds, folder: Path) -> list[str]:
    nvcc = device.tool("nvcc")
    if nvcc is None:
        raise DeviceError("nvcc is not installed")
    reference = box.inside(paths.REFERENCE, binds)
    return [str(Path(nvcc).resolve()), *architecture(), "-std=c++17", "-lineinfo", "--cudart", "shared", "-shared",
            "-w", "-Xcompiler", "-fPIC,-fno-gnu-unique", "--keep", "--keep-dir", box.inside(folder / _KEEP, binds),
            "-I", f"{reference}/device/submission", "-I", reference,
            "-o", box.inside(folder / "submission.so", binds), box.inside(folder / "submission.cu", binds)]  # fmt: skip


# --- refusing ----------------------------------------------------------------------------------------


def _of_text(source: Path, kept: Path) -> tuple[Finding, ...]:
    """What the rules say of the texts that nvcc compiled: one for the host, one for each architecture."""
    text = build.decode(source.read_bytes())
    found: dict[tuple[int, str], Finding] = {}
    for path in sorted(kept.glob("*.ii")):
        preprocessed = path.read_bytes().decode("utf-8", errors="surrogateescape")
        for refusal in refuse.host_refusals(source_of(preprocessed, text, source.name)):
            found.setdefault((refusal.line, refusal.message), _finding(refusal, source.name))
    return tuple(found.values())[: diagnostics.FIRST_ERRORS]


# The toolkit's headers make attributes of CUDA's words; the rules know the words.
_QUALIFIER = re.compile(r"__attribute__\(\((global|device|host|shared|constant|managed|grid_constant)\)\)")
_BOUNDS = re.compile(r"__attribute__\(\((launch_bounds|cluster_dims)(?=\()")


def source_of(preprocessed: str, text: str, file: str) -> refuse.Source:
    """The student's part of a text that nvcc preprocessed, for the rules."""
    own = "\n".join(_own_lines(preprocessed, file))
    own = _BOUNDS.sub(r"__attribute__((aligned", _QUALIFIER.sub(r"__\1__", own))
    code, directives = tokens.Code(), []
    for token in tokens.preprocessed_tokens(own):
        if token.kind is not Kind.DIRECTIVE:
            code.append(token)
        elif tokens.marker_of(token.text) is None:
            directives.append(token)
    headers = list(_entered(preprocessed, file))
    return refuse.Source(text, tokens.source_tokens(text), code, directives, frozenset(), headers)


def _own_lines(preprocessed: str, file: str) -> Iterator[str]:
    inside = False
    for line in preprocessed.split("\n"):
        marker = tokens.marker_of(line) if line.startswith("# ") else None
        if marker is not None:
            inside = Path(marker.file).name == file
        if inside:
            yield line


def _entered(preprocessed: str, file: str) -> Iterator[tuple[int, str]]:
    """The headers that the file itself includes, by the names that the rules know."""
    before: tokens.Marker | None = None
    since = 0
    for line in preprocessed.split("\n"):
        marker = tokens.marker_of(line) if line.startswith("# ") else None
        if marker is None:
            since += 1
            continue
        if before is not None and Path(before.file).name == file and 1 in marker.flags:
            allowed = (name for name in refuse.ALLOWED_HEADERS if marker.file.endswith(f"/{name}"))
            yield before.line + since, next(allowed, Path(marker.file).name)
        before, since = marker, 0


def _of_object(made: Path, file: str) -> tuple[Finding, ...]:
    try:
        complaints = list(dict.fromkeys(objectcheck.check_for_device(made.read_bytes())))
    except objectcheck.NotAnObjectError as problem:
        raise DeviceError(f"nvcc left no shared object: {problem}") from problem
    return tuple(Finding("build.forbidden", "error", f"{one.name}: {one.message}",
                         "Keep to the kernels, CUDA's functions and plain C++.", (Site(file, 1),))
                 for one in complaints[: diagnostics.FIRST_ERRORS])  # fmt: skip


def _finding(refusal: refuse.Refusal, file: str) -> Finding:
    return Finding(refusal.kind, "error", refusal.message, refusal.help, (Site(file, max(refusal.line, 1)),))


# --- words -------------------------------------------------------------------------------------------

_NVCC_ERROR = re.compile(r"(?P<file>[^\s(:]+)\((?P<line>\d+)\): (?:catastrophic )?error:? ?"
                         r"(?:#\d+(?:-D)?:?)? ?(?P<text>.*)")  # fmt: skip


def _words(done: Outcome) -> str:
    if done.timed_out:
        return "nvcc was not done in time"
    return (done.stderr + done.stdout).decode(errors="replace")


def _compiler_findings(words: str, file: str) -> tuple[Finding, ...]:
    """nvcc writes `name(line): error: ...`, its host compiler `name:line: error: ...`."""
    errors = [(Path(match["file"]).name, int(match["line"]), match["text"]) for match in _NVCC_ERROR.finditer(words)]
    errors += [(Path(error.file).name, error.line, error.text) for error in diagnostics.read(words)]
    found = [
        Finding("build.error" if name == file else "build.contract", "error", f"{text}.", "",
                (Site(file, line),) if name == file else ())
        for name, line, text in errors[: diagnostics.FIRST_ERRORS]
    ]  # fmt: skip
    last = words.strip().split("\n")[-1][:300]
    return tuple(found) or (Finding("build.error", "error", f"nvcc refuses the file: {last}", ""),)
