"""Running an outside program under limits, with real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gainsay import limits
from gainsay.limits import Stopped, run

BUSY = "while True: pass"
GIB = 1 << 30


def python(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def test_a_program_that_ends_by_itself_tells_its_code_and_what_it_printed(tmp_path: Path) -> None:
    ended = run(python("import os, sys; print(os.getcwd(), os.environ['PWD']); sys.exit(3)"), tmp_path, 10, GIB)
    assert (ended.why, ended.code) == ("", 3) and ended.printed.split() == [str(tmp_path.resolve())] * 2
    assert 0 < ended.cpu_s < 5 and ended.memory > 1 << 20


def test_the_limit_is_cpu_time_and_a_sleeping_program_does_not_reach_it(tmp_path: Path) -> None:
    assert run(python("import time; time.sleep(1.2)"), tmp_path, 1.0, GIB).why == ""
    ended = run(python(BUSY), tmp_path, 0.5, GIB)
    assert ended.why == "timeout" and 0.5 < ended.cpu_s < 1.5


def test_the_time_of_children_counts_too(tmp_path: Path) -> None:
    ended = run(python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', '{BUSY}'])"), tmp_path, 0.7, GIB)
    assert ended.why == "timeout" and ended.cpu_s > 0.7
    spent = run(
        python("import subprocess, sys; subprocess.run([sys.executable, '-c', 'sum(range(8000000))'])"),
        tmp_path,
        20,
        GIB,
    )
    alone = run(python("pass"), tmp_path, 20, GIB)
    assert spent.cpu_s > alone.cpu_s + 0.05


def test_what_a_process_used_itself_is_told_apart_from_what_its_children_used() -> None:
    # It works for some clock ticks itself: what is less than one tick is counted as none
    work = "while time.process_time() < 0.1: pass"
    text = f"import subprocess, sys, time\n{work}\nsubprocess.run([sys.executable, '-c', '{BUSY}'])"
    process = subprocess.Popen(python(text), start_new_session=True)
    try:
        give_up = time.monotonic() + 20
        while limits.cpu_seconds(process.pid) < 0.8 and time.monotonic() < give_up:
            time.sleep(0.05)
        assert 0 < limits.own_cpu_seconds(process.pid) < 0.5 < limits.cpu_seconds(process.pid)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert limits.own_cpu_seconds(process.pid) == limits.cpu_seconds(process.pid) == 0.0


def test_memory_of_the_whole_tree_is_watched(tmp_path: Path) -> None:
    hog = "x = bytearray(400 << 20)\nimport time\nfor i in range(0, len(x), 4096): x[i] = 1\ntime.sleep(20)"
    ended = run(
        python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {hog!r}])"), tmp_path, 20, 200 << 20
    )
    assert ended.why == "memory" and ended.memory > 200 << 20


def test_a_program_that_waits_for_ever_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WALL_MORE_S", 0.3)
    assert run(python("import time; time.sleep(60)"), tmp_path, 0.05, GIB).why in ("hang", "timeout")
    assert run(["sleep", "60"], tmp_path, 0.05, GIB).why == "hang"


def test_nothing_that_a_program_started_outlives_it(tmp_path: Path) -> None:
    mark = tmp_path / "alive"
    child = f"import time\nwhile True:\n time.sleep(0.05); open({str(mark)!r}, 'w').write(str(time.time()))"
    run(
        python(f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(0.6)"),
        tmp_path,
        5,
        GIB,
    )
    before = mark.read_text()
    time.sleep(0.3)
    assert mark.read_text() == before


def test_a_run_can_be_stopped_from_outside(tmp_path: Path) -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    begun = time.monotonic()
    with pytest.raises(Stopped):
        run(python(BUSY), tmp_path, 30, GIB, stop=stop)
    assert time.monotonic() - begun < 10


def test_a_run_that_can_t_win_any_more_is_cut(tmp_path: Path) -> None:
    ended = run(
        python(f"print('lost', flush=True)\n{BUSY}"),
        tmp_path,
        30,
        GIB,
        is_pointless=lambda printed: limits.os.fstat(printed).st_size > 0,
    )
    assert ended.why == "cut" and ended.cpu_s < 10


def test_children_of_other_threads_count_too(tmp_path: Path) -> None:
    """Java and OCaml start their helpers from threads that are not the main one."""
    child = f"subprocess.run([sys.executable, '-c', {BUSY!r}])"
    text = f"import subprocess, sys, threading\nt = threading.Thread(target=lambda: {child})\nt.start()\nt.join()"
    ended = run(python(text), tmp_path, 0.7, GIB)
    assert ended.why == "timeout" and ended.cpu_s > 0.7


def test_variables_that_are_hidden_are_not_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    asked = python("import os; print(os.environ.get('PYTHONPATH'))")
    assert run(asked, tmp_path, 5, GIB).printed.strip() == "/somewhere"
    assert run(asked, tmp_path, 5, GIB, hidden=("PYTHONPATH",)).printed.strip() == "None"
