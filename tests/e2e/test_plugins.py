"""Engines and oracles of other packages, as somebody who writes one meets them: broken ones first."""

import json

import pytest

SOUND = """
from gainsay.engines.sqlite import SQLite

class Mine(SQLite):
    name = "mine"
"""
PARTIAL = """
from gainsay.core.engine import Engine

class Mine(Engine):
    name, family = "partial", "sql"
"""
ORACLE = """
from gainsay.oracles.sql_norec import Norec

class Mine(Norec):
    name = "mine"
"""
FAILING = (
    ORACLE
    + """
    def draw(self, draw, scene, seats):
        raise LookupError(f"no words for {scene.statements[0].__class__}")
"""
)
SOMETIMES = (
    ORACLE
    + """
    def draw(self, draw, scene, seats):
        if draw.coin(0.3):
            raise LookupError(f"no words today: {draw.unit()}")
        return None if draw.coin(0.1) else super().draw(draw, scene, seats)
"""
)

TUNABLE = """
from gainsay.tailor.analyzers.z3 import Z3

class Mine(Z3):
    name = "mine"
    hand_on = True
"""
SPLITTABLE = """
from gainsay.split.by_pip import ByPip

class Mine(ByPip):
    name, about = "mine", "as it should be"
    requirement = ("mine==1.0",)

    def command(self, folder, names):
        return ["mine"]
"""

UNDOING = """
import msgspec
from gainsay.core import oracle, registry, values
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.model import Step
from gainsay.families.sql.language import ir

class Recipe(oracle.Recipe, frozen=True):
    subject_field = "question"
    question: ir.Select | ir.Compound
    index: ir.CreateIndex
    rule: str = values.EXACT

    @property
    def is_alone(self):
        return True

class Mine(oracle.Oracle):
    name, family, recipe_type, about = "mine", "sql", Recipe, "an index that comes and goes"

    def draw(self, draw, scene, seats):
        tables = [s for s in scene.statements if isinstance(s, ir.CreateTable)]
        if not tables:
            return None
        table = draw.pick(tables)
        question, rule = registry.family("sql").question(draw, scene, seats)
        key = ir.IndexKey(ir.Col("", draw.pick(table.columns).name))
        return Recipe(question, ir.CreateIndex("ix", table.name, (key,)), rule)

    def converse(self, scene, recipe, seats):
        yield Step("before", recipe.question)
        yield Step("make", recipe.index)
        yield Step("with the index", recipe.question)
        yield Step("drop", ir.RawStatement("DROP INDEX ix"))
        sides = Side(("with the index",)), Relation.SAME_BAG, Side(("before",))
        yield Claim("an index changes nothing", *sides, "It is so.", recipe.rule)

    def recall(self, question):
        return None
"""


def told(result):
    """What was said of plugins, line by line."""
    return [line for line in result.err.splitlines() if line.startswith("gainsay: The ")]


def test_a_plugin_that_cannot_be_imported_is_named_and_everything_else_works(gainsay, plugin):
    plugin("broken", "import os\nimport nonesuch\n", "gainsay.engines", "broken", "broken:Broken")
    env = plugin("mine", SOUND, "gainsay.engines", "mine", "mine:Mine")
    result = gainsay("oracles", env=env)
    assert result.code == 0 and "norec" in result.out
    (line,) = told(result)
    assert "'broken' of the package broken is left out: ModuleNotFoundError: No module named 'nonesuch'" in line
    assert "(line 2 of broken.py: import nonesuch)" in line
    hunted = gainsay("hunt", "mine", "--checks", "160", "--seed", "1", "--oracle", "tlp", "--json", env=env)
    assert hunted.code == 0 and hunted.json["checks"] == 160, hunted.out + hunted.err
    assert told(hunted) == [line]


