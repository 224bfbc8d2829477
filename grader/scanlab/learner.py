"""The learner's loop: list, next, hint, reset, solution, watch.

What a learner has done is kept in `.scanlab/` at the top level, which git does not see: the best
score and the hints shown (`progress.json`), the skeletons as they were, and a copy of whatever
`reset` replaced. Nothing here grades: `check` does, and tells `remember`.

Every command gives its exit status.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from scanlab import paths
from scanlab.paths import Lab
from scanlab.render.measures import grouped
from scanlab.render.model import points_text

_HINT = re.compile(r"^## +Hint +\d+.*$", re.MULTILINE)
_DONE = ("full marks", "green")


@dataclass(frozen=True)
class Progress:
    """What is remembered of one lab."""

    best: float = 0.0
    most: float = 0.0
    tries: int = 0
    hints: int = 0

    @property
    def done(self) -> bool:
        return self.best >= self.most > 0


# --- commands ----------------------------------------------------------------------------------


def list_labs() -> int:
    """The labs in order, with the learner's progress."""
    from rich.table import Table

    _keep_skeletons()
    progress = load_progress()
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    for name in ("", "lab", "best", "hints", "state"):
        table.add_column(name, justify="right" if name in ("", "best") else "left")
    for lab in paths.labs():
        one = progress.get(lab.name, Progress())
        words, style = _state(lab, one)
        table.add_row(str(lab.number), lab.name, _score(one), _hints_shown(lab, one), f"[{style}]{words}[/]")
    _console().print(table)
    return 0


def next_lab() -> int:
    """The first lab without full marks: where to read, what to edit, what to run."""
    _keep_skeletons()
    lab = first_open_lab()
    say = _console()
    if lab is None:
        say.print("Every lab has full marks. ./scanlab bench shows how fast your scans are.")
        return 0
    say.print(f"[bold]Lab {lab.number}: {lab.name}[/]   {_state(lab, _progress_of(lab))[0]}")
    handout = paths.ROOT / "handouts" / f"{lab.folder.name}.md"
    if handout.is_file():
        say.print(f"  read   {_short(handout)}   (./scanlab handouts makes pages of it)")
    say.print(f"  edit   {_short(lab.student_copy)}")
    say.print(f"  check  ./scanlab check {lab.name}   or, on every save, ./scanlab watch {lab.name}")
    say.print(f"  stuck  ./scanlab hint {lab.name}")
    return 0


def hint(name: str) -> int:
    """One more hint; when all are shown, all of them again."""
    lab = paths.find_lab(name)
    _keep_skeletons()
    hints = read_hints(lab)
    say = _console()
    if not hints:
        say.print(f"There are no hints for {lab.name}.")
        return 0
    shown = min(_progress_of(lab).hints, len(hints))
    fresh = range(shown, shown + 1) if shown < len(hints) else range(len(hints))
    for number in fresh:
        _show_hint(say, hints[number], number + 1, len(hints))
    left = len(hints) - max(shown + 1, fresh[-1] + 1)
    _update(lab, hints=len(hints) - left)
    say.print(f"[dim]{left} more: ./scanlab hint {lab.name}[/]" if left else "[dim]That was the last one.[/]")
    return 0


def reset(name: str) -> int:
    """Puts the skeleton back, after saving what was there."""
    lab = paths.find_lab(name)
    say = _console()
    skeleton = _skeleton(lab)
    if skeleton is None:
        say.print(f"The skeleton of {lab.name} is neither in git nor in .scanlab/; nothing was changed.")
        return 1
    mine = lab.student_copy.read_bytes() if lab.student_copy.is_file() else None
    if mine == skeleton:
        say.print(f"{_short(lab.student_copy)} is the skeleton already.")
        return 0
    if mine is not None:
        say.print(f"Your work is saved as {_short(_back_up(lab, mine))}.")
    _write(lab.student_copy, skeleton)
    say.print(f"{_short(lab.student_copy)} is the skeleton again.")
    return 0


