"""Turns a compiler's words into findings: the student's own lines, never our wrapper's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scanlab.model import Finding, Site

FIRST_ERRORS = 5
_LONGEST = 400

_LOCATION = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)?\s+(?P<rest>.*)")
_ERROR = re.compile(r"(?:fatal )?error: (?P<text>.*)")
_REQUIRED = re.compile(r"\s*(?:required (?:from|by)|recursively required from|\[ skipping)")
_NO_SUCH_FILE = re.compile(r"(?P<name>.*): (?:No such file or directory|Permission denied|Is a directory)$")
_UNTIDY = (
    (re.compile(r"\(?scanlab_thread_idx\(\)\)?"), "threadIdx"),
    (re.compile(r"\(?scanlab_block_idx\(\)\)?"), "blockIdx"),
    (re.compile(r"\(?(?:dim3\()?scanlab_block_dim\(\)\)*"), "blockDim"),
    (re.compile(r"\(?(?:dim3\()?scanlab_grid_dim\(\)\)*"), "gridDim"),
    (re.compile(r"\.(?:uint3|dim3)::"), "."),
    # What the compiler makes of X[i].
    (re.compile(r"\*\((\w+) \+ \(\(sizetype\)\(\(\(long unsigned int\)(\w+)\) \* \d+\)\)\)"), r"\1[\2]"),
    (re.compile(r"std::uint64_t|scanlab::Probe|\bProbe\b"), "T"),
    (re.compile(r"\s*\[-W[\w=+-]+\]"), ""),
)


@dataclass(frozen=True)
class Diagnostic:
    """One error of the compiler."""

    file: str
    line: int
    text: str
    required_at: tuple[tuple[str, int], ...] = ()  # where the template was asked for, innermost first


def read(stderr: str) -> list[Diagnostic]:
    """All errors, in the compiler's order."""
    found: list[Diagnostic] = []
    required: list[tuple[str, int]] = []
    for line in stderr.split("\n")[:20_000]:
        location = _LOCATION.match(line[:4000])
        if location is None:
            continue
        place = (location["file"], int(location["line"]))
        if _REQUIRED.match(location["rest"]):
            required.append(place)
            continue
        error = _ERROR.match(location["rest"])
        if error:
            found.append(Diagnostic(*place, error["text"], tuple(required)))
            required = []
        elif not location["rest"].startswith(("note:", "warning:")):
            required = []
    return found


@dataclass(frozen=True)
class Context:
    """What the errors are told against."""

    file: str
    lines: Sequence[str]  # the student's
    asked: Mapping[int, str] = field(default_factory=dict)  # line of our entry: the name it asks the file for


def findings(diagnostics: Sequence[Diagnostic], context: Context) -> list[Finding]:
    """At most the first five, as build.error, build.contract or build.forbidden."""
    unique: dict[tuple[str, str], Finding] = {}
    for diagnostic in diagnostics[:FIRST_ERRORS]:
        finding = _finding(diagnostic, context)
        # Of one name that does not fit, the first complaint says all.
        about = finding.message.split()[0] if finding.kind == "build.contract" else finding.message
        unique.setdefault((about, str(finding.sites)), finding)
    return list(unique.values())


def _finding(diagnostic: Diagnostic, context: Context) -> Finding:
    file, lines = context.file, context.lines
    missing = _NO_SUCH_FILE.match(diagnostic.text)
    if missing:
        return Finding(
            "build.forbidden",
            "error",
            f"a submission may not include {missing['name'][:100]}: only the headers that the handout lists",
            "Delete the #include; CUDA's own headers are seen without being asked.",
            _sites(diagnostic.file, diagnostic.line, file, lines),
        )
    if diagnostic.file == file:
        return _in_the_file(diagnostic, file, lines)
    # In our own text: the student's call that led there is what is wrong, if there is one.
    for place in diagnostic.required_at:
        if place[0] == file:
            return _error(diagnostic, file, place[1], lines)
    if not context.asked:  # a whole program: there is no contract
        return Finding("build.error", "error", f"in a header: {tidy(diagnostic.text)}", _advice(diagnostic.text))
    return _contract(diagnostic, context)


