"""The build stage: a student's file becomes a checked shared object, or findings.

    student.cu --(g++ -E, sandboxed)--> preprocessed --(tokens: refusals, launch pass)--> C++
        + the lab's entry --(g++, sandboxed)--> submission.so --(object check)--> Built

The student's macros never reach the entry, which is preprocessed apart. Source is quoted only from the copy
that was handed in.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from scanlab import (
    array_names,
    cpp_shapes,
    device_rules,
    diagnostics,
    guard_zones,
    launch_pass,
    objectcheck,
    paths,
    refuse,
    tokens,
)
from scanlab.model import Finding, Site
from scanlab.paths import Lab
from scanlab.sandbox import GIB, MIB, Binds, Limits, Outcome, Sandbox
from scanlab.tokens import Kind, Token

LARGEST_SOURCE = MIB // 4
MOST_TOKENS = 50_000  # a submission has a few thousand
DEEPEST = 200  # brackets in brackets
LARGEST_PREPROCESSED = 8 * MIB  # with the headers
LARGEST_OWN = MIB // 2  # of this, the student's own text
COMPILE_LIMITS = Limits(seconds=8, cpu_seconds=8, memory=1 * GIB, file_bytes=48 * MIB, processes=32)

PROGRAM_LIMITS = Limits(seconds=60, cpu_seconds=60, memory=4 * GIB, file_bytes=256 * MIB, processes=32)

_SUBMISSION_HEADER = Path(__file__).with_name("submission.h")
_BEGINS = "struct scanlab_submission_begins;"
_PROLOGUE_ENDS = "struct scanlab_prologue_end;"
_INNER = "/scanlab"
_STANDARD = "-std=c++17"
_COMPILE = (
    "-x", "c++-cpp-output", _STANDARD, "-pipe", "-fno-plt", "-O0", "-g1", "-fPIC", "-fsanitize=thread",
    "--param", "tsan-distinguish-volatile=1", "--param", "tsan-instrument-func-entry-exit=0",
    "-fno-asynchronous-unwind-tables", "-fstack-clash-protection", "-fdata-sections",
    *(f"-fno-builtin-{name}" for name in ("memcpy", "memmove", "memset")),
    f"-fmax-errors={diagnostics.FIRST_ERRORS}", "-fno-diagnostics-show-caret", "-fdiagnostics-color=never",
)  # fmt: skip
# An array of variable length is no error to g++; nvcc refuses it.
_SUBMISSION_ONLY = ("-fno-exceptions", "-Werror=vla", "-Wno-return-type", "-Wno-overflow")
# Shared arrays are thread_local: reached without a call where the worker's static TLS has room for them.
_SHARED_IN_STATIC_TLS = "-ftls-model=initial-exec"
_MOST_STATIC_TLS = 8 * MIB
# Copies and printing go through the machine, which tells its checkers.
_WRAPPED = ("memcpy", "memmove", "memset", "printf", "puts", "putchar", "clock", "__assert_fail")
_LINK = (
    "-shared",
    "-nostdlib",
    "-nostartfiles",
    "-Wl,--build-id=none",
    "-Wl,--defsym,__dso_handle=0",  # of startup files, which are left out
    "-Wl,-z,noexecstack",
    *(f"-Wl,--wrap={name}" for name in _WRAPPED),
)


class BuildFailureError(RuntimeError):
    """The grader could not build what is its own: the entry or the headers."""


@dataclass(frozen=True)
class Built:
    """What came of one file. `shared_object` is None where there are findings that are errors."""

    file: str
    sha256: str
    text: str
    shared_object: Path | None = None
    findings: tuple[Finding, ...] = ()
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return self.shared_object is not None


@dataclass(frozen=True)
class Prepared:
    """What does not depend on the submission: cached by the content of all that it is made of."""

    prologue: str  # the headers' text that stands in front of every submission
    entry: str  # the entry as C++ text, to be appended
    kernels: tuple[str, ...]  # functions that the entry launches: they must be kernels
    asked: dict[int, str]  # line of the entry: the name that it asks of the file
    provided: frozenset[str]  # reserved names that the machine's macros expand to


@dataclass
class _Work:
    """One build under way."""

    file: str
    text: str
    folder: Path
    box: Sandbox
    prepared: Prepared
    program: bool = False
    lines: list[str] = field(default_factory=list)
    limits: Limits = COMPILE_LIMITS
    beside: Path | None = None  # where a program's own headers lie

    @property
    def binds(self) -> Binds:
        # The headers lie at the places that the linemarkers name, sandboxed or not.
        return Binds(
            readonly={paths.PROLOGUE.parent: f"{_INNER}/cuda", _SUBMISSION_HEADER: f"{_INNER}/submission.h"},
            writable={self.folder: f"{_INNER}/work"},
        )

    def is_own(self, file: str) -> bool:
        """Is what this file holds the student's? A program's own headers are, the system's are not."""
        if not self.program:
            return file == self.file
        return not file.startswith(("/usr/", str(paths.PROLOGUE.parent), f"{_INNER}/", "<"))

    def run(self, command: Sequence[str]) -> Outcome:
        return self.box.run(
            command, binds=self.binds, limits=self.limits, cwd=f"{_INNER}/work", environment={"SOURCE_DATE_EPOCH": "0"}
        )

    def inside(self, path: Path) -> str:
        return self.box.inside(path, self.binds)


