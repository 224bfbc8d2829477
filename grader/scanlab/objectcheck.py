"""Looks into the shared object that came of a submission, before anything loads it.

Two in three hostile files need no foreign function: so sections and symbol kinds are looked at too, not
only what is undefined.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_SECTIONS_REFUSED = re.compile(r"\.(preinit_array|fini_array|ctors|dtors|init|fini)(\..*)?")
_TSAN_CONSTRUCTOR = "_sub_I_00099_0"  # the hooks' own; every object has it once
_SYMBOL = struct.Struct("<IBBHQQ")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_IFUNC = 10
_FUNCTION = 2
_OBJECTS = (1, 6)

# What a submission may need that is neither CUDA's nor the hooks'.
_C_FUNCTIONS = frozenset(
    """
    __wrap_printf __wrap_puts __wrap_putchar __wrap_memcpy __wrap_memmove __wrap_memset __wrap_clock
    __wrap___assert_fail
    printf vprintf puts putchar fprintf fputc fputs fwrite fflush snprintf sprintf stdout stderr
    memcpy memmove memset memcmp strlen strcmp strncmp strcpy strncpy strcat strchr strrchr strstr
    abs labs llabs malloc calloc realloc free exit abort atoi atof strtol strtoul strtod
    __assert_fail __tls_get_addr __stack_chk_fail __dso_handle _GLOBAL_OFFSET_TABLE_ _DYNAMIC
    __cxa_guard_acquire __cxa_guard_release __cxa_guard_abort __cxa_pure_virtual __cxa_thread_atexit
    _Unwind_Resume __gxx_personality_v0 __cxa_begin_catch __cxa_end_catch __cxa_call_unexpected
    _Znwm _Znam _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZSt9terminatev
    sqrt sqrtf fabs fabsf pow powf exp expf log logf log2 log2f log10 log10f ceil ceilf floor floorf round roundf
    fmin fminf fmax fmaxf fmod fmodf sin sinf cos cosf tan tanf ldexp ldexpf trunc truncf lround lroundf
    """.split()
)
_CLASS_TABLES = re.compile(r"_ZTVN10__cxxabiv1\d+__\w+E")
# What a submission may itself define without a C++ name: the entry, which the grader appended.
_OWN_FUNCTIONS = frozenset({"scanlab_entry", "scanlab_program_main", _TSAN_CONSTRUCTOR})


@dataclass(frozen=True)
class Complaint:
    """What is wrong with the object; `name` is the symbol or section."""

    name: str
    message: str


@dataclass(frozen=True)
class _Symbol:
    name: str
    kind: int
    defined: bool


@dataclass(frozen=True)
class _Section:
    name: str
    kind: int
    offset: int
    size: int
    link: int
    entry: int


class NotAnObjectError(ValueError):
    """The file is not the ELF that the linker should have written."""


def check(data: bytes, machine_headers: Path, *, program: bool = False) -> list[Complaint]:
    """All that must not be in a submission's shared object."""
    try:
        sections = list(_sections(data))
        symbols = list(_symbols(data, sections))
    except (struct.error, IndexError, UnicodeDecodeError) as problem:
        raise NotAnObjectError(str(problem)) from problem
    complaints = list(_bad_kinds(symbols)) if program else [*_bad_sections(sections, symbols), *_bad_kinds(symbols)]
    if not program:  # a program's own static objects (std::cout's among them) and the system's functions are its affair
        complaints += _foreign(symbols, machine_names(machine_headers))
    return complaints


# What startup files, nvcc's registration of kernels and `new T[n]` with exceptions need beside.
_NVCCS_OWN = re.compile(
    r"_*cuda[A-Z]\w*|__cxa_(atexit|finalize|rethrow|throw_bad_array_new_length)|_ITM_\w+|__gmon_start__"
)


def check_for_device(data: bytes) -> list[Complaint]:
    """The same for an object that nvcc made: what it needs of the system, and nothing of the machine's."""
    try:
        symbols = list(_symbols(data, list(_sections(data))))
    except (struct.error, IndexError, UnicodeDecodeError) as problem:
        raise NotAnObjectError(str(problem)) from problem
    chosen = [Complaint(one.name, "a function that is chosen while the file is loaded (ifunc)")
              for one in symbols if one.kind == _IFUNC]  # fmt: skip
    return chosen + [one for one in _foreign(symbols, frozenset()) if not _NVCCS_OWN.fullmatch(one.name)]