def test_engines_are_listed_without_the_broken_ones(gainsay, plugin):
    plugin("quitter", "raise SystemExit('go away')\n", "gainsay.engines", "quitter")
    plugin("partial", PARTIAL, "gainsay.engines", "partial", "partial:Mine")
    plugin(
        "speechless", SOUND + "    dialect = 'speechless:WORDS'\n", "gainsay.engines", "speechless", "speechless:Mine"
    )
    env = plugin("mine", SOUND, "gainsay.engines", "mine", "mine:Mine")
    result = gainsay("engines", "--json", env=env)
    assert result.code == 0, result.err
    names = [row["engine"] for row in result.json]
    assert {"mine", "sqlite", "duckdb"} <= set(names)
    assert not {"quitter", "partial", "speechless"} & set(names)
    said = "\n".join(told(result))
    assert "'quitter' of the package quitter is left out: SystemExit: go away" in said
    assert "it has no dialect, open_session (gainsay.core.engine.Engine says what each is)." in said
    assert "its dialect 'speechless:WORDS' can't be used: AttributeError" in said


MISSING = """

    def __init__(self, where):
        self.where = where
"""


@pytest.mark.parametrize(
    ("code", "group", "point"),
    [(SOUND, "gainsay.engines", "wanting"), (ORACLE, "gainsay.oracles", "sql/wanting")],
    ids=["engine", "oracle"],
)
def test_a_plugin_that_cannot_be_made_is_named_and_everything_else_works(gainsay, plugin, code, group, point):
    env = plugin("wanting", code.replace('"mine"', '"wanting"') + MISSING, group, point, "wanting:Mine")
    for words in (["engines", "sqlite", "--json"], ["oracles"], ["hunt", "sqlite", "--checks", "40", "--seed", "1"]):
        result = gainsay(*words, env=env)
        assert result.code == 0, result.out + result.err
        (line,) = told(result)
        assert "left out: TypeError" in line and "missing 1 required positional argument: 'where'" in line
    named = ["hunt", "wanting"] if point == "wanting" else ["hunt", "sqlite", "--oracle", "wanting"]
    asked = gainsay(*named, "--checks", "10", env=env)
    assert asked.code == 2 and "Traceback" not in asked.err, asked.err


@pytest.mark.parametrize(
    ("code", "value", "told"),
    [
        (
            SOUND,
            "mine",
            "names the module mine, and must name a class in it, derived from gainsay.core.engine.Engine: write "
            '"mine:CLASS".',
        ),
        ("class Mine: pass\n", "mine:Mine", "it is no class derived from gainsay.core.engine.Engine."),
        (
            SOUND + "    configurations = 1\n    verison = None\n",
            "mine:Mine",
            "it has verison, which is no hook. Did you mean version?",
        ),
        (SOUND + "    CONFIGS = {}\n", "mine:Mine", "it has CONFIGS, which is no hook. Did you mean configs?"),
        (
            SOUND + "    def version(self, options): return '1'\n",
            "mine:Mine",
            "it has version(options), which must be version().",
        ),
    ],
)
def test_an_engine_that_is_no_such_class_is_refused_with_what_to_write(gainsay, plugin, code, value, told):
    result = gainsay("hunt", "mine", env=plugin("mine", code, "gainsay.engines", "mine", value))
    assert result.code == 2 and "Traceback" not in result.err, result.err
    assert told in result.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("code", "group", "command", "told"),
    [
        (
            TUNABLE,
            "gainsay.analyzers",
            ("tailor", "run", "."),
            "it has hand_on, which is no hook. Did you mean hands_on?",
        ),
        (SPLITTABLE, "gainsay.split_analyzers", ("split", "run", "."), "it has no read (gainsay.core.split_analyzer"),
        (
            SPLITTABLE,
            "gainsay.split_analyzers",
            ("split", "run", "."),
            "command(folder, names), which must be command(folder",
        ),
        (SPLITTABLE, "gainsay.split_analyzers", ("split", "run", "."), "Did you mean requirements?"),
    ],
)
def test_an_analyzer_with_a_misspelt_hook_is_refused_with_the_near_match(gainsay, plugin, code, group, command, told):
    result = gainsay(*command, "--analyzer", "mine", env=plugin("mine", code, group, "mine", "mine:Mine"))
    assert result.code == 2 and "Traceback" not in result.err, result.err
    assert told in result.err.splitlines()[-1]


