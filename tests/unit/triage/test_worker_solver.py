"""A solver that breaks: told as the one script over which it does, without a trace of the oracle that asked."""

import msgspec
import pytest

from gainsay.campaign import config, events
from gainsay.core.answer import Died, Refused
from gainsay.core.model import Case, CaseName, Seat, Target
from gainsay.families.smt.language.ir import Built, Decl, Fragment, Instance, Scene, Term
from gainsay.oracles.smt_consistency import Recipe
from gainsay.triage.job import Job
from gainsay.triage.worker import Triage
from wrong_sqlite import Wrong

SEAT = Seat(0, Target("z3"), "0", "smtlib")
X, ONE = Term("x", (), "Int"), Term("1", (), "Int")
DIVIDED = Term(">", (Term("div", (Term("+", (X, ONE), "Int"), X), "Int"), Term("0", (), "Int")))
POSITIVE = Term(">", (X, ONE))
PLAIN = Scene("QF_NIA", (Decl("x", "Int"), Decl("y", "Int")))
POOLS = Scene(
    "QF_NIA",
    (Decl("x", "Int"), Decl("y", "Int")),
    pool=(Fragment("(> (div (+ x y) x) 0)", True), Fragment("(> x 1)", True), Fragment("(< y 7)", True)),
    built=(Built(0, 1), Built(2)),
    is_loaded=True,
)


class Breaking(Triage):
    """Its solver is a real one, and breaks over some scripts."""

    def __init__(self, job, breaks, answer):
        super().__init__(job)
        self.breaks, self.answer = breaks, answer

    def players(self, hosted):
        return [Wrong(s, self.said) for s in self.group.seats]

    def said(self, text, answer, asked):
        """It breaks when it is asked, over all that it was told since it was emptied."""
        told = "\n".join([*asked, text]).rpartition("(reset)")[2]
        return self.answer if "(check-sat" in text and self.breaks(told) else answer


def looked_at(oracle, scene, recipe, breaks, answer=None, claim="crash"):
    case = Case("smt", oracle, scene, recipe, (SEAT,), claim)
    raw = events.Raw(CaseName("z3", 3, oracle, 5), claim, case=msgspec.to_builtins(case), detail="broken invariant 7")
    group = config.Group("z3", "smt", (SEAT,), (oracle,))
    answer = answer or Died("crash", "SIGSEGV", "")
    return Breaking(Job(raw, 7, group, {}, "", False, 0), breaks, answer).run()


@pytest.mark.parametrize(
    ("oracle", "scene", "recipe"),
    [
        ("storm", POOLS, Instance((0, 1, 2, 3))),
        ("storm", POOLS, Instance((0, 1, 2, 3), mode="resident")),
        ("storm", POOLS, Instance((0, 1, 2), (), ("push", "check", ""), "incremental")),
        ("consistency", PLAIN, Recipe((DIVIDED, POSITIVE), ("incremental", "core"))),
        ("consistency", PLAIN, Recipe((DIVIDED, POSITIVE), ("assuming",))),
        ("model", PLAIN, Instance((), (DIVIDED, POSITIVE), (), "one-shot", "", True)),
    ],
    ids=["whole", "resident", "incremental", "consistency", "assumed", "model"],
)
def test_a_crash_is_told_as_the_smallest_script_whichever_oracle_met_it(oracle, scene, recipe):
    found = looked_at(oracle, scene, recipe, lambda text: "(div " in text)
    assert (found.oracle, found.kind, found.status) == ("alone", "crash", "confirmed")
    assert list(found.texts) == ["question"]
    lines = found.texts["question"].splitlines()
    assert [line for line in lines if line.startswith("(declare")] == ["(declare-fun x () Int)"]
    (asserted,) = [line for line in lines if line.startswith("(assert")]
    assert "(div x x)" in asserted and lines[-1] == "(check-sat)" and len(lines) == 3
    assert found.signature == "z3: crash: SIGSEGV, division" and found.id.startswith("z3-crash-")


def test_an_internal_error_of_one_cause_is_one_finding_of_all_oracles():
    said = Refused("internal", "broken invariant 42")
    names = {
        looked_at(oracle, PLAIN, recipe, lambda text: "(div " in text, said, "internal-error").signature
        for oracle, recipe in (
            ("consistency", Recipe((DIVIDED, POSITIVE), ("reordered",))),
            ("model", Instance((), (DIVIDED,), (), "one-shot", "", True)),
        )
    }
    assert names == {"z3: internal-error: broken invariant _"}


def test_commands_over_which_a_solver_breaks_stay_and_the_others_go():
    recipe = Recipe((DIVIDED, POSITIVE), ("core",))
    found = looked_at("consistency", PLAIN, recipe, lambda text: "(get-unsat-core)" in text and "(> x 1)" in text)
    assert found.oracle == "alone" and "get-unsat-core" in found.texts["question"]
    assert "(div " not in found.texts["question"] and "set-option" not in found.texts["question"]


def test_a_tactic_over_which_a_solver_breaks_is_asked_for():
    recipe = Recipe((DIVIDED, POSITIVE), ("tactic",))
    found = looked_at("consistency", PLAIN, recipe, lambda text: "check-sat-using" in text and "(div " in text)
    assert found.oracle == "alone" and found.texts["question"].count("(assert") == 1
    assert found.texts["question"].endswith("(check-sat-using (then simplify propagate-values solve-eqs smt))")
