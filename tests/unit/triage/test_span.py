"""Causes are told apart by the releases on which a contradiction shows: nothing is taken for a repetition that shows
elsewhere."""

import pytest

from cypher_standin import Fault, Standin, graph, query, seats
from gainsay.campaign import config, conversation, describing, events, siblings
from gainsay.campaign.config import Group
from gainsay.campaign.ledger import Ledger
from gainsay.campaign.seating import HostedPlayer
from gainsay.core.model import Case, CaseName, Seat, Seats, Target
from gainsay.errors import UsageError
from gainsay.families.sql.language import ir
from gainsay.oracles import sql_reference
from gainsay.oracles.cypher_reference import CLAIM, Recipe
from gainsay.triage.holding import Holding
from gainsay.triage.job import Job
from gainsay.triage.span import Siblings
from gainsay.triage.worker import Triage

RELEASES = ("3.26.0", "3.28.0", "3.29.0", "3.30.1", "3.31.1")


def span(states):
    return dict(zip(RELEASES, states[0] + "=" + states[1:], strict=True))


def finding(number, states, shape=("comparison", "left join")):
    return events.Finding(
        id="sqlite-norec-1", signature="sqlite: logic: condition, outer join", kind="logic", status="confirmed",
        family="sql", oracle="norec",
        engine="sqlite", version="3.28.0", claim="filtered rows", words="", why="", seed=1,
        name=CaseName("sqlite", number, "norec", 1), case={},
        setup=(), texts={}, answers={}, shape=shape, bucket=("condition", "outer join"), span=span(states),
        apart=(f"sqlite-norec-{states}", f"sqlite: logic: condition, outer join ({states})"),
    )  # fmt: skip


def raw(number, ledger, states=None):
    """A contradiction that looks like the findings; `states`: on which releases it shows."""
    made = events.Raw(
        CaseName("sqlite", number, "norec", 1),
        "filtered rows",
        ("comparison", "index", "left join"),
        {},
        text="SELECT 1",
    )
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


def test_where_it_shows_again_far_from_the_target_tells_nothing(ledger):
    """Another bug shows there, with the same question."""
    assert ledger.repeats_of(raw(1, ledger, "++-+"))
    _, is_new = ledger.found(finding(2, "++-+"))
    assert not is_new


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
    assert siblings.told(span(states)) == told


def test_siblings_are_the_releases_in_the_cache_around_the_target(tmp_path, monkeypatch):
    monkeypatch.setenv("GAINSAY_CACHE", str(tmp_path))
    for name in ("3.9.0", "3.26.0", "3.28.0", "3.31.1", "3.31.1.lock", "half-made"):
        (tmp_path / "engines" / "sqlite" / name).mkdir(parents=True)
    seat = Seat(0, Target("sqlite", "3.28.0"), "3.28.0", "sqlite")
    assert siblings.at_hand(seat, "3.40.1") == ("3.9.0", "3.26.0", "3.28.0", "3.31.1", "3.40.1")
    assert siblings.target_of(seat, "3.40.1", "3.40.1") == Target("sqlite")
    assert siblings.target_of(seat, "3.26.0", "3.40.1") == Target("sqlite", "3.26.0")


BUILDS = [
    Target("sqlite", "3.26.0"),
    Target("sqlite", options=(("lib", "/builds/b2.so"),)),
    Target("sqlite", "3.28.0"),
    Target("sqlite"),
]
SEAT = Seat(0, Target("sqlite", "3.28.0"), "3.28.0", "sqlite")


def test_a_user_names_builds_as_siblings_in_their_order():
    named = siblings.chosen(SEAT, "3.40.1", BUILDS)
    assert named == ("3.26.0", "sqlite?lib=/builds/b2.so", "3.28.0", "3.40.1")
    assert [siblings.target_of(SEAT, name, "3.40.1") for name in named] == BUILDS
    assert siblings.told(dict(zip(named, "-+=-", strict=True))) == "sqlite?lib=/builds/b2.so to 3.28.0"


@pytest.mark.parametrize(
    "wrong",
    [
        BUILDS[:2],
        [*BUILDS, BUILDS[0]],
        [*BUILDS, Target("duckdb")],
        [*BUILDS[1:], Target("sqlite", "3.26.0", ("small",))],
    ],
)
def test_siblings_are_of_one_engine_and_the_target_is_among_them(wrong):
    with pytest.raises(UsageError, match="--sibling"):
        siblings.chosen(SEAT, "3.40.1", wrong)


WRONG, OTHERWISE = Fault(rows=lambda rows, q: [*rows, *rows]), Fault(rows=lambda rows, q: [])


