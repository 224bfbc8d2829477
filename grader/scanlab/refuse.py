"""What a submission may not use, found in its tokens (never in its text: a comment may say what it likes).

The scan runs on preprocessed tokens, so that a macro hides nothing, with the CUDA qualifiers still in
place; only what a preprocessor uses up (directives, `##`) is looked for in the file as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from scanlab import cpp_shapes, tokens
from scanlab.tokens import Kind, Token


@dataclass(frozen=True)
class Refusal:
    """One thing that is refused: where, in the student's words, why, and what to do instead."""

    line: int
    words: str
    message: str
    help: str
    kind: str = "build.forbidden"


ALLOWED_HEADERS = (
    "cuda_runtime.h",
    "device_launch_parameters.h",
    "cooperative_groups.h",
    "cuda/atomic",
    "cstdint",
    "cstddef",
    "cstdio",
    "cassert",
    "climits",
    "cfloat",
)
# The C spelling of an allowed header, and one that the toolkit itself brings.
_SAME_HEADERS = ("stdint.h", "stddef.h", "stdio.h", "assert.h", "limits.h", "float.h", "cuda.h")

_BUILTINS = re.compile(
    r"__builtin_(expect|unreachable|assume|assume_aligned|offsetof|clz(l|ll)?|ctz(l|ll)?|ffs(l|ll)?"
    r"|popcount(l|ll)?|bswap(16|32|64)|inf[fl]?|huge_val[fl]?|nan[fl]?|abs|labs|fabsf?|FILE|LINE|FUNCTION)"
)
_ATTRIBUTES = frozenset(
    "aligned unused always_inline noinline noreturn warn_unused_result deprecated const pure "
    "maybe_unused nodiscard likely unlikely fallthrough carries_dependency gnu_inline".split()
)
_TRAITS = re.compile(
    r"(is_(same|integral|floating_point|arithmetic|scalar|enum|scoped_enum|class|union|signed|unsigned|void|pointer"
    r"|fundamental|compound|object|convertible|constructible|assignable|base_of|trivial\w*|invocable\w*|literal_type"
    r"|nothrow\w*|default\w*|copy\w*|move\w*|empty|final|polymorphic|standard_layout|pod|array|reference|detected)(_v)?"
    r"|__is_\w+|__has_(trivial|nothrow|virtual)_\w+|__underlying_type|__type_pack_element|__builtin_types_compatible_p"
    r"|underlying_type(_t)?|enable_if(_t)?|conditional(_t)?|void_t|common_type(_t)?|invoke_result(_t)?"
    r"|result_of(_t)?|declval|numeric_limits|integral_constant|true_type|false_type)"
)
_RESERVED = re.compile(r"_*scanlab\w*|__(tsan|sanitizer|asan|ubsan|interceptor)\w*", re.IGNORECASE)
_SYSTEM_CALLS = frozenset(
    """
    system popen fork vfork clone execl execle execlp execv execve execvp execvpe posix_spawn posix_spawnp
    fopen fopen64 freopen fdopen tmpfile tmpnam mkstemp open open64 openat creat read write pread pwrite readv writev
    unlink remove rename mkdir rmdir opendir readdir chmod chown link symlink truncate ftruncate
    socket connect bind listen accept send recv sendto recvfrom getaddrinfo
    syscall ptrace kill tkill raise signal sigaction sigprocmask alarm setitimer
    mmap mmap64 mremap munmap mprotect brk sbrk shmget shm_open memfd_create
    dlopen dlsym dlmopen dladdr dl_iterate_phdr pthread_create thrd_create
    getenv secure_getenv setenv putenv setrlimit prctl personality seccomp
    _exit _Exit quick_exit at_quick_exit atexit on_exit
    fscanf scanf fgets getchar fread fwrite fputs fputc gets getline setvbuf setbuf fclose fflush_unlocked
    time clock_gettime gettimeofday rand srand random srandom process_vm_readv process_vm_writev backtrace
    """.split()
)
_JUMPS = frozenset("setjmp longjmp _setjmp _longjmp sigsetjmp siglongjmp __sigsetjmp getcontext setcontext".split())
_PRAGMAS_REFUSED = frozenset("GCC gcc clang weak redefine_extname push_macro pop_macro omp STDC ident".split())
_DIRECTIVES_REFUSED = {
    "line": "changes the line numbers, by which findings are told",
    "include_next": "reaches past the headers that a submission may include",
    "import": "is not part of C++",
    "embed": "reads a file",
    "ident": "writes into the object file",
    "assert": "is a compiler's own extension",
}


