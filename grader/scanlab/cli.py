"""The command line. Imports are late: `check` must start in a moment.

Exit statuses are the contract's: see the table of commands there.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any, NoReturn

import click

from scanlab import __version__, paths


class Status(IntEnum):
    """What `check` and `grade` end with."""

    FULL_MARKS = 0
    FAILED = 1
    USAGE = 2
    OURS = 3


_REST = {"allow_extra_args": True, "ignore_unknown_options": True}  # goes on to another program
_NATURAL = click.IntRange(min=0)

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _path(*names: str, metavar: str = "PATH", **rest: Any) -> Decorator:
    return click.option(*names, type=click.Path(path_type=Path), metavar=metavar, **rest)


def _file(name: str, **rest: Any) -> Decorator:
    return click.argument(name, type=click.Path(path_type=Path), **rest)


def _number(*names: str, default: int = 0, help: str) -> Decorator:
    return click.option(*names, type=_NATURAL, default=default, help=help)


_lab = click.argument("lab", metavar="LAB")
_json = _path("--json", help="Write the result here.")
_backend = click.option("--backend", default="cpu", metavar="cpu|cuda", help="cpu or cuda.")
_seed = _number("--seed", default=20260101, help="Of inputs and random schedules.")
_jobs = _number("-j", "--jobs", help="Submissions at a time; 0: one per core.")
_unsandboxed = click.option("--unsandboxed", is_flag=True, help="Go on where no sandbox works; every report says so.")


class _InOrder(click.Group):
    """Lists its commands as they stand here, not by the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(name="scanlab", cls=_InOrder, no_args_is_help=True)
def app() -> None:
    """Labs for parallel prefix sum in CUDA, graded without a GPU."""


