"""The sandbox: what is inside cannot see, reach or outlast."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from conftest import needs_sandbox

from scanlab import sandbox
from scanlab.sandbox import MIB, Binds, Limits, Sandbox, Way

pytestmark = needs_sandbox
BOX = sandbox.find()


def sh(script: str, limits: Limits | None = None, binds: Binds | None = None) -> sandbox.Outcome:
    return BOX.run(["sh", "-c", script], limits=limits or Limits(seconds=10), binds=binds)


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/etc/shadow", "/home", "/root", "/var", str(Path(__file__)), "/proc/1/environ"]
)
def test_files_outside_are_not_there(path: str) -> None:
    outcome = sh(f"ls {path}/ 2>/dev/null | head -1; cat {path} 2>/dev/null")
    assert outcome.stdout == b""


@pytest.mark.parametrize("path", ["/usr/bin/x", "/usr/x", "/x", "/etc/x", "/lib/x"])
def test_nothing_can_be_written(path: str) -> None:
    assert sh(f"echo x > {path}").status != 0


def test_the_environment_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCANLAB_SECRET", "do not tell")
    assert b"do not tell" not in sh("env").stdout


def test_no_network() -> None:
    assert sh("cat /proc/net/dev 2>/dev/null | grep -v lo: | grep -c :").stdout.strip() in (b"", b"0")


def test_no_rights_are_left() -> None:
    status = sh("cat /proc/self/status").stdout.decode()
    if "CapEff" in status:
        assert "CapEff:\t0000000000000000" in status and "CapPrm:\t0000000000000000" in status
    assert sh("id -u").stdout.strip() != b"0"


def test_time_is_limited() -> None:
    started = time.monotonic()
    outcome = sh("while :; do :; done", Limits(seconds=1))
    assert outcome.timed_out and time.monotonic() - started < 8


def test_who_is_starved_gets_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_processor_seconds", lambda pid: 0.0)
    started = time.monotonic()
    assert sh("while :; do :; done", Limits(seconds=0.5)).timed_out
    assert 1.9 < time.monotonic() - started < 6


def test_processor_time_is_counted_for_the_whole_tree() -> None:
    process = subprocess.Popen(["sh", "-c", "sh -c 'while :; do :; done' & wait"], start_new_session=True)
    try:
        deadline = time.monotonic() + 20
        while sandbox._processor_seconds(process.pid) < 0.3 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert sandbox._processor_seconds(process.pid) >= 0.3
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_child_in_the_background_does_not_outlast() -> None:
    started = time.monotonic()
    sh("sleep 300 & sleep 300 & exit 0", Limits(seconds=5))
    assert time.monotonic() - started < 5


def test_processes_are_limited() -> None:
    if BOX.way is Way.USER:
        pytest.skip("a user's own processes count too, so the limit is wide")
    outcome = sh("for i in $(seq 200); do sleep 5 & done; wait", Limits(seconds=8, processes=20))
    assert outcome.timed_out or b"fork" in outcome.stderr or outcome.status != 0


def test_memory_is_limited() -> None:
    outcome = BOX.run(["sort", "/dev/zero"], limits=Limits(seconds=20, memory=256 * MIB))
    assert outcome.status != 0 and not outcome.timed_out


def test_files_are_limited(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    out = tmp_path / "out"
    out.mkdir()
    sh("head -c 9000000 /dev/zero > /out/big", Limits(file_bytes=MIB), Binds(writable={out: "/out"}))
    assert (out / "big").stat().st_size <= MIB


def test_a_flood_is_cut_and_does_not_block() -> None:
    outcome = sh("yes | head -c 50000000", Limits(seconds=20, output_bytes=1000))
    assert outcome.status == 0 and len(outcome.stdout) == 1000 and outcome.truncated


def test_signals_have_names() -> None:
    assert sh("kill -SEGV $$").signal_name == "SIGSEGV"


def test_binds(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "seen").write_text("yes")
    (tmp_path / "seen").chmod(0o644)
    binds = Binds(readonly={tmp_path: "/here"})
    outcome = sh("cat /here/seen; echo no > /here/seen; echo no > /here/other", binds=binds)
    assert outcome.stdout == b"yes" and [path.name for path in tmp_path.iterdir()] == ["seen"]
    assert BOX.inside(tmp_path / "seen", binds) == "/here/seen"


def test_without_a_sandbox_the_limits_hold() -> None:
    outcome = Sandbox(Way.NONE).run(["sh", "-c", "while :; do :; done"], limits=Limits(seconds=1))
    assert outcome.timed_out
