"""Triage with a real SQLite that is told to be wrong: confirm, reduce, name; and what becomes of what can't be."""

import msgspec
import pytest

from gainsay.campaign import config, events
from gainsay.campaign.episode import Stage
from gainsay.campaign.recorder import Recorder
from gainsay.core import alone
from gainsay.core.answer import Died, Refused, Rows
from gainsay.core.model import Case, CaseName, Seat, Target
from gainsay.errors import EnvironmentProblem
from gainsay.families.sql.language import ir
from gainsay.oracles import sql_writes
from gainsay.triage import telling, worker
from gainsay.triage.job import Job, Replay
from gainsay.triage.span import Siblings
from gainsay.triage.worker import Triage
from sql_cases import FROM_T0, ONE, T0, ZERO, insert, norec, op, table
from wrong_sqlite import Wrong, filtered, losing

SEAT = Seat(0, Target("sqlite"), "3.40.1", "sqlite")
SCENE = ir.Scene(
    (
        table("t0", ir.Column("c0", "INT"), "c1"),
        table("t1", "c0"),
        insert("t0", "c0 c1", (ONE, ZERO), (ir.NULL, ONE)),
        ir.CreateIndex("i0", "t0", (ir.IndexKey(ir.Col("", "c0")),)),
    )
)
BETWEEN = op("and", op("between", T0, ZERO, op("+", ONE, ONE)), op("is not null", T0))
LABEL = "filtered rows"


class Played(Triage):
    """Its players are wrong in one way; how they are asked for is kept."""

    def __init__(self, job, fault, siblings=None):
        super().__init__(job, siblings)
        self.fault, self.hosted = fault, []

    def players(self, hosted):
        self.hosted.append(hosted)
        return [Wrong(s, self.fault) for s in self.group.seats]


def job(recipe=None, claim=LABEL, scene=SCENE, siblings=(), **more):
    recipe = norec(BETWEEN, items=(T0,)) if recipe is None else recipe
    case = Case("sql", "norec", scene, recipe, (SEAT,), claim)
    raw = events.Raw(CaseName("sqlite", 3, "norec", 5), claim, case=msgspec.to_builtins(case))
    for name in ("before", "detail"):
        if name in more:
            setattr(raw, name, more.pop(name))
    group = config.Group("sqlite", "sql", (SEAT,), ("norec",), siblings=siblings, installed="3.40.1")
    return Job(raw, 7, group, {}, "", False, 0, **more)


def test_a_contradiction_is_confirmed_and_reduced_to_what_is_needed_for_it():
    found = Played(job(), losing("BETWEEN")).run()
    assert (found.status, found.unreduced, found.kind, found.claim) == ("confirmed", False, "logic", "as evaluated")
    assert found.setup == () and found.texts == {"query": "SELECT 0 WHERE 0 BETWEEN 0 AND 0"}
    assert found.left == () and len(found.right) == 1
    assert found.signature == "sqlite: logic: condition" and found.id.startswith("sqlite-reference-")


def test_a_contradiction_that_our_semantics_can_not_judge_stays_with_its_oracle():
    found = Played(job(norec(ir.RawExpr("t0.c0 BETWEEN 0 AND 2"), items=(T0,))), losing("BETWEEN")).run()
    assert found.claim == LABEL and found.id.startswith("sqlite-norec-")
    assert set(found.texts) == {"optimized", "unoptimized"}


def test_a_finding_can_be_held_again_from_what_it_keeps():
    found = Played(job(), losing("BETWEEN")).run()
    case = events.read_case(found.case)
    again = events.Raw(found.name, found.claim, case=msgspec.to_builtins(case))
    assert Played(msgspec.structs.replace(job(), raw=again), losing("BETWEEN")).run() == found
    assert (found.seed, found.name) == (7, CaseName("sqlite", 3, "norec", 5))


def test_it_is_reduced_in_this_process_and_confirmed_in_another():
    made = Played(job(), losing("BETWEEN"))
    made.run()
    assert made.hosted == [False, True]


@pytest.mark.parametrize("claim", ["crash", "hang", "memory"])
def test_what_may_end_this_process_is_looked_at_from_outside(claim):
    assert Triage(job(claim=claim)).is_hosted and not Triage(job()).is_hosted


def test_what_is_not_seen_again_is_no_finding():
    settled = Played(job(), lambda text, answer, asked: answer).run()
    assert isinstance(settled, events.Settled) and settled.finding == ""
    assert settled.note.startswith("not seen again") and settled.claim == LABEL


