"""Families and oracles are classes of their ports: what is misspelt, missing or called in another way is refused, with
the near match."""

import sys
from typing import ClassVar

import pytest

from gainsay.core import oracle, registry
from gainsay.core.engine import Session
from gainsay.core.family import Family
from gainsay.core.oracle import Oracle
from gainsay.core.plugins import complaints, loaded
from gainsay.oracles.sql_norec import Norec

FAMILIES = sorted(registry.table("gainsay.families"))
ORACLES = [(family, name) for family in FAMILIES for name in registry.oracles(family)]


@pytest.mark.parametrize("name", FAMILIES)
def test_our_families_are_sound(name):
    assert complaints(Family, type(registry.family(name))) == []


@pytest.mark.parametrize(("family", "name"), ORACLES)
def test_our_oracles_are_sound(family, name):
    found = registry.oracle(family, name)
    assert complaints(Oracle, type(found)) == [] and registry.unread(type(found)) == ""
    assert (found.family, found.name) == (family, name) and found.about


@pytest.mark.parametrize("group", ["gainsay.analyzers", "gainsay.split_analyzers"])
def test_our_analyzers_are_sound(group):
    for value in registry.BUILT_IN[group].values():
        assert complaints(registry.PORTS[group], loaded(value)) == [], value


class Misspelt(Norec):
    is_strict: ClassVar[bool] = True
    evidences: ClassVar[tuple[str, ...]] = ()


class Otherwise(Norec):
    def draw(self, draw, scene):
        return None


class Lacking(oracle.Oracle):
    name: ClassVar[str] = "mine"

    def draw(self, draw, scene, seats):
        return None


class MisspeltFamily(type(registry.family("cypher"))):
    is_strickt: ClassVar[bool] = True


@pytest.mark.parametrize(
    ("port", "plugin", "said"),
    [
        (Oracle, Misspelt, "has evidences, which is no hook. Did you mean evidence?"),
        (Oracle, Otherwise, "has draw(draw, scene), which must be draw(draw, scene, seats)"),
        (Oracle, Lacking, "has no family, recipe_type, about, converse"),
        (Oracle, object, "is no class derived from gainsay.core.oracle.Oracle"),
        (Family, MisspeltFamily, "has is_strickt, which is no hook. Did you mean is_strict?"),
    ],
)
def test_what_is_wrong_with_a_class_is_said(port, plugin, said):
    assert any(each.startswith(said) for each in complaints(port, plugin)), complaints(port, plugin)


class MisspeltRecipe(oracle.Recipe, frozen=True):
    subject_feild: ClassVar[str] = "query"


class CalledRecipe(oracle.Recipe, frozen=True):
    def detours(self):
        return ("mode",)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (MisspeltRecipe, "its MisspeltRecipe has subject_feild, which is no hook. Did you mean subject_field?"),
        (CalledRecipe, "its CalledRecipe has detours as a method, which must be a value."),
        (MisspeltRecipe | CalledRecipe, "Its CalledRecipe has detours as a method"),
        (dict, "its dict is no class derived from gainsay.core.oracle.Recipe."),
    ],
)
def test_what_is_wrong_with_an_oracles_recipes_is_said(kind, said):
    assert said in registry.unread(type("Mine", (Norec,), {"recipe_type": kind}))


@pytest.mark.parametrize("name", sorted(registry.table("gainsay.engines")))
def test_our_sessions_are_sound(name):
    assert registry.unasked(type(registry.engine(name))) == ""


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"ask_blocks": lambda self, texts: []}, "its Mine has ask_blocks, which is no hook. Did you mean ask_block?"),
        ({"ask": lambda self, text, limit: None}, "its Mine has ask(text, limit), which must be ask(text)."),
    ],
)
def test_what_is_wrong_with_an_engines_sessions_is_said(members, said, monkeypatch):
    engine = type(registry.engine("sqlite"))
    module = sys.modules[engine.__module__]
    monkeypatch.setattr(module, "Mine", type("Mine", (Session,), members), raising=False)
    assert said in registry.unasked(engine)
