"""Two findings are one cause if they show on the same releases and the condition of one is wrong in the other's
place."""

import msgspec
import pytest

from gainsay.campaign import conversation, events
from gainsay.campaign.config import Group
from gainsay.core import registry
from gainsay.core.answer import Rows
from gainsay.core.model import Case, CaseName, Seat, Seats, Target
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.reducing import swap
from gainsay.oracles import sql_norec, sql_tlp
from gainsay.triage.job import Job, Known
from gainsay.triage.span import Siblings
from gainsay.triage.worker import Triage
from wrong_sqlite import Wrong, filtered

T0, T1 = ir.Col("t0", "c0"), ir.Col("t1", "c0")
SCENE = ir.Scene(
    (ir.CreateTable("t0", (ir.Column("c0"),)), ir.Insert("t0", ("c0",), (ir.Values((ir.Lit("int", "1"),)),)))
)
JOINED = ir.Scene((*SCENE.statements, ir.CreateTable("t1", (ir.Column("c0"), ir.Column("c1")))))


def norec(condition, *source):
    return sql_norec.Recipe(ir.Select((ir.NULL,), source or (ir.Join("t0"),), condition))


def text(recipe):
    return dialects.find("sqlite").text(recipe.tested)


def test_columns_are_matched_by_their_places():
    two = norec(ir.Op("=", (T0, ir.Col("a1", "c1"))), ir.Join("t0"), ir.Join("t1", "LEFT JOIN", alias="a1"))
    one = norec(ir.Op("is null", (T0,)))
    assert text(swap.swapped(SCENE, one, JOINED, two)) == "(t0.c0 = t0.c0)"
    assert text(swap.swapped(JOINED, two, SCENE, one)) == "(t0.c0 IS NULL)"


def test_a_condition_goes_from_one_oracle_to_another():
    other = sql_tlp.Recipe(ir.Select((T0,), (ir.Join("t0"),)), ir.Op("is null", (T0,)))
    made = swap.swapped(SCENE, norec(T0), SCENE, other)
    assert isinstance(made, sql_norec.Recipe) and text(made) == "(t0.c0 IS NULL)"


RELEASES = ("3.26.0", "3.28.0", "3.31.1")


def span(states):
    return dict(zip(RELEASES, states, strict=True))


class Spanned(Siblings):
    """Says on which releases a case shows; of all but the first case it is asked about, perhaps something else."""

    def __init__(self, group, span, others=None):
        super().__init__(group)
        self.spans = [span]
        self.others = others or span

    def span(self, case, like=None):
        return self.spans.pop() if self.spans else self.others

    def holds(self, case, wanted):
        return True


class Played(Triage):
    """Asks a real SQLite that is told to be wrong."""

    fault = staticmethod(lambda text, answer, asked: answer)

    def players(self, hosted):
        return [Wrong(s, self.fault) for s in self.group.seats]


class AlwaysWrong(Played):
    """It is wrong about every condition."""

    fault = staticmethod(lambda text, answer, asked: Rows([]) if filtered(text) else answer)


def same_as(triage, shown, others=None):
    """The known finding that a case is taken for."""
    seat = Seat(0, Target("sqlite"), "3.28.0", "sqlite")
    case, other = (
        Case("sql", "norec", SCENE, recipe, (seat,), "filtered rows")
        for recipe in (norec(T0), norec(ir.Op("is null", (T0,))))
    )
    seen = Known("known", msgspec.to_builtins(other), span("+=-"))
    group = Group("sqlite", "sql", (seat,), ("norec",), siblings=RELEASES, is_finely_told=True)
    raw = events.Raw(CaseName("sqlite", 1, "norec", 1), "filtered rows", case=msgspec.to_builtins(case))
    made = triage(Job(raw, 1, group, {}, "", False, 0, known=(seen,)), Spanned(group, shown, others))
    found = conversation.hold(case, AlwaysWrong(made.job, made.siblings).players(True), Seats((seat,)))
    return made.finding(case, found[0], "confirmed", (), False).same_as


@pytest.mark.parametrize(
    ("shown", "same"),
    [(span("+=-"), "known"), (span("-=-"), ""), (span("+=?"), "")],
)
def test_only_findings_that_show_on_the_same_releases_are_tried(shown, same):
    """The engine is wrong about every condition here: what decides is the span."""
    assert same_as(AlwaysWrong, shown) == same


def test_a_case_with_the_others_parts_that_shows_elsewhere_is_a_third_bug():
    assert same_as(AlwaysWrong, span("+=-"), others=span("-=+")) == ""


