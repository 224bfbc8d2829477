"""A class: every student gets a verdict and a page, whatever they handed in."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from builds import LAB
from conftest import needs_machine, needs_sandbox, scanlab

from scanlab import paths, roster
from scanlab.submissions import UnreadableClassError, read_class

LABS = paths.labs()
GOOD = paths.find_lab("kogge_stone").solution.read_bytes()


def make_class(root: Path) -> Path:
    """A class with nearly everything that goes wrong."""
    files: dict[str, bytes] = {
        "ada/kogge_stone.cu": GOOD,
        "bob/kogge_stone.cu": b"",
        "cyd/kogge_stone.cu": b"\x7fELF\x00\x01" * 100,
        "dan/kogge_stone.cu": b"// " + b"x" * (3 << 20),
        "eve/kogge_stone.cu": b"// caf\xe9\n" + LAB.encode(),
        "fay/my scan (2).cu": GOOD,
        "gus/notes.pdf": b"%PDF",
        "hal/labs/01_kogge_stone/kogge_stone.cu": b"this is no C++",
        "Ünal Öz/kogge_stone.cu": b"int a;",
        "<script>alert(1)</script>/kogge_stone.cu": b"<b>x</b>",
        "=cmd|'x'/kogge_stone.cu": b"int b;",
    }
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (root / "ivy").mkdir()
    (root / "jon").mkdir()
    (root / "jon" / "kogge_stone.cu").symlink_to("/etc/passwd")
    (root / "kim").mkdir()
    os.mkfifo(root / "kim" / "kogge_stone.cu")
    (root / "lou").symlink_to("/etc")
    (root / "max_kogge_stone.cu").write_bytes(GOOD)
    return root


EVERYBODY = 16


@needs_machine
@needs_sandbox
def test_every_student_gets_a_verdict_and_a_page(tmp_path: Path) -> None:
    out = tmp_path / "out"
    formats = [
        word for name in ("json", "csv", "moodle", "canvas", "gradescope", "markdown") for word in ("--format", name)
    ]
    done = scanlab("grade", make_class(tmp_path / "class"), "--lab", "kogge_stone", "--out", out, "-j", "2", *formats)
    assert done.status == 0, done.stdout + done.stderr
    results = [json.loads(path.read_text()) for path in (out / "results").rglob("*.json")]
    schema = json.loads(paths.SCHEMA.read_text())
    for result in results:
        jsonschema.validate(result, schema)
        assert result["error"] is None
    assert len(results) == EVERYBODY == len(list((out / "students").glob("*.html")))
    links = [
        (page, link)
        for page in (out / "students").glob("*.html")
        for link in re.findall(r'class="kind" href="([^"]+)"', page.read_text())
    ]
    assert ("../handouts/findings/build.contract.html") in {link for _, link in links}
    assert all((page.parent / link).is_file() for page, link in links)
    scores = {row["student"]: float(row["total"]) for row in rows(out / "grades.csv")}
    assert scores["ada"] == scores["fay"] == scores["max"] == 100
    assert sum(score == 0 for score in scores.values()) >= 11
    assert "root:" not in (out / "class.json").read_text()
    assert "<script>alert(1)" not in "".join(page.read_text() for page in out.rglob("*.html"))
    assert any(row["student"].startswith("'=") for row in rows(out / "grades.csv"))
    assert len(list((out / "gradescope").rglob("results.json"))) == EVERYBODY
    check_resume(tmp_path, out)


def check_resume(tmp_path: Path, out: Path) -> None:
    """Only what is missing, half-written or changed is graded again."""
    results = out / "results"
    before = {path: path.stat().st_mtime_ns for path in results.rglob("*.json")}
    (results / "ada" / "kogge_stone.json").unlink()
    (results / "max" / "kogge_stone.json").write_text('{"schema": "scanlab/res')
    (tmp_path / "class" / "bob" / "kogge_stone.cu").write_bytes(b"int changed;")
    done = scanlab("grade", tmp_path / "class", "--lab", "kogge_stone", "--out", out, "--resume")
    assert done.status == 0 and "3 graded" in done.stdout, done.stdout
    assert (results / "fay" / "kogge_stone.json").stat().st_mtime_ns == before[results / "fay" / "kogge_stone.json"]
    assert json.loads((results / "max" / "kogge_stone.json").read_text())["score"] == 100


def rows(path: Path) -> list[dict[str, Any]]:
    return list(csv.DictReader(path.read_text().splitlines()))


# --- reading -----------------------------------------------------------------------------------


def handed(path: Path) -> dict[str, str]:
    """student -> which labs, as `lab:bytes` or `lab!problem`."""
    return {
        student.name: " ".join(
            f"{lab}!{one.problem}" if one.problem else f"{lab}:{one.data.decode(errors='replace')[:9]}"
            for lab, one in student.labs.items()
        )
        for student in read_class(path, LABS)
    }


def test_folders_and_files(tmp_path: Path) -> None:
    for name, text in {
        "ada/kogge_stone.cu": "A",
        "ada/brent_kung.cu": "B",
        "bob-kogge_stone.cu": "C",
        "cyd.domino.cu": "D",
        "roster.csv": "student\n",
        ".DS_Store": "x",
        "__MACOSX/ada/kogge_stone.cu": "E",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert handed(tmp_path) == {"ada": "kogge_stone:A brent_kung:B", "bob": "kogge_stone:C", "cyd": "domino:D"}


def test_learning_management_names(tmp_path: Path) -> None:
    for name in ("Ada Lovelace_1815_assignsubmission_file_/kogge_stone.cu", "lovelaceada_1815_77_kogge_stone-2.cu"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("A")
    found = read_class(tmp_path, LABS)
    assert [(student.name, student.identifier) for student in found] == [
        ("Ada Lovelace", "1815"),
        ("lovelaceada", "1815"),
    ]
    assert all("kogge_stone" in student.labs for student in found)


def test_a_wrong_name_is_known_by_its_kernels(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "final_FINAL.cu").write_text("void kogge_stone_inclusive_scan();")
    assert handed(tmp_path)["ada"].startswith("kogge_stone:void")


def test_zip_slip_and_links(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../../etc/cron.d/ada/kogge_stone.cu", "A")
        archive.writestr("/abs/bob/kogge_stone.cu", "B")
        archive.writestr("C:\\windows\\kogge_stone.cu", "C")
        link = zipfile.ZipInfo("eve/kogge_stone.cu")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    found = handed(path)
    assert found["eve"] == "kogge_stone!is a link, not a file"
    assert not Path("/etc/cron.d/ada").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["class.zip"]


def test_tar_with_everything(tmp_path: Path) -> None:
    path = tmp_path / "class.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, kind in (
            ("a/kogge_stone.cu", tarfile.SYMTYPE),
            ("b/kogge_stone.cu", tarfile.CHRTYPE),
            ("c/kogge_stone.cu", tarfile.FIFOTYPE),
        ):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        info = tarfile.TarInfo("../../d/kogge_stone.cu")
        info.size = 1
        archive.addfile(info, io.BytesIO(b"D"))
    found = handed(path)
    assert found["d"] == "kogge_stone:D"
    assert all("!" in found[name] for name in "abc")


def test_bombs(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ada/kogge_stone.cu", b"\0" * (64 << 20))
        archive.writestr("bob/kogge_stone.cu", "B")
    found = {student.name: student for student in read_class(path, LABS)}
    assert len(found["ada"].labs["kogge_stone"].data) < 2 << 20
    assert found["bob"].labs["kogge_stone"].data == b"B"


def test_a_students_own_archive(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("work/kogge_stone.cu", "A")
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "all.zip").write_bytes(inner.getvalue())
    (tmp_path / "bob.zip").write_bytes(inner.getvalue())
    (tmp_path / "cyd").mkdir()
    (tmp_path / "cyd" / "kogge_stone.zip").write_bytes(b"PK broken")
    found = handed(tmp_path)
    assert found["ada"] == found["bob"] == "kogge_stone:A"
    assert found["cyd"] == ""


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 broken", b"\x1f\x8b broken", b"no archive at all"])
def test_what_is_no_archive(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    path.write_bytes(data)
    with pytest.raises(UnreadableClassError):
        read_class(path, LABS)


def test_a_wrapping_folder_is_taken_off(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("export/ada/kogge_stone.cu", "A")
        archive.writestr("export/bob/kogge_stone.cu", "B")
    assert handed(path) == {"ada": "kogge_stone:A", "bob": "kogge_stone:B"}


def test_roster(tmp_path: Path) -> None:
    (tmp_path / "class" / "ada_l").mkdir(parents=True)
    (tmp_path / "class" / "ada_l" / "kogge_stone.cu").write_text("A")
    listed = tmp_path / "roster.csv"
    listed.write_text(
        "submission;last_name;first_name;email\nada_l;Lovelace;Ada;ada@example.org\nbob;Burns;Bob;b@example.org\n"
    )
    joined = roster.join(read_class(tmp_path / "class", LABS), roster.read(listed))
    assert [(student.name, bool(student.labs)) for student, _ in joined] == [
        ("Ada Lovelace", True),
        ("Bob Burns", False),
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("grade", "/nowhere", "--out", "{out}"),
        ("grade", "{empty}", "--out", "{out}"),
        ("grade", "{class}", "--out", "{out}", "--lab", "nope"),
        ("grade", "{class}", "--out", "{out}", "--format", "docx"),
        ("grade", "{class}"),
        ("check",),
        ("check", "nope"),
        ("check", "kogge_stone", "/nowhere.cu"),
        ("check", "kogge_stone", "{empty}"),
        ("check", "kogge_stone", "--backend", "abacus"),
        ("nonsense",),
        ("check", "kogge_stone", "--nonsense"),
    ],
)
def test_bad_usage(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "class" / "ada").mkdir(parents=True)
    (tmp_path / "class" / "ada" / "kogge_stone.cu").write_text("int a;")
    places = {"out": tmp_path / "out", "empty": tmp_path / "empty", "class": tmp_path / "class"}
    done = scanlab(*(word.format(**places) for word in words))
    assert done.status == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr and done.stderr.strip()


@needs_machine
@needs_sandbox
def test_demo(tmp_path: Path) -> None:
    if not (paths.ROOT / "datasets" / "example_class").is_dir():
        pytest.skip("no example class")
    done = scanlab("demo", "--out", tmp_path / "out", timeout=240)
    assert done.status == 0, done.stdout + done.stderr
    assert str(tmp_path / "out" / "index.html") in done.stdout
    assert len(list((tmp_path / "out" / "students").glob("*.html"))) >= 12


# Where a mount namespace can be had, the copy is mounted where the checkout is, with what was built there: only the
# new lab is to be compiled. In a plain chroot there is none, and all is compiled.
IN_ITS_PLACE = """
mkdir "$1/.venv" && mount --bind "$2/.venv" "$1/.venv" && mount --rbind "$1" "$2" && cd "$2" || exit 125
shift 2; exec "$@"
"""


def can_mount() -> bool:
    return os.geteuid() == 0 and subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0


def copy_of_the_checkout(root: Path, built: bool) -> Path:
    names = ["CMakeLists.txt", "CMakePresets.json", "cmake", "grader", "labs", "reference", "solutions", "datasets"]
    if built:
        names.append("build/cpu")
    ignore = shutil.ignore_patterns("__pycache__")
    for name in names:
        source, target = paths.ROOT / name, root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target, ignore=ignore) if source.is_dir() else shutil.copy2(source, target)
    return root


def add_a_lab(root: Path) -> Path:
    """Another name for the second lab. Returns its solution."""
    lab = root / "labs" / "99_echo_scan"
    shutil.copytree(root / "labs" / "02_double_buffered", lab)
    for path in lab.iterdir():
        text = path.read_text().replace("double_buffered", "echo_scan")
        path.write_text(text.replace("Algorithm::echo_scan", "Algorithm::double_buffered"))  # the cost model's name
    (lab / "double_buffered.cu").rename(lab / "echo_scan.cu")
    solution = root / "solutions" / "99_echo_scan" / "echo_scan.cu"
    solution.parent.mkdir()
    text = (root / "solutions" / "02_double_buffered" / "double_buffered.cu").read_text()
    solution.write_text(text.replace("double_buffered", "echo_scan"))
    return solution


@needs_machine
@needs_sandbox
def test_a_99th_lab_edits_nothing_else(tmp_path: Path) -> None:
    """A copy of the checkout with one more folder under labs/: it is listed, built and graded."""
    mounted = can_mount()
    root = copy_of_the_checkout(tmp_path / "copy", built=mounted)
    solution = add_a_lab(root)
    out = tmp_path / "result.json"
    words = [sys.executable, "-m", "scanlab", "check", "echo_scan", str(solution), "--json", str(out)]
    if mounted:
        words[-3] = str(paths.ROOT / solution.relative_to(root))
        words = ["unshare", "--mount", "sh", "-c", IN_ITS_PLACE, "sh", str(root), str(paths.ROOT), *words]
    environment = {**os.environ, "PYTHONPATH": "grader"}
    done = subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert out.is_file() and done.returncode == 0, done.stdout + done.stderr
    assert json.loads(out.read_text())["lab"] == "echo_scan"
    assert not (paths.ROOT / "labs" / "99_echo_scan").exists()
    shutil.rmtree(root)  # it is large
