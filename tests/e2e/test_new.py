"""`gainsay new`: what it writes passes the conformance kit, is hunted on, and the kit sees what is wrong with it."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest


@pytest.fixture
def written(gainsay, tmp_path):
    """Write a package with `gainsay new` and put it on the path, with its entry points, as pip would."""

    def make(what, name, family="sql"):
        result = gainsay("new", what, name, "--family", family)
        assert result.code == 0, result.err
        home = tmp_path / f"gainsay-{name}"
        project = tomllib.loads((home / "pyproject.toml").read_text())["project"]
        info = home / f"{project['name'].replace('-', '_')}-0.1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        )
        points = [
            f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in listed.items())
            for group, listed in project["entry-points"].items()
        ]
        (info / "entry_points.txt").write_text("".join(points))
        return home, {"PYTHONPATH": os.pathsep.join([str(home), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)}

    return make


def pytested(home, env):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    return subprocess.run(command, cwd=home, env={**os.environ, **env}, capture_output=True, text=True, check=False)


def checked(checks, sentence, home, env):
    """Run the one check of the kit whose sentence begins so, in a process of its own."""
    code = (
        f"from gainsay.testing import *\nfor o in outcomes(c for c in {checks} if "
        f"str(c).startswith({sentence!r})): print(o.state, o.check, o.why)"
    )
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=home, env={**os.environ, **env}, capture_output=True, text=True, check=False)


def spoil(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def test_a_new_engine_passes_its_own_tests_and_is_hunted_on(gainsay, written):
    home, env = written("engine", "my-db")
    done = pytested(home, env)
    assert done.returncode == 0 and "12 passed" in done.stdout, done.stdout + done.stderr
    hunted = gainsay("hunt", "my-db", "--checks", "1600", "--seed", "3", "--json", env=env)
    assert hunted.code in (0, 1), hunted.out + hunted.err
    assert hunted.json["checks"] >= 1600 and hunted.json["valid"] > 0.95
    assert "mistakes" not in hunted.err


def test_a_new_oracle_is_silent_also_on_the_sqlite_that_everybody_has(gainsay, written):
    _, env = written("oracle", "nested")
    done = gainsay("oracles", "conform", "sql/nested", "--on", "sqlite", env=env)
    assert done.code == 0 and "All is well" in done.out, done.out + done.err


@pytest.mark.more
@pytest.mark.parametrize("family", ["sql", "datalog", "cypher", "smt"])
@pytest.mark.parametrize("what", ["engine", "oracle"])
def test_what_is_written_is_installed_by_pip(gainsay, tmp_path, what, family):
    assert gainsay("new", what, "mine", "--family", family).code == 0
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", "there", "./gainsay-mine"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    name = "mine" if what == "engine" else f"{family}/mine"
    result = gainsay(f"{what}s", "conform", name, env={"PYTHONPATH": str(tmp_path / "there")})
    assert result.code == 0 and "All is well" in result.out, result.out + result.err


@pytest.mark.parametrize("family", ["datalog", "cypher", "smt"])
def test_a_new_engine_of_another_family_is_hunted_on_with_a_new_oracle(gainsay, written, family):
    (_, one), (_, two) = written("engine", "mine", family), written("oracle", "turned", family)
    env = {"PYTHONPATH": os.pathsep.join([one["PYTHONPATH"], two["PYTHONPATH"]])}
    hunted = gainsay("hunt", "mine", "--oracle", "turned", "--checks", "60", "--seed", "1", "--json", env=env)
    assert hunted.code in (0, 1), hunted.out + hunted.err
    assert hunted.json["checks"] >= 60 and hunted.json["valid"] > 0.9 and "mistakes" not in hunted.err


@pytest.mark.parametrize("family", ["datalog", "cypher", "smt"])
def test_the_kit_sees_what_is_wrong_with_an_engine_of_another_family(written, family):
    home, env = written("engine", "mine", family)
    before, after, sentence = {
        "datalog": ("return Refused(", "raise ValueError(", "nonsense is a refusal"),
        "cypher": ('"SELECT cypher(?)", (text,)).fetchone()[0]))', '"SELECT 1")))', "the canary"),
        "smt": ("Yices (", "Zices (", "the version is that"),
    }[family]
    spoil(home / "gainsay_mine" / "engine.py", before, after)
    done = checked("engine_checks('mine')", sentence, home, env)
    assert done.stdout.startswith("failed"), done.stdout + done.stderr


def test_a_new_oracle_passes_its_own_tests_and_is_hunted_with(gainsay, written):
    home, env = written("oracle", "nested")
    done = pytested(home, env)
    assert done.returncode == 0 and "9 passed" in done.stdout, done.stdout + done.stderr
    hunted = gainsay("hunt", "apsw", "--oracle", "nested", "--checks", "800", "--seed", "1", "--json", env=env)
    assert hunted.code == 0, hunted.out + hunted.err
    assert hunted.json["checks"] == 800


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("return refusal(str(error))", "raise", "nonsense is a refusal"),
        ("return refusal(str(error))", "return Rows([])", "nonsense is a refusal"),
        ("self._ticks > TICKS", "False", "what takes too long"),
        ('sqlite3.connect(":memory:"', 'sqlite3.connect("file:shared.db", uri=True', "a scene is read back"),
        ('repro_ask = "return ', 'repro_ask = "', "a reproducer runs"),
        (
            '"""\n\nfrom __future__ import annotations',
            '"""\n\nfrom __future__ import annotations\n\nimport msgspec',
            "the module imports nothing",
        ),
        ('name = "my-db"', 'name = "your-db"', "the port is complete"),
        ("[(1,)]", "[(0,)]", "the version is that"),
        ('"PRAGMA reverse_unordered_selects = 1"', '"PRAGMA no such pragma"', "every configuration opens"),
    ],
)
def test_the_kit_sees_what_is_wrong_with_an_engine(written, before, after, sentence):
    home, env = written("engine", "my-db")
    spoil(home / "gainsay_my_db" / "engine.py", before, after)
    done = checked("engine_checks('my-db')", sentence, home, {**env, "GAINSAY_HARD_S": "2"})
    assert done.stdout.startswith("failed "), done.stdout + done.stderr


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("return Recipe(question, rule) if isinstance(question, ir.Select) else None",
         "import random; return Recipe(question, random.choice('ab'))", "the same seed draws"),
        ("recipe_type = Recipe", "recipe_type = oracle.Nothing", "a recipe survives JSON"),
        ('yield Step("alone", recipe.question)',
         'self.n = getattr(self, "n", 0) + 1; yield Step("alone", recipe.question, 0, self.n % 2 == 0)',
         "a conversation is pure"),
        ('yield Step("alone", recipe.question)', '(yield Step("alone", recipe.question)).rows',
         "a conversation takes any answer"),
        ("        yield Claim(", "        Claim(", "claims are made"),
        ("Relation.SAME_BAG, Side((\"alone\",))", "Relation.SAME_BAG, Side((\"in FROM\",))",
         "an answer that is spoilt"),
        ("Relation.SAME_BAG, Side((\"alone\",))", "Relation.SAME_BAG, Side(value=())", "it is silent"),
        ('"sql"\n', '"datalog"\n', "the port is complete"),
    ],
)  # fmt: skip
def test_the_kit_sees_what_is_wrong_with_an_oracle(written, before, after, sentence):
    home, env = written("oracle", "nested")
    spoil(home / "gainsay_nested" / "oracle.py", before, after)
    done = checked("oracle_checks('sql/nested')", sentence, home, env)
    assert done.stdout.startswith("failed "), done.stdout + done.stderr


