"""Reads a class: a folder, a zip or a tar with one sub-folder or file per student.

Nothing is unpacked to disk, so no name in an archive can reach outside. Every entry is read up to the size that
a submission may have; what is no plain file is told as such, and its student still gets a verdict.
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
import re
import stat
import tarfile
import unicodedata
import zipfile
import zlib
from bz2 import BZ2File
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol

from scanlab import build
from scanlab.paths import Lab

MOST_ENTRIES = 100_000
MOST_BYTES = 1 << 30  # read in all, after decompression
_KEPT = build.LARGEST_SOURCE + 1  # enough to see that a file is too large
_NESTED = 32 << 20  # a student's own archive inside the class's
_ARCHIVE = re.compile(r".*\.(zip|tar|tgz|tar\.gz|tar\.bz2|tar\.xz|txz|tbz2)", re.IGNORECASE)
_LIST = re.compile(r"(roster|class|students|readme)[^/]*\.(csv|tsv|txt|md)", re.IGNORECASE)
_IGNORED = re.compile(r"(__MACOSX|\.DS_Store|Thumbs\.db|\._.*|\.git)")
_MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_\w*?_?")
_CANVAS = re.compile(r"(?P<name>[^_]+)(?:_LATE)?_(?P<id>\d+)_(?P<attachment>\d+)_(?P<file>.+)")


class UnreadableClassError(ValueError):
    """The class as a whole cannot be read."""


@dataclass(frozen=True)
class Handed:
    """One file of one student: its data, or why there is none."""

    name: str
    data: bytes = b""
    problem: str = ""


@dataclass
class Student:
    """Who handed in what. `labs` maps a lab's name to the file taken for it."""

    name: str
    identifier: str = ""  # of the LMS, where the folder's name holds one
    labs: dict[str, Handed] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)


@dataclass(frozen=True)
class Entry:
    """One file as it lies in the class."""

    parts: tuple[str, ...]
    data: bytes = b""
    problem: str = ""

    @property
    def name(self) -> str:
        return self.parts[-1]


def read_class(path: Path, labs: Sequence[Lab]) -> list[Student]:
    """All students, sorted by name; a student is whoever has a folder or a file."""
    entries = _unwrapped(_entries(path), labs)
    students: dict[str, Student] = {}
    for entry in entries:
        if len(entry.parts) == 1 and _LIST.fullmatch(entry.name):
            continue  # the class list, not a student
        if len(entry.parts) > 1:
            name, identifier = _person(entry.parts[0])
        else:
            name, identifier = _person_of_file(entry.name, labs)
        student = students.setdefault(f"{name}\0{identifier}", Student(name, identifier))
        student.entries += _expanded(entry)
    for name in _empty_folders(path):
        person, identifier = _person(name)
        students.setdefault(f"{person}\0{identifier}", Student(person, identifier))
    for student in students.values():
        _assign(student, labs)
    return sorted(students.values(), key=lambda student: (student.name.casefold(), student.identifier))


def handed_in_labs(students: Sequence[Student], labs: Sequence[Lab]) -> tuple[Lab, ...]:
    """The labs that anybody handed in."""
    return tuple(lab for lab in labs if any(lab.name in student.labs for student in students))


# --- entries -------------------------------------------------------------------------------------


def _entries(path: Path) -> list[Entry]:
    if path.is_dir():
        return list(_from_folder(path))
    if not path.is_file():
        raise UnreadableClassError(f"there is no folder or archive {path}")
    with path.open("rb") as handle:
        found = list(_from_archive(handle, str(path)))
    if not found:
        raise UnreadableClassError(f"{path} holds no files")
    return found


def _from_folder(root: Path) -> Iterator[Entry]:
    count = 0
    for folder, names, files in os.walk(root, onerror=None):
        linked = [name for name in names if Path(folder, name).is_symlink()]
        names[:] = sorted(name for name in names if name not in linked and not _IGNORED.fullmatch(name))
        for name in sorted([*files, *linked]):
            if _IGNORED.fullmatch(name):
                continue
            count += 1
            if count > MOST_ENTRIES:
                raise UnreadableClassError(f"{root} holds more than {MOST_ENTRIES} files")
            path = Path(folder, name)
            yield _from_file(path, (*Path(folder).relative_to(root).parts, name))


