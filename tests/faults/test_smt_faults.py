"""Planted faults in a real solver (yices, which is fast): a matrix of oracle x fault. A fault that no oracle finds
fails the build."""

import functools
import re

import pytest

from gainsay.core import registry
from gainsay.core.answer import Decision, GaveUp
from gainsay.core.draw import Draw, seed_for
from smt_standin import ORACLES, Solver, hold, scene, seats

SCENES = 40  # until a fault counts as not seen
PER_SCENE = 25
ASSERT = re.compile(r"^\(assert .*$", re.M)


def turned(is_hit, old, new):
    """A lie: the last verdict is another one where the text is hit."""

    def lie(text, answer):
        if (
            not isinstance(answer, Decision)
            or not is_hit(text)
            or not answer.verdict.endswith(old)
            or (old == "sat" and answer.verdict.endswith("unsat"))
        ):
            return answer
        words = [*answer.verdict.split()[:-1], new]
        return Decision(" ".join(words), answer.model if new == "sat" else "", answer.core)

    return lie


def refutes(*parts):
    return turned(lambda text: all(p in text for p in parts), "sat", "unsat")


def accepts(*parts):
    return turned(lambda text: all(p in text for p in parts), "unsat", "sat")


def sorted_assertions(text):
    lines = ASSERT.findall(text)
    return len(lines) > 1 and lines == sorted(lines) and len(set(lines)) > 1


def twice(text):
    lines = ASSERT.findall(text)
    return len(lines) > len(set(lines))


def wrong_value(text, answer):
    """The first bit of the first word in a model is another one."""
    if isinstance(answer, Decision) and answer.model:
        flip = {"0": "1", "1": "0"}
        answer = Decision(answer.verdict, re.sub(r"#b([01])", lambda m: f"#b{flip[m[1]]}", answer.model, count=1))
    return answer


def short_core(text, answer):
    names = re.findall(r"n_\d+", answer.core) if isinstance(answer, Decision) else []
    return Decision(answer.verdict, "", f"({names[0]})") if len(names) > 1 else answer


def gives_up(text, answer):
    return GaveUp("unknown") if "bvult" in text else answer


FAULTS = {
    "bvshl after push is refuted": refutes("bvshl", "(push 1)"),
    "bvshl is refuted": refutes("bvshl"),
    "what is unsat is sat": accepts(""),
    "a model has one wrong bit": wrong_value,
    "a core is too small": short_core,
    "sorted assertions are refuted": turned(sorted_assertions, "sat", "unsat"),
    "a repeated assertion is refuted": turned(twice, "sat", "unsat"),
    "names with a v are refuted": refutes("(declare-fun v1_"),
    "assumptions are not looked at": accepts("(check-sat-assuming"),
    "what was popped stays": refutes("(pop 1)", "(reset)"),
    "nested exclusive-or is refuted": refutes("(bvxor (bvxor"),
    "nested exclusive-or satisfies anything": accepts("(bvxor (bvxor"),
    "a small problem is given up": gives_up,
    "a small problem is called too long": lambda text, answer: GaveUp("timeout") if "bvult" in text else answer,
}
FINDERS = {
    "bvshl after push is refuted": {"storm", "consistency"},
    "bvshl is refuted": {"storm", "terms"},
    "what is unsat is sat": {"unsat-by-construction"},
    "a model has one wrong bit": {"model"},
    "a core is too small": {"consistency"},
    "sorted assertions are refuted": {"storm", "terms", "consistency"},
    "a repeated assertion is refuted": {"storm", "consistency"},
    "names with a v are refuted": {"consistency"},
    "assumptions are not looked at": {"consistency"},
    "what was popped stays": {"storm", "consistency"},
    "nested exclusive-or is refuted": {"terms"},
    "nested exclusive-or satisfies anything": {"unsat-by-construction"},
    "a small problem is given up": {"storm", "terms", "unsat-by-construction"},
    "a small problem is called too long": set(),  # the time limit is ours
}
LABELS = {
    "bvshl is refuted": {"sat by construction", "same values"},
    "what is unsat is sat": {"unsat by construction"},
    "a model has one wrong bit": {"valid model"},
    "a core is too small": {"core"},
    "names with a v are refuted": {"renamed"},
    "assumptions are not looked at": {"assuming"},
    "nested exclusive-or is refuted": {"same values"},
    "nested exclusive-or satisfies anything": {"unsat by construction"},
    "a small problem is given up": {"incomplete"},
}


