"""A known finding's trigger is taken out of a likely repetition: by values, by plainer parts, or by leaving it out."""

import pytest

from gainsay.campaign import events
from gainsay.campaign.ledger import Ledger
from gainsay.core import registry
from gainsay.core.model import Case, CaseName, Seat, Seats, Target
from gainsay.families.sql.language import ir
from gainsay.triage import without
from sql_cases import A1, ONE, T0, ZERO, insert, norec, op, table

SEAT = Seat(0, Target("sqlite"), "3.40.1", "sqlite")
INDEX = ir.CreateIndex("i0", "t0", (ir.IndexKey(ir.Col("", "c0")),))
SCENE = ir.Scene((table("t0", "c0"), insert("t0", "c0", (ZERO,), (ONE,), (ONE,)), INDEX))
OUTER = (ir.Join("t0"), ir.Join("t0", "LEFT JOIN", op("=", T0, A1), "a1"))
TESTED = op("and", op("=", T0, ONE), op("is null", A1))


def case(where=TESTED, source=OUTER, scene=SCENE):
    return Case("sql", "norec", scene, norec(where, *source, items=(T0,)), (SEAT,), "filtered rows")


def taken_out(feature, choice=0, **parts):
    made = without.taken_out(registry.family("sql"), case(**parts), feature, choice)
    return made and made.recipe.query, made and made.scene.statements


def test_an_expression_is_replaced_by_its_own_values_the_most_frequent_first():
    plain = (ir.Join("t0"),)
    query, _ = taken_out("comparison", where=op("and", op("=", T0, ONE), op("is null", T0)), source=plain)
    assert query.where == op("and", ONE, op("is null", T0))  # two rows of three
    query, _ = taken_out("comparison", 1, where=op("and", op("=", T0, ONE), op("is null", T0)), source=plain)
    assert query.where == op("and", ZERO, op("is null", T0))


def test_the_outermost_part_that_carries_a_feature_is_taken_out_whole():
    query, _ = taken_out("null test", where=op("is null", op("is null", T0)), source=(ir.Join("t0"),))
    assert query.where == ZERO


def test_a_value_that_nobody_can_compute_is_a_constant():
    query, _ = taken_out("comparison", where=op("=", T0, ir.RawExpr("1")), source=(ir.Join("t0"),))
    assert query.where == ir.TRUE


def test_a_join_becomes_a_plain_one_and_keeps_its_condition():
    query, _ = taken_out("left join")
    assert [j.kind for j in query.source] == ["", "JOIN"] and query.source[1].on == OUTER[1].on


def test_a_statement_is_left_out():
    query, statements = taken_out("index")
    assert statements == SCENE.statements[:2] and query == case().recipe.query


def test_a_mark_of_a_statement_goes_back_to_its_default():
    unique = ir.CreateIndex("i0", "t0", INDEX.keys, unique=True)
    _, statements = taken_out("unique index", scene=ir.Scene((*SCENE.statements[:2], unique)))
    assert statements[2] == INDEX


def test_every_variant_is_legal_and_lacks_something_of_the_shape():
    family, shape = registry.family("sql"), {"left join", "comparison", "null test"}
    made = list(without.variants(case(), shape, Seats((SEAT,))))
    assert len(made) >= 3
    for each in made:
        assert not shape <= family.shape(each.scene, each.recipe)
        assert family.is_legal(each.scene, each.recipe, Seats((SEAT,)))


def test_several_known_findings_are_taken_out_one_after_the_other():
    known = {"one": {"left join"}, "two": {"null test"}}
    needed, rest = without.remainder(case(), known, lambda c: True)
    assert needed == "" and not registry.family("sql").shape(rest.scene, rest.recipe) & {"left join", "null test"}
    needed, _ = without.remainder(case(), known, lambda c: "is null" in repr(c.recipe))
    assert needed == "two"


# --- the ledger ---


def finding(number, shape):
    return events.Finding(
        id=f"sqlite-norec-{number}", signature=f"sqlite: logic: {number}", kind="logic", status="confirmed",
        family="sql", oracle="norec", engine="sqlite", version="3.40.1", claim="filtered rows", words="", why="",
        seed=1, name=CaseName("sqlite", number, "norec", 1), case={}, setup=(), texts={}, answers={}, shape=shape,
        bucket=(str(number),),
    )  # fmt: skip


@pytest.fixture
def ledger():
    made = Ledger()
    made.found(finding(1, ("comparison",)))
    made.found(finding(2, ("comparison", "left join")))
    return made


@pytest.fixture
def raw(ledger):
    made = events.Raw(
        CaseName("sqlite", 5, "norec", 1), "filtered rows", ("comparison", "index", "left join"), {"a": 1}
    )
    ledger.take(made)
    return made


def test_a_likely_repetition_waits_to_be_replayed(ledger, raw):
    assert ledger.fresh(True) is None and ledger.unreplayed(9, True) == [raw]
    assert set(ledger.triggers(raw)) == {"sqlite-norec-1", "sqlite-norec-2"}


def test_what_needs_a_trigger_is_a_repetition_of_the_finding_that_has_it(ledger, raw):
    ledger.take(events.Replayed(raw.name, raw.claim, "sqlite-norec-2"))
    assert ledger.unreplayed(9, True) == [] and ledger.repeats_of(raw) == "sqlite-norec-2"


def test_what_is_left_without_the_triggers_is_looked_at_as_new(ledger, raw):
    ledger.take(events.Replayed(raw.name, raw.claim, "", {"b": 2}, ("index", "left join")))
    fresh = ledger.fresh(True)
    assert (fresh.name, fresh.case, fresh.shape) == (raw.name, {"b": 2}, ("index", "left join"))


def test_what_is_left_may_be_a_repetition_of_a_later_finding(ledger, raw):
    ledger.take(events.Replayed(raw.name, raw.claim, "", {"b": 2}, ("index", "left join")))
    ledger.found(finding(3, ("left join",)))
    assert [r.case for r in ledger.unreplayed(9, True)] == [{"b": 2}]


def test_a_death_is_not_replayed(ledger):
    ledger.take(events.Raw(CaseName("sqlite", 6, "norec", 1), "crash", ("comparison", "left join"), {"a": 1}))
    assert ledger.unreplayed(9, True) == []
