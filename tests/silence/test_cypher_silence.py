"""Every Cypher oracle on an engine that makes no mistake, our own evaluator, which reads the texts: no contradiction,
no trouble. Seeds are fixed."""

import pytest

from cypher_standin import KUZU, ORACLES, Standin, cases, hold, like_falkordb, like_kuzu, scene, seats
from gainsay.core import registry
from gainsay.core.answer import Died, GaveUp, Refused, Rows
from gainsay.core.claim import Verdict
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seat, Seats, Target
from gainsay.families.cypher.drawing import fixed_questions
from gainsay.families.cypher.drawing.lexicon import Lexicon

SCENES, EACH = 25, 10
MADE = {"standard": seats, "kuzu": like_kuzu, "falkordb": like_falkordb}


def talks(name, seated, standin, count=SCENES, each=EACH):
    """The conversations of an oracle with a stand-in."""
    oracle = registry.oracle("cypher", name)
    loaded = None
    for grown, recipe, _ in cases(name, count, seated, each):
        if grown is not loaded:
            standin.load(grown, seated.seats[0].dialect)
            loaded = grown
        yield grown, recipe, hold(oracle, grown, recipe, seated, standin.ask)


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("profile", MADE)
def test_an_oracle_is_silent_where_nothing_is_wrong(name, profile):
    seated = MADE[profile]()
    standin = Standin(seated.seats[0].facts)
    holds = refused = 0
    for _, _, held in talks(name, seated, standin):
        assert not held.contradicted, held.texts
        holds += sum(v is Verdict.HOLDS for v in held.verdicts)
        refused += sum(isinstance(a, Refused) for a in held.answers.values())
    assert holds >= 0.85 * SCENES * EACH, "and it has something to say"
    assert refused == 0, "every question is one that can be read, and has an answer"


@pytest.mark.parametrize("guidance", ["topdown", "patterns", "none"])
@pytest.mark.parametrize("name", ORACLES)
def test_an_oracle_is_silent_whatever_leads_it(name, guidance):
    for _, _, held in talks(name, seats(guidance=guidance), Standin(), 8, 8):
        assert not held.contradicted, held.texts
        assert all(isinstance(a, Rows) for a in held.answers.values())


@pytest.mark.parametrize("settings", [{"clauses": "9"}, {"nodes": "40"}, {"nodes": "1", "clauses": "1"}], ids=str)
def test_an_oracle_is_silent_at_any_size(settings):
    for name in ORACLES:
        for _, _, held in talks(name, seats(**settings), Standin(), 6, 6):
            assert not held.contradicted, held.texts


def both(one, two):
    """Two seats, with a lexicon of what both have and mean alike."""
    made = Seats(
        tuple(
            Seat(i, Target("neo4j", str(i)), "0", s.dialect, (), s.refused, s.facts) for i, s in enumerate((one, two))
        )
    )
    made.lexicon = Lexicon(made, {})
    return made


@pytest.mark.parametrize(
    ("one", "two"), [("standard", "standard"), ("standard", "kuzu"), ("standard", "falkordb"), ("kuzu", "falkordb")]
)
def test_differential_is_silent_where_profiles_differ(one, two):
    """Only questions on which the documented differences have no bearing are asked."""
    seated = both(*(MADE[n]().seats[0] for n in (one, two)))
    players = [Standin(s.facts) for s in seated]
    oracle = registry.oracle("cypher", "differential")
    claims = 0
    for number in range(20):
        grown = scene(number, seated, "both")
        for player, seat in zip(players, seated, strict=True):
            player.load(grown, seat.dialect)
        draw = Draw(seed_for(number, "differential"))
        for _ in range(6):
            held = hold(oracle, grown, oracle.draw(draw, grown, seated), seated, *(p.ask for p in players))
            assert not held.contradicted, held.texts
            assert all(isinstance(a, Rows) for a in held.answers.values()), held.answers
            claims += len(held.claims)
    assert claims == 120


def test_without_profiles_two_engines_would_differ():
    """The test above can fail: a stand-in for Kùzu that is asked as if it were standard is contradicted."""
    assert any(held.contradicted for _, _, held in talks("reference", seats(), Standin(KUZU)))


@pytest.mark.parametrize("profile", MADE)
def test_the_fixed_questions_are_silent(profile):
    seated = MADE[profile]()
    oracle = registry.oracle("cypher", "reference")
    standin = Standin(seated.seats[0].facts)
    asked = 0
    for number in range(10):
        made = fixed_questions.scene(number, seated.lexicon)
        if made is None:
            break
        standin.load(made, seated.seats[0].dialect)
        for recipe in oracle.fixed_recipes(made, seated):
            held = hold(oracle, made, recipe, seated, standin.ask)
            assert not held.contradicted, held.texts
            asked += len(held.claims)
    assert asked > 0.85 * len(fixed_questions.QUESTIONS)


@pytest.mark.parametrize(
    "answer", [GaveUp("timeout"), GaveUp("memory"), Refused("type", "no"), Died("crash")], ids=repr
)
@pytest.mark.parametrize("name", ORACLES)
def test_an_engine_that_does_not_answer_is_not_contradicted(name, answer):
    """A death is a finding of its own; no claim is about it."""
    for grown, recipe, seated in cases(name, 15):
        assert not hold(registry.oracle("cypher", name), grown, recipe, seated, lambda text: answer).contradicted