def build(data: bytes, file: str, lab: Lab, folder: Path, box: Sandbox) -> Built:
    """Builds one submission in `folder` (made for it alone)."""
    return _build(data, file, folder, box, prepare(lab), program=False)


def build_program(data: bytes, file: str, folder: Path, box: Sandbox, beside: Path) -> Built:
    """Builds a whole program, whose `main` the machine calls; nothing is refused."""
    return _build(data, file, folder, box, prepare_program(), program=True, beside=beside)


def _build(
    data: bytes,
    file: str,
    folder: Path,
    box: Sandbox,
    prepared: Prepared,
    *,
    program: bool,
    beside: Path | None = None,
) -> Built:
    started = time.monotonic()
    text = decode(data)
    built = Built(file, hashlib.sha256(data).hexdigest(), text)
    findings = unreadable(data, file)
    shared_object = None
    if not findings:
        (folder / file).write_bytes(data)
        limits = PROGRAM_LIMITS if program else COMPILE_LIMITS
        work = _Work(file, text, folder, box, prepared, program, text.split("\n"), limits, beside)
        try:
            findings, shared_object = _stages(work)
        except RecursionError:
            findings = [_too_deep(work)]
    return replace(built, shared_object=shared_object, findings=tuple(findings), seconds=time.monotonic() - started)


