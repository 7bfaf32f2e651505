"""Functions: our value of each for the values that are drawn, and the real engine's."""

import itertools

import apsw
import duckdb
import pytest

from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.language.ops import expansions
from gainsay.families.sql.meaning import functions, typed_functions
from gainsay.families.sql.meaning.scene_cache import SceneCache

MOST = 1500  # combinations of operands


def compared(spoken, name, args, ask):
    """How many calls have a meaning, each of which the engine must share."""
    cache, told = SceneCache(ir.Scene(()), spoken, {}), 0
    pools = [dict.fromkeys(spoken.literals.get(cls, spoken.literals.get("any", ()))) for cls in args]
    for values in itertools.islice(itertools.product(*pools), MOST):
        query = ir.Select((ir.Op(name, values),))
        ours = cache.rows(query)
        if ours is not None:
            text = spoken.text(query)
            assert list(map(repr, ours)) == list(map(repr, ask(text))), text
            told += 1
    return told


@pytest.mark.parametrize("name", functions.MEANINGS)
def test_a_function_of_sqlite_has_its_value(name):
    spoken, database = dialects.find("sqlite"), apsw.Connection(":memory:")
    args = ("any",) * len(spoken.operators[name].args)
    assert compared(spoken, name, args, lambda text: list(database.execute(text))) > 15


@pytest.mark.parametrize("name", typed_functions.MEANINGS)
def test_a_function_of_duckdb_has_its_value(name):
    spoken = dialects.find("duckdb")
    classes = ("int", "real", "text", "date", "timestamp", *(c for c in spoken.operators[name].args if c == "dec"))
    with duckdb.connect() as database:
        told = sum(
            compared(spoken, name, args, lambda text: database.execute(text).fetchall())
            for args, _ in expansions(spoken.operators[name], classes)
        )
    assert told > 3