def test_what_is_wrong_now_and_then_is_flaky_and_not_reduced():
    seen = []

    def now_and_then(text, answer, asked):
        if "BETWEEN" in filtered(text):
            seen.append(text)
            return Rows([]) if len(seen) == 2 else answer  # right at first, wrong the second time
        return answer

    found = Played(job(), now_and_then).run()
    assert (found.status, found.unreduced) == ("flaky", True)
    assert len(found.setup) == len(SCENE.statements), "nothing was cut off"


def test_what_is_wrong_only_after_something_else_is_told_with_the_least_that_must_come_before():
    def stateful(text, answer, asked):
        return Rows([]) if "BETWEEN" in filtered(text) and "SELECT 'two'" in asked else answer

    before = tuple((0, f"SELECT '{word}'") for word in ("one", "two", "three", "four"))
    found = Played(job(before=before), stateful).run()
    assert (found.status, found.before, found.unreduced) == ("stateful", ((0, "SELECT 'two'"),), True)


def test_an_internal_error_is_told_as_one_question_and_named_by_its_own_words():
    def breaking(text, answer, asked):
        return Refused("internal", "broken invariant 42 in 'x'") if "BETWEEN" in text else answer

    found = Played(job(claim="internal-error", detail="broken invariant 7 in 'y'"), breaking).run()
    assert found.signature == "sqlite: internal-error: broken invariant _ in _"
    assert found.called() == """sqlite: internal-error: comparison: "broken invariant 42 in 'x'\""""
    assert found.oracle == "alone" and list(found.texts) == ["question"]
    assert found.texts["question"] == "SELECT (0 BETWEEN 0 AND 0)" and found.setup == ()


@pytest.mark.parametrize(("broken", "words"), [(("SUM(", "MAX("), "aggregate"), (("SUM(",), "aggregate sum")])
def test_the_title_of_an_internal_error_names_what_can_not_be_exchanged_and_then_the_words(broken, words):
    def breaking(text, answer, asked):
        return Refused("internal", "broken") if any(sign in text.upper() for sign in broken) else answer

    asked = alone.Recipe(ir.Select((ir.Agg("sum", T0),), FROM_T0))
    case = Case("sql", "alone", SCENE, asked, (SEAT,), "internal-error")
    made = job(claim="internal-error", detail="broken")
    made.raw.case = msgspec.to_builtins(case)
    assert Played(made, breaking).run().called() == f'sqlite: internal-error: {words}: "broken"'


def test_a_wrong_statement_is_told_by_itself_and_its_title_says_what_it_is():
    """What takes it back, and a look at the table before, are left out of a reduced case."""

    def losing_a_telling(text, answer, asked):
        return Rows([]) if "RETURNING" in text else answer

    removed = sql_writes.Recipe(ir.Delete("t0"), (ir.Col("", "c0"),), is_undone=True)
    made = job(claim=sql_writes.RETURNED)
    made.raw.case = msgspec.to_builtins(Case("sql", "writes", SCENE, removed, (SEAT,), sql_writes.RETURNED))
    found = Played(made, losing_a_telling).run()
    assert found.called() == "sqlite: logic: delete, returning" and found.signature == "sqlite: logic: returning"
    assert found.texts == {"statement": "DELETE FROM t0 RETURNING 0"} and len(found.setup) == 2


def test_the_title_of_what_could_not_be_reduced_is_what_the_engine_said():
    def breaking(text, answer, asked):
        return Refused("internal", "broken") if "BETWEEN" in text else answer

    made = msgspec.structs.replace(job(claim="internal-error", detail="broken"), budget=1)
    found = Played(made, breaking).run()
    assert (found.unreduced, found.called()) == (True, "sqlite: internal-error: broken")


def test_another_internal_error_is_another_bug_and_not_shrunk_to():
    def breaking(text, answer, asked):
        if "BETWEEN" not in text:
            return answer
        return Refused("internal", "first" if "IS NOT NULL" in text else "second")

    found = Played(job(claim="internal-error", detail="first"), breaking).run()
    assert found.detail == "first" and "IS NOT NULL" in found.texts["question"]