def _from_file(path: Path, parts: tuple[str, ...]) -> Entry:
    parts = tuple(_printable(part) for part in parts)
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            return Entry(parts, problem="is a link, not a file")
        if not stat.S_ISREG(mode):
            return Entry(parts, problem="is no plain file (a device, a pipe or a socket)")
        # O_NOFOLLOW: what was a file a moment ago must still be one.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as handle:
            return Entry(parts, handle.read(_NESTED if _ARCHIVE.fullmatch(path.name) else _KEPT))
    except OSError as problem:
        return Entry(parts, problem=f"cannot be read ({problem.strerror})")


def _from_archive(handle: IO[bytes], name: str) -> Iterator[Entry]:
    try:
        if zipfile.is_zipfile(handle):
            handle.seek(0)
            with zipfile.ZipFile(handle) as archive:
                yield from _from_zip(archive)
        else:
            handle.seek(0)
            with tarfile.open(fileobj=_Counted(_decompressed(handle)), mode="r|") as archive_:
                yield from _from_tar(archive_)
    except (
        zipfile.BadZipFile,
        tarfile.TarError,
        EOFError,
        OSError,
        lzma.LZMAError,
        zlib.error,
        NotImplementedError,
        RuntimeError,
    ) as problem:
        raise UnreadableClassError(f"{name} is no zip or tar that can be read: {problem}") from problem


def _from_zip(archive: zipfile.ZipFile) -> Iterator[Entry]:
    members = archive.infolist()
    if len(members) > MOST_ENTRIES:
        raise UnreadableClassError(f"the archive holds more than {MOST_ENTRIES} files")
    total = 0
    for member in members:
        parts = _safe_parts(member.filename)
        if member.is_dir() or not parts:
            continue
        mode = member.external_attr >> 16
        if stat.S_IFMT(mode) == stat.S_IFLNK:
            yield Entry(parts, problem="is a link, not a file")
            continue
        try:
            with archive.open(member) as handle:
                data = handle.read(_NESTED if _ARCHIVE.fullmatch(parts[-1]) else _KEPT)
        except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, OSError) as problem:
            yield Entry(parts, problem=f"cannot be unpacked ({problem})")
            continue
        total += len(data)
        if total > MOST_BYTES:
            raise UnreadableClassError("the archive holds more than 1 GB")
        yield Entry(parts, data)


def _from_tar(archive: tarfile.TarFile) -> Iterator[Entry]:
    for count, member in enumerate(archive):
        if count > MOST_ENTRIES:
            raise UnreadableClassError(f"the archive holds more than {MOST_ENTRIES} files")
        parts = _safe_parts(member.name)
        if member.isdir() or not parts:
            continue
        if not member.isreg():
            yield Entry(
                parts,
                problem="is a link, not a file"
                if member.issym() or member.islnk()
                else "is no plain file (a device, a pipe or a socket)",
            )
            continue
        handle = archive.extractfile(member)
        yield Entry(parts, handle.read(_NESTED if _ARCHIVE.fullmatch(parts[-1]) else _KEPT) if handle else b"")


def _decompressed(handle: IO[bytes]) -> _Readable:
    start = handle.read(6)
    handle.seek(0)
    if start[:2] == b"\x1f\x8b":
        return gzip.GzipFile(fileobj=handle)
    if start[:3] == b"BZh":
        return BZ2File(handle)
    if start == b"\xfd7zXZ\0":
        return lzma.LZMAFile(handle)
    return handle


class _Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


class _Counted(io.RawIOBase):
    """Stops a decompression bomb: no more than MOST_BYTES come out of it."""

    def __init__(self, inner: _Readable) -> None:
        self._inner = inner
        self._total = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._inner.read(size)
        self._total += len(data)
        if self._total > MOST_BYTES:
            raise UnreadableClassError("the archive holds more than 1 GB")
        return data


def _safe_parts(name: str) -> tuple[str, ...]:
    parts = re.split(r"[/\\]", name)
    kept = tuple(_printable(part) for part in parts if part not in ("", ".", "..") and not part.endswith(":"))
    return () if any(_IGNORED.fullmatch(part) for part in kept) else kept


