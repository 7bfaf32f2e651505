"""What is written can be read: the text of every drawn statement and query gives the tree that it was made of."""

import pytest

from gainsay.core import registry
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seats
from gainsay.families.sql.language import ir, statements
from gainsay.families.sql.language.schema import relations

SCENES, QUERIES = 25, 12
# What the reader leaves as text, with the reason: kinds of tables and indexes that only one dialect has
LEFT_AS_TEXT = (ir.Extra, ir.Setting, ir.CreateIndex, ir.CreateTable, ir.CreateView, ir.Insert)


@pytest.fixture(params=["apsw", "duckdb", "postgresql"])
def drawn(request, seat_of):
    family, seats = registry.family("sql"), Seats((seat_of(request.param),))
    seats.lexicon = family.prepare(seats, {})
    return request.param, family, seats, family.dialect(seats.seats[0].dialect)


def scene_of(family, seats, draw):
    try:
        next(family.grow(draw, seats))
    except StopIteration as made:
        return made.value


def test_what_is_drawn_is_read_again(drawn):
    name, family, seats, dialect = drawn
    compared, unread = 0, []
    for number in range(SCENES):
        draw = Draw(seed_for("reader", name, number))
        scene = scene_of(family, seats, draw)
        reader = statements.StatementReader(dialect)
        for statement in scene.statements:
            text = dialect.text(statement)
            read = statements.script([text], dialect) if isinstance(statement, ir.CreateTable) else None
            try:
                node = reader.statement(text)
            except statements.Unread:
                assert name == "postgresql" and isinstance(statement, LEFT_AS_TEXT), text
                unread.append(text)
                continue
            assert dialect.text(node) == text
            assert read is None or dialect.text(read.scene.statements[0]) == text
            compared += 1
        reader.relations |= {r.name: (r.name, tuple(a.name for a in r.attributes)) for r in relations(scene)}
        for _ in range(QUERIES):
            query, _ = family.question(draw, scene, seats)
            text = dialect.text(query)
            try:
                node = reader.query(text)
            except statements.Unread as why:
                assert (name == "postgresql" and "FROM" in str(why)) or "WITH" in str(why), (text, why)
                unread.append(text)
                continue
            assert dialect.text(node) == text
            assert not isinstance(node, ir.RawQuery)
            compared += 1
        assert not reader.unread
    assert compared > 400 and (name == "postgresql" or not unread), (compared, len(unread))
    assert len(unread) < compared / 3


def test_the_tree_itself_is_the_same_where_no_column_is_described(drawn):
    name, family, seats, dialect = drawn
    same = 0
    for number in range(SCENES):
        draw = Draw(seed_for("reader", name, number))
        scene = scene_of(family, seats, draw)
        reader = statements.StatementReader(dialect)
        reader.relations |= {r.name: (r.name, tuple(a.name for a in r.attributes)) for r in relations(scene)}
        for _ in range(QUERIES):
            query, _ = family.question(draw, scene, seats)
            if isinstance(query, ir.Select) and not query.ctes and not any(j.is_made for j in query.source):
                # Two rows of a table may have one spelling (ISNULL is a name of its own): the text decides.
                same += reader.query(dialect.text(query)) == query
    assert same > 100
