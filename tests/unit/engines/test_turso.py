"""Turso: what its errors mean."""

import pytest

from gainsay.core.answer import GaveUp, Refused
from gainsay.engines import turso


class PanicException(BaseException):
    """What a panic of an engine in Rust is for Python."""


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ValueError('near "SELEC": syntax error'), "syntax"),
        (ValueError("unexpected token 'SELEC' at offset 0"), "syntax"),
        (ValueError("Parse error: no such table: missing"), "name"),
        (ValueError("Parse error: RIGHT JOIN following another join is not yet supported."), "missing"),
        (ValueError("Parse error: Stored generated columns are not supported"), "missing"),
        (ValueError("UNIQUE constraint failed: t0.c1"), "constraint"),
        (ValueError("Corrupt database: page 3"), "internal"),
        (PanicException("index out of bounds"), "internal"),
    ],
)
def test_an_error_has_a_kind(error, kind):
    answer = turso.refusal(error)
    assert isinstance(answer, Refused) and answer.kind == kind


def test_the_soft_limit_is_no_refusal():
    assert isinstance(turso.refusal(ValueError("interrupted")), GaveUp)


def test_a_reproducer_turns_on_what_the_configuration_does():
    told = "db = connect({})"
    assert told.format(["generated_columns", "without_rowid", "vacuum"]) in repro(("experimental",))
    assert told.format([]) in repro(()) and 'experimental_features=",".join(features) or None' in repro(())


def repro(configs):
    return turso.Turso().repro("", {}, configs)