def decode(data: bytes) -> str:
    """The text for people: UTF-8, else Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def unreadable(data: bytes, file: str) -> list[Finding]:
    """Why this is no source file at all."""
    if len(data) > LARGEST_SOURCE:
        return [
            _whole_file(
                "build.forbidden",
                f"{file} is larger than a submission may be: 256 KB",
                "Hand in the .cu file itself, without data or generated text.",
                file,
            )
        ]
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return [
            _whole_file(
                "build.error",
                f"{file} is UTF-16 text, which compilers do not read",
                "Save it as UTF-8 (in the editor's save dialog) and hand it in again.",
                file,
            )
        ]
    if b"\0" in data:
        return [
            _whole_file(
                "build.error",
                f"{file} is not a text file: it holds zero bytes",
                "Hand in the source file, not the program that was made of it.",
                file,
            )
        ]
    if not data.strip():
        return [
            _whole_file(
                "build.contract",
                f"{file} is empty",
                "Start from the skeleton: ./scanlab reset LAB brings it back.",
                file,
            )
        ]
    return []


def _whole_file(kind: str, message: str, help_: str, file: str) -> Finding:
    return Finding(kind, "error", message, help_, (Site(file, 1),))


# --- the stages ----------------------------------------------------------------------------------


def _stages(work: _Work) -> tuple[list[Finding], Path | None]:
    student, findings = _preprocess(work)
    if findings:
        return findings, None
    foreign = _cut(student, work.is_own)
    student = foreign.own
    if len(student) > LARGEST_OWN and not work.program:
        return [_expands(work)], None
    source = _source(work, student)
    if not work.program:
        if len(source.code) > MOST_TOKENS:
            return [_expands(work)], None
        if source.depth > DEEPEST:
            return [_too_deep(work)], None
    if not work.program:
        findings = [_refused(work, refusal) for refusal in refuse.refusals(source)[: diagnostics.FIRST_ERRORS]]
        if foreign.jumps and not findings:
            findings = [
                _whole_file(
                    "build.forbidden",
                    "#line changes the file's name, by which findings are told",
                    "Delete the line; a submission needs no such directive.",
                    work.file,
                )
            ]
    if findings:
        return findings, None
    code, shapes = source.code, source.shapes
    try:
        broken = [*_wrong_kind(work, shapes), *device_rules.violations(code, shapes)] if _balanced(code) else []
        student = launch_pass.rewrite(student)
    except launch_pass.UnreadableLaunchError as problem:
        finding = _at(
            work,
            problem.line,
            "build.error",
            str(problem),
            "A launch is written kernel<<<blocks, threads>>>(arguments);",
        )
        return [finding], None
    if broken:
        return [_refused(work, violation) for violation in broken[: diagnostics.FIRST_ERRORS]], None
    entry = work.prepared.entry
    if work.program:
        student, entry = launch_pass.rename_main(student)
        if not entry and _balanced(code):
            return [
                _whole_file(
                    "build.contract",
                    f"{work.file} has no main function: it is no whole program",
                    "Write int main() { ... }, or check a lab's file with ./scanlab check.",
                    work.file,
                )
            ], None
    return _compile(work, foreign.join(student), code, entry)


def _preprocess(work: _Work) -> tuple[str, list[Finding]]:
    """The student's text after the preprocessor, or what is wrong."""
    command = [
        "g++",
        "-x",
        "c++",
        _STANDARD,
        "-E",
        "-dI",
        "-w",
        "-fno-diagnostics-show-caret",
        "-fdiagnostics-color=never",
        f"-fmax-errors={diagnostics.FIRST_ERRORS}",
        *(("-DSCANLAB_PROGRAM", "-iquote", str(work.beside)) if work.program else ()),
        "-I",
        work.inside(paths.PROLOGUE.parent),
        "-include",
        work.inside(_SUBMISSION_HEADER),
        work.file,
        "-o",
        "preprocessed.ii",
    ]
    outcome = work.run(command)
    output = work.folder / "preprocessed.ii"
    if outcome.status != 0 or outcome.timed_out:
        return "", _forbidden_includes(work) or _compiler_failed(work, outcome)
    if output.stat().st_size > LARGEST_PREPROCESSED * (8 if work.program else 1):
        return "", [_expands(work)]
    text = output.read_bytes().decode("utf-8", errors="surrogateescape")
    _, begins, student = text.partition(_BEGINS)
    first = f'# 1 "{work.file}"'
    return first + student.partition(first)[2] if begins and first in student else first + "\n", []


def _expands(work: _Work) -> Finding:
    return _whole_file(
        "build.forbidden",
        "the macros of this file expand to more text than a submission may have: 512 KB",
        "Write loops and templates instead of macros.",
        work.file,
    )


def _too_deep(work: _Work) -> Finding:
    return _whole_file(
        "build.error",
        f"the brackets of this file are nested more than {DEEPEST} deep",
        "Nobody writes this by hand; hand in the source itself.",
        work.file,
    )


def _forbidden_includes(work: _Work) -> list[Finding]:
    """What a file that cannot be preprocessed includes and may not: often that is why."""
    if work.program:
        return []
    raw = tokens.source_tokens(work.text)
    headers = [
        (token.line, "".join(part.text for part in raw[index + 2 : index + 40] if part.line == token.line).strip('<>"'))
        for index, token in enumerate(raw[:-2])
        if token.text == "#"
        and raw[index + 1].text in ("include", "include_next", "import")
        and raw[index + 2].text[:1] in ('"', "<")
    ]
    source = refuse.Source(work.text, raw, tokens.Code(), [], headers=headers)
    return [_refused(work, refusal) for refusal in refuse.refusals(source)[: diagnostics.FIRST_ERRORS]]


def _source(work: _Work, student: str) -> refuse.Source:
    all_tokens = tokens.preprocessed_tokens(student)
    code = tokens.Code()
    directives: list[Token] = []
    headers: list[tuple[int, str]] = []
    file = work.file
    for token in all_tokens:
        if token.kind is not Kind.DIRECTIVE:
            if file == work.file:
                code.append(token)
            continue
        marker = tokens.marker_of(token.text)
        if marker is not None:
            file = marker.file
        elif file == work.file:
            included = re.match(r'#\s*(?:include|include_next|import)\s*[<"]([^>"\n]*)[>"]', token.text)
            if included:
                headers.append((token.line, included[1]))
            else:
                directives.append(token)
    raw = tokens.source_tokens(work.text)
    return refuse.Source(work.text, raw, code, directives, work.prepared.provided, headers)


