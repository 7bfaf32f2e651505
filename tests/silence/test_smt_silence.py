"""Every SMT oracle on solvers that are believed: hundreds of claims, and no contradiction. Seeds are fixed."""

import pytest

from gainsay.core import registry
from gainsay.core.answer import Died, GaveUp, Refused
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seats
from smt_standin import LOGICS, ORACLES, Solver, cases, hold, scene, seats

SLOW = {
    "QF_S",
    "QF_SLIA",
    "QF_NIA",
    "QF_NRA",
    "QF_NIRA",
    "QF_UFNIA",
    "QF_UFNRA",
    "QF_AUFBV",
    "QF_FP",
    "QF_BVFP",
    "ALL",
}  # z3 gives up on more of them


@pytest.fixture(scope="module")
def solvers():
    made = {}

    def solver(name):
        if name not in made:
            made[name] = Solver(name)
        return made[name]

    yield solver
    for each in made.values():
        each.close()


def held(solver, name, seated, count, turns=1):
    """The conversations of an oracle on a solver."""
    oracle = registry.oracle("smt", name)
    for number in range(count):
        grown = scene(number, seated, "silence")
        solver.load(grown)
        draw = Draw(seed_for(number, name))
        for _ in range(turns):
            recipe = oracle.draw(draw, grown, seated)
            yield grown, recipe, hold(oracle, grown, recipe, seated, solver.ask)


def silent(conversations):
    """How many claims held and how many could not be decided; none may be contradicted."""
    claims = holds = 0
    for grown, recipe, found in conversations:
        assert not found.contradicted, (grown.logic, recipe, found.texts, found.answers)
        claims += len(found.claims)
        holds += sum(v.value == "holds" for v in found.verdicts)
    return claims, holds


@pytest.mark.parametrize("logic", LOGICS)
def test_every_oracle_is_silent_on_z3(logic, solvers, seat_of):
    seated = seats(seat_of("z3").refused, "z3", logics=logic, storm_a_max="10", fuel="3" if logic in SLOW else "4")
    claims = holds = 0
    for name in ORACLES:
        more = silent(held(solvers("z3"), name, seated, 2, 1 if logic in SLOW else 3))
        claims, holds = claims + more[0], holds + more[1]
    assert holds >= (5 if logic in SLOW else 25), (claims, holds)


@pytest.mark.parametrize("engine", ["yices", "bitwuzla"])
@pytest.mark.parametrize("name", ORACLES)
def test_an_oracle_is_silent_on_other_solvers(name, engine, solvers, seat_of):
    """Arrays that are the same everywhere are left out: on some of them bitwuzla says unknown, which is a finding."""
    refused = seat_of(engine).refused | {"op:const"}
    seated = seats(refused, engine, storm_a_max="16", logics="QF_BV,QF_UFBV,QF_ABV,BV" if engine == "bitwuzla" else "")
    claims, holds = silent(held(solvers(engine), name, seated, 25, 4))
    assert claims > 50 and holds > 0.9 * claims, (claims, holds)


def test_differential_is_silent_on_two_solvers(solvers, seat_of):
    oracle = registry.oracle("smt", "differential")
    one, two = seat_of("yices"), seat_of("z3")
    seated = Seats((one, two))
    seated.lexicon = seats(seated.refused, logics="QF_BV,QF_LIA,QF_LRA,QF_UF,QF_AX").lexicon
    claims = 0
    for number in range(60):
        grown = scene(number, seated, "both")
        recipe = oracle.draw(Draw(seed_for(number, "differential")), grown, seated)
        found = hold(oracle, grown, recipe, seated, solvers("yices").ask, solvers("z3").ask)
        assert not found.contradicted, (found.texts, found.answers)
        claims += len(found.claims)
    assert claims == 60


@pytest.mark.parametrize(
    "answer", [GaveUp("timeout"), GaveUp("memory"), Refused("unsupported", "no"), Died("crash")], ids=repr
)
@pytest.mark.parametrize("name", ORACLES)
def test_a_solver_that_does_not_answer_is_not_contradicted(name, answer):
    """A death is a finding of its own; no claim is about it."""
    for grown, recipe, seated in cases(name, 15):
        assert not hold(registry.oracle("smt", name), grown, recipe, seated, lambda text: answer).contradicted


@pytest.mark.parametrize("name", ORACLES)
def test_unknown_is_a_finding_as_incomplete_only(name):
    labels = set()
    for grown, recipe, seated in cases(name, 60):
        labels |= set(
            hold(registry.oracle("smt", name), grown, recipe, seated, lambda text: GaveUp("unknown")).contradicted
        )
    assert labels == ({"incomplete"} if name in ("storm", "terms", "unsat-by-construction") else set())
