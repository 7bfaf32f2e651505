"""The session of a solver process, on stand-ins that die, hang, mumble and lie."""

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from gainsay.core.answer import Decision, Died, GaveUp, Refused, Rows
from gainsay.engines import replies, solver

# A stand-in: takes commands by the line; `reply` says what is printed for a line that is neither echo nor reset.
FRAME = """
import os, signal, sys, time
def out(words):
    sys.stdout.write(words); sys.stdout.flush()
told = []
for line in sys.stdin:
    line = line.strip()
    if line.startswith("(echo"):
        out(line[7:-2] + "\\n")
    elif line == "(reset)":
        told.clear()
    elif line:
        told.append(line)
        {body}
"""


@pytest.fixture
def standin(tmp_path):
    sessions = []

    def make(body, **plan):
        path = tmp_path / f"solver{len(sessions)}.py"
        path.write_text(FRAME.format(body=textwrap.indent(textwrap.dedent(body).strip(), " " * 8).strip()))
        command = [sys.executable, str(path)]
        sessions.append(solver.SolverSession(solver.Plan(command, command, command, **plan)))
        return sessions[-1]

    yield make
    for session in sessions:
        session.close()


def whole(*lines):
    return "\n".join(("(reset)", *lines))


CHECK = whole("(check-sat)")


def read(text, reply, seconds=0.0):
    return replies.reading(text, reply.encode(), seconds)


@pytest.mark.parametrize(
    ("text", "reply", "verdict", "model", "core"),
    [
        ("(check-sat)", "sat\n", "sat", "", ""),
        ("(check-sat)", "\n; hello\nWARNING: x (y\n unsat \n", "unsat", "", ""),
        ("(check-sat)(check-sat)", "sat\nunknown\n", "sat unknown", "", ""),
        ("(check-sat)(get-model)", "sat\n(\n (define-fun |a)| () Int\n 2)\n)\nbye\n", "sat",
         "(\n (define-fun |a)| () Int\n 2)\n)", ""),
        ("(check-sat)(get-model)", 'unsat\n(error "no model")\n', "unsat", "", ""),
        ("(check-sat)(get-unsat-core)", "unsat\n(a\nb)\n", "unsat", "", "(a\nb)"),
        ("(check-sat)(get-unsat-core)", 'sat\n(error "no core")\n', "sat", "", ""),
        ("(check-sat)(get-unsat-core)(get-model)", 'sat\n(error "no core")\n((x 1))\n', "sat", "((x 1))", ""),
        ("(check-sat)(get-value (s))", 'sat\n((s "a)""\nsat\n"))\n', "sat", '((s "a)""\nsat\n"))', ""),
        ("(set-info :a b)(check-sat)", "unsupported\nsat\n", "sat", "", ""),
    ],
)  # fmt: skip
def test_a_reply_is_read(text, reply, verdict, model, core):
    answer = read(text, reply)
    assert isinstance(answer, Decision), answer
    assert (answer.verdict, answer.model, answer.core) == (verdict, model, core)


@pytest.mark.parametrize(
    ("text", "reply", "kind"),
    [
        ("(check-sat)", '(error "line 1: unknown constant y")\nsat\n', "unsupported"),
        ("(check-sat)", '(error "parse\n  error (here")\n', "script"),
        ("(check-sat)", '(error "ASSERTION VIOLATION at x.cpp")\n', "internal"),
        ("(check-sat)", 'sat\n(error "an invalid model was generated")\n', "internal"),
        ("(check-sat)(get-model)", 'sat\n(error "no option")\n', "script"),
        ("(check-sat)(check-sat)", 'sat\n(error "push")\n', "script"),
        ("(set-option :a b)(check-sat)", "unsupported\nsat\n", "unsupported"),
        ("(check-sat)", "saturated\n", "script"),
        ("(check-sat)", "", "script"),
        ("(check-sat)", "sat\nsat\n", "script"),
        ("(check-sat)", "Unreachable code reached\n", "internal"),
        ("(declare-fun x () Int)", '(error "what")\n', "script"),
    ],
)  # fmt: skip
def test_an_error_is_never_an_answer(text, reply, kind):
    answer = read(text, reply)
    assert isinstance(answer, Refused) and answer.kind == kind, answer


