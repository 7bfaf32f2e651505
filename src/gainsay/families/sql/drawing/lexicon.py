"""Typed random expressions: the operators, types and literals that all seats share, indexed by what they yield."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import msgspec

from gainsay.core.draw import Draw
from gainsay.core.model import Seats
from gainsay.core.tree import walk
from gainsay.families.sql.language import ir, ops
from gainsay.families.sql.language.aggregates import Aggregate, drawn_from
from gainsay.families.sql.language.dialect import ColumnType, SqlDialect
from gainsay.families.sql.language.dialects import find
from gainsay.families.sql.language.schema import Attribute, Relation, Scope, relations
from gainsay.families.sql.language.spoken.ansi import COMMON_TYPES
from gainsay.families.sql.meaning import legal
from gainsay.families.sql.meaning.rows import Rows
from gainsay.families.sql.meaning.scene_cache import SceneCache
from gainsay.families.sql.meaning.semantics import Compiler


class Mix(msgspec.Struct, frozen=True):
    """How large and how varied scenes and queries are."""

    tables: int = 3
    columns: int = 4
    rows: int = 8
    depth: int = 3
    relations: int = 3
    is_small: bool = False  # one table, no indexes beyond one, no views: to measure speed


MIXES = {"full": Mix(), "small": Mix(tables=1, columns=3, depth=2, relations=1, is_small=True)}

Choice = tuple[str, tuple[tuple[str, ...], ...]]  # an operator and its operand typings

COMMON_LITERALS = {
    "int": (ir.NULL, *(ir.Lit("int", t) for t in ("0", "1", "-1", "2", "3", "0", "1"))),
    "real": (ir.NULL, *(ir.Lit("real", f"CAST({t} AS DOUBLE)") for t in ("0.5", "1.5", "-0.5", "1", "0"))),
    "text": (ir.NULL, *(ir.Lit("text", t) for t in ("''", "'a'", "'A'", "'b'", "'1'", "'a '"))),
    "bool": (ir.NULL, ir.TRUE, ir.FALSE),
}


def variants(dialect: SqlDialect) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    """Each operator with each operand typing that a dialect could have: (feature, operator, arguments, result)."""
    for name, operator in dialect.operators.items():
        if name in ops.LONG and not operator.weight:
            continue
        if dialect.loose:
            yield (f"op:{name}", name, *ops.loosened(operator))
        else:
            for args, result in ops.expansions(operator, dialect.classes):
                yield f"op:{name}/{','.join(args)}", name, args, result


JOINS = (
    ",",
    ",",
    "JOIN",
    "JOIN",
    "JOIN",
    "LEFT JOIN",
    "LEFT JOIN",
    "LEFT JOIN",
    "RIGHT JOIN",
    "FULL JOIN",
    "CROSS JOIN",
    "NATURAL JOIN",
)


ORDERED = frozenset({"any", "int", "dec", "text", "date", "timestamp"})  # classes of which one value is the least
GROUPINGS = ("ROLLUP", "CUBE", "GROUPING SETS")


def collating(collation: str) -> str:
    """The feature that a collation of columns is probed as: one that does not look at case must do so."""
    return "column:collate" if collation == "NOCASE" else f"collation:{collation}"


NARROW = "!"  # behind a class: an operand that some types of the class are refused for


class Lexicon:
    """What may be drawn for a set of seats. `has(feature)` tells of clauses, statements and types."""

    meant: Lexicon | None = None  # the same, of what has a meaning, once it was asked for

    def __init__(self, seats: Seats, mix: Mix, lacks: frozenset[str] = frozenset()) -> None:
        self.mix, self._seats = mix, len(seats)
        dialects = [find(s.dialect) for s in seats]
        self.refused = seats.refused.union(lacks, *(d.lacks for d in dialects))
        self.dialect = dialects[0]
        self.is_mixed = len({d.name for d in dialects}) > 1
        self.is_loose = all(d.loose for d in dialects)
        strict = next((d for d in dialects if not d.loose), self.dialect)
        self.types: tuple[ColumnType, ...] = tuple(
            t
            for t in (COMMON_TYPES if self.is_mixed else self.dialect.types)
            for _ in range(t.weight)
            if self.has(f"type:{t.text}")
        )
        self.classes = tuple(dict.fromkeys(t.cls for t in self.types))
        self.literals = dict(COMMON_LITERALS if self.is_mixed else self.dialect.literals)
        self.literals.setdefault("bool", (ir.NULL, ir.TRUE, ir.FALSE))
        self.extremes: tuple[ir.Lit, ...] = self.literals.get("extreme", ())
        shared = [n for n, row in strict.operators.items() if all(row.is_as_wide(d.operators.get(n)) for d in dialects)]
        disputed = legal.disputed(seats, dialects)
        usable = {
            n
            for n in shared
            if f"op:{n}" not in self.refused and not any(disputed & set(d.operators[n].facts) for d in dialects)
        }
        if "trailing-space" in disputed:
            self.literals["text"] = tuple(n for n in self.literals["text"] if not n.text.endswith(" '"))
        if "real-digits" in disputed:
            self.extremes = ()
        if "collation-rules" in disputed:
            self.refused |= {"column:collate"}
        self.by_result: dict[str, tuple[Choice, ...]] = self._index(strict, usable)
        self.unkeyed = frozenset(t.text for t in self.types if not t.is_key)
        self.has_generated = self.has("column:generated") or self.has("column:stored")
        self._own(None if self.is_mixed else self.dialect)
        self._scene: ir.Scene | None = None
        self._cache: SceneCache | None = None
        self._filled: tuple[Relation, ...] | None = None
        self._equated: dict[str, tuple[ir.Lit, ...]] | None = None
        # Whether we have a semantics of what the seats speak
        self.has_meaning = self.dialect.system is not None and not self.is_mixed
        self.is_wide = self.has_meaning and not mix.is_small  # whether clauses are drawn that need one
        self._of_several_rows()
        self.words = frozenset(usable)
        self._facts = dict(seats.seats[0].facts)
        self._relations: tuple[Relation, ...] = ()
        self._has_extremes = False
        self.memo: dict[str, Any] = {}  # what queries.py made for this scene
        self.null_tests = tuple(n for n in strict.operators if n in usable and strict.operators[n].exact)

    def suits(self, row: Aggregate, a: Attribute, is_summed: bool) -> bool:
        """Whether an aggregate of a column has one value. `is_summed`: sums lose no digits."""
        if row.is_sum:
            return is_summed and a.cls in ("int", "any") and "." not in a.name
        if row.is_extreme:
            return a.exact and a.cls in ORDERED
        return row.is_for(a.cls) and (row.exact or not row.is_aggregate or a.exact)

    @cached_property
    def zeroed(self) -> frozenset[str]:
        """Types in which INSERT OR IGNORE makes a value of a NULL that may not be, and that value IS NULL too."""
        return frozenset(t.text for t in self.types if t.is_zeroed)

    @property
    def is_alone(self) -> bool:
        """Whether one target is asked: where several are, none may be left a choice."""
        return self._seats == 1

    def _of_several_rows(self) -> None:
        """Aggregates and window functions, each as often as it is drawn; frames, and sets of groups."""
        rows, is_wide = self.dialect.aggregates, self.is_wide
        self.aggregates = tuple(
            fn for fn in drawn_from(rows, False) if rows[fn].is_common or (is_wide and self.has(f"agg:{fn}"))
        )
        self.windows = tuple(fn for fn in drawn_from(rows, True) if is_wide and self.has(f"window:{fn}"))
        self.frames = tuple(unit for unit in ("ROWS", "RANGE", "GROUPS") if self.has(f"frame:{unit}"))
        self.groupings = tuple(word for word in GROUPINGS if self.has(f"grouping:{word}")) if is_wide else ()

    def _own(self, own: SqlDialect | None) -> None:
        """What only one dialect has: it is not compared with others."""
        self.table_kinds = {n: k for n, k in own.table_kinds.items() if self.has(f"table:{n}")} if own else {}
        self.index_kinds = {n: k for n, k in own.index_kinds.items() if self.has(f"index:{n}")} if own else {}
        self.joins = (*JOINS, *(k for k in own.joins if self.has(f"join:{k}"))) if own else JOINS
        self.collations = tuple(c for c in own.collations if self.has(collating(c))) if own else ()
        self.table_functions = (
            tuple(
                (name, function)
                for name, function in own.table_functions.items()
                for _ in range(function.weight)
                if self.has(f"rows:{name}") and {*function.args, *function.columns} <= set(self.classes)
            )
            if own
            else ()
        )
        self.has_lateral = own is not None and "clause:lateral" in own.probes and self.has("clause:lateral")
        self.has_distinct_on = own is not None and "clause:distinct on" in own.probes and self.has("clause:distinct on")
        self.extras = {n: e for n, e in own.extras.items() if self.has(f"extra:{n}")} if own else {}

    def scene_cache(self, scene: ir.Scene) -> SceneCache:
        """The scene by our own semantics; the last one is kept."""
        if self._cache is None or self._cache.scene is not scene:
            self._cache = SceneCache(scene, self.dialect, self._facts)
        return self._cache

    def compiler(self) -> Compiler | None:
        """Our own semantics of the scene that was looked at last; None where there is none."""
        if self._scene is None or not self.has_meaning:
            return None
        database = self.scene_cache(self._scene).database
        return None if database is None else database.compiler

    def filled(self, relations: tuple[Relation, ...]) -> tuple[Relation, ...]:
        """Those relations of the scene that hold rows, by our own semantics, or else may hold some; all, if none
        does."""
        if self._filled is None:
            cache = self.scene_cache(self._scene) if self._scene is not None else None
            known = [r for r in self._relations if cache is not None and cache.holds_rows(r.name)]
            self._filled = tuple(known or [r for r in self._relations if self.guessed(r.name)])
        return self._filled or relations

    def rows(self, query: ir.Query) -> Rows | None:
        """The right rows of a query on the scene that was looked at last; None where that can't be told."""
        return self.scene_cache(self._scene).rows(query) if self._scene is not None else None

    def guessed(self, name: str) -> Rows:
        """What a table of the scene may hold of which that can't be told."""
        return self.scene_cache(self._scene).guessed(name) if self._scene is not None else []

    def equated(self, cls: str) -> tuple[ir.Lit, ...]:
        """The values that a column of a class may be compared with."""
        if self._equated is None:
            named = [typings for name, typings in self.by_result.get("bool", ()) if name == "="]
            self._equated = {
                t[0]: tuple(dict.fromkeys(self.literals[t[0]])) for ts in named for t in ts if len({*t}) == 1
            }
        return self._equated.get(cls, ())

    def has(self, feature: str) -> bool:
        return feature not in self.refused

    def _look(self, scene: ir.Scene) -> None:
        """Read a scene once for the many checks that are made on it."""
        self._relations = relations(scene)
        extremes = {e.text for e in self.extremes}
        self._has_extremes = any(isinstance(n, ir.Lit) and n.text in extremes for _, n in walk(scene))
        self._scene = scene
        self._filled = None

    def relations(self, scene: ir.Scene) -> tuple[Relation, ...]:
        """The relations that queries on this scene may use."""
        if scene is not self._scene:
            self._look(scene)
        return self._relations

    def has_extremes(self, scene: ir.Scene) -> bool:
        """Whether sums on this scene may lose digits, so that the order of addition shows."""
        if scene is not self._scene:
            self._look(scene)
        return self._has_extremes

    def _index(self, dialect: SqlDialect, usable: set[str]) -> dict[str, tuple[Choice, ...]]:
        """Result class -> operators, each as often as it weighs, with the operand typings it has."""
        typings: dict[str, dict[str, list[tuple[str, ...]]]] = {"any": {}}
        for feature, name, args, result in variants(dialect):
            if name not in usable or feature in self.refused or not dialect.operators[name].weight:
                continue
            if not self.is_loose and not {*args, result} <= {*self.classes, "bool"}:
                continue
            args = tuple(f"{a}{NARROW}" if f"{feature}#{i}" in self.refused else a for i, a in enumerate(args))
            typings.setdefault(result, {}).setdefault(name, []).append(args)
            if self.is_loose and result != "any":
                typings["any"].setdefault(name, []).append(args)
        for cls in {
            a
            for named in typings.values()
            for listed in named.values()
            for args in listed
            for a in args
            if a.endswith(NARROW)
        }:
            # Values of which not all types will do: literals, and what is cast.
            plain = cls.removesuffix(NARROW)
            self.literals[cls] = self.literals[plain]
            if f"cast {plain}" in usable:
                typings[cls] = {f"cast {plain}": [(plain,)]}
        return {
            cls: tuple(
                (name, tuple(listed)) for name, listed in named.items() for _ in range(dialect.operators[name].weight)
            )
            for cls, named in typings.items()
            if named
        }

    def stored(self, draw: Draw, type_text: str, cls: str, has_extremes: bool) -> ir.Lit:
        """A value to store in a column of this type."""
        if (
            has_extremes
            and self.extremes
            and draw.unit() < 0.15
            and type_text in ("", "INT", "INTEGER", "REAL", "NUMERIC", "BIGINT", "HUGEINT")
        ):
            return draw.pick(self.extremes)
        value = self.literal(draw, cls)
        return ir.Lit(value.kind, value.text.lstrip("-")) if type_text.startswith("U") else value

    def literal(self, draw: Draw, cls: str) -> ir.Lit:
        return draw.pick(self.literals[cls if cls in self.literals else "any"])

    def leaf(self, draw: Draw, cls: str, scope: Scope) -> ir.Expr:
        """A column of this class, or a literal."""
        if self.is_loose:
            cls = "any"
        columns = scope.by_class.get(cls)
        unit = draw.unit()
        if columns and unit < 0.7:
            return columns[int(unit * len(columns) / 0.7)]  # one number serves both choices
        if unit > 0.995 and self.extremes and self.is_loose:
            return draw.pick(self.extremes)
        listed = self.literals[cls]
        return listed[int(draw.unit() * len(listed))]

    def expr(self, draw: Draw, cls: str, depth: int, scope: Scope) -> ir.Expr:
        """A random expression of a class, at most `depth` operators deep."""
        if depth <= 0 or draw.unit() < 0.15:
            return self.leaf(draw, cls, scope)
        listed = self.by_result.get(cls)
        return self.leaf(draw, cls, scope) if listed is None else self._apply(draw, listed, depth - 1, scope)

    def _apply(self, draw: Draw, listed: tuple[Choice, ...], depth: int, scope: Scope) -> ir.Op:
        name, typings = listed[int(draw.unit() * len(listed))]
        args = typings[0]
        if len(typings) > 1:
            args = draw.pick(typings)
            for _ in range(3):  # prefer operands that some column can be
                if any(a in scope.by_class for a in args):
                    break
                args = draw.pick(typings)
        if depth <= 0:
            return ir.Op(name, tuple([self.leaf(draw, a, scope) for a in args]))
        return ir.Op(name, tuple([self.expr(draw, a, depth, scope) for a in args]))

    def predicate(self, draw: Draw, depth: int, scope: Scope) -> ir.Expr:
        """A random condition. Columns whose representative is ambiguous are only ever tested for NULL."""
        if scope.fuzzy and (draw.unit() < 0.15 or not scope.by_class):
            test = ir.Op(draw.pick(self.null_tests), (draw.pick(scope.fuzzy),))
            if depth <= 1 or draw.coin():
                return test
            return ir.Op(draw.pick(("and", "or")), (test, self.predicate(draw, depth - 1, scope)))
        if self.is_loose and draw.unit() < 0.1:
            return self.expr(draw, "any", depth, scope)
        return self._apply(draw, self.by_result["bool"], depth - 1, scope)