@dataclass(frozen=True)
class _Foreign:
    """What other files brought into the student's text, taken out so that nobody has to read it."""

    own: str  # with one linemarker in the place of each piece
    pieces: tuple[str, ...]
    jumps: bool = False  # another file begins where none was entered: a #line

    def join(self, own: str) -> str:
        """A changed `own` with the pieces back in their places."""
        return re.sub(rf'^# 1 "{_PIECE}(\d+)"$', lambda match: self.pieces[int(match[1])], own, flags=re.MULTILINE)


_PIECE = "scanlab-piece-"
_MARKER_LINE = re.compile(r'^# \d+ "((?:[^"\\\n]|\\.)*)"[^\n]*$', re.MULTILINE)
_INCLUDE_LINE = re.compile(r"^[ \t]*#[ \t]*(?:include|include_next|import)\b[^\n]*$", re.MULTILINE)


def _cut(student: str, is_own: Callable[[str], bool]) -> _Foreign:
    own: list[str] = []
    pieces: list[str] = []
    position, inside, jumps = 0, True, False
    for match in _MARKER_LINE.finditer(student):
        now = is_own(match[1])
        if inside and not now:
            jumps = jumps or not re.search(r'" 1\b', match[0])
            own.append(student[position : match.start()])
            position = match.start()
        elif now and not inside:
            own.append(f'# 1 "{_PIECE}{len(pieces)}"\n')
            pieces.append(_INCLUDE_LINE.sub("", student[position : match.start()]))
            position = match.start()
        inside = now
    if inside:
        own.append(student[position:])
    return _Foreign("".join(own), tuple(pieces), jumps)


def _wrong_kind(work: _Work, shapes: cpp_shapes.Shapes) -> list[refuse.Refusal]:
    """Names of the contract that are there but are kernels where they must not be, or the other way round."""
    found = device_rules.missing_kernels(shapes, work.prepared.kernels)
    for name in dict.fromkeys(work.prepared.asked.values()):
        group = shapes.named(name)
        if group and name not in work.prepared.kernels and all(function.is_kernel for function in group):
            found.append(
                refuse.Refusal(
                    group[0].line,
                    name,
                    f"{name} is called from the host, so it must not be a kernel",
                    f"Delete the __global__ before {name}.",
                    "build.contract",
                )
            )
    return found


def _compile(work: _Work, student: str, code: Sequence[Token], entry: str) -> tuple[list[Finding], Path | None]:
    balanced = _balanced(code)
    # A lone `;` on the student's last line: what is left open there is said there.
    end = f'\n# {len(work.lines)} "{work.file}"\n;\n' + (array_names.table(code) if balanced else "")
    _write(work, "submission.ii", work.prepared.prologue + student + end + (entry if balanced else ""))
    compile_only = ["g++", *_COMPILE, *(("-w",) if work.program else _SUBMISSION_ONLY), "-c", "submission.ii"]
    outcome = work.run([*compile_only, _SHARED_IN_STATIC_TLS, "-o", "submission.o"])
    if outcome.status != 0 or outcome.timed_out:
        return _compiler_failed(work, outcome), None
    if _add_guard_zones(work) > _MOST_STATIC_TLS:  # arrays that no device has room for: their launch says so
        outcome = work.run([*compile_only, "-o", "submission.o"])
        if outcome.status != 0 or outcome.timed_out:
            return _compiler_failed(work, outcome), None
        _add_guard_zones(work)
    outcome = work.run(["g++", *_LINK, "submission.o", "-o", "submission.so"])
    if outcome.status != 0 or outcome.timed_out:
        return _compiler_failed(work, outcome), None
    if not balanced:
        return [
            _whole_file(
                "build.error",
                "the brackets of this file do not match: one is opened and never closed",
                "Let your editor show the partner of each bracket.",
                work.file,
            )
        ], None
    return _check_object(work, code)


def _add_guard_zones(work: _Work) -> int:
    """The bytes of shared memory that all kernels have together."""
    compiled = work.folder / "submission.o"
    image = bytearray(compiled.read_bytes())
    shared = guard_zones.widen(image)
    compiled.unlink()  # it may belong to the sandbox's user
    compiled.write_bytes(image)
    compiled.chmod(0o644)
    return shared