def _printable(text: str) -> str:
    text = text.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")
    return "".join(char if unicodedata.category(char)[0] != "C" else "?" for char in text)[:120] or "?"


def _expanded(entry: Entry) -> Iterator[Entry]:
    """The entry, or what is in it where a student handed in an archive."""
    if not entry.data or not _ARCHIVE.fullmatch(entry.name):
        yield entry
        return
    try:
        for inner in _from_archive(io.BytesIO(entry.data), entry.name):
            yield Entry((*entry.parts[:-1], *inner.parts), inner.data, inner.problem)
    except UnreadableClassError as problem:
        yield Entry(entry.parts, problem=f"is an archive that cannot be read ({problem})")


def _unwrapped(entries: list[Entry], labs: Sequence[Lab]) -> list[Entry]:
    """Without the one folder around everything that archives often have."""
    while entries and all(len(entry.parts) > 2 for entry in entries):
        tops = {entry.parts[0] for entry in entries}
        seconds = {entry.parts[1] for entry in entries}
        lab_folders = {name for lab in labs for name in (lab.name, lab.folder.name)}
        if len(tops) != 1 or seconds <= lab_folders:
            break
        entries = [Entry(entry.parts[1:], entry.data, entry.problem) for entry in entries]
    return entries


def _empty_folders(path: Path) -> Iterator[str]:
    """Students of whom there is a folder with nothing in it."""
    if not path.is_dir():
        return
    for entry in sorted(path.iterdir()):
        inner_files = entry.is_dir() and not entry.is_symlink() and not any(entry.iterdir())
        if inner_files and not _IGNORED.fullmatch(entry.name):
            yield _printable(entry.name)


# --- people ----------------------------------------------------------------------------------------


def _person(folder: str) -> tuple[str, str]:
    """(name, identifier) of a student's folder, Moodle's naming understood."""
    moodle = _MOODLE.fullmatch(folder)
    return (moodle["name"], moodle["id"]) if moodle else (folder, "")


def _person_of_file(name: str, labs: Sequence[Lab]) -> tuple[str, str]:
    """(name, identifier) of a file that lies by itself: `ada_kogge_stone.cu`, `ada.cu`, Canvas's naming."""
    canvas = _CANVAS.fullmatch(name)
    if canvas:
        return canvas["name"], canvas["id"]
    stem = re.sub(r"(\.(tar|cu|cuh|zip|tgz|gz|bz2|xz|txt|cpp))+$", "", name, flags=re.IGNORECASE)
    for lab in labs:
        found = re.fullmatch(rf"(.+?)[-_. ]+{re.escape(lab.name)}", stem, re.IGNORECASE)
        if found:
            return found[1], ""
    return stem or name, ""


# --- which file is which lab -------------------------------------------------------------------------


def _assign(student: Student, labs: Sequence[Lab]) -> None:
    entries = sorted(student.entries, key=lambda entry: (len(entry.parts), entry.parts))
    taken: set[int] = set()
    for lab in labs:
        for index, entry in enumerate(entries):
            if index not in taken and _is_named(entry, lab):
                student.labs[lab.name] = Handed(entry.name, entry.data, entry.problem)
                taken.add(index)
                break
    for lab in labs:
        if lab.name in student.labs:
            continue
        for index, entry in enumerate(entries):
            if index not in taken and _is_about(entry, lab):
                student.labs[lab.name] = Handed(entry.name, entry.data, entry.problem)
                taken.add(index)
                break


def _is_named(entry: Entry, lab: Lab) -> bool:
    name = entry.name.lower()
    canvas = _CANVAS.fullmatch(entry.name)
    if canvas:
        name = re.sub(r"-\d+(?=\.cu$)", "", canvas["file"].lower())
    stem = name.removesuffix(".cu")
    if name == stem:
        return name == lab.name
    return stem == lab.name or re.search(rf"[-_. ]{re.escape(lab.name)}$", stem) is not None


def _is_about(entry: Entry, lab: Lab) -> bool:
    """A file of another name that defines what the lab asks for."""
    if not re.search(r"\.(cu|cuh|cpp|c|txt|h)$", entry.name, re.IGNORECASE):
        return False
    return re.search(rb"\b%s_\w*scan" % re.escape(lab.name).encode(), entry.data) is not None
