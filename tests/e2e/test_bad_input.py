"""Every wrong move: one clear line with the remedy, exit code 2, no traceback, nothing lost."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CASES = [
    (("hunt", "sqlite", "--sibling", "duckdb"), "--sibling: name releases or builds of sqlite"),
    (("hunt", "sqlite", "duckdb", "--sibling", "sqlite"), "--sibling: the causes of one target are told apart"),
    (
        ("hunt", "sqlite", "--sibling", "sqlite?lib=nowhere.so"),
        "--sibling: name each once, oldest first, and sqlite itself",
    ),
    (["hunt", "sqlit"], "Did you mean sqlite"),
    (["hunt", "sqlite", "--oracle", "norek"], "Did you mean norec"),
    (["hunt", "sqlite", "--wokers", "2"], "Did you mean --workers"),
    (["hunt", "sqlite", "--for", "0"], "--for"),
    (["hunt", "sqlite", "--for", "-5s"], "--for"),
    (["hunt", "sqlite", "--checks", "-1"], "--checks"),
    (["hunt", "sqlite", "--checks", "0"], "--checks"),
    (["hunt", "sqlite", "--workers", "0"], "--workers"),
    (["hunt", "sqlite", "--stop-after", "-2"], "--stop-after"),
    (["hunt", "sqlite", "--memory", "1"], "--memory"),
    (["hunt", "sqlite", "--seed", "x"], "--seed"),
    (["hunt", "sqlite", "--set", "mix"], "--set"),
    (["hunt", "sqlite", "--set", "sql.mx=small"], "Did you mean mix"),
    (["hunt", "sqlite", "--set", "sql.mix=smal"], "Did you mean small"),
    (["hunt", "sqlite", "--set", "sqk.mix=small"], "Did you mean sql"),
    (["hunt", "sqlite", "--for", "5s", "--checks", "5"], "give one"),
    (["hunt", "sqlite:fast"], "configuration"),
    (["hunt", "sqlite?lip=/x"], "Did you mean lib"),
    (["hunt", "sqlite?lib=/nowhere/libsqlite3.so"], "no library"),
    (["hunt", "duckdb@99.0.0"], "nearest"),
    (["hunt", "sqlite@3.46.99"], "3.46.1"),
    (["hunt", "duckdb@new"], "not a version"),
    (["hunt", "apsw", "--oracle", "differential"], "two or more"),
    (["hunt", "apsw", "apsw"], "named twice"),
    (["hnt"], "Did you mean hunt"),
    (["engines", "check"], "TARGET"),
    (["engines", "chek", "sqlite"], "check"),
    (["show", "abc"], "no findings"),
    (["replay", "abc"], "no findings"),
    (["report", "nowhere"], "not the folder of a hunt"),
    (["findings", "nowhere"], "not the folder of a hunt"),
    (["bench", "known"], "FILE"),
    (["bench", "known", "nowhere.json"], "can't be read"),
    (["bench", "sped"], "Did you mean speed"),
]


def one_line(result, part):
    assert result.code == 2, result.out + result.err
    assert "Traceback" not in result.err
    lines = result.err.strip().splitlines()
    assert len(lines) == 1, lines
    assert part in lines[0], lines[0]


@pytest.mark.parametrize(("arguments", "part"), CASES, ids=[" ".join(c[0]) for c in CASES])
def test_a_wrong_move_gets_one_line_and_the_remedy(arguments, part, gainsay, tmp_path):
    one_line(gainsay(*arguments), part)
    assert not (tmp_path / "gainsay-out").exists(), "nothing is left behind"


def test_a_library_that_is_not_sqlite(gainsay, tmp_path):
    (tmp_path / "libtext.so").write_text("not a library")
    one_line(gainsay("hunt", "sqlite?lib=libtext.so"), "is not what sqlite?lib= wants")
    found = [
        p
        for folder in ("/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/usr/lib64")
        for p in Path(folder).glob("libz.so.1")
    ]
    for path in found[:1]:
        one_line(gainsay("hunt", f"sqlite?lib={path}"), "is not what sqlite?lib= wants")


def test_a_folder_that_is_not_ours(gainsay, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("precious")
    one_line(gainsay("hunt", "sqlite", "--out", "mine"), "not the folder of a hunt")
    assert [p.name for p in (tmp_path / "mine").iterdir()] == ["thesis.txt"]
    (tmp_path / "file").write_text("")
    one_line(gainsay("hunt", "sqlite", "--out", "file"), "is a file")


@pytest.mark.skipif(
    os.geteuid() == 0, reason="root may write everywhere; run the tests as another user to see this one"
)
def test_a_folder_that_is_read_only(gainsay, tmp_path):
    (tmp_path / "ro").mkdir(mode=0o555)
    one_line(gainsay("hunt", "sqlite", "--out", "ro"), "can't be written")


def test_a_folder_that_cannot_be_made(gainsay):
    one_line(gainsay("hunt", "sqlite", "--out", "/proc/nowhere"), "can't be written")


def test_a_full_disk_ends_the_hunt_and_loses_nothing(gainsay, tmp_path):
    gainsay("hunt", "apsw", "--checks", "400", "--seed", "20", "--out", "o")
    journal = tmp_path / "o" / "journal.jsonl"
    filler = b'{"type":"started","version":"0","seed":20}\n'
    journal.write_bytes(journal.read_bytes() + filler * (1_199_000 // len(filler)))
    whole = journal.read_bytes()
    # A limit on the size of files is a disk that is full for every file that grows.
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1_200_000, 1_200_000)); from "
        "gainsay.cli.main import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", limited, "hunt", "apsw", "--checks", "1600", "--out", "o"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stderr.strip().splitlines())) == (2, 1), done.stderr
    assert "No space left" in done.stderr
    assert journal.read_bytes().startswith(whole), "what was written is safe"
    assert gainsay("hunt", "apsw", "--checks", "1600", "--out", "o", "--json").json["checks"] >= 1600


def test_a_damaged_journal_campaign_and_finding(gainsay, tmp_path):
    gainsay("hunt", "sqlite@3.40.0", "--checks", "80", "--seed", "5", "--out", "o")
    out = tmp_path / "o"
    journal = out / "journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-20])
    assert gainsay("findings", "o").code == 0, "a cut-off last line is normal after a crash"
    journal.write_bytes(b"garbage\n" + whole)
    one_line(gainsay("findings", "o"), "line 1")
    one_line(gainsay("hunt", "sqlite@3.40.0", "--checks", "5000", "--out", "o"), "line 1")
    journal.write_bytes(whole)
    folder = next((out / "findings").iterdir())
    finding = (folder / "finding.json").read_text()
    (folder / "finding.json").write_text(finding[: len(finding) // 2])
    one_line(gainsay("replay", folder.name, "--out", "o"), "not what was written")
    (folder / "finding.json").write_text(finding.replace('"CreateTable"', '"CreateTabel"'))
    one_line(gainsay("replay", folder.name, "--out", "o"), "not what was written")
    for old, new in (
        ('"family": "sql"', '"family": "nope"'),
        (re.search(r'"oracle": "\w+"', finding).group(), '"oracle": "nope"'),
        (folder.name, "../../evil"),
    ):
        (folder / "finding.json").write_text(finding.replace(old, new))
        for command in ("show", "reduce", "replay"):
            one_line(gainsay(command, folder.name, "--out", "o"), "not what was written")
    (folder / "finding.json").unlink()
    one_line(gainsay("show", folder.name, "--out", "o"), "missing")
    toml = (out / "campaign.toml").read_text()
    (out / "campaign.toml").write_text("seed = [")
    one_line(gainsay("findings", "o"), "campaign.toml")
    (out / "campaign.toml").write_text(toml)
    assert gainsay("findings", "o").code == 0


def test_an_engine_package_that_is_not_installed(gainsay, tmp_path):
    (tmp_path / "block" / "duckdb").mkdir(parents=True)
    (tmp_path / "block" / "duckdb" / "__init__.py").write_text("raise ImportError('No module named duckdb')")
    result = gainsay("hunt", "duckdb", env={"PYTHONPATH": str(tmp_path / "block")})
    one_line(result, "pip install duckdb")


def test_a_file_of_known_bugs_that_is_none(gainsay, tmp_path):
    (tmp_path / "bugs.json").write_text('[{"id": 1}]')
    one_line(gainsay("bench", "known", "bugs.json"), "not a file of known bugs")
    (tmp_path / "bugs.json").write_text('[{"id": "a", "engine": "postgres", "query": "SELECT 1"}]')
    one_line(gainsay("bench", "known", "bugs.json"), "postgres")
