"""The command line. Imports are late: `check` must start in a moment.

Exit statuses are the contract's: see the table of commands there.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Annotated, NoReturn, Optional

import typer

from scanlab import __version__, paths

app = typer.Typer(
    name="scanlab",
    help="Labs for parallel prefix sum in CUDA, graded without a GPU.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


class Status(IntEnum):
    """What `check` and `grade` end with."""

    FULL_MARKS = 0
    FAILED = 1
    USAGE = 2
    OURS = 3


LabName = Annotated[str, typer.Argument(help="A lab: its name or number.", metavar="LAB")]
Json = Annotated[Optional[Path], typer.Option("--json", help="Write the result here.", metavar="PATH")]
Backend = Annotated[str, typer.Option("--backend", help="cpu or cuda.", metavar="cpu|cuda")]
Unsandboxed = Annotated[bool, typer.Option("--unsandboxed", help="Go on where no sandbox works; every report says so.")]


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
    raise typer.Exit(int(status))


def _usage(message: str) -> NoReturn:
    _end(_complain(message, Status.USAGE))


# --- grading -------------------------------------------------------------------------------------


@app.command()
def check(
    lab: LabName,
    file: Annotated[Optional[Path], typer.Argument(help="The file; default: your own copy under labs/.")] = None,
    backend: Backend = "cpu",
    json: Json = None,
    html: Annotated[Optional[Path], typer.Option("--html", help="Write the report as a page.", metavar="PATH")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of inputs and random schedules.", min=0)] = 20260101,
    random_schedules: Annotated[int, typer.Option("--random-schedules", help="So many more schedules.", min=0)] = 0,
    thorough: Annotated[bool, typer.Option("--thorough", help="Prove every length for every section size.")] = False,
    seconds: Annotated[float, typer.Option("--seconds", help="Limit of the whole check.", min=1.0)] = 15.0,
    unsandboxed: Unsandboxed = False,
) -> None:
    """Check one submission."""
    from scanlab import check_command

    options = check_command.Options(backend, json, html, seed, random_schedules, thorough, seconds, unsandboxed)
    _end(check_command.check(paths.find_lab(lab), file, options))


@app.command()
def grade(
    submissions: Annotated[Path, typer.Argument(help="A folder, a zip or a tar of students.")],
    out: Annotated[Path, typer.Option("--out", help="Where the reports go.", metavar="DIR")],
    lab: Annotated[Optional[list[str]], typer.Option("--lab", help="Only this lab (may be repeated).")] = None,
    jobs: Annotated[int, typer.Option("-j", "--jobs", help="Submissions at a time; 0: one per core.", min=0)] = 0,
    roster: Annotated[Optional[Path], typer.Option("--roster", help="CSV of the class.", metavar="CSV")] = None,
    format: Annotated[
        Optional[list[str]],
        typer.Option("--format", help="json, csv, moodle, canvas, gradescope, markdown (may be repeated)."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Grade only what has no verdict yet.")] = False,
    cluster: Annotated[
        Optional[str], typer.Option("--cluster", help="Dask scheduler to spread the work over.", metavar="ADDRESS")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of inputs and random schedules.", min=0)] = 20260101,
    unsandboxed: Unsandboxed = False,
) -> None:
    """Grade a class."""
    from scanlab import grading

    options = grading.Options(
        out=out,
        labs=tuple(lab or ()),
        jobs=jobs,
        roster=roster,
        formats=tuple(format or ()),
        resume=resume,
        cluster=cluster,
        seed=seed,
        unsandboxed=unsandboxed,
    )
    _end(grading.grade(submissions, options))


@app.command()
def demo(
    out: Annotated[Path, typer.Option("--out", help="Where the reports go.", metavar="DIR")] = paths.ROOT / "reports",
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=0)] = 0,
) -> None:
    """Grade the bundled example class and write its reports."""
    from scanlab import grading

    _end(grading.demo(out, jobs))


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def run_program(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A whole CUDA program, with its own main.", metavar="FILE.cu")],
    json: Json = None,
    checks: Annotated[str, typer.Option("--checks", help="all, none, or kinds with commas.")] = "all",
    schedule: Annotated[str, typer.Option("--schedule", help="A named schedule or a seed.")] = "in_order",
) -> None:
    """Run a whole CUDA program on the CPU machine, under every checker."""
    from scanlab import run_command

    _end(run_command.run(file, list(context.args), run_command.Options(json, checks, schedule)))


run_program_name = "run"
app.registered_commands[-1].name = run_program_name


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
def hint(lab: LabName) -> None:
    """One more hint."""
    from scanlab import learner

    _end(learner.hint(lab))


@app.command()
def reset(lab: LabName) -> None:
    """Start a lab again from its skeleton (your copy is kept)."""
    from scanlab import learner

    _end(learner.reset(lab))


@app.command()
def solution(lab: LabName) -> None:
    """Show a solution."""
    from scanlab import learner

    _end(learner.solution(lab))


@app.command()
def watch(lab: Annotated[Optional[str], typer.Argument(metavar="[LAB]")] = None) -> None:
    """Check on every save."""
    from scanlab import check_command, learner

    options = check_command.Options()
    _end(learner.watch(lab, lambda one: check_command.check(one, None, options)))


@app.command()
def quiz(chapter: Annotated[Optional[str], typer.Argument(metavar="[CHAPTER]")] = None) -> None:
    """Questions, answered by typing."""
    from scanlab import quiz as questions

    _end(questions.run(chapter))


@app.command()
def handouts(
    out: Annotated[Optional[Path], typer.Option("--out", help="Where the pages go.", metavar="DIR")] = None,
) -> None:
    """Build the handouts."""
    from scanlab import handouts as builder

    _end(builder.build(out or paths.ROOT / "build" / "handouts"))


# --- the kit itself ----------------------------------------------------------------------------------


@app.command()
def test(
    only: Annotated[Optional[str], typer.Option("--only", help="cpp or python.")] = None,
) -> None:
    """Run all tests: C++ (ctest) and Python (pytest)."""
    from scanlab import testing

    _end(testing.run(only))


@app.command()
def doctor() -> None:
    """What is installed, what is missing, what works."""
    from scanlab import doctor as examination

    _end(examination.run())


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def bench(
    context: typer.Context,
    only: Annotated[Optional[str], typer.Option("--only", help="One benchmark by name.", metavar="NAME")] = None,
    backend: Backend = "cpu",
    json: Json = None,
    html: Annotated[
        Optional[Path], typer.Option("--html", help="cuda only: where the page with the plot goes.", metavar="PATH")
    ] = None,
    model: Annotated[bool, typer.Option("--model", help="Steps on 32 units, counted and by the textbook.")] = False,
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
