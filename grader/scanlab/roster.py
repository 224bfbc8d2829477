"""The class list: a CSV whose columns are found by their names."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scanlab.submissions import Student

_NAME_COLUMNS = ("student", "name", "full name", "fullname", "display name")
_IDENTIFIER_COLUMNS = (
    "id",
    "identifier",
    "student id",
    "sis user id",
    "sis login id",
    "username",
    "login",
    "user",
    "email",
    "email address",
)


class RosterError(ValueError):
    """The CSV cannot be used."""


@dataclass(frozen=True)
class Person:
    """One row: the name to show, and all cells by column."""

    name: str
    cells: Mapping[str, str] = field(default_factory=dict)

    @property
    def keys(self) -> set[str]:
        return {_plain(value) for value in self.cells.values() if _plain(value)} | {_plain(self.name)}


def read(path: Path) -> list[Person]:
    """All rows with a name or an identifier."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise RosterError(f"the roster {path} cannot be read: {problem}") from problem
    try:
        dialect: type[csv.Dialect] = csv.Sniffer().sniff(text[:4096], delimiters=",;\t")
    except csv.Error:
        dialect = csv.excel
    rows = list(csv.DictReader(text.splitlines(), dialect=dialect))
    if not rows:
        raise RosterError(f"the roster {path} has no rows under its heading")
    return [person for row in rows if (person := _person(row)) is not None]


def join(students: Sequence[Student], people: Sequence[Person]) -> list[tuple[Student, Person | None]]:
    """Every student with their row; who is on the list and handed in nothing comes too."""
    left = list(people)
    joined: list[tuple[Student, Person | None]] = []
    for student in students:
        keys = {_plain(student.name), _plain(student.identifier)} - {""}
        match = next((person for person in left if person.keys & keys), None)
        if match is not None:
            left.remove(match)
            student.name = match.name
        joined.append((student, match))
    joined += [(Student(person.name), person) for person in left]
    return sorted(joined, key=lambda pair: pair[0].name.casefold())


def _person(row: Mapping[str | None, str | None]) -> Person | None:
    cells = {str(key).strip(): (value or "").strip() for key, value in row.items() if isinstance(value, str | None)}
    lower = {key.lower().replace("_", " "): value for key, value in cells.items()}
    name = next((lower[column] for column in _NAME_COLUMNS if lower.get(column)), "")
    if not name and lower.get("last name"):
        name = f"{lower.get('first name', '')} {lower['last name']}".strip()
    identifier = next((lower[column] for column in _IDENTIFIER_COLUMNS if lower.get(column)), "")
    shown = name or identifier
    return Person(shown, cells) if shown else None


def _plain(text: str) -> str:
    return re.sub(r"[^0-9a-z]+", "", text.casefold().partition("@")[0])