def is_reserved(name: str) -> bool:
    """Names of the machine and of the hooks."""
    return _RESERVED.fullmatch(name) is not None


@dataclass
class Source:
    """What the rules look at."""

    text: str
    raw: Sequence[Token]  # as written
    code: tokens.Code  # preprocessed, the student's part, directives left out
    directives: Sequence[Token]  # the `#` lines of the preprocessed text
    provided: frozenset[str] = frozenset()  # reserved names that the machine's own macros expand to
    headers: Sequence[tuple[int, str]] = ()  # what was included: (line, name)

    @cached_property
    def shapes(self) -> cpp_shapes.Shapes:
        return cpp_shapes.read(self.code)

    @property
    def depth(self) -> int:
        """How deep brackets are nested."""
        deepest = depth = 0
        for token in self.code:
            if token.kind is Kind.SIGN:
                depth += (token.text in tokens.OPENING) - (token.text in tokens.CLOSING)
                deepest = max(deepest, depth)
        return deepest


Rule = Callable[[Source], Iterator[Refusal]]


def refusals(source: Source) -> list[Refusal]:
    """Everything refused, in the order of lines, each line and message once."""
    return _by(_RULES, source)


def host_refusals(source: Source) -> list[Refusal]:
    """What could harm the machine that runs the file for a GPU. PTX in device functions is welcome there."""
    return _by(_HOST_RULES, source)


def _by(rules: Sequence[Rule], source: Source) -> list[Refusal]:
    found: dict[tuple[int, str], Refusal] = {}
    for rule in rules:
        for refusal in rule(source):
            found.setdefault((refusal.line, refusal.message), refusal)
    return sorted(found.values(), key=lambda refusal: (refusal.line, refusal.message))


def _words(tokens_: Sequence[Token], start: int, stop: int) -> str:
    return " ".join(token.text for token in tokens_[max(start, 0) : stop])


# --- headers and directives ----------------------------------------------------------------------


def _headers(source: Source) -> Iterator[Refusal]:
    for line, name in source.headers:
        if name in ALLOWED_HEADERS or name in _SAME_HEADERS:
            continue
        yield Refusal(
            line,
            f"#include <{name}>",
            f"a submission may not include {name}: it is compiled with CUDA's own headers and a few of C's",
            "Allowed are: " + ", ".join(ALLOWED_HEADERS) + ". A scan needs no other; delete the line.",
        )


def _directives(source: Source) -> Iterator[Refusal]:
    for index, token in enumerate(source.raw[:-1]):
        if token.text != "#" or token.kind is not Kind.SIGN:
            continue
        if index and source.raw[index - 1].line == token.line:
            continue
        name = source.raw[index + 1]
        if name.line != token.line:
            continue
        if name.kind is Kind.NUMBER:
            name = name._replace(text="line")
        if name.text in _DIRECTIVES_REFUSED:
            yield Refusal(
                token.line,
                f"#{name.text}",
                f"#{name.text} {_DIRECTIVES_REFUSED[name.text]}",
                "Delete the line; a submission needs no such directive.",
            )


_LINE_DIRECTIVE = re.compile(r"^[ \t]*(?:#|%:)[ \t]*(?:line\b|\d)", re.MULTILINE)


def _hidden_directives(source: Source) -> Iterator[Refusal]:
    """A raw string in text that the preprocessor skips can hide a directive from a reader of tokens."""
    found = _LINE_DIRECTIVE.search(source.text)
    if found and 'R"' in source.text:
        line = source.text.count("\n", 0, found.end()) + 1
        yield Refusal(
            line,
            "#line",
            f"#line {_DIRECTIVES_REFUSED['line']}",
            "Delete the line; a submission needs no such directive.",
        )


def _pragmas(source: Source) -> Iterator[Refusal]:
    for token in source.directives:
        found = re.match(r"#\s*pragma\s+(\w+)", token.text)
        if found and found[1] in _PRAGMAS_REFUSED:
            yield Refusal(
                token.line,
                token.text,
                f"this pragma speaks to the host's compiler ({found[1]}), which a submission may not do",
                "Delete it. #pragma unroll is welcome.",
            )


