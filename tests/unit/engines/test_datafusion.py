"""DataFusion: what its errors mean, and what a session gives."""

import pytest

from gainsay.core.answer import GaveUp, Refused
from gainsay.engines import datafusion


class PanicException(BaseException):
    """What a panic of an engine in Rust is for Python."""


@pytest.mark.parametrize(
    ("message", "kind", "told"),
    [
        ('SQL error: ParserError("Expected: an SQL statement")', "syntax", "SQL error"),
        ("Schema error: No field named foo.", "name", "Schema error"),
        ("DataFusion error: This feature is not implemented: CreateIndex", "missing", "DataFusion error"),
        ("DataFusion error: Arrow error: Cast error: Can't cast value 200", "conversion", "DataFusion error"),
        (
            "DataFusion error: Optimizer rule 'x' failed\ncaused by\nInternal error: no such\nplan.\n"
            "This issue was likely caused by a bug",
            "internal",
            "Internal error: no such plan",
        ),
    ],
)
def test_an_error_has_a_kind_and_an_internal_one_begins_with_what_names_it(message, kind, told):
    answer = datafusion.refusal(ValueError(message))
    assert isinstance(answer, Refused)
    assert answer.kind == kind and answer.message.startswith(told)
    assert "likely" not in answer.message


def test_a_panic_is_an_internal_error_and_the_soft_limit_is_none():
    panic = datafusion.refusal(PanicException("unreachable"))
    assert isinstance(panic, Refused) and panic.kind == "internal"
    late = datafusion.refusal(datafusion.OutOfTime())
    assert isinstance(late, GaveUp) and late.reason == "timeout"
    with pytest.raises(KeyboardInterrupt):
        datafusion.refusal(KeyboardInterrupt())


def test_columns_of_one_name_are_all_there_and_several_settings_are_one_text():
    pytest.importorskip("datafusion", reason="pip install gainsay[datafusion]")
    session = datafusion.DatafusionSession(())
    prefix = "SET datafusion.execution."
    assert session.ask(f"{prefix}target_partitions = 2; {prefix}batch_size = 1").rows == []
    session.ask("CREATE TABLE t(c0 INT)")
    session.ask("INSERT INTO t VALUES (1)")
    assert session.ask("SELECT a.c0, b.c0 FROM t AS a, t AS b").rows == [(1, 1)]
