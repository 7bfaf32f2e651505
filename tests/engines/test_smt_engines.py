"""What each SMT engine's adapter must do, on the real solver."""

import os
import shutil
import subprocess
import sys

import pytest

from gainsay.core import registry
from gainsay.core.answer import Decision, Died, GaveUp, Refused, Rows
from gainsay.engines import smtlib

CVC4_PATH = os.environ.get("CVC4") or shutil.which("cvc4")
NEEDS_CVC4 = pytest.mark.skipif(
    CVC4_PATH is None, reason="install CVC4 (a Debian package) so that 'cvc4' is on PATH, or set CVC4=/path/to/cvc4"
)
SOLVERS = {n: registry.engine(n) for n in registry.BUILT_IN["gainsay.engines"] if registry.engine(n).family == "smt"}
Z3, SMTLIB, CVC5, CVC4 = (SOLVERS[name] for name in ("z3", "smtlib", "cvc5", "cvc4"))
ALL = [pytest.param(e, id=name, marks=NEEDS_CVC4 if name == "cvc4" else ()) for name, e in SOLVERS.items()]
NO_CORES = {"boolector"}
HEAD = "(reset)(set-logic QF_BV)(declare-fun x () (_ BitVec 4))"
SAT = HEAD + "(assert (bvugt x #b1110))(check-sat)"
UNSAT = HEAD + "(assert (bvult x #b0000))(check-sat)"
STACK = HEAD + "(push 1)(assert (bvult x #b0000))(check-sat)(pop 1)(check-sat)"
CORE = (
    HEAD + "(assert (! (bvugt x #b0100) :named a))(assert (! (bvult x #b0011) :named b))(assert (! (= x x) :named "
    "c))(check-sat)(get-unsat-core)"
)
WRONG = HEAD + "(assert (bvugt nowhere #b0001))(check-sat)"
LOADS = ("(set-logic QF_BV)(declare-fun x () (_ BitVec 4))", "(define-fun big () Bool (bvugt x #b1110))")
BIG = "(push 1)(assert big)(check-sat)(get-value (x))(pop 1)"
NEITHER = "(push 1)(assert big)(assert (not big))(check-sat)(pop 1)"


@pytest.fixture(autouse=True)
def commands(monkeypatch):
    monkeypatch.setenv(smtlib.VARIABLE, f"{Z3.binary()} -in")
    if CVC4_PATH:
        monkeypatch.setenv(CVC4.variable(), CVC4_PATH)


@pytest.fixture
def opened():
    sessions = []

    def make(engine, *configs):
        engine.prove({})
        sessions.append(engine.open_session(configs, {}))
        return sessions[-1]

    yield make
    for session in sessions:
        session.close()


def verdicts(answers):
    return [a.verdict if isinstance(a, Decision) else repr(a) for a in answers]


@pytest.mark.parametrize("engine", ALL)
def test_an_engine_says_its_version_and_belongs_to_the_family(engine):
    assert (
        engine.version()[0].isdigit()
        and engine.family == "smt"
        and engine.dialect == "smtlib"
        and engine.configs["default"] == ()
    )


@pytest.mark.parametrize("engine", ALL)
def test_a_whole_script_is_decided_and_leaves_nothing_behind(engine, opened):
    session = opened(engine)
    assert verdicts([session.ask(t) for t in (SAT, UNSAT, SAT, STACK, UNSAT)]) == [
        "sat",
        "unsat",
        "sat",
        "unsat sat",
        "unsat",
    ]


@pytest.mark.parametrize("engine", ALL)
def test_a_model_is_given_where_there_is_one(engine, opened):
    session = opened(engine)
    model = session.ask(SAT + "(get-model)").model
    assert (
        "define-fun x () (_ BitVec 4)" in " ".join(model.split())
        and ("#b1111" in model or "#xf" in model)
        and model.count("(") == model.count(")")
    )
    none = session.ask(UNSAT + "(get-model)")
    assert (none.verdict, none.model) == ("unsat", "")


@pytest.mark.parametrize("engine", ALL)
def test_a_core_is_given_or_refused(engine, opened):
    answer = opened(engine).ask(CORE)
    if engine.name in NO_CORES:
        assert isinstance(answer, Refused) and answer.kind == "unsupported"
    else:
        assert answer.verdict == "unsat" and {"a", "b"} <= set(answer.core.strip("()").split())


@pytest.mark.parametrize("engine", ALL)
def test_an_error_is_a_refusal_and_the_next_script_is_answered(engine, opened):
    session = opened(engine)
    refused, unclosed, decided = session.ask(WRONG), session.ask(HEAD + "(assert (bvugt x"), session.ask(SAT)
    assert isinstance(refused, Refused) and refused.kind != "internal" and "nowhere" in refused.message
    assert isinstance(unclosed, Refused) and decided.verdict == "sat"


@pytest.mark.parametrize("engine", ALL)
def test_a_block_of_fifty_is_answered_in_its_order(engine, opened):
    session = opened(engine)
    texts = [(SAT, UNSAT, STACK, WRONG, UNSAT)[i % 5] for i in range(50)]
    answers = session.ask_block(texts)
    assert [a.verdict for i, a in enumerate(answers) if i % 5 != 3] == ["sat", "unsat", "unsat sat", "unsat"] * 10
    assert all(isinstance(a, Refused) for i, a in enumerate(answers) if i % 5 == 3)