def _probing(source: Source) -> Iterator[Refusal]:
    for token in source.raw:
        if token.kind is Kind.WORD and re.fullmatch(r"__has_(include|include_next|embed)", token.text):
            yield Refusal(
                token.line,
                token.text,
                f"{token.text} looks for files on the machine that compiles; a submission may not",
                "Include what you need outright; the allowed headers are always there.",
            )


# --- names ---------------------------------------------------------------------------------------


def _reserved(source: Source) -> Iterator[Refusal]:
    for token in source.raw:
        if token.kind is Kind.WORD and is_reserved(token.text):
            yield _reserved_name(token)
    for token in source.code:
        if token.kind is Kind.WORD and token.text not in source.provided and is_reserved(token.text):
            yield _reserved_name(token)


def _reserved_name(token: Token) -> Refusal:
    return Refusal(
        token.line,
        token.text,
        f"the name {token.text} belongs to the machine that runs your kernel; a submission may not touch it",
        "Choose another name for your own functions, variables and macros.",
    )


def _is_assembly(token: Token) -> bool:
    return token.kind is Kind.WORD and token.text in ("asm", "__asm", "__asm__")


def _assembly(source: Source) -> Iterator[Refusal]:
    for token in source.code:
        if _is_assembly(token):
            yield Refusal(
                token.line,
                token.text,
                "inline assembly: its memory accesses cannot be seen, so nothing could be said about them",
                "Write it in C++. Fences are __threadfence(), volatile loads are *(volatile T*)p.",
            )


def _host_assembly(source: Source) -> Iterator[Refusal]:
    on_device = [one.body for one in source.shapes.functions if one.body and one.on_device and not one.on_host]
    for index, token in enumerate(source.code):
        if _is_assembly(token) and not any(body[0] < index < body[1] for body in on_device):
            yield Refusal(
                token.line,
                token.text,
                "assembly outside of device functions: it would run on the machine that grades",
                "PTX may stand in __device__ and __global__ functions; elsewhere write C++.",
            )


def _builtins(source: Source) -> Iterator[Refusal]:
    for token in source.code:
        if token.kind is not Kind.WORD:
            continue
        vendor = token.text.startswith("__builtin_") and not _BUILTINS.fullmatch(token.text)
        # __syncthreads and its kin are CUDA's; __sync_fetch_and_add is the host compiler's.
        atomic = token.text.startswith(("__sync_", "__atomic_", "__c11_atomic", "__cyg_profile"))
        if vendor or atomic:
            yield Refusal(
                token.line,
                token.text,
                f"{token.text} is the host compiler's own function; CUDA does not have it",
                "Use CUDA's functions: atomicAdd, atomicExch, __threadfence, __shfl_sync, and so on.",
            )


def _labels_as_values(source: Source) -> Iterator[Refusal]:
    for index, token in enumerate(source.code[:-1]):
        if token.text == "goto" and source.code[index + 1].text == "*":
            yield Refusal(token.line, "goto *", "a computed goto is not C++", "Use a loop or a switch.")


def _attributes(source: Source) -> Iterator[Refusal]:
    code = source.code
    for index, token in enumerate(code):
        if token.kind is Kind.WORD and token.text in ("__attribute__", "__attribute", "__declspec"):
            yield from _attribute_list(code, index + 1)
        if tokens.adjacent(code, index, "[[") and _starts_attribute(code, index):
            yield from _attribute_list(code, index)
    for token in source.raw:
        if token.kind is Kind.WORD and token.text in ("no_sanitize", "no_sanitize_thread"):
            yield _bad_attribute(token)


def _starts_attribute(code: Sequence[Token], index: int) -> bool:
    # `a[[]{ return 0; }()]` is a lambda in a subscript: after a name or a bracket no attribute stands.
    before = code[index - 1] if index else None
    return before is None or not (before.text in (")", "]") and code[index + 2].text in ("]", "&", "="))


def _attribute_list(code: Sequence[Token], index: int) -> Iterator[Refusal]:
    end = tokens.closing_index(code, index) if index < len(code) else None
    if end is None:
        return
    depth = 0
    for at in range(index, end):
        token = code[at]
        if token.text in "([":
            depth += 1
        elif token.text in ")]":
            depth -= 1
        elif token.kind is Kind.WORD and depth == 2 and token.text.strip("_") not in _ATTRIBUTES:
            yield _bad_attribute(token)