def test_a_session_of_another_make_is_refused_with_what_it_must_be(gainsay, plugin):
    code = SOUND + "    def open_session(self, configs, options): return object()\n    def build(self): return ()\n"
    result = gainsay("hunt", "mine", env=plugin("mine", code, "gainsay.engines", "mine", "mine:Mine"))
    assert result.code == 2 and "Traceback" not in result.err, result.err
    assert "what open_session gives, object, is no class derived from gainsay.core.engine.Session." in result.err


def test_a_broken_plugin_that_is_asked_for_by_name_says_what_is_wrong(gainsay, plugin):
    plugin("broken", "1 / 0\n", "gainsay.engines", "broken")
    env = plugin("worse", "class Worse: pass\n", "gainsay.oracles", "sql/worse", "worse:Worse")
    for arguments in (("hunt", "broken"), ("engines", "check", "broken")):
        result = gainsay(*arguments, env=env)
        assert result.code == 2 and "ZeroDivisionError" in result.err.splitlines()[-1], result.err
        assert "Traceback" not in result.err
    result = gainsay("hunt", "sqlite", "--oracle", "worse", env=env)
    assert (
        result.code == 2 and "it is no class derived from gainsay.core.oracle.Oracle" in result.err.splitlines()[-1]
    ), result.err


def test_a_plugin_never_takes_the_place_of_a_built_in_one(gainsay, plugin):
    env = plugin("usurper", SOUND, "gainsay.engines", "sqlite", "usurper:Mine")
    result = gainsay("engines", "check", "sqlite", "--json", env=env)
    assert result.code == 0 and "gainsay has one of this name" in told(result)[0]


def test_a_draw_that_always_fails_is_shown_once_and_ends_the_hunt_with_3(gainsay, plugin, tmp_path):
    env = plugin("mine", FAILING, "gainsay.oracles", "sql/mine", "mine:Mine")
    result = gainsay("hunt", "apsw", "--oracle", "mine", "--for", "120s", "--seed", "1", "--workers", "2", env=env)
    assert result.code == 3, result.out + result.err
    assert (result.out + result.err).count("Traceback") == 1
    assert "LookupError: no words for" in result.out
    assert "The draw of mine failed" in result.out and "these checks were not made" in result.out
    assert "0 checks on apsw in" in result.out
    seconds = int(result.out.partition("0 checks on apsw in ")[2].split()[0])
    assert seconds < 30, "nothing else happens: it does not go on for two minutes"
    events = [
        json.loads(line) for line in next((tmp_path / "gainsay-out").glob("*/journal.jsonl")).read_text().splitlines()
    ]
    kept = [e for e in events if e["type"] == "trouble"]
    assert [bool(e["traceback"]) for e in kept].count(True) == 1
    assert sum(e["times"] for e in kept) >= 400


def test_a_draw_that_sometimes_fails_costs_its_check_and_no_other(gainsay, plugin):
    env = plugin("mine", SOMETIMES, "gainsay.oracles", "sql/mine", "mine:Mine")
    result = gainsay(
        "hunt", "apsw", "--oracle", "mine", "--oracle", "tlp", "--checks", "1600", "--seed", "2", "--json", env=env
    )
    assert result.code == 3, result.out + result.err
    assert result.err.count("Traceback") == 1, "also with --json, on standard error"
    assert result.json["checks"] == 1600, "others are made in their place"
    assert 200 < int(result.err.partition("The draw of mine failed ")[2].split()[0]) < 600
    assert "The draw of mine failed" in result.err
    assert result.json["raw"] == 0


def test_an_oracle_that_undoes_what_it_did_passes_the_kit(gainsay, plugin):
    env = plugin("mine", UNDOING, "gainsay.oracles", "sql/mine", "mine:Mine")
    result = gainsay("oracles", "conform", "sql/mine", "--on", "apsw", env=env)
    assert result.code == 0 and "All is well." in result.out, result.out + result.err
