"""A reproducer says what the judge says: of every rule, relation and fold, and of any values."""

import contextlib
import datetime
import decimal
import io
import math
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainsay.campaign.events import Finding
from gainsay.core import judge as judges
from gainsay.core import values
from gainsay.core.answer import Decision, GaveUp, Rows
from gainsay.core.claim import Claim, Fold, Relation, Side, Verdict, judge
from gainsay.core.model import CaseName, Seat, Target
from gainsay.report import repro
from gainsay.triage.telling import shown, stated

RULES = (values.EXACT, values.NUMBER, values.CLOSE, values.GROUP, values.GRAPH, values.GRAPH_BAGS)
NUMBERS = [
    0,
    1,
    -1,
    2**53,
    2**53 + 1,
    0.0,
    -0.0,
    1.0,
    1.000000004,
    1.0 + 1e-12,
    0.1 + 0.2,
    0.3,
    math.nan,
    math.inf,
    -math.inf,
    True,
    False,
]
OTHERS = [
    None,
    "",
    "a",
    "A",
    "a ",
    "1",
    b"",
    b"a",
    decimal.Decimal("1.0"),
    decimal.Decimal("0.1"),
    datetime.date(2020, 1, 2),
]
NESTED = [[1, 2], [2, 1], [1.0, 2], {"a": 1}, {"a": 1.0, "b": None}, []]
VERDICTS = {Verdict.CONTRADICTED: 1, Verdict.HOLDS: 0, Verdict.UNDECIDABLE: 2}


def finding(claim, answers, texts):
    """As triage makes one, on one seat."""
    return Finding(
        id="x-1", signature="x: logic", kind="logic", status="confirmed", family="sql", oracle="norec",
        engine="sqlite", version="3", claim="c",
        words=claim.words(), why=claim.why, seed=1, name=CaseName("sqlite", 1, "norec", 1), case={}, setup=(),
        texts=texts,
        answers={k: shown(a) for k, a in answers.items()}, sides=stated(claim),
    )  # fmt: skip


def exit_code(made, opening, monkeypatch):
    """How repro.py ends, where `opening` stands for the engine."""
    monkeypatch.setattr(repro, "blamed_seat", lambda finding: Seat(0, Target("sqlite"), "3", "sqlite"))
    monkeypatch.setattr("gainsay.engines.sqlite.SQLite.repro", lambda *_: opening)
    script = repro.python(made)
    hidden = io.StringIO()
    with pytest.raises(SystemExit) as ended, contextlib.redirect_stdout(hidden), contextlib.redirect_stderr(hidden):
        exec(compile(script.replace("sys.excepthook = undecided", ""), "repro.py", "exec"), {"__name__": "__main__"})
    return ended.value.code


def decided(claim, answers, read, monkeypatch):
    """What the judge says, and how the script of the same claim and answers ends."""
    texts = {label: f"question {label}" for label in answers}
    said = {texts[label]: [list(row) for row in answer.rows] for label, answer in answers.items()}
    literal = repr(said)
    opening = f"VERSION = 'none'\nSAID = {literal}\ndef ask(text):\n    return {read}\n"
    return judge(claim, answers), exit_code(finding(claim, answers, texts), opening, monkeypatch)


def rows(width=1):
    value = st.sampled_from([*NUMBERS, *OTHERS, *NESTED])
    return st.lists(st.tuples(*[value] * width), max_size=4)


@st.composite
def two_answers(draw):
    """Rows, and other ones or the same: two answers that were drawn apart hardly ever agree, but for empty ones."""
    left = draw(rows())
    return left, draw(st.one_of(rows(), st.permutations(left), st.just(left[1:]), st.just(left[:2])))


def test_every_relation_has_its_law():
    """A relation of rows is judged under each rule; one of verdicts by the answers that a solver may give."""
    assert set(judges.RELATIONS) | set(judges.DECISIONS) == {relation.value for relation in Relation}
    assert set(judges.DECISIONS) == set(SOLVED)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("relation", list(judges.RELATIONS))
def test_a_reproducer_judges_rows_as_the_judge_does(rule, relation):
    seen = Counter()

    @settings(max_examples=25, deadline=None, derandomize=True)
    @given(two_answers(), st.booleans())
    def law(both, is_known):
        left, right = both
        side = Side(value=tuple(right)) if is_known else Side(("b",))
        answers = {"a": Rows(left)} | ({} if is_known else {"b": Rows(right)})
        with pytest.MonkeyPatch.context() as patch:
            verdict, code = decided(
                Claim("c", Side(("a",)), Relation(relation), side, "because", rule),
                answers,
                "[tuple(r) for r in SAID[text]]",
                patch,
            )
        assert code == VERDICTS[verdict]
        seen[verdict] += bool(left or right)

    law()
    assert seen[Verdict.HOLDS] and seen[Verdict.CONTRADICTED], seen