def _bad_attribute(token: Token) -> Refusal:
    return Refusal(
        token.line,
        token.text,
        f"the attribute {token.text} speaks to the host's compiler; it could place, rename or hide code",
        "Delete it. __launch_bounds__, __align__, __forceinline__ and alignas are welcome.",
    )


# --- the language --------------------------------------------------------------------------------


def _exceptions(source: Source) -> Iterator[Refusal]:
    for token in source.code:
        if token.kind is Kind.WORD and token.text in ("try", "throw", "catch"):
            yield Refusal(
                token.line,
                token.text,
                f"{token.text}: device code has no exceptions, and a driver needs none here",
                "Look at the error code that the CUDA function returns.",
            )


def _jumps(source: Source) -> Iterator[Refusal]:
    for token in source.code:
        if token.kind is Kind.WORD and token.text in _JUMPS:
            yield Refusal(token.line, token.text, f"{token.text} jumps out of functions", "Use return and loops.")


def _thread_local(source: Source) -> Iterator[Refusal]:
    for token in source.code:
        if token.kind is Kind.WORD and token.text in ("thread_local", "__thread", "_Thread_local"):
            yield Refusal(
                token.line,
                token.text,
                f"{token.text} is not CUDA: device code does not have it",
                "A variable inside the kernel belongs to its thread; __shared__ makes one for the block.",
            )


def _linkage(source: Source) -> Iterator[Refusal]:
    code = source.code
    for index, token in enumerate(code[:-1]):
        if token.text == "extern" and code[index + 1].kind is Kind.STRING:
            yield Refusal(
                token.line,
                _words(code, index, index + 2),
                'extern "C" could take the place of a function of the machine or the system',
                "Delete it; the grader calls your templates by their C++ names.",
            )


def _system_calls(source: Source) -> Iterator[Refusal]:
    code, own = source.code, source.shapes.defined
    for index, token in enumerate(code):
        if token.kind is not Kind.WORD or token.text not in _SYSTEM_CALLS or token.text in own:
            continue
        if not _is_call(code, index):
            continue
        yield Refusal(
            token.line,
            f"{token.text}(",
            f"{token.text} asks the operating system for something; a submission may only compute",
            "Delete the call. Data comes in through the parameters and goes out through them.",
        )


def _is_call(code: Sequence[Token], index: int) -> bool:
    if index + 1 >= len(code) or code[index + 1].text != "(":
        return False
    before = code[index - 1] if index else None
    if before is None:
        return True
    if before.text in (".", "->"):
        return False
    # A word in front makes it a declaration (`int read(3);`), unless the word is a statement's.
    if before.kind is Kind.WORD:
        return before.text in ("return", "else", "do", "case", "co_return")
    return True


# --- what would know the element type ------------------------------------------------------------

_TYPE_HELP = (
    "T is opaque: the same steps must be made for every T. Use only =, +, += and T{} on it; "
    "if constexpr and specialisations on the section size are welcome."
)


def _specialisations(source: Source) -> Iterator[Refusal]:
    for special in source.shapes.specialisations:
        if special.on_type:
            yield Refusal(
                special.line,
                special.words,
                "a specialisation for a type: the kernel would do one thing for numbers and another in the proof",
                _TYPE_HELP,
            )


def _branches_on_type(source: Source) -> Iterator[Refusal]:
    code = source.code
    for index, token in enumerate(code[:-2]):
        if token.text != "if" or code[index + 1].text != "constexpr" or code[index + 2].text != "(":
            continue
        end = tokens.closing_index(code, index + 2) or index + 3
        inside = {item.text for item in code[index + 3 : end] if item.kind is Kind.WORD}
        if inside & (source.shapes.type_parameters | {"sizeof", "alignof", "decltype", "typeid", "noexcept"}):
            yield Refusal(
                token.line,
                _words(code, index, end + 1),
                "if constexpr on the element type: the kernel would do one thing for numbers and another in the proof",
                _TYPE_HELP,
            )