def test_the_command_says_which_check_fails_and_goes_on_with_the_others(gainsay, written):
    home, env = written("engine", "my-db")
    assert gainsay("engines", "conform", "my-db", env=env).code == 0
    spoil(home / "gainsay_my_db" / "engine.py", "return refusal(str(error))", "raise")
    result = gainsay("engines", "conform", "my-db", env=env)
    assert result.code == 1, result.out + result.err
    assert "failed  nonsense is a refusal" in result.out and "return Refused(kind, message)" in result.out
    assert "ok  every configuration opens" in result.out
    assert "Traceback (most recent" not in result.err


def test_a_bad_name_or_a_folder_in_use_is_told(gainsay, tmp_path):
    for arguments, told in (
        (("new", "engine", "sqlite"), "already"),
        (("new", "oracle", "tlp"), "already"),
        (("new", "engine", "My DB"), "no name"),
        (("new", "motor", "x"), "There is no 'motor'"),
        (("engines", "conform"), "Name a target"),
        (("engines", "conform", "nonesuch"), "There is no engine"),
        (("oracles", "conform", "tlp"), "sql/tlp"),
        (("oracles", "conform", "sql/tlp", "--on", "cozo"), "not of the family"),
    ):
        result = gainsay(*arguments)
        assert result.code == 2 and told in result.err and "Traceback" not in result.err, (
            arguments,
            result.out,
            result.err,
        )
    (tmp_path / "gainsay-mine").mkdir()
    (tmp_path / "gainsay-mine" / "x").write_text("")
    result = gainsay("new", "engine", "mine")
    assert result.code == 2 and "--out" in result.err