@pytest.fixture(scope="module")
def solver():
    made = Solver("yices")
    yield made
    made.close()


@pytest.fixture(scope="module")
def drawn(seat_of):
    """Scenes and recipes are drawn once for all faults, when they are needed."""
    seated = seats(seat_of("yices").refused, "yices", logics="QF_BV", storm_a_max="8")

    @functools.cache
    def grown(number):
        return scene(number, seated)

    @functools.cache
    def recipes(name, number):
        draw = Draw(seed_for(number, name))
        return [registry.oracle("smt", name).draw(draw, grown(number), seated) for _ in range(PER_SCENE)]

    return seated, grown, recipes


def found(solver, drawn, name, lie, most=SCENES):
    """The label of the first claim that is contradicted, if any is."""
    seated, grown, recipes = drawn
    oracle = registry.oracle("smt", name)
    solver.lie = lie
    for number in range(most):
        solver.load(grown(number))
        for recipe in recipes(name, number):
            labels = hold(oracle, grown(number), recipe, seated, solver.ask).contradicted
            if labels:
                return labels[0]
    return None


@pytest.mark.parametrize(("fault", "oracle"), [(f, o) for f in FAULTS for o in sorted(FINDERS[f])])
def test_each_fault_is_found_by_the_oracles_that_can_see_it(fault, oracle, solver, drawn):
    label = found(solver, drawn, oracle, FAULTS[fault])
    assert label is not None
    assert fault not in LABELS or label in LABELS[fault]


@pytest.mark.parametrize(
    ("fault", "oracle"),
    [
        (f, o)
        for f in ("a model has one wrong bit", "a core is too small", "a small problem is called too long")
        for o in ORACLES
        if o not in FINDERS[f]
    ],
)
def test_a_fault_is_not_seen_where_nobody_looks(fault, oracle, solver, drawn):
    assert found(solver, drawn, oracle, FAULTS[fault], 3) is None


@pytest.mark.parametrize("oracle", ORACLES)
def test_a_solver_without_a_fault_is_not_accused(oracle, solver, drawn):
    assert found(solver, drawn, oracle, lambda text, answer: answer, 14) is None


def test_no_fault_is_without_a_finder_and_no_oracle_without_a_fault():
    assert FINDERS.keys() == FAULTS.keys()
    assert [f for f in FAULTS if not FINDERS[f]] == ["a small problem is called too long"]
    assert set().union(*FINDERS.values()) == set(ORACLES)


def test_differential_finds_a_solver_that_lies_and_no_other(solver, seat_of):
    oracle = registry.oracle("smt", "differential")
    seated = seats(seat_of("yices").refused, "yices", logics="QF_BV")
    two = type(seated)(
        (seated.seats[0], seats(engine="z3").seats[0].__class__(1, seats(engine="z3").seats[0].target, "0", "smtlib")),
        seated.lexicon,
    )
    solver.lie = lambda text, answer: answer
    truth = solver.ask
    lies = refutes("bvand")
    contradicted = honest = 0
    for number in range(60):
        grown = scene(number, seated)
        recipe = oracle.draw(Draw(seed_for(number, "differential")), grown, two)
        honest += bool(hold(oracle, grown, recipe, two, truth, truth).contradicted)
        contradicted += bool(hold(oracle, grown, recipe, two, truth, lambda text: lies(text, truth(text))).contradicted)
    assert contradicted > 0 and honest == 0