def test_a_condition_brings_the_tables_that_it_is_made_for():
    view = ir.CreateView("v0", (ir.ViewColumn("c0"),), ir.Select((T0,), (ir.Join("t0"),), distinct=True))
    texts = ir.Scene(
        (
            ir.CreateTable("t0", (ir.Column("c0", "TEXT"),)),
            ir.Insert("t0", ("c0",), (ir.Values((ir.Lit("text", "7"),)),)),
            view,
        )
    )
    over_view = norec(ir.Op("=", (ir.Col("v0", "c0"), ir.Lit("int", "7"))), ir.Join("v0"))
    other = norec(ir.Op("=", (T0, ir.Lit("int", "1"))))
    (plain, first), (moved, second) = swap.swaps(texts, over_view, SCENE, other)
    assert plain == texts and text(first) == text(second) == "(v0.c0 = 1)"
    assert moved == ir.Scene((*SCENE.statements, view))


def test_a_case_in_which_the_other_condition_is_right_is_another_cause():
    """A real and sound SQLite: no condition is wrong there."""
    assert same_as(Played, span("+=-")) == ""


def test_where_all_but_the_condition_is_the_same_a_swap_tells_nothing():
    """Each condition is wrong in the other's place, because that makes it the other case: two bugs in one form of
    query would become one."""
    source = (ir.Join("t0"), ir.Join("t0", "LEFT JOIN", ir.Lit("int", "0"), "a1"))
    seat = Seat(0, Target("sqlite"), "3.28.0", "sqlite")
    column = ir.Col("a1", "c0")
    one, two, elsewhere = (
        Case("sql", "norec", SCENE, recipe, (seat,), "filtered rows")
        for recipe in (
            norec(ir.Op("is null", (column,)), *source),
            norec(ir.Op("row =", (column, T0, T0, T0)), *source),
            norec(ir.Op("is null", (T0,))),
        )
    )
    family = registry.family("sql")
    assert not list(family.swaps(one, two, False))
    assert len(list(family.swaps(one, two, True))) == 2, "unless they show on the same of many builds"
    assert len(list(family.swaps(one, elsewhere, False))) == 2
    assert len(list(family.swaps(one, one, False))) == 2


VIEW = ir.CreateView("v0", (ir.ViewColumn("c0"),), ir.Select((T0,), (ir.Join("t0"),)))
OUTER = ir.Join("t1", "LEFT JOIN", ir.Lit("int", "0"))


def smaller_of(wrong, is_small_known=False):
    """Which finding a LEFT JOIN is taken for where one on a view is known (or the other way round), and no release
    tells anything. `wrong`: in which texts the engine loses rows."""
    seat = Seat(0, Target("sqlite"), "3.28.0", "sqlite")
    small = norec(ir.Op("is null", (T1,)), ir.Join("t0"), OUTER)
    large = norec(ir.Op("is not", (T1, ir.Lit("int", "7"))), ir.Join("v0"), OUTER)
    cases = [
        Case("sql", "norec", scene, recipe, (seat,), "filtered rows")
        for scene, recipe in ((JOINED, small), (ir.Scene((*JOINED.statements, VIEW)), large))
    ]
    new, known = reversed(cases) if is_small_known else cases
    family = registry.family("sql")
    bucket = tuple(sorted(family.bucket(family.shape(known.scene, known.recipe))))
    group = Group("sqlite", "sql", (seat,), ("norec",))
    raw = events.Raw(CaseName("sqlite", 1, "norec", 1), "filtered rows", case=msgspec.to_builtins(new))
    job = Job(raw, 1, group, {}, "", False, 0, known=(Known("known", msgspec.to_builtins(known), {}, bucket),))
    made = type("Wronged", (Played,), {"fault": staticmethod(lambda t, a, _: Rows([]) if wrong(t) else a)})(job)
    found = conversation.hold(new, made.players(True), Seats((seat,)))
    return made.finding(new, found[0], "confirmed", (), False).same_as


def is_joined(text):
    return "LEFT JOIN" in text and bool(filtered(text))


def test_where_what_stands_around_a_known_finding_does_not_matter_it_is_one_with_the_smaller_one():
    assert smaller_of(is_joined) == "known"


def test_where_it_does_matter_they_are_two():
    """The known condition is wrong on a view only, another one without a view."""
    assert smaller_of(lambda text: is_joined(text) and ("v0" in text or "ISNULL" in text or "IS NULL" in text)) == ""


def test_a_larger_case_is_not_tried_in_the_place_of_a_smaller_one():
    """That it has more around it says the ledger by itself."""
    assert smaller_of(is_joined, is_small_known=True) == ""