def solution(name: str, *, ask: Callable[[str], str] = input) -> int:
    """Shows the solution: to whoever has tried, or says that they want it all the same."""
    lab = paths.find_lab(name)
    say = _console()
    if not lab.solution.is_file():
        say.print(f"There is no solution of {lab.name} here.")
        return 0
    if not _progress_of(lab).tries and not _wants_it(lab, ask):
        say.print(f"Not shown. Try ./scanlab check {lab.name} first, or ./scanlab hint {lab.name}.")
        return 0
    from rich.syntax import Syntax

    say.print(f"[dim]{_short(lab.solution)}[/]")
    text = lab.solution.read_text(encoding="utf-8")
    if sys.stdout.isatty():
        say.print(Syntax(text, "cuda", theme="ansi_dark", background_color="default", line_numbers=True))
    else:
        sys.stdout.write(text)
    return 0


def watch(
    name: str | None,
    check: Callable[[Lab], int],
    *,
    saves: Callable[[Path], Iterable[object]] | None = None,
) -> int:
    """Checks a lab now and on every save. Without a name: the first open lab, then the one after.

    `check` prints its own report and gives its exit status (0: full marks).
    """
    lab = paths.find_lab(name) if name else first_open_lab()
    say = _console()
    while lab is not None:
        full_marks = _watch_one(lab, check, saves or _saves, stop_at_full_marks=name is None)
        lab = first_open_lab() if full_marks and name is None else None
        if lab is not None:
            say.print(f"[green]Full marks.[/] The next one is {lab.name}: {_short(lab.student_copy)}")
    return 0


def _watch_one(
    lab: Lab,
    check: Callable[[Lab], int],
    saves: Callable[[Path], Iterable[object]],
    *,
    stop_at_full_marks: bool,
) -> bool:
    """True when it ended with full marks; False when the learner stopped it."""
    say = _console()
    status = check(lab)
    for _ in [] if status == 0 and stop_at_full_marks else saves(lab.student_copy):
        if say.is_terminal:
            say.clear()
        status = check(lab)
        if status == 0 and stop_at_full_marks:
            break
        say.print(f"[dim]watching {_short(lab.student_copy)}; Ctrl-C ends it[/]")
    return status == 0


def _saves(path: Path) -> Iterator[object]:
    """One item per save. The folder is watched, since editors replace a file to save it."""
    from watchfiles import watch as changes

    _console().print(f"[dim]watching {_short(path)}; Ctrl-C ends it[/]")
    yield from changes(
        path.parent,
        watch_filter=lambda _, changed: Path(changed).name == path.name,
        recursive=False,
        raise_interrupt=False,
    )


# --- hints -------------------------------------------------------------------------------------


def read_hints(lab: Lab) -> list[str]:
    """The texts under `## Hint 1`, `## Hint 2` … of the lab's hints.md."""
    path = lab.folder / "hints.md"
    if not path.is_file():
        return []
    return [part.strip() for part in _HINT.split(path.read_text(encoding="utf-8"))[1:]]


def _show_hint(say: Console, text: str, number: int, of: int) -> None:
    from scanlab.render.prose import print_markdown

    say.print(f"[bold]Hint {number} of {of}[/]")
    print_markdown(text)


# --- what is remembered ------------------------------------------------------------------------


def remember(result: Mapping[str, Any]) -> None:
    """Notes the score of a check of the learner's own copy. Our own failures do not count."""
    if result.get("error"):
        return
    lab = paths.find_lab(str(result["lab"]))
    before = _progress_of(lab)
    score, most = float(result["score"]), float(result["max_score"])
    _update(lab, best=max(before.best, score), most=most, tries=before.tries + 1)


