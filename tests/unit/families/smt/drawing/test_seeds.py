"""Seeds: which files can be used, and how a scene grows from one, with a helper's model, without a helper, and with
one that fails."""

import pytest

from gainsay.core.answer import Decision, GaveUp, Refused
from gainsay.core.draw import Draw
from gainsay.core.model import HELPER
from gainsay.errors import UsageError
from gainsay.families.smt.drawing import seeded, seeds
from gainsay.families.smt.meaning.scene_cache import SceneCache
from gainsay.families.smt.reducing import shrink
from smt_standin import Solver, seats

GOOD = """(set-info :status sat)(set-logic QF_UFLIA)(declare-fun x () Int)(declare-fun p0 () Bool)
(declare-fun f (Int) Int)
(assert (and p0 (> (f x) 3)))(push 1)(assert (or (< x 2) (not p0)))(check-sat)(pop 1)(exit)"""
OPEN = "(set-logic LIA)(declare-fun x () Int)(assert (exists ((y Int)) (> y x)))(assert (> x 1))(check-sat)"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "good.smt2").write_text(GOOD)
    (tmp_path / "bad.smt2").write_text("(set-logic QF_LIA)(assert (< x 1))")
    (tmp_path / "bytes.smt2").write_bytes(b"(set-logic QF_LIA)\xff")
    (tmp_path / "empty.smt2").write_text("(set-logic QF_LIA)(check-sat)")
    (tmp_path / "other.txt").write_text(GOOD)
    return tmp_path


def test_each_file_is_used_or_says_why_not(folder):
    found = {name: why for name, why, _ in seeds.checked(folder)}
    assert found.keys() == {"sub/good.smt2", "bad.smt2", "bytes.smt2", "empty.smt2"}
    assert found["sub/good.smt2"] == ""
    assert (
        found["bytes.smt2"] == "no UTF-8 text"
        and found["empty.smt2"] == "it has no assert"
        and "x" in found["bad.smt2"]
    )


def test_a_seed_is_shown_to_a_solver_as_text_that_it_reads(folder):
    (script,) = [node.text for name, why, node in seeds.checked(folder) if not why]
    solver = Solver("z3")
    try:
        assert solver.verdict(script) == "sat", "nothing is asserted"
    finally:
        solver.close()


def test_a_folder_without_seeds_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no such folder"):
        seeds.files(tmp_path / "nowhere")
    with pytest.raises(UsageError, match=r"no \.smt2 file"):
        seeds.files(tmp_path)


def grown(path, answers, helper="z3 1"):
    """A scene, and the questions that were asked of the helper."""
    growth = seeded.grow(Draw(1), seats().lexicon, seeds.Seed("s", path, 1.0), helper)
    asked = []
    answer = None
    while True:
        try:
            step = growth.send(answer)
        except StopIteration as stop:
            return stop.value, asked
        assert step.seat == HELPER
        asked.append(step)
        answer = answers(step)


def true_everywhere(scene):
    cache = SceneCache(scene)
    return [cache.evaluation.is_true(t) for t in shrink.spread(scene, range(len(scene.pool)))]


MODEL = "((define-fun x () Int 1)(define-fun p0 () Bool true)(define-fun f ((x!0 Int)) Int (ite (= x!0 1) 9 0)))"


def test_the_helpers_model_makes_the_seeds_assertions_true(folder):
    scene, asked = grown(folder / "sub" / "good.smt2", lambda step: Decision("sat", MODEL))
    assert [s.label for s in asked] == ["seed"]
    assert {b.name: b.value for b in scene.model} == {"x": "1", "p0": "true", "f": "0"}
    assert all(true_everywhere(scene)) and len(scene.pool) >= 6
    assert next(f for f in scene.pool if "and" in f.text).value is True
    assert scene.valued_by == "" and scene.seed == "s"


@pytest.mark.parametrize(
    "answer", [GaveUp("timeout"), Refused("script", "no"), Decision("sat", "(nonsense)"), Decision("unknown")], ids=repr
)
def test_without_a_model_values_are_drawn(folder, answer):
    scene, _ = grown(folder / "sub" / "good.smt2", lambda step: answer)
    assert {b.name for b in scene.model} == {"x", "p0", "f"} and all(true_everywhere(scene))


def test_without_a_helper_nothing_is_asked(folder):
    scene, asked = grown(folder / "sub" / "good.smt2", None, "")
    assert asked == [] and all(true_everywhere(scene))


def test_an_unsatisfiable_seed_is_asked_for_a_model_of_its_negation(folder):
    scene, asked = grown(
        folder / "sub" / "good.smt2", lambda step: Decision("unsat") if step.label == "seed" else Decision("sat", MODEL)
    )
    assert [s.label for s in asked] == ["seed", "negation"] and "(not (and" in asked[1].node
    assert all(true_everywhere(scene))


def test_our_names_do_not_clash_with_the_seeds(folder):
    scene, _ = grown(folder / "sub" / "good.smt2", lambda step: Decision("sat", MODEL))
    text = SceneCache(scene).pool.script([0, 1], "(check-sat)")
    assert text.count("declare-fun p0 ") == 1 and "define-fun p0 " not in text


@pytest.mark.parametrize(
    ("both", "is_used"),
    [(("sat", "unsat"), True), (("unsat", "sat"), True), (("sat", "sat"), False), (("unsat", "unsat"), False)],
)
def test_what_we_can_not_evaluate_is_valued_by_the_helper_if_it_is_sure_both_ways(tmp_path, both, is_used):
    (tmp_path / "open.smt2").write_text(OPEN)
    said = iter(both)
    model = Decision("sat", "((define-fun x () Int 5))")
    scene, asked = grown(tmp_path / "open.smt2", lambda step: model if step.label == "seed" else Decision(next(said)))
    assert [s.label for s in asked] == ["seed", "predicate", "predicate"]
    assert (scene.valued_by == "z3 1") is is_used
    quantified = [f.value for f in scene.pool if "exists" in f.text]
    assert quantified == ([both[0] == "sat"] if is_used else [])