def main() -> NoReturn:
    """The installed command."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Runs one command and gives its exit status. A traceback goes to a file, never to the user."""
    try:
        app(args=list(arguments), prog_name="scanlab")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else (0 if end.code is None else 1)
    except KeyboardInterrupt:
        print("\nscanlab: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return 141
    except paths.UnknownLabError as problem:
        return _complain(str(problem), Status.USAGE)
    except Exception as problem:
        return _own_failure(problem)
    return 0


def _complain(message: str, status: Status) -> int:
    print(f"scanlab: {message}", file=sys.stderr)
    return int(status)


def _own_failure(problem: Exception) -> int:
    where = paths.CACHE / "last-failure.txt"
    try:
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_text(traceback.format_exc())
        note = f" (details: {where})"
    except OSError:
        note = ""
    return _complain(f"the grader itself failed: {problem or type(problem).__name__}{note}", Status.OURS)


def _end(status: int) -> NoReturn:
    raise click.exceptions.Exit(int(status))


def _usage(message: str) -> NoReturn:
    _end(_complain(message, Status.USAGE))


# --- grading -------------------------------------------------------------------------------------


@app.command()
@_lab
@_file("file", required=False)
@_backend
@_json
@_path("--html", help="Write the report as a page.")
@_seed
@_number("--random-schedules", help="So many more schedules.")
@click.option("--thorough", is_flag=True, help="Prove every length for every section size.")
@click.option("--seconds", type=click.FloatRange(min=1.0), default=15.0, help="Limit of the whole check.")
@_unsandboxed
def check(lab: str, file: Path | None, **options: Any) -> None:
    """Check one submission, by default your own copy under labs/."""
    from scanlab import check_command

    _end(check_command.check(paths.find_lab(lab), file, check_command.Options(**options)))


@app.command()
@_file("submissions")
@_path("--out", metavar="DIR", required=True, help="Where the reports go.")
@click.option("--lab", "labs", multiple=True, help="Only this lab (may be repeated).")
@_jobs
@_path("--roster", metavar="CSV", help="CSV of the class.")
@click.option(
    "--format",
    "formats",
    multiple=True,
    help="json, csv, moodle, canvas, gradescope, markdown (may be repeated).",
)
@click.option("--resume", is_flag=True, help="Grade only what has no verdict yet.")
@click.option("--cluster", metavar="ADDRESS", help="Dask scheduler to spread the work over.")
@_seed
@_unsandboxed
def grade(submissions: Path, **options: Any) -> None:
    """Grade a class: a folder, a zip or a tar of students."""
    from scanlab import grading

    _end(grading.grade(submissions, grading.Options(**options)))


@app.command()
@_path("--out", metavar="DIR", default=paths.ROOT / "reports", help="Where the reports go.")
@_jobs
def demo(out: Path, jobs: int) -> None:
    """Grade the bundled example class and write its reports."""
    from scanlab import grading

    _end(grading.demo(out, jobs))


@app.command("run", context_settings=_REST)
@_file("file", metavar="FILE.cu")
@_json
@click.option("--checks", default="all", help="all, none, or kinds with commas.")
@click.option("--schedule", default="in_order", help="A named schedule or a seed.")
@click.pass_context
def run_program(context: click.Context, /, file: Path, **options: Any) -> None:
    """Run a whole CUDA program on the CPU machine, under every checker."""
    from scanlab import run_command

    _end(run_command.run(file, list(context.args), run_command.Options(**options)))


# --- the learner's loop ----------------------------------------------------------------------------


@app.command("list")
def list_labs() -> None:
    """The labs, and how far you are."""
    from scanlab import learner

    _end(learner.list_labs())


@app.command("next")
def next_lab() -> None:
    """What to do next."""
    from scanlab import learner

    _end(learner.next_lab())


@app.command()
@_lab
def hint(lab: str) -> None:
    """One more hint."""
    from scanlab import learner

    _end(learner.hint(lab))


@app.command()
@_lab
def reset(lab: str) -> None:
    """Start a lab again from its skeleton (your copy is kept)."""
    from scanlab import learner

    _end(learner.reset(lab))


@app.command()
@_lab
def solution(lab: str) -> None:
    """Show a solution."""
    from scanlab import learner

    _end(learner.solution(lab))


@app.command()
@click.argument("lab", required=False)
def watch(lab: str | None) -> None:
    """Check on every save."""
    from scanlab import check_command, learner

    options = check_command.Options()
    _end(learner.watch(lab, lambda one: check_command.check(one, None, options)))


@app.command()
@click.argument("chapter", required=False)
def quiz(chapter: str | None) -> None:
    """Questions, answered by typing."""
    from scanlab import quiz as questions

    _end(questions.run(chapter))


@app.command()
@_path("--out", metavar="DIR", help="Where the pages go.")
def handouts(out: Path | None) -> None:
    """Build the handouts."""
    from scanlab import handouts as builder

    _end(builder.build(out or paths.ROOT / "build" / "handouts"))


# --- the kit itself ----------------------------------------------------------------------------------


@app.command()
@click.option("--only", metavar="cpp|python", help="cpp or python.")
def test(only: str | None) -> None:
    """Run all tests: C++ (ctest) and Python (pytest)."""
    from scanlab import testing

    _end(testing.run(only))


@app.command()
def doctor() -> None:
    """What is installed, what is missing, what works."""
    from scanlab import doctor as examination

    _end(examination.run())


@app.command(context_settings=_REST)
@click.option("--only", metavar="NAME", help="One benchmark by name.")
@_backend
@_json
@_path("--html", help="cuda only: where the page with the plot goes.")
@click.option("--model", is_flag=True, help="Steps on 32 units, counted and by the textbook.")
@click.pass_context
def bench(
    context: click.Context, only: str | None, backend: str, json: Path | None, html: Path | None, model: bool
) -> None:
    """The benchmarks."""
    from scanlab import bench as benchmarks

    if model:
        from scanlab import bench_model

        _end(bench_model.run())
    _end(benchmarks.run(only, backend, json, list(context.args), html))


@app.command()
def version() -> None:
    """Print the version."""
    print(__version__)
