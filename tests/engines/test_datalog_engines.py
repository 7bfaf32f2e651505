"""The conformance kit of the Datalog engines: what each adapter must do, on the real engine, in a process of its
own."""

import os
import re
import shutil

import pytest

from datalog_standin import evaluate, program
from gainsay.campaign import describing, probing
from gainsay.campaign.seating import HostedPlayer, LocalPlayer
from gainsay.core import registry
from gainsay.core.answer import Died, GaveUp, Refused, Rows
from gainsay.core.model import Seat, Target
from gainsay.engines import cozo
from gainsay.errors import EnvironmentProblem
from gainsay.families.datalog.language import ir

FAMILY = registry.family("datalog")
ALL = [n for n in registry.BUILT_IN["gainsay.engines"] if registry.engine(n).family == "datalog"]
EMBEDDED = [n for n in ALL if registry.engine(n).package]
SOUFFLE = os.environ.get("SOUFFLE") or shutil.which("souffle")
NEEDS_SOUFFLE = pytest.mark.skipif(
    SOUFFLE is None,
    reason="install Soufflé (souffle-lang.github.io/install) so that 'souffle' is on PATH, or set "
    "SOUFFLE=/path/to/souffle",
)
ENGINES = [pytest.param(n, marks=NEEDS_SOUFFLE) if n == "souffle" else n for n in ALL]
TEXTUAL = [e for e in ENGINES if e != "muz"]  # muz has neither texts nor negative numbers
VALUES = {
    "number": [0, 1, 40],
    "unsigned": [0, 1, 40],
    "float": [0.0, 1.0, -0.5, 2.25],
    "symbol": ["", "1", "a", "nil", "1.0"],
    "any": [None, 0, 1.5, "a", ""],
}
SLOW = {("souffle", "compiled")}  # a C++ compiler for each program
X, Y = ir.Var("x"), ir.Var("y")
BROKEN = {
    "cozo": "?[a] := nowhere[a]",
    "muz": "(declare-rel a ((_ BitVec 6)))\n(rule (b #b000001))\n(query a)",
    "clingo": "a(1.\n#show a/1.",
    "nemo": "a(1 .\n@output a .",
    "souffle": ".decl a(x:number)\na(x) :- nowhere(x).\n.output a",
}


def target_of(name, *configs):
    return Target(name, "", configs, (("bin", SOUFFLE),) if name == "souffle" else ())


@pytest.fixture(scope="module")
def players():
    made = {}

    def player(name):
        if name not in made:
            made[name] = HostedPlayer(target_of(name))
        made[name].reset()
        return made[name]

    yield player
    for each in made.values():
        each.close()


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture
def ask(engine, players):
    """Ask for a program's output: ask(program) or ask("the text itself")."""
    player, dialect = players(engine), FAMILY.dialect(registry.engine(engine).dialect)
    return lambda asked: player.ask(asked if isinstance(asked, str) else dialect.text(asked))


def copied(kind, *values):
    """A program whose output holds these values of one type."""
    rels = (ir.Rel("a", (kind,)), ir.Rel("out", (kind,)))
    rule = ir.Rule(1, ir.Atom("out", (X,)), (ir.Atom("a", (X,), 1),))
    return ir.Program((), rels, tuple(ir.Fact("a", (v,)) for v in values), (rule,), "out")


# --- answers ---


def test_the_canary_gets_its_known_answer(engine, ask):
    text, expected = FAMILY.canary(registry.engine(engine).dialect)
    assert sorted(ask(text).rows) == expected


def test_rows_are_tuples(ask):
    assert all(type(row) is tuple for row in ask(copied("number", 1, 2)).rows)


def test_an_empty_relation_has_no_rows(ask):
    assert ask(program("a/1 b/1 out/1", "a(1). out(x) :- a(x), b(x).")).rows == []
    assert ask(program("a/1 b/1", "a(1).")).rows == [], "nor has one that is only declared"


def test_columns_come_in_the_order_of_the_head(ask):
    assert sorted(ask(program("a/2 out/2", "a(1, 2). a(3, 4). out(y, x) :- a(x, y).")).rows) == [(2, 1), (4, 3)]
    assert ask(program("a/3 out/3", "a(1, 2, 3). out(z, x, y) :- a(x, y, z).")).rows == [(3, 1, 2)]


