"""Launches and extern __shared__ become C++; every line stays where it was."""

from __future__ import annotations

import re

import pytest

from scanlab import launch_pass
from scanlab.launch_pass import UnreadableLaunchError, rewrite


def launched(text: str) -> tuple[str, str, str]:
    """(configuration, callee, arguments) of the only launch."""
    new = " ".join(rewrite(text).split())
    match = re.search(
        r"::scanlab::machine::launch\(::scanlab::machine::LaunchConfig\((.*?)\), \"(.*?)\", "
        r"\[&\]\(auto\.\.\. scanlab_a\) __attribute__\(\(no_sanitize_thread\)\) \{ (.*?)\(scanlab_a\.\.\.\); \}(?:, (.*))?\);",
        new,
    )
    assert match, new
    assert match[2] == match[3]
    return match[1], match[3], match[4] or ""


@pytest.mark.parametrize(
    ("text", "config", "callee", "arguments"),
    [
        ("k<<<g, b>>>(x, y);", "g, b", "k", "x, y"),
        ("k<<<1, 2, 3, 0>>>();", "1, 2, 3, 0", "k", ""),
        ("k <<< (n + 255) / 256, 256 >>> (x);", "(n + 255) / 256, 256", "k", "x"),
        ("k<T, 32><<<g, b>>>(x);", "g, b", "k<T, 32>", "x"),
        ("k<T, (N >> 1)><<<g, b>>>(x);", "g, b", "k<T, (N >> 1)>", "x"),
        ("k<Box<Box<int>>><<<g, b>>>(x);", "g, b", "k<Box<Box<int>>>", "x"),
        ("n::m::k<T><<<g, b>>>(x);", "g, b", "n::m::k<T>", "x"),
        ("::k<<<g, b>>>(x);", "g, b", "::k", "x"),
        ("Scan<T>::k<<<g, b>>>(x);", "g, b", "Scan<T>::k", "x"),
        ("Scan<T>::template k<3><<<g, b>>>(x);", "g, b", "Scan<T>::template k<3>", "x"),
        ("(choose ? k : j)<<<g, b>>>(x);", "g, b", "(choose ? k : j)", "x"),
        ("table[3]<<<g, b>>>(x);", "g, b", "table[3]", "x"),
        ("k<<<dim3(4, 2), dim3(8, 8), n * sizeof(float)>>>(x);", "dim3(4, 2), dim3(8, 8), n * sizeof(float)", "k", "x"),
        ("k<<<n >> 5, 32>>>(x);", "n >> 5, 32", "k", "x"),
        ("k<<<f<int>(n), 32>>>(x);", "f<int>(n), 32", "k", "x"),
        ("if (a < b) k<<<1, 2>>>(x);", "1, 2", "k", "x"),
        ("return k<<<1, 2>>>(x);", "1, 2", "k", "x"),
        ("k<<<1, 2>>>(x, __null);", "1, 2", "k", "x, nullptr"),
        ("k<<<1, 2>>>(f(a, b), [=] { return 1; }());", "1, 2", "k", "f(a, b), [=] { return 1; }()"),
        ("k<< <1, 2>> >(x);", "1, 2", "k", "x"),
    ],
)
def test_launches(text: str, config: str, callee: str, arguments: str) -> None:
    assert launched(text) == (config, callee, arguments)


def test_strings_and_comments_are_left_alone() -> None:
    text = 'const char* s = "k<<<1, 2>>>(x);"; /* k<<<1, 2>>>(x); */ // k<<<1, 2>>>(x);\n'
    assert rewrite(text) == text


def test_shifts_are_left_alone() -> None:
    text = "int a = b << 3 >> 1; std::cout << x << y; bool c = a<b; A<B<C<int>>> d;\n"
    assert rewrite(text) == text


def test_two_launches_in_one_line() -> None:
    assert rewrite("a<<<1, 2>>>(x); b<<<3, 4>>>(y);").count("::scanlab::machine::launch(") == 2


