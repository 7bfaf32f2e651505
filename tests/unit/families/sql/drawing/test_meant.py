"""What `reference` draws has a meaning: words, types and columns without one are left out."""

import pytest

from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seat, Seats, Target
from gainsay.core.tree import walk
from gainsay.engines.postgresql import PostgreSQL
from gainsay.families.sql.drawing import meant, queries, scenes
from gainsay.families.sql.drawing.lexicon import MIXES, Lexicon
from gainsay.families.sql.language import dialects, ir

FACTS = tuple((name, value) for name, (value, _) in PostgreSQL().facts("18.4", ()).items())


@pytest.fixture(scope="module")
def seats():
    seat = Seat(0, Target("postgresql"), "18.4", "postgresql", (), frozenset(), FACTS)
    made = Seats((seat,), None)
    made.lexicon = Lexicon(made, MIXES["full"])
    return made


def test_words_and_types_without_a_meaning_are_left_out(seats):
    narrow = meant.lexicon(seats)
    assert {"json contains", "range overlaps", "similar"} <= seats.lexicon.words
    assert {"json contains", "range overlaps", "similar"}.isdisjoint(narrow.words)
    assert {"int", "text", "date"} <= set(narrow.classes) and "json" not in narrow.classes


def test_it_is_made_once(seats):
    assert meant.lexicon(seats) is meant.lexicon(seats)


def test_of_a_scene_only_what_is_known_is_there(seats):
    columns = (ir.Column("c0", "INTEGER", "int"), ir.Column("c1", "JSONB", "json"))
    row = ir.Values((ir.Lit("int", "1"), ir.NULL))
    only = ir.CreateTable("t1", (ir.Column("c0", "JSONB", "json"),))
    scene = ir.Scene((ir.CreateTable("t0", columns), ir.Insert("t0", ("c0", "c1"), (row,)), only))
    (known,) = meant.lexicon(seats).relations(scene)
    assert (known.name, [a.name for a in known.attributes]) == ("t0", ["c0"])
    assert [r.name for r in seats.lexicon.relations(scene)] == ["t0", "t1"]


def test_most_of_what_is_drawn_has_a_meaning(seats):
    narrow, told, drawn = meant.lexicon(seats), 0, 0
    for number in range(12):
        scene = scenes.grow(Draw(seed_for(1, "sql", "meant", number)), seats.lexicon)
        known, draw = narrow.relations(scene), Draw(number)
        for _ in range(20 if known else 0):
            query = queries.query(draw, narrow, known, True)
            drawn += 1
            told += narrow.scene_cache(scene).rows(query) is not None
            assert not any(isinstance(n, ir.Op) and n.op.startswith("json") for _, n in walk(query))
    assert drawn >= 100
    assert told > 0.6 * drawn


@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_what_two_dialects_share_takes_as_many_operands_in_both(other):
    seats = Seats(tuple(Seat(n, Target(name), "1", name) for n, name in enumerate(("duckdb", other))))
    shared = Lexicon(seats, MIXES["full"]).words
    rows = [dialects.find(name).operators for name in ("duckdb", other)]
    assert "upper" in shared and all(len(rows[0][n].args) == len(rows[1][n].args) for n in shared)