def test_types_come_back_exactly(engine, ask):
    for kind in FAMILY.dialect(registry.engine(engine).dialect).types:
        assert sorted(map(repr, ask(copied(kind, *VALUES[kind])).rows)) == sorted(repr((v,)) for v in VALUES[kind])


@pytest.mark.parametrize("engine", TEXTUAL, indirect=True)
def test_negative_numbers_are_negative(ask):
    assert ask(program("a/1 out/1", "a(-3). a(-1). a(1). out(x) :- a(x), x < -1.")).rows == [(-3,)]


@pytest.mark.parametrize("engine", TEXTUAL, indirect=True)
@pytest.mark.parametrize("text", ["a b", " a ", "it's", 'say "hi"', "a,b", "[1, 2]", "%x // #y", "é ☃"])
def test_texts_come_back_exactly(engine, ask, text):
    answer = ask(copied("symbol", text, "other"))
    if engine == "nemo" and '"' in text:
        assert isinstance(answer, Refused), "this release has no way to write it"
    else:
        assert sorted(answer.rows) == sorted([(text,), ("other",)])


def test_a_tuple_comes_once(ask):
    assert ask(program("a/2 out/1", "a(1, 2). a(1, 3). out(x) :- a(x, _). out(x) :- a(x, 2).")).rows == [(1,)]


@pytest.mark.parametrize(
    "text",
    [
        "out(x) :- a(x), !b(x).",
        "out(x) :- p(x, y), p(y, x).",
        "out(x) :- p(x, x).",
        "out(y) :- p(1, y), y != 2.",
        "out(x) :- p(x, _), x <= 2.",
        "out(x) :- a(x). out(y) :- out(x), p(x, y).",
        "out(3) :- b(_).",
        "out(x) :- a(x), b(y), x < y. out(9) :- a(1), !b(1).",
    ],
)
def test_small_programs_get_the_answer_that_we_compute(ask, text):
    made = program("a/1 b/1 p/2 out/1", "a(1). a(2). b(2). b(3). p(1, 2). p(2, 1). p(2, 5). p(4, 4). " + text)
    assert sorted(ask(made).rows) == sorted(evaluate(made)["out"])


def test_programs_know_nothing_of_each_other(ask):
    assert ask(program("a/1 out/1", "a(1). out(x) :- a(x).")).rows == [(1,)]
    assert ask(program("a/1 out/1", "a(2). out(x) :- a(x).")).rows == [(2,)]


# --- refusals ---


def test_an_error_is_a_refusal_and_the_session_goes_on(engine, ask):
    answer = ask(BROKEN[engine])
    assert isinstance(answer, Refused), answer
    assert answer.kind != "internal" and answer.message
    assert ask(copied("number", 7)).rows == [(7,)]


def test_a_text_that_asks_for_nothing_is_refused(ask):
    assert isinstance(ask("nonsense"), Refused)
    assert isinstance(ask(""), Refused)


def test_a_probe_is_taken_or_refused(engine, ask):
    for probe in FAMILY.probes(registry.engine(engine).dialect):
        for text in probe.texts:
            assert isinstance(ask(text), (Rows, Refused)), probe.feature


def test_an_installed_engine_takes_what_its_dialect_says(engine):
    missing = probing.answers(target_of(engine), "datalog")
    assert not {"recursion", "negation", "constant", "type:number", "compare:!="} & set(missing)
    assert len(missing) < 5, missing


# --- targets ---


def test_the_version_is_asked_of_the_running_engine(engine):
    seat = describing.describe(target_of(engine))
    assert re.match(r"\d+\.\d+", seat.version), seat.version
    assert seat.dialect == registry.engine(engine).dialect


def test_no_fact_of_an_installed_engine_is_denied_by_it(engine):
    facts = dict(describing.describe(target_of(engine)).facts)
    assert not [name for name, value in facts.items() if value.startswith("NOT AS DOCUMENTED")]


def test_every_configuration_gives_the_known_answer(engine):
    text, expected = FAMILY.canary(registry.engine(engine).dialect)
    for name in registry.engine(engine).configs:
        if (engine, name) in SLOW:
            continue
        player = HostedPlayer(target_of(engine, name))
        player.reset()
        answer = player.ask(text)
        player.close()
        assert isinstance(answer, Rows) and sorted(answer.rows) == expected, (name, answer)