@pytest.mark.parametrize("fold", [Fold(name) for name in judges.FOLDS])
def test_a_reproducer_folds_answers_as_the_judge_does(fold):
    numeric = fold in (Fold.SUM, Fold.TOTAL)
    value = (
        st.one_of(st.none(), st.integers(-3, 3), st.just(0.5))
        if numeric
        else st.sampled_from([None, 0, 1, -1, 0.5, True, False, "a", "B", b"a"])
    )
    listed = st.lists(st.tuples(value, st.integers(0, 1)), max_size=3)

    @settings(max_examples=60, deadline=None)
    @given(
        listed,
        listed,
        st.lists(st.tuples(value), min_size=1, max_size=2),
        st.sampled_from([values.EXACT, values.CLOSE]),
    )
    def law(one, two, expected, rule):
        claim = Claim(
            "c", Side(("a", "b"), fold), Relation.SAME_BAG, Side(value=tuple(expected)), "because", rule, "left"
        )
        with pytest.MonkeyPatch.context() as patch:
            verdict, code = decided(claim, {"a": Rows(one), "b": Rows(two)}, "[tuple(r) for r in SAID[text]]", patch)
        assert code == VERDICTS[verdict]

    law()


WORDS = ["sat", "unsat", "unknown"]
TRUTHS = {"sat": "true", "unsat": "false", "unknown": "unknown"}
words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)


def said_by(listed):
    """What a solver's adapter makes of verdicts: a lone `unknown` is no decision."""
    return GaveUp("unknown") if listed == ["unknown"] else Decision(" ".join(listed))


@st.composite
def two_verdicts(draw):
    """Verdicts that are compared one by one: on both sides, or with those that are known."""
    fold, is_known = draw(st.sampled_from([Fold.VERDICT, Fold.LAST])), draw(st.booleans())
    one = draw(words)
    two = draw(st.one_of(words, st.just(one)))
    right = Side(value=tuple((word,) for word in two)) if is_known else Side(("b",), fold)
    printed = {"a": one} | ({} if is_known else {"b": two})
    return Claim("c", Side(("a",), fold), Relation.SAME_DECISION, right, "because"), printed


@st.composite
def a_model(draw):
    """A verdict with a model, and what the solver says of the same script under it."""
    under_it = draw(st.sampled_from(WORDS))
    left = Side(("a",), Fold.MODEL, ((TRUTHS[under_it],),))
    claim = Claim("c", left, Relation.SATISFIES, Side(value=(("true",),)), "because")
    return claim, {"a": ["sat"], "under its model": [under_it]}


@st.composite
def any_verdicts(draw):
    """Verdicts of which one must be given, whichever it is."""
    claim = Claim("c", Side(("a",), Fold.VERDICT), Relation.DECIDES, Side(value=(("sat or unsat",),)), "because")
    return claim, {"a": draw(words)}


SOLVED = {Relation.SAME_DECISION: two_verdicts(), Relation.SATISFIES: a_model(), Relation.DECIDES: any_verdicts()}
OF_SMT = "VERSION = 'none'\nSAID = %r\ndef ask(text):\n    return '\\n'.join(SAID.get(text, SAID['under its model']))\n"


def decided_by_solvers(claim, printed, monkeypatch):
    """What the judge says of what solvers printed, and how the script ends that is given the same."""
    answers = {
        label: said_by(listed) for label, listed in printed.items() if label in claim.left.steps + claim.right.steps
    }
    texts = {label: f"(check-sat) ; {label}" for label in answers}
    said = {texts.get(label, label): listed for label, listed in printed.items()}
    made = msgspec.structs.replace(finding(claim, answers, texts), family="smt")
    return judge(claim, answers), exit_code(made, OF_SMT % {"under its model": [], **said}, monkeypatch)


@pytest.mark.parametrize("relation", list(judges.DECISIONS))
def test_a_reproducer_judges_verdicts_as_the_judge_does(relation):
    seen = Counter()

    @settings(max_examples=120, deadline=None, derandomize=True)
    @given(SOLVED[relation])
    def law(drawn):
        claim, printed = drawn
        with pytest.MonkeyPatch.context() as patch:
            verdict, code = decided_by_solvers(claim, printed, patch)
        assert code == VERDICTS[verdict], (claim, printed)
        seen[verdict] += 1

    law()
    assert seen[Verdict.HOLDS] and seen[Verdict.CONTRADICTED], seen


def test_a_solver_that_gives_up_twice_has_not_decided(monkeypatch):
    claim = Claim("c", Side(("a",), Fold.VERDICT), Relation.DECIDES, Side(value=(("sat or unsat",),)), "because")
    assert decided_by_solvers(claim, {"a": ["unknown", "unknown"]}, monkeypatch) == (Verdict.CONTRADICTED, 1)


@pytest.mark.parametrize(
    ("left", "right", "rule"), [(2**53, 2**53 + 1, values.NUMBER), (1.000000004, 1.0, values.CLOSE)]
)
def test_what_the_judge_tells_apart_is_a_bug_for_the_reproducer(left, right, rule, monkeypatch):
    claim = Claim("c", Side(("a",)), Relation.SAME_BAG, Side(value=((right,),)), "because", rule)
    verdict, code = decided(claim, {"a": Rows([(left,)])}, "[tuple(r) for r in SAID[text]]", monkeypatch)
    assert (verdict, code) == (Verdict.CONTRADICTED, 1)
