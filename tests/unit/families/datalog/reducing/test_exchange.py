"""A title of a Datalog finding names what can't be exchanged, and one cause on two sets of facts is one finding."""

import pytest

from datalog_standin import read
from gainsay.campaign import config, events
from gainsay.core import registry
from gainsay.core.answer import Rows
from gainsay.core.model import Case, CaseName, Seat, Target
from gainsay.families.datalog.language import ops
from gainsay.oracles.datalog_reference import CLAIM, Recipe
from gainsay.triage.job import Job, Known
from gainsay.triage.worker import Triage
from wrong_sqlite import Wrong

FAMILY = registry.family("datalog")
SEAT = Seat(0, Target("clingo"), "5.8.2", "clingo")


def case(spec, text, **more):
    scene, rules = read(spec, text, **more)
    return Case("datalog", "reference", scene, Recipe(rules), (SEAT,), CLAIM)


def tried(made):
    return {(name, ops.group(new)) for name, _, pair in FAMILY.exchanges(made) for new in said(pair)}


def said(pair):
    text = repr(pair)
    return [word for word in ("add:number", "sub:number", "mul:number", "'min'", "'max'", "'sum'") if word in text]


ADDED = case("a/1 p/1", "a(1). a(2). p(x + 1) :- a(x).")


def test_a_functor_is_exchanged_for_others_of_its_types_that_the_dialect_has():
    found = [name for name, _, _ in FAMILY.exchanges(ADDED)]
    assert set(found) == {"functor add"} and ("functor add", "sub") in tried(ADDED)
    assert all("bor" not in repr(pair) for _, _, pair in FAMILY.exchanges(ADDED)), "clingo has no word for it"


def test_a_mark_a_comparison_and_a_pragma_can_be_done_without():
    marked = case("a/1 p/1:inline q/1", "a(1). a(2). p(x) :- a(x), x < 2. q(x) :- p(x).")
    assert {"inline", "order"} <= {name for name, _, _ in FAMILY.exchanges(marked)}


def test_an_exchange_that_leaves_nothing_to_be_answered_says_nothing():
    empty = case("a/1 p/1", "a(1). p(x) :- a(x), x < 2.")
    assert [n for n, _, (_, r) in FAMILY.exchanges(empty) if "!=" in repr(r)] == ["order"], "1 is not 2"
    none = case("a/1 p/1", "a(2). p(x) :- a(x), x <= 2.")
    assert not [n for n, _, (_, r) in FAMILY.exchanges(none) if "!=" in repr(r)], "nothing follows then"


@pytest.mark.parametrize(
    ("bucket", "spared", "needed", "title"),
    [
        ({"functor add"}, set(), {"functor add"}, {"functor add"}),
        ({"functor add", "float"}, {"functor add"}, set(), {"functor", "float"}),
        ({"aggregate sum", "recursion"}, {"aggregate sum"}, set(), {"aggregate", "recursion"}),
        ({"inline", "magic"}, {"inline"}, {"magic"}, {"magic"}),
        ({"recursion"}, set(), {"functor add", "order"}, {"recursion", "functor add"}),
        ({"order"}, {"order"}, set(), {"order"}),
        ({"functor", "functor add", "constant", "join"}, set(), {"functor add"}, {"functor add"}),
        ({"functor", "functor add", "recursion"}, {"functor add"}, set(), {"functor", "recursion"}),
        ({"constant", "join"}, set(), set(), {"constant", "join"}),
    ],
)
def test_a_title_names_what_is_needed(bucket, spared, needed, title):
    assert FAMILY.titled(None, frozenset(bucket), frozenset(spared), frozenset(needed)) == title


class Lying(Triage):
    """clingo, which loses all tuples of programs with one of some signs."""

    def __init__(self, job, signs):
        super().__init__(job)
        self.signs = signs

    def players(self, hosted):
        def fault(text, answer, asked):
            return Rows([]) if any(sign in text for sign in self.signs) else answer

        return [Wrong(s, fault) for s in self.group.seats]


def triage(made, signs, known=()):
    raw = events.Raw(CaseName("clingo", 1, "reference", 1), CLAIM, case=events.msgspec.to_builtins(made))
    group = config.Group("clingo", "datalog", (SEAT,), ("reference",))
    return Lying(Job(raw, 1, group, {}, "", False, 0, known=known), signs).run()


@pytest.mark.parametrize(("signs", "part"), [(("+",), "functor add"), (("+", " - ", "*", "|"), "functor")])
def test_the_title_of_a_finding_changes_where_any_functor_will_do(signs, part):
    found = triage(ADDED, signs)
    assert found.status == "confirmed" and (found.title or found.signature).split(": ")[-1] == part


def test_a_known_cause_on_other_facts_is_the_same_finding():
    first = triage(ADDED, ("+",))
    known = Known("clingo-reference-1", first.case, {}, first.bucket)
    again = triage(case("a/1 p/1", "a(7). a(9). p(x + x) :- a(x)."), ("+",), (known,))
    assert again.same_as == "clingo-reference-1" or again.signature == first.signature
    other = case("a/1 p/1", "a(1). p(x) :- a(x).")
    assert not list(FAMILY.swaps(other, ADDED, False)), "neither has mere surroundings besides the other"
