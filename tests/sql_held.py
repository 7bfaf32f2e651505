"""What a table holds after a script: by our own semantics, and in a real engine."""

import apsw
import duckdb

from gainsay.families.sql.language import dialects, ir, statements
from gainsay.families.sql.language.schema import relations
from gainsay.families.sql.meaning.scene_cache import SceneCache


def asked(dialect, texts):
    """The answer of a real engine to the last of some texts."""
    if dialect == "sqlite":
        db = apsw.Connection(":memory:")
        return [list(db.execute(text)) for text in texts][-1]
    with duckdb.connect() as db:
        return [db.execute(text).fetchall() for text in texts][-1]


def held(dialect, script, table):
    """What we say that a table holds, and what it does hold; None where we say nothing."""
    spoken = dialects.find(dialect)
    read = statements.script(script, spoken)
    assert not read.unread, read.unread
    relation = next(r for r in relations(read.scene) if r.name == table)
    query = ir.Select(tuple(c for c, _ in relation.columns()), (ir.Join(table),))
    ours = SceneCache(read.scene, spoken, {}).rows(query)
    return ours if ours is None else ordered(ours), ordered(asked(dialect, [*script, spoken.text(query)]))


def ordered(rows):
    return sorted(map(repr, rows))


def agree(script, rows, *spoken, table="t"):
    """We and the engines say that a table holds these rows."""
    for dialect in spoken or ("sqlite", "duckdb"):
        assert held(dialect, script, table) == (ordered(rows), ordered(rows)), dialect


def is_open(script, table="t", dialect="sqlite"):
    """Whether we say nothing of what a table holds. The engine takes the script."""
    return held(dialect, script, table)[0] is None


def is_refused(script, table="t", dialect="sqlite"):
    """Whether the last statement is refused by the engine, and makes us say nothing."""
    spoken = dialects.find(dialect)
    read = statements.script(script, spoken)
    relation = next(r for r in relations(read.scene) if r.name == table)
    query = ir.Select(tuple(c for c, _ in relation.columns()), (ir.Join(table),))
    asked(dialect, script[:-1])
    try:
        asked(dialect, script)
    except (apsw.Error, duckdb.Error):
        return SceneCache(read.scene, spoken, {}).rows(query) is None
    return False
