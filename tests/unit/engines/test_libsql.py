"""libSQL: what a session gives."""

import pytest

from gainsay.core.answer import Refused
from gainsay.engines import libsql


def test_a_statement_has_no_rows_and_an_error_has_a_kind():
    pytest.importorskip("libsql", reason="pip install gainsay[libsql]")
    session = libsql.LibsqlSession(("PRAGMA automatic_index = 0",))
    assert session.ask("CREATE TABLE t(c0)").rows == []
    assert session.ask("SELECT 1, NULL").rows == [(1, None)]
    for text, kind in (("SELEKT 1", "syntax"), ("SELECT * FROM missing", "name")):
        answer = session.ask(text)
        assert isinstance(answer, Refused) and answer.kind == kind
    session.close()
