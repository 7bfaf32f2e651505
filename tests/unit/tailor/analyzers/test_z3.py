from __future__ import annotations

import threading
from pathlib import Path

import pytest

from gainsay.core.tailor_analyzer import Allowance, Ingredient
from gainsay.errors import UsageError
from gainsay.families.smt.language import sexpr
from gainsay.tailor.analyzers.z3 import TACTICS, Z3, answers_of, obligations

LITTLE = Ingredient("default", (("effort", "1000000"),))
UNSAT = "(declare-const x Int) (assert (and (> x 0) (< x 0))) (check-sat)"


def split(text: str) -> list[tuple[str, str]]:
    return list(obligations(sexpr.parse(text), "x.smt2"))


def test_each_check_is_an_obligation_with_what_is_in_scope() -> None:
    found = split(
        "(set-logic QF_LIA) (declare-const x Int) (push 1) (assert (> x 0)) (set-info :status unsat) (check-sat) (pop "
        "1) (assert (< x 0)) (check-sat)"
    )
    assert found == [
        ("(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 0))\n", "unsat"),
        ("(set-logic QF_LIA)\n(declare-const x Int)\n(assert (< x 0))\n", ""),
    ]


def test_assumptions_of_a_check_are_assertions_of_its_obligation() -> None:
    assert split("(declare-const p Bool) (check-sat-assuming (p (not p)))") == [
        ("(declare-const p Bool)\n(assert p)\n(assert (not p))\n", "")
    ]


def test_options_and_output_are_left_out_and_other_commands_refused() -> None:
    text = '(set-option :regular-output-channel "x") (get-model) (echo "unsat") (check-sat) (exit) (check-sat)'
    assert split(text) == [("\n", "")]
    with pytest.raises(UsageError, match="no command"):
        split('(include "other.smt2") (check-sat)')
    with pytest.raises(UsageError, match="pop"):
        split("(pop 2)")


def test_an_answer_beside_an_error_is_none() -> None:
    printed = (
        'unsat\ngainsay-3\n(error "line 1: unknown constant y")\nunsat\ngainsay-5\nsat\ngainsay-6\nunknown\n'
        "gainsay-7\nunsat\n"
    )
    assert answers_of(printed) == {3: "P", 5: "o", 6: "R", 7: "o"}


def code_of(folder: Path, texts: dict[str, str]):
    source = folder / "obligations"
    source.mkdir()
    for name, text in texts.items():
        (source / name).write_text(text)
    return Z3({}).prepare(source, folder / "prepared", threading.Event())


def run(code, ingredient: Ingredient, assumed: int = 0, cpu_s: float = 20.0, bound: int = 1 << 60):
    return Z3({}).run(code, ingredient, assumed, Allowance(cpu_s, 1 << 30, bound), threading.Event())


def test_unsat_is_proved_sat_is_refuted_and_an_error_is_open(tmp_path: Path) -> None:
    code = code_of(
        tmp_path,
        {"a.smt2": UNSAT, "b.smt2": UNSAT.replace("(< x 0)", "(< x 9)"), "c.smt2": "(assert (undeclared)) (check-sat)"},
    )
    assert [p.function for p in code.properties] == ["a.smt2", "b.smt2", "c.smt2"]
    assert run(code, LITTLE).verdicts == "PRo"


@pytest.mark.parametrize("domain", sorted(TACTICS))
def test_every_tactic_is_known_to_z3(tmp_path: Path, domain: str) -> None:
    code = code_of(tmp_path, {"a.smt2": "(declare-const p Bool) (assert (and p (not p))) (check-sat)"})
    assert run(code, Ingredient(domain)).verdicts == "P"


@pytest.mark.parametrize("setting", [s for s in Z3.settings if s.name != "effort"], ids=lambda s: s.name)
def test_every_setting_is_known_to_z3(tmp_path: Path, setting) -> None:
    code = code_of(tmp_path, {"a.smt2": UNSAT})
    for value in setting.values:
        assert run(code, Ingredient("smt", ((setting.name, value),))).verdicts == "P", value


def test_effort_bounds_each_obligation_and_not_the_next(tmp_path: Path) -> None:
    hard = (
        "(declare-const a Int) (declare-const b Int) (declare-const c Int) (assert (= (+ (* a a a) (* b b b) (* c "
        "c c)) 33)) (check-sat)"
    )
    code = code_of(tmp_path, {"a.smt2": hard, "b.smt2": UNSAT})
    found = run(code, Ingredient("default", (("effort", "200000"),)))
    assert found.status == "ok" and found.verdicts == "oP"


def test_what_is_proved_already_is_not_asked_again(tmp_path: Path) -> None:
    hard = (
        "(declare-const a Int) (declare-const b Int) (declare-const c Int) (assert (= (+ (* a a a) (* b b b) (* c "
        "c c)) 33)) (check-sat)"
    )
    code = code_of(tmp_path, {"a.smt2": hard, "b.smt2": UNSAT})
    assert run(code, Ingredient("default"), assumed=1).verdicts == "PP"
    assert run(code, Ingredient("default"), cpu_s=1.0).status == "timeout"


def test_a_run_that_leaves_too_much_open_is_cut(tmp_path: Path) -> None:
    hard = (
        "(declare-const a Int) (declare-const b Int) (declare-const c Int) (assert (= (+ (* a a a) (* b b b) (* c "
        "c c)) 33)) (check-sat)"
    )
    code = code_of(tmp_path, {"a.smt2": UNSAT.replace("(< x 0)", "true"), "b.smt2": hard})
    found = run(code, Ingredient("default"), bound=1)
    assert found.status == "cut" and found.open == 1
