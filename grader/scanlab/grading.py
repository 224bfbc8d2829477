"""`scanlab grade` and `scanlab demo`: a class in, a verdict and a page for every student out."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from scanlab import __version__, build, exports, model, paths, pipeline, roster, rubric, sandbox, submissions, toolchain
from scanlab.check_command import write_atomically
from scanlab.cli import Status
from scanlab.exports import Row
from scanlab.model import Check, Finding, GraderFailure, Result
from scanlab.paths import Lab
from scanlab.submissions import Handed, Student

DEFAULT_FORMATS = ("csv", "json")


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    out: Path
    labs: tuple[str, ...] = ()
    jobs: int = 0
    roster: Path | None = None
    formats: tuple[str, ...] = ()
    resume: bool = False
    cluster: str | None = None
    seed: int = pipeline.DEFAULT_SEED
    unsandboxed: bool = False
    title: str = "Class overview"


@dataclass(frozen=True)
class Task:
    """One submission to grade; all that a worker on another machine needs."""

    slug: str
    lab: str
    file: str
    data: bytes
    seed: int
    unsandboxed: bool


def grade(source: Path, options: Options) -> int:
    """Grades everything; gives the exit status."""
    try:
        labs = tuple(paths.find_lab(name) for name in options.labs) or paths.labs()
        formats = options.formats or DEFAULT_FORMATS
        unknown = [name for name in formats if name not in exports.FORMATS]
        if unknown:
            return _complain(f"--format is one of {', '.join(exports.FORMATS)}, not {unknown[0]!r}")
        students = submissions.read_class(source, labs)
        people = roster.read(options.roster) if options.roster else []
    except (submissions.UnreadableClassError, roster.RosterError, paths.UnknownLabError) as problem:
        return _complain(str(problem))
    if not options.labs:
        labs = submissions.handed_in_labs(students, labs)
    if not labs or not (students or people):
        return _complain(f"{source} holds no submission of any lab; --lab NAME says which to expect")
    if sandbox.find().name == "none" and not options.unsandboxed:
        return _complain(
            f"no sandbox works here ({sandbox.find().why_not}); submissions could do anything. "
            "--unsandboxed grades them all the same."
        )
    toolchain.ensure_built()
    return _grade(roster.join(students, people), labs, replace(options, formats=formats))


def demo(out: Path, jobs: int) -> int:
    """Grades the bundled example class."""
    example = paths.ROOT / "datasets" / "example_class"
    if not example.is_dir():
        return _complain(f"the example class is missing: {example}")
    works = sandbox.find().name != "none"
    listed = example / "roster.csv"
    options = Options(
        out=out,
        jobs=jobs,
        roster=listed if listed.is_file() else None,
        formats=("csv", "json", "markdown"),
        unsandboxed=not works,
        title="Example class",
    )
    return grade(example, options)


# --- the run -------------------------------------------------------------------------------------


def _grade(joined: Sequence[tuple[Student, roster.Person | None]], labs: Sequence[Lab], options: Options) -> int:
    started = time.monotonic()
    options.out.mkdir(parents=True, exist_ok=True)
    slugs = _slugs([student for student, _ in joined])
    results: dict[tuple[str, str], Result] = {}
    tasks: list[Task] = []
    for (student, _), slug in zip(joined, slugs, strict=True):
        for lab in labs:
            known = _known(student, slug, lab, options)
            if known is not None:
                results[slug, lab.name] = known
            else:
                tasks.append(_task(student, slug, lab, options))
    kept = sum(result.sha256 != "" for result in results.values())
    for task, result in _graded(tasks, options):
        results[task.slug, task.lab] = result
        _store(options.out, task.slug, result)
    rows = [
        Row(
            student.name,
            slug,
            student.identifier,
            person.cells if person else {},
            tuple(results[slug, lab.name] for lab in labs),
        )
        for (student, person), slug in zip(joined, slugs, strict=True)
    ]
    _write_pages(rows, {slug: student for (student, _), slug in zip(joined, slugs, strict=True)}, options)
    written = exports.write(options.formats, rows, options.out)
    return _summary(rows, written, len(tasks), kept, options, time.monotonic() - started)


def _known(student: Student, slug: str, lab: Lab, options: Options) -> Result | None:
    """A result that needs no run: nothing was handed in, or `--resume` finds it done."""
    handed = student.labs.get(lab.name)
    if handed is None or handed.problem:
        result = not_handed_in(lab, handed, options)
        _store(options.out, slug, result)
        return result
    if not options.resume:
        return None
    try:
        result = model.parse(_result_file(options.out, slug, lab.name).read_bytes())
    except (OSError, model.MalformedResultError):
        return None
    same = result.sha256 == hashlib.sha256(handed.data).hexdigest() and result.seed == options.seed
    return result if same and result.error is None else None


def not_handed_in(lab: Lab, handed: Handed | None, options: Options) -> Result:
    """The verdict on a file that is missing or cannot be read."""
    if handed is None:
        finding = Finding(
            "build.contract",
            "error",
            f"nothing was handed in for {lab.name}: no {lab.source_name}",
            f"Hand in one file called {lab.source_name}.",
        )
    else:
        finding = Finding(
            "build.forbidden", "error", f"{handed.name} {handed.problem}", "Hand in the source file itself."
        )
    name = sandbox.none().name if options.unsandboxed else sandbox.find().name
    result = Result(lab.name, lab.source_name, "", seed=options.seed, sandbox=name)
    try:
        points = rubric.load(lab.rubric_script)
    except rubric.RubricError as problem:
        return replace(result, error=GraderFailure("RubricError", str(problem)))
    checks = (Check(rubric.BUILDS, "fail", findings=(finding,)), *points.skipped())
    return result.with_checks(points.apply(checks))


def _task(student: Student, slug: str, lab: Lab, options: Options) -> Task:
    handed = student.labs[lab.name]
    return Task(slug, lab.name, lab.source_name, handed.data, options.seed, options.unsandboxed)


def run_task(task: Task) -> Result:
    """Grades one submission; whatever goes wrong is in the result."""
    try:
        box = sandbox.find()
        if box.name == "none" and not task.unsandboxed:
            raise pipeline.HarnessError(f"no sandbox works on this machine: {box.why_not}")
        settings = pipeline.Settings(box, task.seed)
        return pipeline.check(task.data, task.file, paths.find_lab(task.lab), settings).result
    except Exception as problem:
        return Result(
            task.lab,
            task.file,
            hashlib.sha256(task.data).hexdigest(),
            seed=task.seed,
            error=GraderFailure(type(problem).__name__, str(problem)),
        )


def _graded(tasks: Sequence[Task], options: Options) -> Iterator[tuple[Task, Result]]:
    """Each task with its result, as they come, under a progress bar."""
    with _executor(options) as executor, _progress(len(tasks)) as advance:
        pending: dict[Future[Result], Task] = {executor.submit(run_task, task): task for task in tasks}
        for future in as_completed(pending):
            task = pending[future]
            try:
                result = future.result()
            except Exception as problem:  # a worker of the cluster died
                result = Result(
                    task.lab,
                    task.file,
                    hashlib.sha256(task.data).hexdigest(),
                    seed=task.seed,
                    error=GraderFailure(type(problem).__name__, str(problem)),
                )
            advance(task.slug)
            yield task, result


@contextmanager
def _executor(options: Options) -> Iterator[Executor]:
    if not options.cluster:
        jobs = options.jobs or os.cpu_count() or 1
        with ThreadPoolExecutor(jobs) as pool:
            yield pool
        return
    from scanlab import cluster

    with cluster.executor(options.cluster) as remote:
        yield remote


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
    if not sys.stderr.isatty() or total == 0:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("grading"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("", total=total)
        yield lambda name: progress.update(bar, advance=1, description=name)


# --- what is written -------------------------------------------------------------------------------


def _result_file(out: Path, slug: str, lab: str) -> Path:
    return out / "results" / slug / f"{lab}.json"


def _store(out: Path, slug: str, result: Result) -> None:
    write_atomically(_result_file(out, slug, result.lab), result.to_text())


def _write_pages(rows: Sequence[Row], students: dict[str, Student], options: Options) -> None:
    from scanlab import render

    (options.out / "students").mkdir(exist_ok=True)
    explained = "../handouts" if _write_handouts(options.out / "handouts") else None
    listed = []
    for row in rows:
        student = students[row.slug]
        texts = {lab: build.decode(handed.data) for lab, handed in student.labs.items() if handed.data}
        data = [result.to_json() for result in row.results]
        page = options.out / "students" / f"{row.slug}.html"
        render.render_student(data, texts, row.student, page, class_page="../index.html", handouts=explained)
        listed.append({"student": row.student, "page": f"students/{row.slug}.html", "results": data})
    render.render_class(listed, options.out / "index.html", title=options.title)


def _write_handouts(folder: Path) -> bool:
    """The pages that say what each kind of finding means. Reports come out without them, too."""
    from scanlab import handouts

    try:
        handouts.build_pages(folder)
    except (handouts.HandoutError, OSError) as problem:
        print(f"scanlab: the reports have no links to the handouts: {problem}", file=sys.stderr)
        return False
    return True


def _slugs(students: Sequence[Student]) -> list[str]:
    """A plain and unique file name for each student."""
    used: set[str] = set()
    slugs = []
    for student in students:
        plain = unicodedata.normalize("NFKD", student.name).encode("ascii", "ignore").decode()
        base = re.sub(r"[^0-9A-Za-z]+", "_", plain).strip("_").lower()[:48]
        if not base or base in used:
            tail = hashlib.sha256(f"{student.name}\0{student.identifier}".encode()).hexdigest()[:8]
            base = f"{base or 'student'}_{tail}"
        while base in used:
            base += "_"
        used.add(base)
        slugs.append(base)
    return slugs


def _summary(
    rows: Sequence[Row], written: Sequence[Path], graded: int, kept: int, options: Options, seconds: float
) -> int:
    failed = [(row.student, result) for row in rows for result in row.results if not _has_verdict(result)]
    full = sum(result.full_marks for row in rows for result in row.results)
    total = sum(len(row.results) for row in rows)
    print(
        f"{len(rows)} students, {total} submissions: {full} with full marks"
        + (f", {len(failed)} not graded" if failed else "")
        + f"; {graded} graded in {seconds:.1f} s"
        + (f", {kept} kept from before" if kept else "")
    )
    for student, result in failed[:10]:
        words = result.error.message if result.error else "a check ended in an error of the grader"
        print(f"  not graded: {student}, {result.lab}: {words[:200]}")
    if any(result.sandbox == "none" for row in rows for result in row.results):
        print("not sandboxed: the submissions ran with your own rights, and every report says so")
    _write_run(options)
    for path in written:
        print(f"  {path}")
    print(f"The class overview: {(options.out / 'index.html').resolve()}")
    return int(Status.OURS if failed else Status.FULL_MARKS)


def _has_verdict(result: Result) -> bool:
    return result.error is None and all(check.verdict != "error" for check in result.checks)


def _write_run(options: Options) -> None:
    data = {"version": __version__, "seed": options.seed}
    write_atomically(options.out / "run.json", json.dumps(data) + "\n")


def _complain(message: str) -> int:
    print(f"scanlab: {message}", file=sys.stderr)
    return int(Status.USAGE)