def _check_object(work: _Work, code: Sequence[Token]) -> tuple[list[Finding], Path | None]:
    shared_object = work.folder / "submission.so"
    try:
        complaints = objectcheck.check(shared_object.read_bytes(), paths.PROLOGUE.parent, program=work.program)
    except (OSError, objectcheck.NotAnObjectError) as problem:
        raise BuildFailureError(f"the linker left no shared object: {problem}") from problem
    if not complaints:
        return [], shared_object
    found = []
    for complaint in complaints[: diagnostics.FIRST_ERRORS]:
        line = _line_of(complaint.name, code)
        found.append(
            _at(
                work,
                line,
                "build.forbidden",
                f"{complaint.name}: {complaint.message}",
                "Keep to the kernels, CUDA's functions and plain C++; set variables inside functions.",
            )
        )
    return found, None


def _line_of(name: str, code: Sequence[Token]) -> int:
    # A mangled name holds the plain one: `_ZL5table`.
    lines = [token.line for token in code if token.kind is Kind.WORD and len(token.text) > 2 and token.text == name]
    if not lines:
        inner = re.findall(r"\d+([A-Za-z_]\w*)", name)
        lines = [token.line for token in code if any(part.startswith(token.text) for part in inner)]
    return lines[0] if lines else 0


def _balanced(code: Sequence[Token]) -> bool:
    stack: list[str] = []
    for token in code:
        if token.kind is not Kind.SIGN:
            continue
        if token.text in tokens.OPENING:
            stack.append(tokens.OPENING[token.text])
        elif token.text in tokens.CLOSING and (not stack or stack.pop() != token.text):
            return False
    return not stack


# --- words -----------------------------------------------------------------------------------------


def _compiler_failed(work: _Work, outcome: Outcome) -> list[Finding]:
    stderr = outcome.stderr.decode("utf-8", errors="replace")
    stderr = stderr.replace(f"{work.folder}/", "").replace(f"{_INNER}/work/", "")
    found = diagnostics.findings(
        diagnostics.read(stderr), diagnostics.Context(work.file, work.lines, work.prepared.asked)
    )
    own = [finding for finding in found if finding.kind != "build.contract"]
    if own or found:
        # A mistake in the file explains what then does not fit: the contract is said only where it is alone.
        return own or found
    if outcome.timed_out or outcome.signal_name or "Killed" in stderr or "memory exhausted" in stderr:
        why = "took too long" if outcome.timed_out or outcome.signal_name in ("SIGXCPU", "SIGKILL") else "gave up"
        return [
            _whole_file(
                "build.error",
                f"the compiler {why} on this file: it had 8 seconds and 1 GB of memory",
                "A kernel compiles in a moment. Look for templates or macros that expand without end.",
                work.file,
            )
        ]
    words = next((line for line in stderr.split("\n") if "error" in line), "no message")
    return [
        _whole_file(
            "build.error",
            "the compiler failed: " + diagnostics.tidy(words),
            "Comment parts out until it compiles, then look at the last part.",
            work.file,
        )
    ]


def _refused(work: _Work, refusal: refuse.Refusal) -> Finding:
    return _at(work, refusal.line, refusal.kind, refusal.message, refusal.help)


def _at(work: _Work, line: int, kind: str, message: str, help_: str) -> Finding:
    sites = (Site(work.file, line),) if 1 <= line <= len(work.lines) else ()
    return Finding(kind, "error", diagnostics.tidy(message), help_, sites)


def _write(work: _Work, name: str, text: str) -> None:
    (work.folder / name).write_bytes(text.encode("utf-8", errors="surrogateescape"))


# --- what does not depend on the submission --------------------------------------------------------


def prepare(lab: Lab) -> Prepared:
    """The headers, the lab's entry and the machine's names, from the cache where nothing changed."""
    if not lab.entry.exists():
        raise BuildFailureError(f"{lab.folder.name} has no entry.cu")
    return _cached(f"entry-{lab.name}", lab.entry)


def prepare_program() -> Prepared:
    """The headers for a whole program."""
    return _cached("program", None)


def _cached(name: str, entry: Path | None) -> Prepared:
    cached = paths.CACHE / f"{name}-{key(entry)}.json"
    try:
        data = json.loads(cached.read_text())
    except (OSError, ValueError):
        data = _prepare(entry)
        store(cached, json.dumps(data))
    asked = {int(line): name for line, name in data["asked"].items()}
    return Prepared(data["prologue"], data["entry"], tuple(data["kernels"]), asked, frozenset(data["provided"]))


