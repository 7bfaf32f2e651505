"""What a reducer tries of a program is smaller, and says what it is said to."""

from datalog_standin import read
from gainsay.families.datalog.language.dialects import DIALECTS
from gainsay.families.datalog.reducing import shrink, size
from gainsay.oracles.datalog_reference import Recipe


def test_a_plainer_functor_takes_a_functors_place_the_plainest_first():
    scene, rules = read("a/1 p/1", "p((x bxor 1)) :- a(x).")
    recipe = Recipe(rules)
    found = list(shrink.plainer_calls(scene, recipe, rules))
    texts = [DIALECTS["souffle"].rule(made.rules.rules[0]) for _, made in found]
    assert texts == ["p((x band 1)) :- a(x).", "p((x bor 1)) :- a(x)."]
    assert all(size.size(scene, made) < size.size(scene, recipe) for _, made in found)
