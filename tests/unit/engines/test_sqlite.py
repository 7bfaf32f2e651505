"""SQLite: what an error means."""

import sqlite3

from gainsay.core.answer import Refused
from gainsay.engines.apsw import ApswSession
from gainsay.engines.sqlite import SqliteSession, refusal

SELECT = "SELECT 0 FROM t0 INDEXED BY i00 RIGHT JOIN t0 AS a1 INDEXED BY i00"


def test_an_index_that_cannot_be_used_as_was_required_is_a_refusal_and_no_plan_otherwise_is_a_break():
    session = ApswSession(("CREATE TABLE t0(c1)", "CREATE INDEX i00 ON t0(0)"))
    answer = session.ask(SELECT)
    assert isinstance(answer, Refused) and (answer.kind, "no query solution" in answer.message) == ("index", True)
    broken = refusal(answer.message, SELECT.replace(" INDEXED BY i00", ""))
    assert isinstance(broken, Refused) and broken.kind == "internal"


def test_an_error_whose_words_the_binding_loses_is_a_refusal():
    """apsw 3.39.3 says so wherever a constraint fails."""

    class Losing:
        def execute(self, text):
            if text.startswith("INSERT"):
                raise SystemError("<built-in method execute> returned NULL without setting an exception")
            return self

        def fetchall(self):
            return []

        def set_progress_handler(self, *_):
            pass

    answer = SqliteSession(Losing(), sqlite3.Error, ()).ask("INSERT INTO t0 VALUES (1)")
    assert isinstance(answer, Refused) and answer.kind == "binding"
