"""What a scene's statements amount to: the relations that queries may use, with their columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from gainsay.families.sql.language import ir
from gainsay.families.sql.language.spoken.sqlite import TYPES as SQLITE_TYPES

# A reducer may give a column one of these types, whatever its own was.
AMBIGUOUS_TYPES = frozenset({t.text for t in SQLITE_TYPES if not t.exact} | {"DOUBLE"})


class Scope(msgspec.Struct, frozen=True):
    """The columns that an expression may use: by class, and those of which only NULL or not may be asked (`fuzzy`)."""

    by_class: Mapping[str, tuple[ir.Expr, ...]]
    fuzzy: tuple[ir.Expr, ...] = ()

    @staticmethod
    def of(columns: Iterable[tuple[ir.Expr, str, bool]]) -> Scope:
        """Sort columns (or other terms that may stand for one) by class."""
        groups: dict[str, list[ir.Expr]] = {}
        fuzzy = []
        for column, cls, clean in columns:
            if clean:
                groups.setdefault(cls, []).append(column)
            else:
                fuzzy.append(column)
        return Scope({c: tuple(g) for c, g in groups.items()}, tuple(fuzzy))


class Attribute(msgspec.Struct, frozen=True):
    """A column of a relation.
    `clean`: its value is determined. `exact`: equal values are identical, so DISTINCT on it is determined."""

    name: str
    cls: str
    clean: bool = True
    exact: bool = False


class Relation(msgspec.Struct, frozen=True):
    """A table or view, as queries see it."""

    name: str
    attributes: tuple[Attribute, ...]
    kind: str = "table"  # table, view, virtual

    def columns(self, alias: str = "") -> list[tuple[ir.Col, Attribute]]:
        return [(ir.Col(alias or self.name, a.name), a) for a in self.attributes]


def attribute(column: ir.Column) -> Attribute:
    exact = column.is_exact and column.type not in AMBIGUOUS_TYPES and not column.collate and column.generated is None
    return Attribute(column.name, column.cls, True, exact)


def relation_of(statement: ir.Statement) -> Relation | None:
    if isinstance(statement, ir.CreateTable):
        return Relation(statement.name, tuple(attribute(c) for c in statement.columns))
    if isinstance(statement, ir.CreateView):
        listed = tuple(Attribute(c.name, c.cls, c.clean, c.exact) for c in statement.columns)
        return Relation(statement.name, listed, "view")
    if isinstance(statement, ir.CreateVirtual):
        return Relation(statement.name, tuple(Attribute(c, "any") for c in statement.columns), "virtual")
    return None


def after(known: dict[str, Relation], statement: ir.Statement) -> None:
    """What a statement makes of the relations that are known: one more, or another one in the place of one."""
    made = relation_of(statement)
    if made is not None:
        known[made.name] = made
    if not isinstance(statement, (ir.RenameTable, ir.RenameColumn, ir.AddColumn, ir.DropColumn)):
        return
    old = known.get(statement.table)
    if old is None:
        return
    if isinstance(statement, ir.RenameTable):
        known.pop(old.name)
    new = altered(old, statement)
    known[new.name] = new


def altered(old: Relation, statement: ir.Alter) -> Relation:
    """A table after it was altered."""
    replace, listed = msgspec.structs.replace, old.attributes
    if isinstance(statement, ir.RenameTable):
        return replace(old, name=statement.name)
    if isinstance(statement, ir.RenameColumn):
        named = (replace(a, name=statement.name) if a.name == statement.column else a for a in listed)
        return replace(old, attributes=tuple(named))
    if isinstance(statement, ir.AddColumn):
        return replace(old, attributes=(*listed, attribute(statement.column)))
    return replace(old, attributes=tuple(a for a in listed if a.name != statement.column))


def relations(scene: ir.Scene) -> tuple[Relation, ...]:
    """The relations of a scene, in the order of their creation."""
    known: dict[str, Relation] = {}
    for statement in scene.statements:
        after(known, statement)
    return tuple(known.values())


def scope_of(columns: Iterable[tuple[ir.Col, Attribute]]) -> Scope:
    return Scope.of((c, a.cls, a.clean) for c, a in columns)
