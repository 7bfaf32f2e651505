"""ClickHouse by chdb: what its errors mean, and what a session keeps."""

import pytest

from gainsay.core.answer import GaveUp, Refused
from gainsay.engines import chdb


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Code: 62. DB::Exception: Syntax error: failed at position 24. (SYNTAX_ERROR)", "syntax"),
        ("Code: 60. DB::Exception: Unknown table expression identifier 't'. (UNKNOWN_TABLE)", "name"),
        ("Code: 43. DB::Exception: Illegal type (Array). (ILLEGAL_TYPE_OF_ARGUMENT)", "type"),
        ("Code: 403. DB::Exception: Cannot determine join keys. (INVALID_JOIN_ON_EXPRESSION)", "missing"),
        ("Code: 49. DB::Exception: Bad cast from type A to B. (LOGICAL_ERROR) (version 24.5.1)", "internal"),
        ("something else", "other"),
    ],
)
def test_an_error_is_known_by_the_name_of_its_code(message, kind):
    answer = chdb.refusal(message)
    assert isinstance(answer, Refused) and answer.kind == kind
    assert answer.message.startswith("Bad cast") if kind == "internal" else answer.message == message


def test_limits_are_no_refusals():
    assert isinstance(chdb.refusal("Code: 159. DB::Exception: Timeout. (TIMEOUT_EXCEEDED)"), GaveUp)


def test_a_setting_of_a_scene_is_gone_with_it():
    pytest.importorskip("chdb", reason="pip install gainsay[chdb]")
    session = chdb.ChdbSession(())
    before = session.ask("SELECT getSetting('max_block_size'), getSetting('max_threads')").rows
    session.ask("SET max_block_size = 7")
    session.ask("SET max_threads = 3")
    session.ask("CREATE TABLE t(c0 Int32)")
    assert session.renew()
    assert session.ask("SELECT getSetting('max_block_size'), getSetting('max_threads')").rows == before
    assert isinstance(session.ask("SELECT * FROM t"), Refused)
    session.close()


def test_an_aggregate_of_no_rows_is_null_and_a_count_is_zero():
    pytest.importorskip("chdb", reason="pip install gainsay[chdb]")
    session = chdb.ChdbSession(())
    assert session.ask("SELECT MIN(1), SUM(1), COUNT(1) WHERE 0").rows == [(None, None, 0)]
    session.close()