@pytest.mark.parametrize(
    ("fault", "state"), [(WRONG, "+"), (OTHERWISE, "?"), (Fault(), "-")], ids=["the same", "another", "the right one"]
)
def test_a_release_with_another_wrong_answer_tells_nothing(fault, state):
    seated = seats()
    case = Case(
        "cypher",
        "reference",
        graph("CREATE (a:A {id: 0})"),
        Recipe(query("MATCH (n) RETURN 1 AS x")),
        seated.seats,
        CLAIM,
    )
    (like,) = conversation.hold(case, [Standin((), WRONG)], Seats(seated.seats))
    group = Group("neo4j", "cypher", seated.seats, ("reference",), siblings=("1",))
    made = Siblings(group, lambda name: Standin((), fault))
    assert made.span(case, like=like) == {"1": state}
    assert made.span(case) == {"1": state.replace("?", "+")}, "of a case that is not small yet, any wrong answer counts"


def test_a_server_of_the_users_has_no_siblings():
    seat = Seat(0, Target("falkordb", options=(("port", "6379"),)), "4.16.3", "falkordb")
    assert siblings.at_hand(seat, "4.16.3") == ()


@pytest.mark.parametrize(
    ("states", "kept"),
    [
        ("++--", {"3.29.0": "+", "3.30.1": "-"}),
        ("-+--", {"3.26.0": "-", "3.29.0": "+", "3.30.1": "-"}),
        ("+?+-", {"3.30.1": "+", "3.31.1": "-"}),
        ("+---", {"3.29.0": "-"}),
        ("++++", {"3.31.1": "+"}),
        ("-++-", {"3.26.0": "-", "3.30.1": "+", "3.31.1": "-"}),
    ],
)
def test_a_case_shrinks_within_its_own_releases(states, kept):
    assert siblings.bounds(span(states)) == kept


class Held:
    """Siblings on which everything shows as it is told."""

    def __init__(self, states):
        self.states, self.wanted = span(states), []

    def span(self, case):
        return self.states

    def holds(self, case, wanted):
        self.wanted.append(dict(wanted))
        return wanted == {"3.29.0": "+", "3.30.1": "-"}


def triage(apart=None, looked=None):
    seat = Seat(0, Target("sqlite", "3.28.0"), "3.28.0", "sqlite")
    group = config.Group("sqlite@3.28.0", "sql", (seat,), ("norec",), siblings=RELEASES)
    one = events.Raw(CaseName("sqlite", 1, "norec", 1), "filtered rows", (), {}, text="SELECT 1")
    job = Job(one, 1, group, {}, "", False, 0, span=looked or {}, apart=apart or {})
    return Triage(job, Held("++--"))


def case(family="sql"):
    return Case(family, "norec", None, None, (), "filtered rows")


def test_also_the_first_of_its_shape_is_kept_to_its_releases():
    assert triage()._bounds(case()) == {"3.29.0": "+", "3.30.1": "-"}
    assert triage(looked=span("+---"))._bounds(case()) == {"3.29.0": "-"}


def test_where_a_known_finding_explains_a_part_only_the_rest_must_still_show():
    assert triage(apart={"3.26.0": "+"})._bounds(case()) == {"3.26.0": "+", "3.30.1": "-"}


@pytest.mark.parametrize("family", ["cypher", "datalog", "smt"])
def test_a_case_of_a_family_that_does_not_shrink_in_its_span_may_become_any_smaller_one(family):
    assert triage(apart={"3.26.0": "+"})._bounds(case(family)) == {}


def test_a_smaller_case_that_shows_on_other_releases_is_not_taken(monkeypatch):
    shown = conversation.Contradiction("filtered rows", None, {}, {})
    monkeypatch.setattr(conversation, "hold", lambda *_: [shown])
    one = triage()
    one.kept = {"3.29.0": "+", "3.30.1": "-"}
    assert one._is_still(case(), Holding(one.group, []))
    one.kept = {"3.29.0": "-"}
    assert not one._is_still(case(), Holding(one.group, []))


class Documented(HostedPlayer):
    """A release whose manual says something else."""

    def __init__(self, facts):
        super().__init__(Target("sqlite"))
        self.facts = facts

    def describe(self):
        return "3.40.1", (), {name: (value, "the manual") for name, value in self.facts.items()}


@pytest.mark.parametrize(("is_true", "state"), [(True, "-"), (False, "+")])
def test_a_release_is_judged_by_what_it_documents_itself(is_true, state):
    """A build may leave LIKE on blobs out, as its options say: that is no contradiction there."""
    facts = dict(describing.describe(Target("sqlite")).facts)
    fact = facts["like-blob"] if is_true else ({"as text", "never"} - {facts["like-blob"]}).pop()
    seat = Seat(0, Target("sqlite"), "3.28.0", "sqlite", (), frozenset(), (("like-blob", "as text"),))
    group = Group("sqlite", "sql", (seat,), ("reference",), siblings=("3.28.0", "3.40.1"), installed="3.40.1")
    like = ir.Op("like", (ir.Lit("blob", "x'61'"), ir.Lit("text", "'a'")))
    case = Case("sql", "reference", ir.Scene(()), sql_reference.Recipe(ir.Select((like,))), (seat,), "as evaluated")
    found = Siblings(group, lambda name: Documented({"like-blob": fact}))
    try:
        assert found.span(case)["3.40.1"] == state
    finally:
        found.close()
