"""Every Datalog oracle on an engine that makes no mistake, our own evaluator: thousands of claims, and no
contradiction. Seeds are fixed."""

import pytest

from datalog_standin import DIALECTS, hold, seats
from gainsay.core import registry
from gainsay.core.answer import GaveUp, Rows
from gainsay.core.draw import Draw, seed_for
from gainsay.families.datalog.drawing import scenes

COUNT = {"reference": 200, "cq": 150, "apg": 150, "rules": 60}
SMALL = {"rules_max_rules": "10", "rules_p_head": "0.35"}


def held(dialect, name, count, **settings):
    """The conversations of an oracle, on a scene each."""
    seated = seats(dialect, **settings)
    oracle = registry.oracle("datalog", name)
    for number in range(count):
        scene = scenes.grow(Draw(seed_for(number, "scene")), seated.lexicon)
        recipe = oracle.draw(Draw(seed_for(number, name)), scene, seated)
        yield recipe, hold(oracle, scene, recipe, seated)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", COUNT)
def test_an_oracle_is_silent_where_nothing_is_wrong(name, dialect):
    claims = answered = 0
    for recipe, found in held(dialect, name, COUNT[name], **(SMALL if name == "rules" else {})):
        assert not found.contradicted, recipe
        claims += len(found.claims)
        answered += all(isinstance(a, Rows) for a in found.answers.values())
    assert claims > 0.85 * COUNT[name], "and it has something to say"
    assert answered > 0.98 * COUNT[name]


@pytest.mark.parametrize("name", COUNT)
def test_programs_of_the_full_mix_are_silent_too(name):
    for recipe, found in held("souffle", name, 40, mix="full", **(SMALL if name == "rules" else {})):
        assert not found.contradicted, recipe


@pytest.mark.parametrize("drop", ["keywords", "all"])
def test_rules_are_silent_whatever_is_dropped(drop):
    for recipe, found in held("souffle", "rules", 40, rules_drop=drop, **SMALL):
        assert not found.contradicted, recipe


def test_a_program_of_many_rules_is_silent():
    for recipe, found in held("clingo", "rules", 3, rules_max_rules="60"):
        assert not found.contradicted, recipe


@pytest.mark.parametrize("dialect", ["clingo", "souffle"])
def test_rules_are_silent_on_recursion_through_negation(dialect):
    for recipe, found in held(dialect, "rules", 80, rules_unstratified="1", **SMALL):
        assert not found.contradicted, recipe


@pytest.mark.parametrize("name", COUNT)
def test_an_engine_that_gives_up_is_not_accused(name):
    seated = seats("cozo", **(SMALL if name == "rules" else {}))
    oracle = registry.oracle("datalog", name)
    for number in range(30):
        scene = scenes.grow(Draw(seed_for(number, "scene")), seated.lexicon)
        recipe = oracle.draw(Draw(seed_for(number, name)), scene, seated)
        assert not hold(oracle, scene, recipe, seated, lambda node: GaveUp("timeout")).contradicted


def test_reference_is_silent_on_values_on_which_engines_may_differ():
    unsure = [found for recipe, found in held("souffle", "reference", 200, extremes="1") if recipe.unsure]
    assert unsure, "some are drawn"
    assert not any(found.claims for found in unsure)