def _bad_sections(sections: list[_Section], symbols: list[_Symbol]) -> Iterator[Complaint]:
    hooks = sum(symbol.name == _TSAN_CONSTRUCTOR for symbol in symbols)
    for section in sections:
        constructors = section.name.startswith(".init_array") and section.size > 8 * hooks
        if constructors or (_SECTIONS_REFUSED.fullmatch(section.name) and section.size):
            yield Complaint(
                _constructor_name(symbols) or section.name,
                "a variable outside all functions has a value that must be computed before anything runs "
                "(a static constructor); device code cannot have one",
            )


def _constructor_name(symbols: list[_Symbol]) -> str:
    for symbol in symbols:
        found = re.match(r"_GLOBAL__sub_[ID]_(?:\d+_\d+_)?(\w+)", symbol.name)
        if found:
            return re.sub(r"^_ZL?\d*", "", found[1])
    return ""


def _bad_kinds(symbols: list[_Symbol]) -> Iterator[Complaint]:
    for symbol in symbols:
        if symbol.kind == _IFUNC:
            yield Complaint(symbol.name, "a function that is chosen while the file is loaded (ifunc)")
        plain = symbol.defined and symbol.kind == _FUNCTION and not symbol.name.startswith(("_Z", "_GLOBAL__"))
        if plain and symbol.name not in _OWN_FUNCTIONS and not _compiler_made(symbol.name):
            yield Complaint(symbol.name, "a function with a C name, which could take another's place")


def _compiler_made(name: str) -> bool:
    return "." in name or name.startswith("__static_initialization")


def _foreign(symbols: list[_Symbol], provided: frozenset[str]) -> Iterator[Complaint]:
    for symbol in symbols:
        name = symbol.name.split("@")[0]
        if symbol.defined or not name or name.startswith("__tsan_"):
            continue
        if name in _C_FUNCTIONS or name in provided or _CLASS_TABLES.fullmatch(name):
            continue
        yield Complaint(name, "a function of the system that a submission may not use")


@cache
def machine_names(folder: Path) -> frozenset[str]:
    """Every word of the machine's own headers: what it offers is among them, and nothing of the system is."""
    words: set[str] = set()
    for path in (*folder.rglob("*"), folder.parents[1] / "harness" / "entry.h"):
        if path.is_file():
            words.update(re.findall(r"[A-Za-z_]\w*", path.read_text(encoding="utf-8", errors="replace")))
    return frozenset(words)


# --- ELF, as little as is needed -------------------------------------------------------------------


def _sections(data: bytes) -> Iterator[_Section]:
    if data[:6] != b"\x7fELF\x02\x01":
        raise NotAnObjectError("not a 64-bit little-endian ELF file")
    (table,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names_index = struct.unpack_from("<HHH", data, 0x3A)
    if size != _SECTION.size or count > 4096 or names_index >= count:
        raise NotAnObjectError("a strange section table")
    rows = [_SECTION.unpack_from(data, table + size * index) for index in range(count)]
    names = rows[names_index]
    for row in rows:
        name = _text(data, names[4], names[5], row[0])
        yield _Section(name, row[1], row[4], row[5], row[6], row[9])


def _symbols(data: bytes, sections: list[_Section]) -> Iterator[_Symbol]:
    for section in sections:
        if section.kind not in (2, 11) or section.entry != _SYMBOL.size:  # SYMTAB, DYNSYM
            continue
        strings = sections[section.link]
        for index in range(1, section.size // _SYMBOL.size):
            name, info, _, where, _, _ = _SYMBOL.unpack_from(data, section.offset + index * _SYMBOL.size)
            yield _Symbol(_text(data, strings.offset, strings.size, name), info & 15, where != 0)


def _text(data: bytes, start: int, size: int, offset: int) -> str:
    if offset >= size:
        raise NotAnObjectError("a name outside its table")
    end = data.index(b"\0", start + offset)
    return data[start + offset : end].decode("utf-8", errors="replace")