@pytest.mark.parametrize("name", EMBEDDED)
def test_in_this_process_the_answers_are_the_same(name):
    player = LocalPlayer(Seat(0, Target(name), "0", registry.engine(name).dialect))
    player.reset()
    text, expected = FAMILY.canary(registry.engine(name).dialect)
    assert sorted(player.ask(text).rows) == expected
    assert isinstance(player.ask(BROKEN[name]), Refused)
    player.close()


def test_a_reproducer_asks_as_the_adapter_does(engine):
    text, expected = FAMILY.canary(registry.engine(engine).dialect)
    names: dict = {}
    exec(
        "from __future__ import annotations\nimport sys\n"
        + registry.engine(engine).repro("", dict(target_of(engine).options), ()),
        names,
    )
    assert sorted(names["ask"](text)) == expected
    assert re.search(r"\d+\.\d+", names["VERSION"])


# --- Cozo ---


class PanicException(BaseException):
    """What a panic of a Rust engine looks like in Python."""


def test_a_panic_is_an_internal_error_and_no_rows():
    answer = cozo.refusal(PanicException("index out of bounds"))
    assert isinstance(answer, Refused)
    assert (answer.kind, answer.message) == ("internal", "panic: index out of bounds")


def test_a_user_who_interrupts_is_no_answer():
    with pytest.raises(KeyboardInterrupt):
        cozo.refusal(KeyboardInterrupt())


def test_a_value_of_its_own_that_cozo_can_not_use_is_internal():
    found = cozo.refusal(
        Exception({"code": "eval::throw", "message": "Evaluation failed", "help": "'add' requires numbers"})
    )
    assert (found.kind, isinstance(found, Refused)) == ("internal", True)
    found = cozo.refusal(Exception({"code": "parser::pest", "message": "unexpected"}))
    assert found.kind == "parser"


# --- Z3 ---

BITS = "(_ BitVec 6)"
ERRORS = [
    f"(declare-rel a ({BITS}))\n(rule (b #b000001))\n(query a)",
    "(query missing)",
    f"(declare-rel a ({BITS}))\n(rule (a #b1))\n(query a)",
    f"(declare-rel a ({BITS})\n(query a)",
    f"(declare-rel a ({BITS}))\n(rule (a #b000001))\n(assert true)\n(query a)",
    f"(declare-rel a ({BITS}))\n(rule (a x))\n(query a)",
    f"(declare-rel a ({BITS}))\n(rule (a #b000001)))\n(query a)",
]


@pytest.mark.parametrize("mode", [(), ("smtlib",)], ids=["api", "script"])
@pytest.mark.parametrize("text", ERRORS)
def test_z3_never_reads_an_error_as_rows(mode, text):
    """The scripts of other tools take 'unsat' behind an error for an empty answer."""
    assert isinstance(registry.engine("muz").open_session(mode, {}).ask(text), (Refused, GaveUp))


def test_what_z3_does_not_support_is_no_rows_in_a_script():
    assert isinstance(
        registry.engine("muz").open_session(("smtlib",), {}).ask(f"(declare-rel a ({BITS}))\n(nonsense)\n(query a)"),
        Refused,
    )


@pytest.mark.parametrize("mode", [(), ("smtlib",)], ids=["api", "script"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"(declare-rel a ({BITS}))\n(query a)", []),
        (f"(declare-rel error ({BITS}))\n(rule (error #b000001))\n(query error)", [(1,)]),
        (f"(declare-rel a ({BITS} {BITS}))\n(rule (a #b000001 #b000010))\n(query a)", [(1, 2)]),
        (
            f"(declare-rel a ({BITS}))\n(declare-var x {BITS})\n(rule (=> (bvult x #b000011) (a x)))\n(query a)",
            [(0,), (1,), (2,)],
        ),
        (f"(declare-rel a ({BITS}))\n(declare-var x {BITS})\n(rule (a x))\n(query a)", [(n,) for n in range(64)]),
        ("(declare-rel a ())\n(rule a)\n(query a)", [()]),
        ("(declare-rel a ())\n(query a)", []),
    ],
)
def test_z3_answers_are_rows_however_they_are_written(mode, text, expected):
    assert sorted(registry.engine("muz").open_session(mode, {}).ask(text).rows) == expected


# --- Soufflé ---


