"""The learner's loop, on a small checkout of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scanlab import learner, paths
from scanlab.paths import Lab

SKELETON = "// TODO: scan\n"
HINTS = "# Hints\n\n## Hint 1\n\nFirst, *look*.\n\n## Hint 2: more\n\nSecond.\n\n## Hint 3\n\nThird.\n"


def git(root: Path, *words: str) -> None:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", "-C", str(root), *identity, *words], check=True, capture_output=True)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for folder, name in (("01_first", "first"), ("02_second", "second")):
        lab = tmp_path / "labs" / folder
        lab.mkdir(parents=True)
        (lab / f"{name}.cu").write_text(SKELETON)
        (lab / "hints.md").write_text(HINTS)
        answer = tmp_path / "solutions" / folder / f"{name}.cu"
        answer.parent.mkdir(parents=True)
        answer.write_text("// the solution\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "skeletons")
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    paths.labs.cache_clear()
    yield tmp_path
    paths.labs.cache_clear()


def mine(root: Path) -> Path:
    return root / "labs" / "01_first" / "first.cu"


def scored(score: float, lab: str = "first") -> dict[str, object]:
    return {"lab": lab, "score": score, "max_score": 100.0, "error": None}


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_list_shows_progress(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learner.list_labs()
    assert said(capsys).count("not begun") == 2
    mine(root).write_text("x")
    learner.remember(scored(72.5))
    learner.remember(scored(40))
    learner.hint("first")
    said(capsys)
    assert learner.list_labs() == 0
    text = said(capsys)
    assert "72.5 of 100" in text
    assert "1 of 3" in text
    assert "in work, 2 tries" in text


def test_next_moves_on(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learner.next_lab()
    assert "labs/01_first/first.cu" in said(capsys)
    learner.remember(scored(100))
    learner.next_lab()
    assert "Lab 2: second" in said(capsys)
    learner.remember(scored(100, "second"))
    assert learner.next_lab() == 0
    assert "Every lab has full marks" in said(capsys)


def test_a_failure_of_the_grader_is_no_try(root: Path) -> None:
    learner.remember({**scored(0), "error": {"kind": "x", "message": "y"}})
    assert learner.load_progress() == {}


def test_hints_come_one_by_one(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for _ in range(4):
        assert learner.hint("first") == 0
        texts.append(said(capsys))
    assert "First, look" in texts[0]
    assert "Second" not in texts[0]
    assert "2 more" in texts[0]
    assert "Second" in texts[1]
    assert "Third" in texts[2]
    assert "last one" in texts[2]
    assert all(word in texts[3] for word in ("First", "Second", "Third"))


def test_hints_of_an_unknown_lab(root: Path) -> None:
    with pytest.raises(paths.UnknownLabError):
        learner.hint("nope")


def test_reset_saves_what_was_there(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("one", "two"):
        mine(root).write_text(text)
        assert learner.reset("first") == 0
        assert mine(root).read_text() == SKELETON
    backups = sorted((root / ".scanlab" / "backups").iterdir())
    assert [path.read_text() for path in backups] == ["one", "two"]
    said(capsys)
    learner.reset("first")
    assert "skeleton already" in said(capsys)


def test_reset_works_after_the_learner_committed(root: Path) -> None:
    learner.list_labs()
    mine(root).write_text("my work")
    git(root, "commit", "-q", "-a", "-m", "mine")
    learner.reset("first")
    assert mine(root).read_text() == SKELETON


def test_reset_without_a_skeleton_changes_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "_from_git", lambda lab: None)
    mine(root).write_text("my work")
    assert learner.reset("first") == 1
    assert mine(root).read_text() == "my work"


def test_git_does_not_see_the_state(root: Path) -> None:
    learner.remember(scored(10))
    status = subprocess.run(["git", "-C", str(root), "status", "--short"], capture_output=True, text=True, check=True)
    assert status.stdout == ""


@pytest.mark.parametrize(("answer", "shown"), [("y", True), ("", False), ("n", False)])
def test_solution_asks_before_the_first_try(
    root: Path, capsys: pytest.CaptureFixture[str], answer: str, shown: bool
) -> None:
    assert learner.solution("first", ask=lambda _: answer) == 0
    assert ("the solution" in said(capsys)) == shown


def test_solution_after_a_try_and_without_input(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def closed(_: str) -> str:
        raise EOFError

    assert learner.solution("first", ask=closed) == 0
    assert "Not shown" in said(capsys)
    learner.remember(scored(10))
    assert learner.solution("first", ask=closed) == 0
    assert "// the solution" in said(capsys)


def test_a_broken_state_file_counts_as_none(root: Path) -> None:
    learner.remember(scored(10))
    (root / ".scanlab" / "progress.json").write_text('{"labs": 3')
    assert learner.load_progress() == {}
    learner.remember(scored(20))
    assert learner.load_progress()["first"].best == 20


def test_watch_checks_now_and_on_each_save(root: Path) -> None:
    statuses = iter([1, 1, 0, 1])
    checked: list[str] = []

    def check(lab: Lab) -> int:
        checked.append(lab.name)
        return next(statuses)

    assert learner.watch("first", check, saves=lambda _: range(3)) == 0
    assert checked == ["first"] * 4


def test_watch_without_a_name_goes_on_to_the_next_lab(root: Path) -> None:
    checked: list[str] = []

    def check(lab: Lab) -> int:
        checked.append(lab.name)
        done = len(checked) >= 2 and lab.name == "first"
        learner.remember(scored(100 if done else 10, lab.name))
        return 0 if done else 1

    assert learner.watch(None, check, saves=lambda _: range(2)) == 0
    assert checked == ["first", "first", "second", "second", "second"]


def test_watch_sees_a_real_save(root: Path) -> None:
    import threading
    import time

    checks: list[str] = []

    def check(lab: Lab) -> int:
        checks.append(lab.student_copy.read_text())
        return 0 if checks[-1] == "saved" else 1

    def save() -> None:
        part = mine(root).with_suffix(".tmp")
        for _ in range(100):
            if len(checks) > 1:
                return
            part.write_text("saved")
            part.replace(mine(root))
            time.sleep(0.2)

    saver = threading.Timer(0.5, save)
    saver.start()
    learner.remember(scored(100, "second"))

    def checked(lab: Lab) -> int:
        status = check(lab)
        if status == 0:
            learner.remember(scored(100))
        return status

    assert learner.watch(None, checked) == 0
    saver.join()
    assert checks[0] == SKELETON
    assert checks[-1] == "saved"