@pytest.mark.parametrize(
    ("reply", "seconds", "reason"),
    [
        ("unknown\n", 0.1, "unknown"),
        ("unknown\n", 1.5, "timeout"),
        ("timeout\n", 0.1, "timeout"),
        ("unknown (TIMEOUT)\n", 0.1, "timeout"),
        ("unknown (INCOMPLETE)\n", 0.1, "unknown"),
        ('(error "out of memory")\n', 0.1, "memory"),
        ('(error "canceled")\n', 0.1, "timeout"),
    ],
)  # fmt: skip
def test_a_solver_may_give_up(reply, seconds, reason):
    answer = read("(check-sat)", reply, seconds)
    assert isinstance(answer, GaveUp) and answer.reason == reason


def test_what_only_loads_has_no_rows():
    assert isinstance(read("(declare-fun x () Int)", ""), Rows) and isinstance(
        read("(declare-fun x () Int)", "; noted\n"), Rows
    )


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("(a (b))", True),
        ("(a", False),
        ("(a))", False),
        ('(echo ")")', True),
        ('(a "b)', False),
        ("(a |)|)", True),
        ("(a) ; (", True),
        ("(a |b)", False),
    ],
)
def test_a_text_without_an_end_is_seen(text, is_it):
    assert replies.is_whole(text) is is_it


def test_answers_may_come_in_pieces_and_among_debug_text(standin):
    session = standin(
        """
        for piece in ("s", "a", "t\\n", "; no", "ise", "\\n", "mumble"):
            out(piece); time.sleep(0.01)
        """
    )
    assert [a.verdict for a in session.ask_block([CHECK] * 3)] == ["sat"] * 3


def test_a_death_is_attributed_to_its_text_and_the_rest_goes_on(standin):
    session = standin(
        """
        if "die" in line:
            out("last words\\n"); os.kill(os.getpid(), signal.SIGSEGV)
        out("sat\\n" if "check" in line else "")
        """
    )
    first, second, third = session.ask_block([CHECK, whole("(die)(check-sat)"), CHECK])
    assert first.verdict == third.verdict == "sat"
    assert (
        isinstance(second, Died)
        and (second.how, second.signal) == ("crash", "SIGSEGV")
        and "last words" in second.stderr
    )


def test_an_exit_with_an_error_is_a_refusal_and_without_one_a_death(standin):
    session = standin(
        """
        if "wrong" in line:
            out('(error "wrong")\\n'); sys.exit(1)
        if "leave" in line:
            sys.exit(3)
        if "memory" in line:
            out("terminate called after throwing an instance of 'std::bad_alloc'\\n"); os.abort()
        out("sat\\n")
        """
    )
    refused, died, memory, decided = session.ask_block(
        [whole("(wrong)(check-sat)"), whole("(leave)(check-sat)"), whole("(memory)(check-sat)"), CHECK]
    )
    assert isinstance(refused, Refused) and refused.message == "wrong"
    assert isinstance(died, Died) and died.signal == "exit status 3"
    assert isinstance(memory, GaveUp) and memory.reason == "memory"
    assert decided.verdict == "sat"


def test_a_solver_that_computes_for_too_long_is_ended(standin, monkeypatch):
    monkeypatch.setattr(solver, "CPU_S", 0.3)
    session = standin(
        """
        while "spin" in line:
            pass
        out("sat\\n")
        """
    )
    late, decided = session.ask_block([whole("(spin)(check-sat)"), CHECK])
    assert isinstance(late, GaveUp) and late.reason == "timeout" and decided.verdict == "sat"
    assert session.spent_s() >= 0.3


def test_a_solver_that_sleeps_or_talks_for_ever_is_ended(standin, monkeypatch):
    monkeypatch.setattr(solver, "WALL", 0.5)
    monkeypatch.setattr(solver, "PRINTED", 1 << 20)
    session = standin(
        """
        while "talk" in line:
            out("blah " * 1000)
        time.sleep(60)
        """
    )
    assert [repr(a) for a in session.ask_block([CHECK, whole("(talk)(check-sat)")])] == ["GaveUp(timeout)"] * 2


