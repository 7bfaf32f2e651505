"""Turso's dialect."""

from gainsay.families.sql.language.spoken.sqlite import SQLITE
from gainsay.families.sql.language.spoken.turso import TURSO


def test_it_is_sqlites_without_the_switches_of_its_optimizer():
    assert TURSO.operators == SQLITE.operators and TURSO.types is SQLITE.types
    assert list(TURSO.switches) == ["not indexed", "indexed", "indexed otherwise"] and len(SQLITE.switches) > 20
