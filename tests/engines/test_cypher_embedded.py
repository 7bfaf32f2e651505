"""The conformance kit of the embedded graph engines: what each adapter must do, on the real engine, in a process of
its own."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap

import pytest

from gainsay.campaign import describing
from gainsay.campaign.seating import HostedPlayer
from gainsay.core import registry
from gainsay.core.answer import Died, GaveUp, Refused, Rows
from gainsay.core.model import Target
from gainsay.engines import arcadedb, graphqlite, kuzu
from gainsay.families.cypher.meaning.profile import FACTS

CYPHER = [e for e in map(registry.engine, registry.BUILT_IN["gainsay.engines"]) if e.family == "cypher"]
ENGINES = [e.name for e in CYPHER if "host" not in e.options and "url" not in e.options]  # the others are servers
KEYS = "id INT64, k INT64, f DOUBLE, s STRING, b BOOLEAN, l INT64[]"
TABLES = [
    f"CREATE NODE TABLE A({KEYS}, PRIMARY KEY(id))",
    f"CREATE NODE TABLE B({KEYS}, PRIMARY KEY(id))",
    "CREATE REL TABLE T(FROM A TO A, FROM A TO B, FROM B TO A, FROM B TO B, id INT64, w INT64)",
]
GRAPH = (
    "CREATE (a:A {id: 1, k: 5, f: 1.5, s: 'x', b: true, l: [1, 2]}), (b:B {id: 2, s: ''}), (a)-[:T {id: 3, w: 7}]->(b)"
)
LONG = (
    "UNWIND range(1, 3000) AS x UNWIND range(1, 3000) AS y UNWIND range(1, 3000) AS z WITH x, y, z WHERE x * y + z "
    "= -1 RETURN count(*) AS c"
)


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture(scope="module")
def players():
    made = {}

    def player(name):
        if name not in made:
            made[name] = HostedPlayer(Target(name))
        made[name].reset()
        return made[name]

    yield player
    for each in made.values():
        each.close()


@pytest.fixture
def player(engine, players):
    return players(engine)


@pytest.fixture
def graph(engine, player):
    """A player whose place holds a small graph."""
    for text in [*(TABLES if registry.engine(engine).dialect == "kuzu" else []), GRAPH]:
        answer = player.ask(text)
        assert isinstance(answer, Rows), answer
    return player


# --- answers ---


def test_rows_come_in_the_order_of_the_return(graph):
    answer = graph.ask("MATCH (a:A)-[r:T]->(b:B) RETURN b.id AS z, a.s AS y, r.w AS x, a.id AS m, b.s AS n, b.k AS a0")
    assert answer.rows == [(2, "x", 7, 1, "", None)]


def test_values_are_plain_and_go_through_a_pipe(graph):
    text = (
        "MATCH (a:A) RETURN a.k AS k, a.f AS f, a.s AS s, a.b AS b, a.l AS l, a.id = 2 AS e, count(*) AS c, "
        "sum(a.k) AS t, avg(a.k) AS v, {q: a.k} AS m"
    )
    row = graph.ask(text).rows[0]
    assert row == (5, 1.5, "x", True, [1, 2], False, 1, 5, 5.0, {"q": 5})
    assert [type(v) for v in row] == [int, float, str, bool, list, bool, int, int, float, dict]
    assert pickle.loads(pickle.dumps(row)) == row


@pytest.mark.parametrize(
    "text", ["it's", 'say "hi"', "é ☃", "a\\b", " a ", "[]", '[{"x": 1}]', "RETURN 1 AS x, 2 AS y"]
)
def test_texts_come_back_exactly(player, text):
    quoted = "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    assert player.ask(f"RETURN {quoted} AS x, 1 AS y").rows == [(text, 1)]


def test_a_column_may_be_a_variable_under_its_own_name(graph):
    assert graph.ask("MATCH (n:A) WITH n.id AS zz, n.k AS aa RETURN zz, aa").rows == [(1, 5)]


def test_parts_of_a_union_have_the_same_columns(player):
    assert sorted(player.ask("RETURN 1 AS z, 2 AS a UNION ALL RETURN 3 AS z, 4 AS a").rows) == [(1, 2), (3, 4)]


def test_no_rows_are_no_rows(graph):
    assert graph.ask("MATCH (n:A) WHERE n.id > 5 RETURN n.id AS x, n.k AS y").rows == []


def test_what_writes_has_no_rows(graph):
    assert graph.ask("MATCH (n:A {id: 1}) SET n.k = 6").rows == []
    assert graph.ask("MATCH (n:A) RETURN n.k AS k").rows == [(6,)]
    assert graph.ask("MATCH (n:A {id: 1}) DETACH DELETE n").rows == []
    assert graph.ask("MATCH (n) RETURN n.id AS x").rows == [(2,)]


def test_a_reset_is_an_empty_place(engine, graph):
    graph.reset()
    answer = graph.ask("MATCH (n:A) RETURN n.id AS x")
    assert answer.kind == "name" if registry.engine(engine).dialect == "kuzu" else answer.rows == []
    for text in [*(TABLES if registry.engine(engine).dialect == "kuzu" else []), GRAPH]:
        assert isinstance(graph.ask(text), Rows)
    assert sorted(graph.ask("MATCH (n) RETURN n.id AS x").rows) == [(1,), (2,)]


# --- refusals, limits, deaths ---


def test_an_error_is_a_refusal_with_a_kind_and_the_session_goes_on(player):
    answer = player.ask("RETRN 1 AS x")
    assert isinstance(answer, Refused) and answer.kind == "syntax", answer
    answer = player.ask("RETURN nowhere AS x")
    assert isinstance(answer, Refused) and answer.kind == "name", answer
    answer = player.ask("")
    assert isinstance(answer, Refused) and answer.kind != "internal", answer
    assert player.ask("RETURN 1 AS x").rows == [(1,)]


def test_what_takes_too_long_is_given_up_and_the_session_goes_on(player):
    answer = player.ask(LONG)
    assert isinstance(answer, GaveUp) and answer.reason == "timeout", answer
    assert player.ask("RETURN 1 AS x").rows == [(1,)]


@pytest.mark.parametrize(
    ("refusal", "message", "kind"),
    [
        (kuzu.refusal, "unordered_map::at", "internal"),
        (kuzu.refusal, 'Assertion failed in file "x.cpp" on line 3: KU_UNREACHABLE', "internal"),
        (kuzu.refusal, "vector::_M_range_check: __n (which is 1) >= this->size() (which is 1)", "internal"),
        (kuzu.refusal, "Runtime exception: Divide by zero.", "value"),
        (kuzu.refusal, "Overflow exception: Value 1 is not within INT64 range.", "overflow"),
        (kuzu.refusal, "Binder exception: Table Q does not exist.", "name"),
        (kuzu.refusal, "Exists subquery with no correlated join conditions is not yet supported.", "missing"),
    ],
)
def test_a_message_of_kuzu_has_its_kind(refusal, message, kind):
    assert refusal(RuntimeError(message)).kind == kind


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Reading the result set failed: java.lang.NullPointerException: Cannot invoke x", "internal"),
        ("Query failed: java.lang.ClassCastException: class A cannot be cast to class B", "internal"),
        ("Query failed: com.arcadedb.exception.CommandParsingException: Syntax error at line 1:0", "syntax"),
        ("Reading the result set failed: com.arcadedb.exception.ArithmeticErrorException: / by zero", "value"),
        (
            "Query failed: com.arcadedb.exception.CommandExecutionException: Error (caused by "
            "java.lang.NullPointerException)",
            "internal",
        ),
        (
            "Query failed: com.arcadedb.exception.CommandSemanticException: UndefinedVariable: Variable 'x' not "
            "defined",
            "name",
        ),
    ],
)
def test_a_message_of_arcadedb_has_its_kind(message, kind):
    assert arcadedb.refusal(Exception(message)).kind == kind


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ('{"error":"SQL prepare failed: no such column: a","code":"EXECUTION_ERROR"}', "internal"),
        ('{"error":"near \\"AND\\": syntax error","code":"PARSE_ERROR"}', "internal"),
        ('{"error":"SyntaxError: UnknownFunction: foo","code":"EXECUTION_ERROR"}', "name"),
        ("Line 1: syntax error, unexpected '^', expecting end of file", "syntax"),
        ("Unsupported function: foo", "name"),
    ],
)
def test_a_message_of_graphqlite_has_its_kind(message, kind):
    assert graphqlite.refusal(message).kind == kind


def test_an_internal_error_is_told_apart(players):
    player = players("ladybug")
    player.ask("CREATE NODE TABLE A(id INT64, PRIMARY KEY(id))")
    answer = player.ask("MATCH (n:A) OPTIONAL MATCH (n), (m:A) RETURN count(*) AS c")
    assert isinstance(answer, Refused) and answer.kind == "internal", answer


def test_a_crash_of_kuzu_is_a_death_and_the_next_reset_lives(players):
    player = players("kuzu")
    answer = player.ask("UNWIND ['b',''] AS u RETURN u AS g, min(DISTINCT 4) AS m, collect(u) AS c")
    assert isinstance(answer, Died) and answer.how == "crash" and answer.signal in ("SIGSEGV", "SIGABRT"), answer
    player.reset()
    assert player.ask("RETURN 1 AS x").rows == [(1,)]


def test_an_abort_of_graphqlite_is_a_death_and_the_next_reset_lives(players):
    player = players("graphqlite")
    player.ask(GRAPH)
    answer = player.ask(
        "MATCH (n:A) WITH n WHERE (n.k = 1 OR n.k = 5) WITH DISTINCT n WHERE size(n.s) = 2 RETURN n.b AS x"
    )
    assert isinstance(answer, Died) and answer.how == "crash" and answer.signal in ("SIGSEGV", "SIGABRT"), answer
    player.reset()
    assert player.ask("RETURN 1 AS x").rows == [(1,)]


# --- columns of ArcadeDB, whose earlier releases give rows as sets of named values ---


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("RETURN 1 AS z, 2 AS a", ("z", "a")),
        ("MATCH (n) RETURN n.id AS x, n", ("x", "n")),
        ("MATCH (n) WITH n.a AS b, n.c AS d RETURN DISTINCT d, b AS e ORDER BY d, e SKIP 1 LIMIT 2", ("d", "e")),
        ("RETURN [x IN [1, 2] | x] AS l, {a: 1, b: 'x, RETURN y'} AS m, 'AS q, ' AS s", ("l", "m", "s")),
        ("RETURN 1 AS z, 2 AS a UNION RETURN 3 AS z, 4 AS a", ("z", "a")),
        (
            "MATCH (n) RETURN CASE WHEN n.a THEN 'ORDER BY' ELSE toString(1) END AS limit1, count(*) AS c;",
            ("limit1", "c"),
        ),
        ("RETURN COUNT { MATCH (n) RETURN n, 1 AS q } AS x, 1 AS y", ("x", "y")),
        ("RETURN 'it\\'s, ' AS `a b`, 2 AS b", ("a b", "b")),
    ],
)
def test_the_columns_of_a_query_are_read_off_its_text(text, names):
    assert arcadedb.columns(text) == names


# --- targets ---


def test_the_version_is_asked_of_the_running_engine(engine):
    seat = describing.describe(Target(engine))
    assert seat.version.count(".") >= 2
    assert seat.dialect == registry.engine(engine).dialect


def test_no_fact_of_an_installed_engine_is_denied_by_it(engine):
    facts = dict(describing.describe(Target(engine)).facts)
    assert not [name for name, value in facts.items() if value.startswith("NOT AS DOCUMENTED")]
    assert set(facts) <= set(FACTS)


def test_every_fact_has_a_value_that_is_known_and_a_source(engine):
    for name, (value, source) in registry.engine(engine).facts("99.0.0", ()).items():
        assert value in FACTS[name].answers
        assert source.startswith("https://")


def test_every_configuration_opens(engine):
    for name in registry.engine(engine).configs:
        player = HostedPlayer(Target(engine, configs=(name,)))
        player.reset()
        assert player.ask("UNWIND [1, 2] AS x RETURN sum(x) AS s").rows == [(3,)], name
        player.close()


def test_kuzu_and_ladybug_share_no_process():
    code = """
        from gainsay.core import registry
        registry.engine("kuzu").open_session((), {}).close()
        try:
            registry.engine("ladybug").open_session((), {})
        except RuntimeError as error:
            print(error)
    """
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 0, result.stderr
    assert "a process of its own" in result.stdout


def test_a_release_is_asked_for_by_the_name_it_had():
    ladybug = registry.engine("ladybug")
    assert ladybug.requirements("0.12.2") == ["real_ladybug==0.12.2"]
    assert ladybug.requirements("0.15.3")[0] == "ladybug==0.15.3"
    assert ladybug.requirements("0.22.0")[0] == "ladybug==0.22.0"


@pytest.mark.parametrize("moment", ["idle", "asking"])
def test_a_process_with_a_java_machine_ends_on_sigterm(moment):
    """As a worker does: by Python's own handler, which exits."""
    code = """
        import os, signal, sys, threading
        from gainsay.core import registry
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
        session = registry.engine("arcadedb").open_session((), {})
        print(session.ask("RETURN 1 AS x").rows, session._home.name, flush=True)
        if sys.argv[1] == "idle":
            os.kill(os.getpid(), signal.SIGTERM)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGTERM)).start()
        while True:
            session.ask("UNWIND range(1, 1000) AS x RETURN count(DISTINCT x) AS c")
    """
    command = [sys.executable, "-c", textwrap.dedent(code), moment]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 7, result.stderr
    assert result.stdout.startswith("[(1,)]")
    assert not os.path.exists(result.stdout.split()[-1]), "its folder goes with it"


def test_a_killed_java_machine_is_a_death():
    player = HostedPlayer(Target("arcadedb"))
    player.reset()
    os.kill(player.pid, signal.SIGKILL)
    answer = player.ask("RETURN 1 AS x")
    assert isinstance(answer, Died) and answer.signal == "SIGKILL"
    player.close()


def test_a_reproducer_asks_as_the_adapter_does(engine, tmp_path):
    made = registry.engine(engine)
    tables = TABLES if made.dialect == "kuzu" else []
    code = (
        "from __future__ import annotations\n"
        + made.repro("", {}, ())
        + f"for text in {[*tables, GRAPH]!r}:\n    ask(text)\n"
    )
    code += "print(ask('MATCH (a:A)-[r:T]->(b:B) RETURN a.id AS z, b.id AS a'), VERSION)\n"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path
    )
    assert result.stdout.startswith("[(1, 2)] "), result.stderr
    assert not list(tmp_path.iterdir()), "it leaves nothing behind"
    assert any(c.isdigit() for c in result.stdout.partition("] ")[2])