@pytest.mark.parametrize("engine", ALL)
def test_definitions_stay_and_survive_the_end_of_the_process(engine, opened):
    session = opened(engine)
    assert all(isinstance(session.ask(t), Rows) for t in LOADS)
    assert verdicts(session.ask_block([BIG, NEITHER] * 5)) == ["sat", "unsat"] * 5
    assert isinstance(session.ask("(push 1)(assert nowhere)(check-sat)(pop 1)"), Refused)
    assert verdicts([session.ask(BIG)]) == ["sat"]
    session._resident.end(is_late=True)
    again = session.ask(BIG)
    assert again.verdict == "sat" and ("#b1111" in again.model or "#xf" in again.model)


@pytest.mark.parametrize("engine", ALL)
def test_a_renewed_session_knows_nothing_any_more(engine, opened):
    session = opened(engine)
    for text in LOADS:
        session.ask(text)
    session.ask(BIG)
    session.renew()
    assert isinstance(session.ask("(set-logic QF_BV)(declare-fun x () (_ BitVec 7))"), Rows)
    assert isinstance(session.ask(BIG), Refused)
    assert session.ask("(push 1)(assert (= x #b0000001))(check-sat)(pop 1)").verdict == "sat"


@pytest.mark.parametrize("engine", ALL)
def test_time_is_accounted_for_after_the_end_too(engine, opened):
    session = opened(engine)
    session.ask_block([SAT] * 20)
    session.close()
    assert 0 < session.spent_s() < 60


@pytest.mark.parametrize("engine", ALL)
def test_each_configuration_is_taken_by_some_question(engine, opened):
    """What a release does not have it refuses; it never dies of it, and answers right."""
    for name, values in engine.configs.items():
        session = opened(engine, name)
        check = next((v for v in values if v.startswith("(check-sat-using")), "(check-sat)")
        for text, right in ((SAT, "sat"), (UNSAT, "unsat")):
            answer = session.ask(text.replace("(check-sat)", check))
            assert not isinstance(answer, (Rows, Died)), (name, answer)
            assert answer.verdict == right if isinstance(answer, Decision) else engine.name == "z3", (name, answer)
            assert isinstance(answer, (Decision, GaveUp)) or name == "reduce-invertible", (name, answer)
        session.close()


@pytest.mark.parametrize("engine", ALL)
def test_a_reproducer_asks_the_solver_without_us(engine, tmp_path):
    options = {"cmd": f"{Z3.binary()} -in"} if engine is SMTLIB else {"bin": CVC4_PATH} if engine is CVC4 else {}
    code = engine.repro(engine.version(), options, ("default",))
    script = tmp_path / "repro.py"
    script.write_text(
        code + f"\nprint(VERSION)\nfor text in {[SAT + '(get-model)', UNSAT, STACK, WRONG]!r}:\n    print(ask(text))\n"
    )
    ended = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path
    )
    assert ended.returncode == 0, ended.stderr
    words = [line for line in ended.stdout.split() if line in ("sat", "unsat")]
    assert words[:4] == ["sat", "unsat", "unsat", "sat"] and "define-fun x" in ended.stdout and "(error" in ended.stdout


@pytest.mark.parametrize("engine", [pytest.param(CVC5, id="cvc5"), pytest.param(CVC4, id="cvc4", marks=NEEDS_CVC4)])
def test_strings_are_taken_whole_and_resident(engine, opened):
    session = opened(engine)
    claim = '(= (str.replace s "a" "b") "b")'
    assert (
        session.ask(f"(reset)(set-logic QF_SLIA)(declare-fun s () String)(assert {claim})(check-sat)").verdict == "sat"
    )
    assert isinstance(session.ask(f"(set-logic QF_SLIA)(declare-fun s () String)(define-fun q () Bool {claim})"), Rows)
    assert session.ask("(push 1)(assert q)(check-sat)(pop 1)").verdict == "sat"


def test_configurations_give_prelude_lines_or_arguments():
    assert Z3.lines(("arith-2", "simplify")) == ["(set-option :smt.arith.solver 2)"]
    assert SOLVERS["yices"].arguments(("mcsat",)) == ["--mcsat"]


def test_a_command_that_is_missing_is_named(monkeypatch):
    monkeypatch.setenv(smtlib.VARIABLE, "no-such-solver -in")
    with pytest.raises(RuntimeError, match="no-such-solver"):
        SMTLIB.prove({"cmd": "no-such-solver -in"})
    monkeypatch.setenv(CVC4.variable(), "no-such-cvc4")
    with pytest.raises(RuntimeError, match="bin=PATH"):
        CVC4.prove({"bin": "no-such-cvc4"})


def test_an_old_cvc5_is_turned_away(monkeypatch):
    monkeypatch.setattr(CVC5, "version", lambda: "1.0.8")
    with pytest.raises(RuntimeError, match=r"1\.1\.0"):
        CVC5.prove({})


def test_a_death_of_the_solver_shows_in_the_reproducers_exit_status(tmp_path):
    script = tmp_path / "repro.py"
    script.write_text(SMTLIB.repro("1", {"cmd": "sh -c 'kill -SEGV $$'"}, ()) + f"\nask({SAT!r})\n")
    assert subprocess.run([sys.executable, str(script)], capture_output=True, timeout=60, check=False).returncode == 139