def _traits(source: Source) -> Iterator[Refusal]:
    own, code = source.shapes.defined, source.code
    for index, token in enumerate(code[:-1]):
        if token.kind is not Kind.WORD or not _TRAITS.fullmatch(token.text) or token.text in own:
            continue
        # A variable may be called is_empty: a trait has a list or a scope.
        listed = code[index + 1].text in ("<", "(") or (index and code[index - 1].text == "::")
        if listed:
            yield Refusal(
                token.line,
                token.text,
                f"{token.text} asks what type the elements have",
                _TYPE_HELP,
            )


def _type_words(source: Source) -> Iterator[Refusal]:
    for token in source.code:
        if token.kind is Kind.WORD and token.text in ("typeid", "requires", "concept", "_Generic", "dynamic_cast"):
            yield Refusal(token.line, token.text, f"{token.text} asks what type something has", _TYPE_HELP)


def _decltype(source: Source) -> Iterator[Refusal]:
    code = source.code
    in_template = source.shapes.template_list_indices
    for index, token in enumerate(code):
        if token.text not in ("decltype", "__typeof__", "typeof", "__typeof") or token.kind is not Kind.WORD:
            continue
        before = code[index - 1].text if index else ";"
        if index in in_template or before in ("->", "<", ">", "sizeof"):
            yield Refusal(
                token.line,
                token.text,
                f"{token.text} here chooses a function by the type of its arguments",
                _TYPE_HELP,
            )


def _sizeof_compared(source: Source) -> Iterator[Refusal]:
    code = source.code
    for index, token in enumerate(code):
        if token.text not in ("sizeof", "alignof", "__alignof__") or token.kind is not Kind.WORD:
            continue
        if index + 1 >= len(code) or code[index + 1].text != "(":
            continue
        end = tokens.closing_index(code, index + 1)
        if end is None or not _names_type(code[index + 2 : end], source.shapes.type_parameters):
            continue
        if _compared(code, index, end) and not _in_static_assert(code, index):
            yield Refusal(
                token.line,
                _words(code, index, end + 1),
                "a decision by the size of the element type: the steps would differ between types",
                _TYPE_HELP,
            )


def _names_type(inside: Sequence[Token], parameters: frozenset[str]) -> bool:
    return any(token.kind is Kind.WORD and token.text in parameters for token in inside)


def _compared(code: Sequence[Token], start: int, end: int) -> bool:
    signs = ("==", "!=", "<=", ">=", "?")
    after = code[end + 1].text if end + 1 < len(code) else ""
    before = code[start - 1].text if start else ""
    if after in signs or before in signs:
        return True
    # `<` and `>` may also be the brackets of a template list: only beside a number are they comparisons.
    number_after = end + 2 < len(code) and code[end + 2].kind is Kind.NUMBER
    number_before = start >= 2 and code[start - 2].kind is Kind.NUMBER
    return (after in ("<", ">") and number_after) or (before in ("<", ">") and number_before)


def _in_static_assert(code: Sequence[Token], index: int) -> bool:
    depth = 0
    for at in range(index, -1, -1):
        text = code[at].text
        if text in (";", "{", "}"):
            return False
        if text == ")":
            depth += 1
        elif text == "(":
            depth -= 1
            if depth < 0 and at and code[at - 1].text in ("static_assert", "_Static_assert"):
                return True
    return False


def _overloads(source: Source) -> Iterator[Refusal]:
    for line, name in source.shapes.overloads_on_type:
        yield Refusal(
            line,
            name,
            f"{name} has one version for every T and another for one type: the compiler would choose by the type",
            _TYPE_HELP,
        )


# What nobody may do to the machine that builds and runs the file.
_SAFETY_RULES: tuple[Rule, ...] = (
    _headers,
    _directives,
    _hidden_directives,
    _pragmas,
    _probing,
    _reserved,
    _assembly,
    _builtins,
    _labels_as_values,
    _attributes,
    _exceptions,
    _jumps,
    _thread_local,
    _linkage,
    _system_calls,
)
# Without which a proof does not hold.
_PROOF_RULES: tuple[Rule, ...] = (
    _specialisations,
    _branches_on_type,
    _traits,
    _type_words,
    _decltype,
    _sizeof_compared,
    _overloads,
)
_RULES = _SAFETY_RULES + _PROOF_RULES
# A proof is not to be had on a GPU, and assembly of the device is welcome there.
_HOST_RULES = tuple(_host_assembly if rule is _assembly else rule for rule in _SAFETY_RULES)
