"""SQLite's dates and times: each function of each literal as SQLite itself gives it."""

import apsw
import pytest

from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.meaning import dates
from gainsay.families.sql.meaning.scene_cache import told

SQLITE = dialects.find("sqlite")
WRITTEN = [
    "'2000-01-31'", "'12:30'", "'1999-12-31 23:59:59'", "'2001-03-31'", "'0001-01-01'", "'2000-02-29T00:00'", "NULL",
    "'a'", "0", "2451545", "2451545.5", "'2451545'", "x'61'", "'9999-11-30'",
]  # fmt: skip


def literal(text):
    kind = {"'": "text", "N": "null", "x": "blob"}.get(text[0], "real" if "." in text else "int")
    return ir.Lit(kind, text)


@pytest.mark.parametrize("name", dates.MEANINGS)
def test_a_function_of_a_time_value_is_as_in_sqlite(name):
    database, compared = apsw.Connection(":memory:"), 0
    for text in WRITTEN:
        query = ir.Select((ir.Op(name, (literal(text),)),))
        ours = told(ir.Scene(()), query, SQLITE, {})
        if not isinstance(ours, str):
            assert ours == list(database.execute(SQLITE.text(query))), text
            compared += 1
    assert compared >= 9


@pytest.mark.parametrize("text", ["'now'", "'2000-02-30'", "'2000-1-1'", "'12:30:00.123'", "'2000-01-01 12:00Z'"])
def test_what_is_not_said_has_no_meaning(text):
    assert isinstance(told(ir.Scene(()), ir.Select((ir.Op("date", (literal(text),)),)), SQLITE, {}), str)