def test_what_is_loaded_survives_a_death(standin):
    session = standin(
        """
        if "die" in line:
            os.abort()
        if "check" in line:
            out("sat\\n" if "(load one)" in told and "(load two)" in told else "unsat\\n")
        """
    )
    answers = session.ask_block(["(load one)", "(die)(check-sat)", "(load two)", "(check-sat)"])
    assert [type(a) for a in answers] == [Rows, Died, Rows, Decision] and answers[3].verdict == "sat"
    session.renew()
    assert session.ask("(check-sat)").verdict == "unsat"


def test_the_prelude_comes_first_and_what_is_said_against_it_refuses_every_question(standin):
    body = """
        if "bad" in line:
            out('(error "bad")\\n')
        if "check" in line:
            out("sat\\n" if "(good)" in told else "unsat\\n")
        """
    well, ill = standin(body, prelude=("(good)",)), standin(body, prelude=("(bad)",))
    assert well.ask(CHECK).verdict == well.ask("(check-sat)").verdict == "sat"
    assert all(isinstance(ill.ask(t), Refused) for t in (CHECK, "(check-sat)", "(load)", "(check-sat)"))


def test_without_reset_each_script_has_a_process_of_its_own(standin):
    session = standin(
        """
        if "check" in line:
            out("sat\\n" if len(told) == 1 else "unsat\\n")
        """,
        has_reset=False,
        resident_has_reset=False,
    )
    assert [a.verdict for a in session.ask_block([CHECK] * 3)] == ["sat"] * 3


def test_a_mark_inside_an_error_is_not_taken_for_the_end(standin):
    session = standin(
        """
        out('(error "in line\\n  (echo "gainsay-1")...\\n  gainsay-1...\\n")\\n')
        """
    )
    assert isinstance(session.ask(CHECK), Refused)


@pytest.mark.parametrize("command", [["true"], ["false"], ["sh", "-c", "exit 7"], ["echo", "hello"]])
def test_a_program_that_is_no_solver_gives_no_verdict(command):
    session = solver.SolverSession(solver.Plan(command, command, command))
    assert all(
        isinstance(a, (Died, Refused))
        for a in (session.ask(CHECK), session.ask("(check-sat)"), *session.ask_block([CHECK] * 3))
    )
    session.close()


def test_a_program_that_repeats_what_it_is_told_gives_no_verdict(monkeypatch):
    monkeypatch.setattr(solver, "WALL", 0.3)
    session = solver.SolverSession(solver.Plan(["cat"], ["cat"], ["cat"]))
    assert repr(session.ask(CHECK)) == "GaveUp(timeout)"
    session.close()


def test_large_scripts_and_large_replies_do_not_block_each_other(standin):
    session = standin(
        """
        out("(" + "x" * 300000 + ")\\n" if "get" in line else "sat\\n" if "check" in line else "")
        """
    )
    texts = [whole("(assert " + "y" * 300000 + ")", "(check-sat)", "(get-model)") for _ in range(4)]
    assert [len(a.model) for a in session.ask_block(texts)] == [300002] * 4


def test_a_solver_whose_parent_was_killed_before_it_began_does_not_begin():
    tie = solver.ending_with_us()
    child = os.fork()
    if not child:
        orphan = os.fork()  # its parent is not the process that made the tie
        if not orphan:
            tie()
            os._exit(0)
        os._exit(os.waitstatus_to_exitcode(os.waitpid(orphan, 0)[1]))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


def test_a_solver_that_computes_is_killed_with_the_process_that_started_it():
    busy = ["sh", "-c", "while :; do :; done"]
    code = (
        f"from gainsay.engines import solver; solver.SolverSession(solver.Plan({busy}, {busy}, {busy}, "
        f"limit_s=60)).ask({CHECK!r})"
    )
    parent = subprocess.Popen([sys.executable, "-c", code])
    children = []
    until = time.monotonic() + 10
    while not children and time.monotonic() < until:
        time.sleep(0.05)
        children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
    parent.kill()
    parent.wait()

    def is_running(pid):
        try:
            return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
        except FileNotFoundError:
            return False

    assert children
    while any(map(is_running, children)) and time.monotonic() < until + 10:
        time.sleep(0.05)
    assert not any(map(is_running, children))