def store(path: Path, text: str) -> None:
    """Into the cache, in place of what stood there under another key (NAME-KEY.json)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.glob(f"{path.name.rsplit('-', 1)[0]}-*.json"):
        old.unlink(missing_ok=True)
    scratch = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")  # grading has threads
    scratch.write_text(text)
    scratch.replace(path)


def key(entry: Path | None) -> str:
    """Changes with what is compiled beside a submission, with how, and with this package."""
    digest = hashlib.sha256()
    headers = sorted(path for path in paths.PROLOGUE.parent.rglob("*") if path.is_file())
    here = sorted(Path(__file__).parent.glob("*.py"))
    for path in (*headers, _SUBMISSION_HEADER, paths.REFERENCE / "harness" / "entry.h", entry):
        digest.update(path.read_bytes() if path else b"program")
    for path in here:
        stat = path.stat()
        digest.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}".encode())
    digest.update(_compiler_identity().encode())
    return digest.hexdigest()[:16]


@cache
def _compiler_identity() -> str:
    for folder in os.environ.get("PATH", "/usr/bin").split(":"):
        path = Path(folder, "g++")
        if path.exists():
            stat = path.stat()
            return f"{path.resolve()} {stat.st_size} {stat.st_mtime_ns}"
    return "none"


def _prepare(entry: Path | None) -> dict[str, object]:
    include = ["-I", str(paths.PROLOGUE.parent), "-I", str(paths.REFERENCE)]
    if entry is None:
        include = ["-DSCANLAB_PROGRAM", *include]
    empty = _own_g_plus_plus([*include, "-include", str(_SUBMISSION_HEADER), "/dev/null"])
    prologue, begins, _ = empty.partition(_BEGINS)
    if not begins:
        raise BuildFailureError("the headers of the machine have no end mark")
    text, kernels, asked = "", [], {}
    if entry is not None:
        whole = _own_g_plus_plus([*include, "-include", str(paths.PROLOGUE), str(entry)])
        text = whole.partition(_PROLOGUE_ENDS)[2]
        code = launch_pass.code_tokens(text)
        kernels = device_rules.launched_names(code)
        asked = _asked(text, code, entry)
    macros = _own_g_plus_plus(["-dM", *include, "-include", str(paths.PROLOGUE), "/dev/null"])
    return {
        "prologue": prologue + _BEGINS + "\n",
        "entry": launch_pass.rewrite(text),
        "kernels": kernels,
        "asked": asked,
        "provided": sorted(_provided(macros)),
    }


def _asked(text: str, code: Sequence[Token], entry: Path) -> dict[str, str]:
    """The names that the entry uses but does not declare: they are the student's to define."""
    own = {token.text for token in launch_pass.code_tokens(_headers_only(text, entry))}
    lab_text = entry.read_text(encoding="utf-8")
    words = set(re.findall(r"\b[a-z]\w*_\w+(?=\s*<)", lab_text)) - own
    declared = {function.name for function in cpp_shapes.read(code).functions}
    found: dict[str, str] = {}
    for number, line in enumerate(lab_text.split("\n"), 1):
        named = [word for word in re.findall(r"\w+", line.partition("//")[0]) if word in words - declared]
        if named:
            found[str(number)] = named[0]
    return found


def _headers_only(text: str, entry: Path) -> str:
    """What stands in front of the entry itself: entry.h."""
    return text.partition(f'"{entry}" 2')[0]


def _own_g_plus_plus(arguments: Sequence[str]) -> str:
    import subprocess

    done = subprocess.run(
        ["g++", "-x", "c++", _STANDARD, "-E", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise BuildFailureError(f"the grader's own entry does not compile: {done.stderr[:500]}")
    return done.stdout


def _provided(macros: str) -> set[str]:
    """Reserved names that stand in the bodies of macros which a submission may use."""
    names: set[str] = set()
    for line in macros.split("\n"):
        match = re.match(r"#define (\w+)(\([^)]*\))? ?(.*)", line)
        if match and not refuse.is_reserved(match[1]):
            names.update(word for word in re.findall(r"[A-Za-z_]\w*", match[3]) if refuse.is_reserved(word))
    return names


def compile_again(folder: Path) -> None:
    """Only the compiler, on what the last build in this folder compiled: the floor that grading is measured by."""
    import subprocess

    subprocess.run(
        ["g++", *_COMPILE, *_SUBMISSION_ONLY, *_LINK, "submission.ii", "-o", "again.so"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
