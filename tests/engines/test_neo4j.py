"""A real Neo4j over Bolt. `make test-servers` starts one."""

import os
import subprocess
import sys
import threading
import time

import pytest

from gainsay.core import registry
from gainsay.core.answer import GaveUp, Refused, Rows

URL = os.environ.get("GAINSAY_NEO4J_URL", "")
if not URL:
    pytest.skip(
        "run 'make test-servers' (it needs Java 17 and Maven), or set GAINSAY_NEO4J_URL, _USER and _PASSWORD",
        allow_module_level=True,
    )
driver_module = pytest.importorskip("neo4j", reason="pip install neo4j")
SECRET = os.environ.get("GAINSAY_NEO4J_PASSWORD", "")
engine = registry.engine("neo4j")


@pytest.fixture
def owner():
    """The server's owner, who sees to it that it is empty before and after."""
    with driver_module.GraphDatabase.driver(
        URL, auth=(os.environ.get("GAINSAY_NEO4J_USER", ""), SECRET), notifications_min_severity="OFF"
    ) as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n")
        yield driver
        driver.execute_query("MATCH (n) DETACH DELETE n")


@pytest.fixture
def session(owner):
    opened = engine.open_session((), {})
    yield opened
    opened.close()


def test_it_answers_and_is_empty_again(session):
    assert session.ask("CREATE (:A {id: 1})-[:T]->(:B {id: 2})").rows == []
    assert session.ask("MATCH (n:A) RETURN n.id AS x, 1.5 AS f, [1, null] AS l, {k: 'v'} AS m, true AS b").rows == [
        (1, 1.5, [1, None], {"k": "v"}, True)
    ]
    assert session.ask("CREATE INDEX FOR (n:A) ON (n.s)").rows == []
    session.renew()
    assert session.ask("MATCH (n) RETURN count(n)").rows == [(0,)]
    assert session.ask("SHOW INDEXES YIELD type, name WHERE type <> 'LOOKUP' RETURN name").rows == [("gainsay_owner",)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("RETURN 1 +", "syntax"),
        ("RETURN foo(1)", "name"),
        ("RETURN x", "name"),
        ("RETURN 'a' * 2", "type"),
        ("UNWIND [1, 'a'] AS x RETURN x + true", "type"),
        ("RETURN 1 / 0", "value"),
        ("RETURN 9223372036854775807 + 1", "value"),
        ("RETURN substring('abc', -1)", "value"),
    ],
)
def test_refusals_have_kinds(session, text, kind):
    answer = session.ask(text)
    assert isinstance(answer, Refused) and answer.kind == kind


def test_a_long_question_is_given_up(session):
    answer = session.ask("UNWIND range(1, 10000000) AS x UNWIND range(1, 10000000) AS y RETURN count(x + y)")
    assert isinstance(answer, GaveUp) and answer.reason == "timeout"
    assert session.ask("RETURN 1").rows == [(1,)]


def test_data_that_is_not_ours_is_left_alone(owner):
    owner.execute_query("CREATE (:Precious)")
    with pytest.raises(RuntimeError, match="not empty and not ours"):
        engine.prove({})
    assert owner.execute_query("MATCH (n:Precious) RETURN count(n)").records[0][0] == 1
    engine.prove({"wipe": "1"})
    assert owner.execute_query("MATCH (n) RETURN count(n)").records[0][0] == 0


def test_a_schema_is_data_too(owner):
    owner.execute_query("CREATE INDEX theirs FOR (n:U) ON (n.x)")
    try:
        with pytest.raises(RuntimeError, match="not empty and not ours"):
            engine.prove({})
    finally:
        owner.execute_query("DROP INDEX theirs")


def test_nothing_is_left_behind(owner):
    session = engine.open_session((), {})
    session.ask("CREATE (:A)")
    session.ask("CREATE INDEX FOR (n:A) ON (n.s)")
    session.close()
    assert owner.execute_query("MATCH (n) RETURN count(n)").records[0][0] == 0
    assert not owner.execute_query("SHOW INDEXES YIELD type, name WHERE type <> 'LOOKUP' RETURN name").records


def test_two_sessions_never_mix_their_graphs(session):
    session.ask("CREATE (:Mine)")
    seen = []

    def other():
        second = engine.open_session((), {})
        seen.append(second.ask("MATCH (n) RETURN count(n)").rows)
        second.close()

    thread = threading.Thread(target=other)
    thread.start()
    until = time.monotonic() + 2
    while time.monotonic() < until:
        assert session.ask("MATCH (n) RETURN count(n)").rows == [(1,)]  # who asks keeps the turn
    thread.join(20)  # who is idle gives it up
    assert seen == [[(0,)]]
    assert isinstance(session.ask("MATCH (n) RETURN count(n)"), GaveUp)  # what it had made is gone, and it knows
    session.renew()
    assert session.ask("MATCH (n) RETURN count(n)").rows == [(0,)]


def test_a_wrong_password_and_a_wrong_address_are_said_without_the_password(owner):
    with pytest.raises(RuntimeError, match="does not let the user") as error:
        engine.prove({"password": "wrong-" + SECRET})
    assert SECRET not in repr(error.value) and error.value.__cause__ is None
    with pytest.raises(RuntimeError, match="No server answers at bolt://localhost:1 "):
        engine.prove({"url": "bolt://localhost:1"})
    with pytest.raises(RuntimeError, match="names no user and no password") as error:
        engine.prove({"url": f"bolt://me:{SECRET}@localhost"})
    assert SECRET not in str(error.value)


def test_the_documented_facts_hold(session):
    facts = engine.facts(engine.version(), ())
    for name, (texts, answers) in engine.proofs.items():
        session.renew()
        *setup, question = texts
        for text in setup:
            assert isinstance(session.ask(text), Rows)
        value = facts[name][0] if name in facts else next(iter(answers))
        assert repr(session.ask(question).rows) == answers[value], name


def test_a_reproducer_stands_alone(owner, tmp_path):
    text = engine.repro("", {"url": URL, "user": "neo4j", "password": SECRET}, ())
    assert SECRET not in text
    path = tmp_path / "repro.py"
    path.write_text(
        "import sys\n" + text + "ask('CREATE (:A {id: 7})')\nprint(VERSION, ask('MATCH (n) RETURN n.id'))\n"
    )
    ended = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=60)
    assert ended.stdout.startswith("Neo4j ") and "[(7,)]" in ended.stdout, ended.stderr
    assert owner.execute_query("MATCH (n) RETURN count(n)").records[0][0] == 0