def _in_the_file(diagnostic: Diagnostic, file: str, lines: Sequence[str]) -> Finding:
    if "static assertion failed" in diagnostic.text and diagnostic.required_at:
        return Finding(
            "build.contract",
            "error",
            "your static_assert does not hold for a shape that the contract asks for: " + tidy(diagnostic.text),
            "Every section size that the table of labs names must work.",
            _sites(file, diagnostic.line, file, lines),
        )
    return _error(diagnostic, file, diagnostic.line, lines)


def _error(diagnostic: Diagnostic, file: str, line: int, lines: Sequence[str]) -> Finding:
    text = tidy(diagnostic.text)
    return Finding("build.error", "error", text, _advice(text), _sites(file, line, file, lines))


def _contract(diagnostic: Diagnostic, context: Context) -> Finding:
    text = tidy(diagnostic.text)
    name = _asked_name(diagnostic, context)
    line = _definition_line(name, context.lines)
    if name and not line:
        message = f"{name} is missing: the file must define it, with this very name"
        help_ = "Compare the name with the skeleton's: its letters, its underscores."
    elif name:
        message = f"{name} cannot be called as the contract says. The compiler's words: {text}"
        help_ = "Compare its template parameters and its parameters with the skeleton's: names are free, types are not."
    else:
        message = f"the file does not fit the contract. The compiler's words: {text}"
        help_ = "Compare the declarations with the skeleton's."
    return Finding("build.contract", "error", message, help_, _sites(context.file, line, context.file, context.lines))


def _asked_name(diagnostic: Diagnostic, context: Context) -> str:
    """Which name of the contract our own line was about."""
    for _, line in ((diagnostic.file, diagnostic.line), *diagnostic.required_at):
        if line in context.asked:
            return context.asked[line]
    return next((name for name in context.asked.values() if name in diagnostic.text), "")


def _definition_line(name: str, lines: Sequence[str]) -> int:
    if name:
        for number, line in enumerate(lines, 1):
            if re.search(rf"\b{re.escape(name)}\b", line) and not line.lstrip().startswith(("//", "*", "/*")):
                return number
    return 0


def _sites(where: str, line: int, file: str, lines: Sequence[str]) -> tuple[Site, ...]:
    if where != file or not 1 <= line <= max(len(lines), 1):
        return ()
    return (Site(file, line),)


def tidy(text: str) -> str:
    """The compiler's words without our own names and without overlong parts."""
    for pattern, replacement in _UNTIDY:
        text = pattern.sub(replacement, text)
    text = text.replace("‘", "'").replace("’", "'").strip()
    return text if len(text) <= _LONGEST else text[: _LONGEST - 4] + " ..."


def _advice(text: str) -> str:
    for pattern, advice in _ADVICE:
        if re.search(pattern, text):
            return advice
    return "Correct the first error first: later ones often follow from it."


_ADVICE = (
    (r"expected ['\"]?[;,]", "Look at the end of the line before, too: often a ; is missing there."),
    (r"expected ['\"]?[)}\]]|at end of input", "Count the brackets: one that was opened is not closed."),
    (r"no match for 'operator[-*/%<>=!]", "T is opaque: it has = , + , += and T{} , and nothing else."),
    (
        r"invalid (operands|cast)|cannot convert|invalid conversion|no matching function for call to 'atomic",
        "T is opaque: it is neither a number nor made from one; T{} is its zero.",
    ),
    (r"was not declared|has not been declared", "Look for a spelling mistake, or a name used outside its braces."),
    (r"does not name a type", "Look for a spelling mistake, or a missing `template <typename T, ...>` before it."),
    (r"redefinition", "Two things have the same name; delete or rename one."),
    (r"template instantiation depth", "A template asks for itself without end; give the recursion an end."),
)
