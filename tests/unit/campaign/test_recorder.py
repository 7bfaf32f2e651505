import os
import signal
import subprocess
import sys

from gainsay.campaign.recorder import ASKING, ROOM, Recorder


def test_the_recorder_survives_sigkill(tmp_path):
    path = tmp_path / "recorder"
    code = (
        "import os, signal, sys; from pathlib import Path; from gainsay.campaign.recorder import Recorder, ASKING\n"
        "r = Recorder(Path(sys.argv[1])); r.at(7, 3, ASKING); r.stamp(4, 'SELECT ü'); os.kill(os.getpid(), "
        "signal.SIGKILL)"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert ended.returncode == -signal.SIGKILL
    # Opened for reading as the supervisor has it: its own map, made before.
    data = path.read_bytes()
    assert data[28 : 28 + len("SELECT ü".encode())].decode() == "SELECT ü"


def test_a_text_that_is_too_long_is_cut(tmp_path):
    recorder = Recorder(tmp_path / "recorder")
    recorder.at(1, 2, ASKING)
    recorder.stamp(2, "x" * (ROOM + 5))
    moment = recorder.read()
    assert (moment.episode, moment.check, moment.phase, len(moment.text)) == (1, 2, ASKING, ROOM)
    assert os.path.getsize(tmp_path / "recorder") == 1 << 20