def test_a_death_is_told_with_the_signal_and_what_was_printed():
    def dying(text, answer, asked):
        return Died("crash", "SIGSEGV", "Assertion `x' failed") if "BETWEEN" in text else answer

    found = Played(job(claim="crash"), dying).run()
    assert (found.kind, found.words) == ("crash", "the engine must not crash")
    assert found.detail == "SIGSEGV\nAssertion `x' failed" and found.why == telling.UNBROKEN


def test_a_death_has_no_case_and_is_drawn_again_from_its_name(tmp_path, seat_of):
    seat = seat_of("sqlite")
    group = config.Group("sqlite", "sql", (seat,), ("norec", "tlp"))
    player = Wrong(seat, losing("nothing"))
    stage = Stage(group, config.seats_of(group, {}), [player], 7, Recorder(tmp_path / "one"), lambda raw: None)
    scene = stage.laid(2, stage.grow(2))
    recipe = stage.recipes(2, scene, 6)[5]
    stage.close()
    player.close()
    raw = events.Raw(CaseName("sqlite", 2, "tlp", 5), "crash")
    made = Played(Job(raw, 7, group, {}, str(tmp_path / "two"), False, 0), losing("nothing")).case()
    assert (made.scene, made.recipe, made.oracle) == (scene, recipe, "tlp")


# --- siblings ---


class Fixed(Siblings):
    """An older release is free of it as long as a case has a word in it."""

    def __init__(self, group, word):
        super().__init__(group)
        self.word = word

    def span(self, case, like=None):
        return {"3.26.0": "-" if self.word in repr(case.recipe) else "+", "3.40.1": "="}

    def holds(self, case, wanted):
        return all(self.span(case)[version] == state for version, state in wanted.items())


@pytest.mark.parametrize(("word", "is_kept"), [("is not null", True), ("no such word", False)])
def test_a_case_shrinks_only_as_long_as_it_shows_on_the_same_releases(word, is_kept):
    given = job(siblings=("3.26.0", "3.40.1"))
    found = Played(given, losing("BETWEEN"), Fixed(given.group, word)).run()
    assert ("IS NOT NULL" in found.texts["query"]) == is_kept
    assert found.span == {"3.26.0": "-" if is_kept else "+", "3.40.1": "="}


def test_what_only_has_to_be_looked_for_on_siblings_is_not_reduced():
    given = job(siblings=("3.26.0", "3.40.1"))
    given.spanned = (given.raw,)
    (told,) = worker.done(given, Fixed(given.group, "between"))
    assert told == events.Spanned(given.raw.name, LABEL, {"3.26.0": "-", "3.40.1": "="})


# --- known triggers taken out ---


def replayed(fault, shape, condition=BETWEEN):
    given = job(norec(condition, items=(T0,)))
    given.replayed = (Replay(given.raw, {"known": frozenset(shape)}),)
    (told,) = Played(given, fault).replayed()
    return told


def test_what_is_wrong_without_a_known_trigger_is_told_as_what_is_left_of_it():
    told = replayed(losing("IS NOT NULL"), {"comparison"})  # between is one; the other part of the condition is wrong
    assert told.finding == "" and "comparison" not in told.shape and "null test" in told.shape
    left = events.read_case(told.case)
    assert "between" not in repr(left.recipe) and "is not null" in repr(left.recipe)


def test_what_needs_a_known_trigger_is_a_repetition():
    told = replayed(losing("BETWEEN"), {"comparison"})
    assert (told.finding, told.case, told.shape) == ("known", None, ())


def test_a_finding_that_is_not_in_a_contradiction_need_not_be_taken_out():
    told = replayed(losing("BETWEEN"), {"left join"})
    assert told.finding == "" and events.read_case(told.case).recipe == norec(BETWEEN, items=(T0,))


# --- the process's boundary ---


class Lost(Siblings):
    """Nothing can be asked."""

    def __init__(self, group, error):
        super().__init__(group)
        self.error = error

    def span(self, case, like=None):
        raise self.error


def test_an_engine_that_is_gone_leaves_the_contradiction_waiting():
    given = job()
    given.spanned = (given.raw,)
    assert worker.done(given, Lost(given.group, EnvironmentProblem("start it"))) == [events.Gone("start it")]


def test_a_mistake_of_ours_is_told_with_its_traceback():
    given = job()
    given.spanned = (given.raw,)
    (told,) = worker.done(given, Lost(given.group, ZeroDivisionError()))
    assert isinstance(told, events.Trouble) and "ZeroDivisionError" in told.traceback
    assert told.where == f"triage of {given.raw.name}"