@pytest.mark.parametrize(
    "text",
    [
        "k<\n  T,\n  32>\n<<<\n g,\n b\n>>>(\n x,\n y\n);\nint after;\n",
        "__global__ void\n__launch_bounds__(\n 256,\n 2)\nk();\nint after;\n",
        "extern\n__shared__\nfloat\nname[];\nint after;\n",
        '# 12 "a.cu"\n#pragma unroll\nfor (;;) {}\nint after;\n',
    ],
)
def test_lines_stay(text: str) -> None:
    new = rewrite(text)
    assert new.split("\n").index("int after;") == text.split("\n").index("int after;")


def test_arguments_stay_in_their_lines() -> None:
    new = rewrite("k<<<g,\n b>>>(first,\n  second);\n").split("\n")
    assert "second" in new[2] and "first" in new[1] and "g," in new[0]


@pytest.mark.parametrize(
    ("text", "new"),
    [
        (
            "void f() { extern __shared__ float s[]; }",
            "float* s = static_cast<float*>(::scanlab::machine::dynamic_shared());",
        ),
        (
            "void f() { extern __shared__ __align__(16) unsigned char s[]; }",
            "unsigned char* s = static_cast<unsigned char*>(::scanlab::machine::dynamic_shared());",
        ),
        ("void f() { __shared__ extern T s[]; }", "T* s = static_cast<T*>(::scanlab::machine::dynamic_shared());"),
        (
            "void f() { extern volatile __shared__ T s[]; }",
            "volatile T* s = static_cast<volatile T*>(::scanlab::machine::dynamic_shared());",
        ),
        (
            "void f() { if (x) { extern __shared__ Box<T> s[]; } }",
            "Box < T >* s = static_cast<Box < T >*>(::scanlab::machine::dynamic_shared());",
        ),
        ("extern __shared__ int s[];", "static ::scanlab::machine::DynamicShared<int> s;"),
        ("namespace n { extern __shared__ int s[]; }", "static ::scanlab::machine::DynamicShared<int> s;"),
        (
            "void f() { extern __shared__ int s[][32]; }",
            "int (*s)[ 32 ] = static_cast<int (*)[ 32 ]>(::scanlab::machine::dynamic_shared());",
        ),
    ],
)
def test_dynamic_shared(text: str, new: str) -> None:
    assert new in rewrite(text)


def test_static_shared_is_thread_local() -> None:
    assert "thread_local T s[N];" in rewrite("__shared__ T s[N];")
    assert "static thread_local int x;" in rewrite("static __shared__ int x;")


@pytest.mark.parametrize("text", ["k<<<1, 2>>>;", "k<<<1, 2;", "<<<1, 2>>>(x);", "k<<<1, 2>>>(x;", "a = k<<<1 }"])
def test_broken_launches_are_told(text: str) -> None:
    with pytest.raises(UnreadableLaunchError) as problem:
        rewrite("\n" + text)
    assert problem.value.line == 2


@pytest.mark.parametrize(
    ("main", "call"),
    [
        ("int main() { }", "scanlab_student_main()"),
        ("int main(void) { }", "scanlab_student_main()"),
        ("int main(int argc, char** argv) { }", "scanlab_student_main(argc, argv)"),
        ("int main(int argc, const char* argv[]) { }", "scanlab_student_main(argc, (const char**)argv)"),
        ("int main() try { } catch (...) { }", "scanlab_student_main()"),
    ],
)
def test_main_is_renamed(main: str, call: str) -> None:
    new, wrapper = launch_pass.rename_main("void f() { int main; }\n" + main)
    assert f"return {call};" in wrapper
    assert "int main;" in new and "scanlab_student_main(" in new and "return 0; }" in new


def test_no_main() -> None:
    assert launch_pass.rename_main("void f() {}") == ("void f() {}", "")