def script(path, behaviour):
    """A program that says it is Soufflé, and then does something else."""
    path.write_text(
        f'#!/bin/sh\nif [ "$1" = --version ]; then echo "Souffle Version: 2.4"; exit 0; fi\ncat > '
        f"/dev/null\n{behaviour}\n"
    )
    path.chmod(0o755)
    return Target("souffle", "", (), (("bin", str(path)),))


def said_by(target):
    player = HostedPlayer(target)
    player.reset()
    try:
        return player.ask(".decl a(x:number)\na(1).\n.output a")
    finally:
        player.close()


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("/bin/true", "not Soufflé"),
        ("text", "can be run"),
        ("executable", "can't be run"),
        ("missing", "can be run"),
        (".", "can be run"),
    ],
)
def test_a_binary_that_is_not_souffle(tmp_path, path, part):
    (tmp_path / "text").write_text("souffle")
    (tmp_path / "executable").write_text("souffle")
    (tmp_path / "executable").chmod(0o755)
    with pytest.raises(EnvironmentProblem, match=part):
        describing.describe(Target("souffle", "", (), (("bin", str(tmp_path / path)),)))


def test_without_souffle_one_is_told_what_to_do(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("GAINSAY_SOUFFLE", raising=False)
    with pytest.raises(EnvironmentProblem, match="souffle\\?bin=PATH"):
        describing.describe(Target("souffle"))


def test_a_binary_that_only_says_it_is_souffle_is_not_trusted(tmp_path):
    target = script(tmp_path / "fake", "true")
    assert describing.describe(target).version == "2.4"
    with pytest.raises(EnvironmentProblem, match="known answer"):
        probing.answers(target, "datalog")


def test_an_assertion_is_a_crash_that_names_itself(tmp_path):
    answer = said_by(
        script(
            tmp_path / "fake", 'echo "souffle: Foo.cpp:12: void f(): Assertion \\`x > 0\' failed." >&2; kill -ABRT $$'
        )
    )
    assert isinstance(answer, Died)
    assert answer.how == "crash" and "SIGABRT" in answer.signal and "x > 0" in answer.signal


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        ("true", "internal"),
        ("echo nothing that is a table", "internal"),
        ("echo 'Error: syntax error in line 1' >&2; exit 1", "syntax"),
        ("echo 'Error: Undefined relation b' >&2; exit 1", "program"),
        ("echo 'Internal error' >&2; exit 1", "internal"),
        ("exit 3", "internal"),
    ],
)
def test_what_is_no_table_is_no_rows(tmp_path, behaviour, kind):
    answer = said_by(script(tmp_path / "fake", behaviour))
    assert isinstance(answer, Refused), answer
    assert answer.kind == kind


@pytest.fixture
def souffle(monkeypatch):
    """A session in this process."""
    monkeypatch.setenv(registry.engine("souffle").VARIABLE, SOUFFLE or "")
    session = registry.engine("souffle").open_session((), {})
    yield session
    session.close()


@NEEDS_SOUFFLE
def test_several_programs_in_one_process_have_their_own_answers(souffle):
    text = FAMILY.dialect("souffle").text
    programs = [text(copied("number", n)) for n in range(4)] + [text(copied("symbol", "a b"))]
    assert [a.rows for a in souffle.ask_block(programs)] == [[(0,)], [(1,)], [(2,)], [(3,)], [("a b",)]]


@NEEDS_SOUFFLE
def test_one_program_that_is_refused_does_not_harm_its_neighbours(souffle):
    text = FAMILY.dialect("souffle").text
    one, two, three = souffle.ask_block([text(copied("number", 1)), BROKEN["souffle"], text(copied("number", 3))])
    assert (one.rows, isinstance(two, Refused), three.rows) == ([(1,)], True, [(3,)])


@NEEDS_SOUFFLE
def test_records_and_subtypes_come_back(souffle):
    made = program(
        "a(Id,R) out(R,Id)",
        "a(1, [2, 3]). out(y, x) :- a(x, y).",
        types=".type Id <: number\n.type R = [l:number, r:number]",
    )
    assert souffle.ask(FAMILY.dialect("souffle").text(made)).rows == [((2, 3), 1)]


@NEEDS_SOUFFLE
def test_a_text_with_a_tab_does_not_break_the_adapter(souffle):
    answer = souffle.ask('.decl a(x:symbol, y:number)\na("b\tc", 1).\n.output a')
    assert isinstance(answer, (Refused, GaveUp)) or answer.rows == [("b\tc", 1)]