def load_progress() -> dict[str, Progress]:
    """Progress per lab. A file that cannot be read counts as none: it only holds convenience."""
    try:
        data = json.loads(_progress_file().read_text(encoding="utf-8"))
        return {name: _read_progress(fields) for name, fields in data["labs"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def first_open_lab() -> Lab | None:
    progress = load_progress()
    return next((lab for lab in paths.labs() if not progress.get(lab.name, Progress()).done), None)


def _read_progress(fields: Mapping[str, Any]) -> Progress:
    return Progress(
        best=float(fields.get("best", 0)),
        most=float(fields.get("most", 0)),
        tries=int(fields.get("tries", 0)),
        hints=int(fields.get("hints", 0)),
    )


def _progress_of(lab: Lab) -> Progress:
    return load_progress().get(lab.name, Progress())


def _update(lab: Lab, **fields: Any) -> None:
    progress = load_progress()
    progress[lab.name] = replace(progress.get(lab.name, Progress()), **fields)
    data = {"labs": {name: asdict(one) for name, one in sorted(progress.items())}}
    _write(_progress_file(), (json.dumps(data, indent=2) + "\n").encode())


def _progress_file() -> Path:
    return _home() / "progress.json"


def _home() -> Path:
    """`.scanlab/` at the top level; it hides itself from git, whatever the checkout ignores."""
    home = paths.ROOT / ".scanlab"
    if not (home / ".gitignore").is_file():
        _write(home / ".gitignore", b"*\n")
    return home


# --- skeletons ---------------------------------------------------------------------------------


def _keep_skeletons() -> None:
    """Copies each untouched skeleton aside, so that `reset` works after the learner committed."""
    for lab in paths.labs():
        kept = _kept_skeleton(lab)
        if kept.is_file() or not lab.student_copy.is_file():
            continue
        skeleton = _from_git(lab)
        if skeleton is not None and skeleton == lab.student_copy.read_bytes():
            _write(kept, skeleton)


def _skeleton(lab: Lab) -> bytes | None:
    kept = _kept_skeleton(lab)
    return kept.read_bytes() if kept.is_file() else _from_git(lab)


def _kept_skeleton(lab: Lab) -> Path:
    return _home() / "skeletons" / lab.source_name


def _from_git(lab: Lab) -> bytes | None:
    path = lab.student_copy.relative_to(paths.ROOT).as_posix()
    try:
        done = subprocess.run(
            ["git", "-C", str(paths.ROOT), "show", f"HEAD:./{path}"],
            capture_output=True,
            check=False,
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def _back_up(lab: Lab, text: bytes) -> Path:
    folder = _home() / "backups"
    number = 1
    while (path := folder / f"{lab.name}.{number}.cu").exists():
        number += 1
    _write(path, text)
    return path


# --- words and small tools ---------------------------------------------------------------------


def _state(lab: Lab, one: Progress) -> tuple[str, str]:
    """In words and in a style: how far the learner is with this lab."""
    if one.done:
        return _DONE
    if one.tries:
        return f"in work, {grouped(one.tries)} tr{'y' if one.tries == 1 else 'ies'}", "yellow"
    skeleton = _kept_skeleton(lab)
    untouched = (
        skeleton.is_file() and lab.student_copy.is_file() and (skeleton.read_bytes() == lab.student_copy.read_bytes())
    )
    return ("not begun", "dim") if untouched else ("not checked yet", "default")


def _score(one: Progress) -> str:
    return f"{points_text(one.best)} of {points_text(one.most)}" if one.most else "-"


def _hints_shown(lab: Lab, one: Progress) -> str:
    hints = len(read_hints(lab))
    return f"{min(one.hints, hints)} of {hints}" if hints else ""


def _wants_it(lab: Lab, ask: Callable[[str], str]) -> bool:
    """No answer (input is closed, or no terminal) is a no."""
    try:
        answer = ask(f"You have not checked {lab.name} yet. Show the solution all the same? [y/N] ")
    except (EOFError, KeyboardInterrupt):
        print()
        return False
    return answer.strip().lower() in ("y", "yes")


def _short(path: Path) -> str:
    """A path as one types it at the top level."""
    try:
        return path.relative_to(paths.ROOT).as_posix()
    except ValueError:
        return str(path)


def _write(path: Path, data: bytes) -> None:
    """All or nothing: a learner's file is never left half written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(path)


def _console() -> Console:
    return Console(highlight=False, soft_wrap=True, emoji=False)
