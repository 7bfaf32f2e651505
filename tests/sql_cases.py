"""Short ways to write SQL cases in tests, and to read them."""

from gainsay.core import alone
from gainsay.core.model import Seat, Seats, Target
from gainsay.families.sql.drawing.lexicon import MIXES, Lexicon
from gainsay.families.sql.language import dialects, ir
from gainsay.oracles import sql_norec, sql_tlp

ZERO, ONE, A = ir.Lit("int", "0"), ir.Lit("int", "1"), ir.Lit("text", "'a'")
T0, T1, A1 = ir.Col("t0", "c0"), ir.Col("t1", "c0"), ir.Col("a1", "c0")


def op(name, *args):
    return ir.Op(name, args)


def table(name, *columns):
    return ir.CreateTable(name, tuple(c if isinstance(c, ir.Column) else ir.Column(c) for c in columns))


def view(name, query, *columns):
    return ir.CreateView(name, tuple(c if isinstance(c, ir.ViewColumn) else ir.ViewColumn(c) for c in columns), query)


def insert(name, columns, *rows, verb="INSERT"):
    return ir.Insert(name, tuple(columns.split()), tuple(ir.Values(row) for row in rows), verb)


FROM_T0 = (ir.Join("t0"),)


def select(*items, source=FROM_T0, **parts):
    return ir.Select(items, source, **parts)


def norec(where, *source, items=(ir.NULL,), **parts):
    return sql_norec.Recipe(ir.Select(items, source or FROM_T0, where, **parts))


def tlp(condition, *source, items=(ir.NULL,), mode="where", **parts):
    return sql_tlp.Recipe(ir.Select(items, source or FROM_T0, **parts), condition, mode)


def text(node, dialect=None):
    return (dialect or dialects.find("sqlite")).text(node)


def told(scene, recipe):
    """A case as SQL: its statements, and what the recipe is about."""
    query = recipe.question if isinstance(recipe, alone.Recipe) else recipe.query
    return "; ".join(text(node) for node in (*scene.statements, query))


def tried(pairs):
    return [told(*pair) for pair in pairs]


def lexicon(*dialects, refused=(), facts=((),), mix="full"):
    """What may be drawn for engines of these dialects (SQLite's alone, if none is named)."""
    seats = tuple(
        Seat(n, Target(name), "1", name, refused=frozenset(refused), facts=tuple(facts[n % len(facts)]))
        for n, name in enumerate(dialects or ("sqlite",))
    )
    return Lexicon(Seats(seats), MIXES[mix])
