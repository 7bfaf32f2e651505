"""The defaults of an engine and a session, and that every adapter of ours is a sound class."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import gainsay
from gainsay.campaign import host
from gainsay.core import registry
from gainsay.core.answer import Rows
from gainsay.core.engine import Engine, Session
from gainsay.core.plugins import complaints

BUILT_IN = registry.BUILT_IN["gainsay.engines"]
IMPORTS = """
import importlib, json, sys
for module in sys.argv[1:]:
    importlib.import_module(module)
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names))))
"""


class PlainSession(Session):
    def ask(self, text):
        return Rows([(text,)])


class Plain(Engine):
    name = "plain"
    family = "sql"
    dialect = "sqlite"
    package = "msgspec"
    configs = {"default": (), "one": ("A", "B"), "two": ("C'",)}
    title = "Plain"
    repro_open = "place = $where"
    repro_ask = """
if text:
    return [place, text]
"""

    def repro_words(self, version, options, configs):
        return {"where": repr(version + "$configs")}

    def open_session(self, configs, options):
        return PlainSession()


def test_an_engine_that_says_little_has_the_rest():
    engine = Plain()
    assert engine.version()[0].isdigit()
    assert (engine.build(), engine.facts("1", ()), engine.environment("1", {}), engine.prove({})) == ((), {}, {}, None)
    assert engine.requirements("1.2") == ["msgspec==1.2"] and list(engine.available()) == ["msgspec"]
    assert engine.script("SELECT 1", ("one",)) == "SELECT 1"
    assert not (
        engine.code_base
        or engine.needs_server
        or engine.releases
        or engine.pip
        or engine.slow
        or engine.run
        or engine.disputed
    )


def run(script):
    """What a reproducer's beginning defines."""
    found = {}
    exec(script, found)
    return found


def test_a_reproducer_opens_the_engine_and_asks_what_the_configurations_say():
    assert Plain().texts(("two", "one")) == ["C'", "A", "B"]
    script = Plain().repro("1", {}, ("one", "two"))
    assert script.endswith("ask('A')\nask('B')\nask(\"C'\")\n")
    found = run(script)
    assert found["ask"]("x") == ["1$configs", "x"] and found["ask"]("") is None, "what a word says is not read again"
    assert found["VERSION"] == f"Plain {Plain().version()}"


def test_configurations_that_are_no_statements_stand_where_the_script_wants_them():
    told = {"configs_are_statements": False, "repro_open": "place = $configs", "repro_version": "'2'"}
    found = run(type("Told", (Plain,), told)().repro("1", {}, ("two",)))
    assert found["ask"]("x") == [["C'"], "x"] and found["VERSION"] == "Plain 2"


def test_a_reproducer_asks_first_what_makes_the_place_empty_and_carries_functions_without_comments_for_tools():
    told = {"carried": (doubled,), "repro_ask": "place.append(doubled(text))", "repro_open": "place = []"}
    script = type("Told", (Plain,), {**told, "repro_first": ("DROP",)})().repro("1", {}, ("two",))
    assert run(script)["place"] == ["DROPDROP", "C'C'"] and "noqa" not in script


def doubled(text):
    return text + text


def test_without_a_package_pip_brings_nothing():
    bare = type("Bare", (Plain,), {"package": ""})()
    assert (bare.requirements("1"), bare.available()) == ([], {})


def test_a_module_that_is_not_there_is_no_version():
    with pytest.raises(ModuleNotFoundError):
        type("Missing", (Plain,), {"module": "no_such_module"})().version()


def test_a_session_that_says_little_has_the_rest():
    session = Plain().open_session((), {})
    assert [a.rows for a in session.ask_block(["a", "b"])] == [[("a",)], [("b",)]]
    assert (session.renew(), session.spent_s(), session.close(), session.answers_blocks) == (False, None, None, False)


def test_a_session_with_a_misspelt_hook_is_refused_when_it_is_opened():
    odd = type("Odd", (PlainSession,), {"answer_blocks": True})
    engine = type("Mine", (Plain,), {"open_session": lambda self, configs, options: odd()})()
    with pytest.raises(
        RuntimeError, match=r"what open_session gives, Odd, has answer_blocks.* Did you mean answers_blocks\?"
    ):
        host.renewed(engine, None, (), {})


def test_a_session_is_emptied_where_it_can_be_and_else_another_is_opened():
    closed = []
    kept = type("Kept", (PlainSession,), {"renew": lambda self: True, "close": lambda self: closed.append(self)})()
    gone = type("Gone", (PlainSession,), {"close": lambda self: closed.append(self)})()
    assert host.renewed(Plain(), kept, (), {}) is kept and not closed
    assert host.renewed(Plain(), gone, (), {}) is not gone and closed == [gone]


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_engine_of_ours_is_a_sound_class_of_its_name(name):
    engine = registry.engine(name)
    assert complaints(Engine, type(engine)) == []
    assert engine.name == name and "default" in engine.configs


def test_no_engine_of_ours_imports_another_package_before_it_is_asked():
    """Hosts have nothing but an engine around them, and the supervisor must not load one."""
    modules = sorted({value.partition(":")[0] for value in BUILT_IN.values()})
    bare = {"PYTHONPATH": str(Path(gainsay.__file__).parent.parent)}
    command = [sys.executable, "-S", "-c", IMPORTS, *modules]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=bare)
    assert json.loads(done.stdout) == ["__main__", "gainsay"]
