"""Causes are told apart by the releases on which a contradiction shows: nothing is taken for a repetition that shows elsewhere."""

import pytest

from cypher_standin import Fault, Standin, graph, query, seats
from gainsay.campaign import conversation, events, siblings
from gainsay.campaign.config import Group
from gainsay.campaign.ledger import Ledger
from gainsay.core.model import Case, CaseName, Seat, Seats, Target
from gainsay.oracles.cypher_reference import CLAIM, Recipe
from gainsay.triage.span import Siblings

RELEASES = ("3.26.0", "3.29.0", "3.30.1", "3.31.1")


def span(states):
    return dict(zip(RELEASES, states, strict=True))


def finding(number, states, shape=("comparison", "left join")):
    return events.Finding(
        id="sqlite-norec-1", signature="sqlite: logic: condition, outer join", kind="logic", status="confirmed", family="sql", oracle="norec",
        engine="sqlite", version="3.28.0", claim="filtered rows", words="", why="", seed=1, name=CaseName("sqlite", number, "norec", 1), case={},
        setup=(), texts={}, answers={}, shape=shape, bucket=("condition", "outer join"), span=span(states),
        apart=(f"sqlite-norec-{states}", f"sqlite: logic: condition, outer join ({states})"),
    )  # fmt: skip


def raw(number, ledger, states=None):
    """A contradiction that looks like the findings; `states`: on which releases it shows."""
    made = events.Raw(CaseName("sqlite", number, "norec", 1), "filtered rows", ("comparison", "index", "left join"), {}, text="SELECT 1")
    ledger.take(made)
    if states is not None:
        ledger.take(events.Spanned(made.name, made.claim, span(states)))
    return made


@pytest.fixture
def ledger():
    made = Ledger()
    made.found(finding(0, "++--"))
    return made


def test_what_looks_known_is_looked_for_on_other_releases_before_it_is_absorbed(ledger):
    one = raw(1, ledger)
    assert ledger.fresh(True) is None
    assert ledger.unspanned(9, True) == [one]
    ledger.take(events.Spanned(one.name, one.claim, span("++--")))
    assert ledger.unspanned(9, True) == []
    assert ledger.repeats_of(one) == "sqlite-norec-1"


def test_what_shows_where_the_known_finding_is_gone_is_new_and_stays_so_while_it_shrinks(ledger):
    one = raw(1, ledger, "+++-")
    assert ledger.fresh(True) == one
    assert ledger.apart(one) == {"3.30.1": "+"}


def test_what_is_gone_where_the_known_finding_shows_is_new_and_stays_so_while_it_shrinks(ledger):
    one = raw(1, ledger, "+---")
    assert ledger.fresh(True) == one
    assert ledger.apart(one) == {"3.29.0": "-"}


def test_two_known_causes_at_once_are_no_third_one(ledger):
    ledger.found(finding(1, "+-+-"))
    both = raw(2, ledger, "+++-")
    assert ledger.repeats_of(both)
    assert ledger.fresh(True) is None


def test_a_release_that_can_not_be_asked_tells_nothing(ledger):
    assert ledger.repeats_of(raw(1, ledger, "?+-?"))
    assert ledger.repeats_of(raw(2, ledger, "????"))


def test_one_shape_with_two_spans_is_two_findings(ledger):
    kept, is_new = ledger.found(finding(1, "+++-"))
    assert is_new and kept.id == "sqlite-norec-+++-" and "(+++-)" in kept.signature
    assert len(ledger.findings) == 2
    again, is_new = ledger.found(finding(2, "+++-"))
    assert not is_new and again.id == kept.id
    first, is_new = ledger.found(finding(3, "++?-"))
    assert not is_new and first.id == "sqlite-norec-1"


def test_a_few_of_what_is_absorbed_are_reduced_all_the_same(ledger):
    for number in range(1, 40):
        raw(number, ledger, "++--")
    sampled = [ledger.sample(True) for _ in range(40)]
    assert 0 < len([s for s in sampled if s]) < 39


@pytest.mark.parametrize(
    ("states", "told"),
    [
        ("++--", "until 3.29.0"),
        ("-+--", "3.28.0 to 3.29.0"),
        ("-+++", "since 3.28.0"),
        ("++++", "in all releases that were tried"),
        ("+?+-", "until 3.30.1"),
    ],
)
def test_a_span_is_told_as_a_run_of_releases(states, told):
    assert siblings.told(span(states), "3.28.0") == told


def test_siblings_are_the_releases_in_the_cache_around_the_target(tmp_path, monkeypatch):
    monkeypatch.setenv("GAINSAY_CACHE", str(tmp_path))
    for name in ("3.9.0", "3.26.0", "3.28.0", "3.31.1", "3.31.1.lock", "half-made"):
        (tmp_path / "engines" / "sqlite" / name).mkdir(parents=True)
    seat = Seat(0, Target("sqlite", "3.28.0"), "3.28.0", "sqlite")
    assert siblings.siblings(seat, "3.40.1") == ("3.9.0", "3.26.0", "3.31.1", "3.40.1")
    assert siblings.target_of(seat, "3.40.1", "3.40.1") == Target("sqlite")
    assert siblings.target_of(seat, "3.26.0", "3.40.1") == Target("sqlite", "3.26.0")


WRONG, OTHERWISE = Fault(rows=lambda rows, q: [*rows, *rows]), Fault(rows=lambda rows, q: [])


@pytest.mark.parametrize(("fault", "state"), [(WRONG, "+"), (OTHERWISE, "?"), (Fault(), "-")], ids=["the same", "another", "the right one"])
def test_a_release_with_another_wrong_answer_tells_nothing(fault, state, monkeypatch):
    seated = seats()
    case = Case("cypher", "reference", graph("CREATE (a:A {id: 0})"), Recipe(query("MATCH (n) RETURN 1 AS x")), seated.seats, CLAIM)
    (like,) = conversation.hold(case, [Standin((), WRONG)], Seats(seated.seats))
    made = Siblings(Group("neo4j", "cypher", seated.seats, ("reference",), siblings=("1",)))
    monkeypatch.setattr(made, "_player", lambda version: Standin((), fault))
    assert made.span(case, like=like) == {"1": state}
    assert made.span(case) == {"1": state.replace("?", "+")}, "of a case that is not small yet, any wrong answer counts"


def test_a_server_of_the_users_has_no_siblings():
    seat = Seat(0, Target("falkordb", options=(("port", "6379"),)), "4.16.3", "falkordb")
    assert siblings.siblings(seat, "4.16.3") == ()
