"""What may be drawn of which our own semantics has a meaning: for an oracle that must know the answer."""

from __future__ import annotations

import msgspec

from gainsay.core.model import Seats
from gainsay.families.sql.drawing.lexicon import Lexicon
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.dialect import SqlDialect
from gainsay.families.sql.language.schema import Relation
from gainsay.families.sql.meaning.scene_cache import SceneCache
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.system import UNKNOWN, TypeSystem


class Meant(Lexicon):
    """The operators, types and literals that have a meaning, and of each scene the relations and columns of which it is
    known what they hold."""

    def __init__(self, seats: Seats) -> None:
        self._wide: Lexicon = seats.lexicon
        dialect = self._wide.dialect
        lacks = lacking(dialect, dialect.values(dict(seats.seats[0].facts)))
        super().__init__(seats, self._wide.mix, lacks)

    def scene_cache(self, scene: ir.Scene) -> SceneCache:
        return self._wide.scene_cache(scene)

    def _look(self, scene: ir.Scene) -> None:
        super()._look(scene)
        cache = self.scene_cache(scene)
        self._relations = tuple(r for r in (known(each, cache) for each in self._relations) if r.attributes)


def known(relation: Relation, cache: SceneCache) -> Relation:
    """A relation with those columns of which it is known what they hold."""
    types = {c.name: c.type for c in cache.columns(relation.name)}
    listed = tuple(a for a in relation.attributes if types.get(a.name, UNKNOWN) != UNKNOWN)
    return relation if len(listed) == len(relation.attributes) else msgspec.structs.replace(relation, attributes=listed)


def lacking(dialect: SqlDialect, system: TypeSystem) -> frozenset[str]:
    """The features of a dialect that have no meaning."""
    found = {f"op:{name}" for name in dialect.operators if name not in system.meanings}
    found |= {f"rows:{name}" for name in dialect.table_functions}
    for each in dialect.types:
        kind = system.attribute(ir.Column("c0", each.text, each.cls)).type
        if kind == UNKNOWN or not is_read(dialect, system, each.cls):
            found.add(f"type:{each.text}")
    return frozenset(found)


def is_read(dialect: SqlDialect, system: TypeSystem, cls: str) -> bool:
    """Whether all literals of a class have a value."""
    try:
        for node in dialect.literals.get(cls, ()):
            system.literal(node)
    except Undetermined:
        return False
    return True


def lexicon(seats: Seats) -> Lexicon:
    """What may be drawn for these seats, of which our own semantics has a meaning; made once."""
    wide: Lexicon = seats.lexicon
    if wide.meant is None:
        wide.meant = Meant(seats)
    return wide.meant
