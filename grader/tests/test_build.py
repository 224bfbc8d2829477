"""The build stage as a whole: kinds, lines and words."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from builds import EXCLUSIVE, KERNEL, LAB, built

from scanlab import objectcheck, paths, sandbox

needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="no compiler")
pytestmark = needs_compiler


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if part in line)


def only(text: str, folder: Path, kind: str, part: str | None = None) -> str:
    """The message of the first finding, which must be of this kind and at the line with `part`."""
    result = built(text, folder)
    assert not result.ok
    assert {finding.kind for finding in result.findings} == {kind}, result.findings
    first = result.findings[0]
    assert first.message and first.help and first.severity == "error"
    if part is not None:
        assert [site.line for site in first.sites] == [line_of(text, part)], first
    assert len(result.findings) <= 5
    for finding in result.findings:
        assert "scanlab_" not in finding.message and "/scanlab" not in finding.message
    return first.message


def test_a_good_file_builds(tmp_path: Path) -> None:
    result = built(LAB, tmp_path)
    assert result.ok, result.findings
    assert result.shared_object is not None and result.shared_object.stat().st_size > 0


def test_the_solution_builds_twice_alike(tmp_path: Path) -> None:
    solution = paths.find_lab("kogge_stone").solution.read_bytes()
    objects = []
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        objects.append(built(solution, folder).shared_object.read_bytes())
    assert objects[0] == objects[1]


ERRORS = {
    "missing semicolon": (
        LAB.replace("= i < N ? X[i] : T{};", "= i < N ? X[i] : T{}", 1),
        "i < N ? X[i] : T{}",
        "expected ';'",
    ),
    "undeclared name": (LAB.replace("Y[i] = s", "Y[j] = s", 1), "Y[j]", "'j' was not declared"),
    "minus on T": (LAB.replace("Y[i] = s[threadIdx.x]", "Y[i] = s[threadIdx.x] - X[i]", 1), " - X[i]", "operator-"),
    "unknown type": ("flaot f;\n" + LAB, "flaot", "flaot"),
    "missing header": (None, None, None),
    "launch of a host function": (
        LAB + "void f() {}\nvoid g() {\n  f<<<1, 2>>>();\n}\n",
        "f<<<",
        "cannot be configured",
    ),
    "launch of a device function": (
        LAB + "__device__ void f() {}\nvoid g() {\n  f<<<1, 2>>>();\n}\n",
        "f<<<",
        "cannot be configured",
    ),
    "kernel called": (LAB + "__global__ void f() {}\nvoid g() {\n  f();\n}\n", "  f();", "must be configured"),
    "kernel called with a list": (
        LAB + "template <int N> __global__ void f() {}\nvoid g() {\n  f<3>();\n}\n",
        "  f<3>();",
        "must be configured",
    ),
    "host function in a kernel": (
        LAB + "int f(int a) { return a; }\n__global__ void k(int* p) {\n  *p = f(3);\n}\n",
        "f(3)",
        "__host__ function",
    ),
    "host template in a kernel": (
        LAB + "template <typename T> T f(T a) { return a; }\n__global__ void k(int* p) {\n  *p = f<int>(3);\n}\n",
        "f<int>(3)",
        "__host__ function",
    ),
    "device function on the host": (
        LAB + "__device__ int f(int a) { return a; }\nvoid g() {\n  f(3);\n}\n",
        "  f(3);",
        "__device__ function",
    ),
    "kernel with a result": (LAB + "__global__ int k() { return 1; }\n", "__global__ int", "void return type"),
    "initialised shared": (LAB + "__global__ void k() {\n  __shared__ int a = 3;\n}\n", "int a = 3", "initializer"),
    "array of variable length": (
        LAB + "__global__ void k(int* p, int n) {\n  int a[n];\n  p[0] = a[0];\n}\n",
        "int a[n]",
        "variable length array",
    ),
    "launch in a kernel": (
        LAB + "__global__ void k() {}\n__global__ void g() {\n  k<<<1, 2>>>();\n}\n",
        "k<<<",
        "separate compilation",
    ),
    "broken launch": (LAB + "__global__ void k() {}\nvoid g() {\n  k<<<1, 2>>>;\n}\n", "k<<<", "parentheses"),
    "open brace": (LAB + "__global__ void k() {\n", None, ""),
    "error directive": ("#error not today\n" + LAB, "#error", "not today"),
    "unclosed comment": (LAB + "/* for ever\n", "/* for ever", "unterminated comment"),
}
del ERRORS["missing header"]


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name: str, tmp_path: Path) -> None:
    text, part, words = ERRORS[name]
    assert words in only(text, tmp_path, "build.error", part)


CONTRACT = {
    "no kernel at all": ("int a;\n", None, "kogge_stone_inclusive_scan is missing"),
    "one kernel missing": (KERNEL, None, "kogge_stone_exclusive_scan is missing"),
    "other name": (
        LAB.replace("kogge_stone_exclusive_scan", "kogge_stone_excl"),
        None,
        "kogge_stone_exclusive_scan is missing",
    ),
    "in a namespace": ("namespace mine {\n" + LAB + "}\n", "kogge_stone_inclusive_scan", "cannot be called"),
    "no template": (
        LAB.replace("template <typename T, unsigned SECTION_SIZE>", "", 1)
        .replace("T*", "int*")
        .replace("T{}", "0")
        .replace("__shared__ T s[SECTION_SIZE]", "__shared__ int s[64]")
        .replace("SECTION_SIZE +", "64 +"),
        None,
        "",
    ),
    "not a kernel": (
        LAB.replace("__global__ void kogge_stone_inclusive_scan", "void kogge_stone_inclusive_scan"),
        "kogge_stone_inclusive_scan",
        "__global__ is missing",
    ),
    "other parameters": (
        LAB.replace("const T* X, T* Y, unsigned N", "const T* X, T* Y", 1).replace("N", "64", 1),
        None,
        "",
    ),
    "output first": (LAB.replace("const T* X, T* Y", "T* Y, const T* X", 1), "T* Y, const T* X", "cannot be called"),
    "template parameters turned": (
        LAB.replace("<typename T, unsigned SECTION_SIZE>", "<unsigned SECTION_SIZE, typename T>", 1),
        None,
        "cannot be called",
    ),
    "assertion against a shape": (
        LAB.replace("__shared__", 'static_assert(SECTION_SIZE <= 256, "small"); __shared__', 1),
        "static_assert",
        "static_assert",
    ),
    "empty": (" \n", None, "empty"),
}


@pytest.mark.parametrize("name", CONTRACT)
def test_contract(name: str, tmp_path: Path) -> None:
    text, part, words = CONTRACT[name]
    if name in ("no template", "other parameters"):
        result = built(text, tmp_path)
        assert {finding.kind for finding in result.findings} <= {"build.contract", "build.error"} and not result.ok
        return
    assert words in only(text, tmp_path, "build.contract", part)


FORBIDDEN = {
    "a secret": ('#include "/etc/passwd"\n' + LAB, "#include"),
    "a device": ('#include "/dev/zero"\n' + LAB, "#include"),
    "itself": ('#include "kogge_stone.cu"\n' + LAB, "#include"),
    "a header that is missing": ("#include <thrust/scan.h>\n" + LAB, "#include"),
    "static constructor": (LAB + "int later();\nint early = later();\nint later() { return 3; }\n", "int early"),
    "static object": (LAB + "struct S { int v; S() { v = 3; } };\nS thing;\n", "S thing"),
    "foreign function": (LAB + "int isatty(int);\nvoid f() { isatty(1); }\n", None),
    "many bytes": (LAB + "//" + "x" * (1 << 20) + "\n", None),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_forbidden(name: str, tmp_path: Path) -> None:
    text, part = FORBIDDEN[name]
    result = built(text, tmp_path)
    assert not result.ok
    assert {finding.kind for finding in result.findings} == {"build.forbidden"}, result.findings
    if part is not None and result.findings[0].sites:
        assert result.findings[0].sites[0].line == line_of(text, part)
    assert "root:" not in str(result.findings)


ATTACKS_ON_THE_ENTRY = {
    "int": "#define int float\n",
    "main": "#define main other\n",
    "return": "#define return while (0)\n",
    "request": "#define Request Other\n#define element section\n#define function element\n",
    "T": "#define T int\n",
    "unsigned": "#define unsigned\n",
    "launch": "#define launch nothing\n#define LaunchConfig int\n",
    "switch": "#define switch if\n#define case\n",
    "const": "#define const\n",
    "extern": "#define extern static\n",
    "undef": "#undef threadIdx\n#define assert(x) 0\n",
}


@pytest.mark.parametrize("name", ATTACKS_ON_THE_ENTRY)
def test_macros_do_not_reach_the_entry(name: str, tmp_path: Path) -> None:
    result = built(LAB + ATTACKS_ON_THE_ENTRY[name], tmp_path)
    assert result.ok, result.findings


def test_reserved_macro_is_refused(tmp_path: Path) -> None:
    only("#define scanlab other\n" + LAB, tmp_path, "build.forbidden", "#define scanlab")


BOMBS = {
    "errors": LAB + "\n".join(f"int v{n} = undeclared_{n};" for n in range(20_000)),
    "long error": LAB
    + "template <typename A, typename B> struct P {};\n"
    + "".join(f"using P{n} = P<{before}, {before}>;\n" for n in range(24) for before in [f"P{n - 1}" if n else "int"])
    + "P23 p = 3;\n",
    "templates": LAB + "template <int N, typename T> struct F { using A = typename F<N - 1, F<N, T>>::A; "
    "using B = typename F<N - 1, F<N, int>>::B; };\nF<1000000, int>::A a;\n",
    "macros": LAB
    + "#define A0 x x x x x x x x x x\n"
    + "".join(
        f"#define A{n} A{n - 1} A{n - 1} A{n - 1} A{n - 1} A{n - 1} A{n - 1} A{n - 1} A{n - 1}\n" for n in range(1, 12)
    )
    + "A11\n",
    "constexpr": LAB
    + "constexpr long f(long n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nconstexpr long a = f(60);\n",
    "array": LAB + "int huge[1 << 28] = {1};\n",
    "nesting": LAB + "int a = " + "(" * 100_000 + "1" + ")" * 100_000 + ";\n",
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_the_students_fault(name: str, tmp_path: Path) -> None:
    result = built(BOMBS[name], tmp_path)
    assert not result.ok
    assert all(finding.kind in ("build.error", "build.forbidden") for finding in result.findings), result.findings
    assert result.findings and len(str(result.findings)) < 10_000
    assert result.seconds < 15


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x7fELF\x00\x01\x02", "build.error"),
        (LAB.encode("utf-16"), "build.error"),
        (b"", "build.contract"),
    ],
)
def test_what_is_no_text(data: bytes, kind: str, tmp_path: Path) -> None:
    result = built(data, tmp_path)
    assert [finding.kind for finding in result.findings] == [kind]


@pytest.mark.parametrize(
    "data",
    [
        b"// caf\xe9 \xff\n" + LAB.encode(),
        b"\xef\xbb\xbf" + LAB.encode(),
        LAB.replace("\n", "\r\n").encode(),
        LAB.rstrip("\n").encode(),
        "// Größe, ∑, 和\n".encode() + LAB.encode(),
    ],
    ids=["latin-1", "byte order mark", "CRLF", "no last line break", "UTF-8"],
)
def test_texts_of_all_kinds_build(data: bytes, tmp_path: Path) -> None:
    result = built(data, tmp_path)
    assert result.ok, result.findings


def test_an_error_behind_an_allowed_header_keeps_its_line(tmp_path: Path) -> None:
    text = "#include <cstdio>\n#include <cassert>\n\n\n\n\n\n\n\n\n\n\n" + LAB.replace("Y[i] = s", "Y[j] = s", 1)
    only(text, tmp_path, "build.error", "Y[j]")


def test_both_kernels_at_once_in_one_macro(tmp_path: Path) -> None:
    macro = "#define SCAN(name) \\\n" + " \\\n".join(
        KERNEL.replace("kogge_stone_inclusive_scan", "name").rstrip().split("\n")
    )
    text = macro + "\n\nSCAN(kogge_stone_inclusive_scan)\nSCAN(kogge_stone_exclusive_scan)\n"
    result = built(text, tmp_path)
    assert result.ok, result.findings


def test_the_object_check_knows_garbage() -> None:
    for data in (b"", b"\x7fELF\x02\x01" + b"\0" * 20, b"\x7fELF\x02\x01" + b"\xff" * 200):
        with pytest.raises(objectcheck.NotAnObjectError):
            objectcheck.check(data, paths.PROLOGUE.parent)


def test_without_a_sandbox_the_words_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = LAB.replace("Y[i] = s", "Y[j] = s", 1) + EXCLUSIVE.replace("exclusive", "third")
    inside = built(text, tmp_path).findings
    monkeypatch.setattr("builds.BOX", sandbox.none())
    other = tmp_path / "other"
    other.mkdir()
    assert built(text, other).findings == inside
