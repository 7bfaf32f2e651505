"""The dialects that we have, by name; those of others are found by module and attribute. And the operators and
aggregates of all, for what looks at a case and knows no dialect."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping

from gainsay.core.plugins import among
from gainsay.families.sql.language import spoken
from gainsay.families.sql.language.aggregates import UNKNOWN, Aggregate
from gainsay.families.sql.language.dialect import SqlDialect
from gainsay.families.sql.language.ops import Operator

BASE = "ansi"  # what all are merged over: nobody speaks it
# Whose rows stand for an operator that several dialects have: these first, then the others by name
FIRST = ("sqlite", "duckdb", "postgresql", "mysql")


def spoken_here() -> Iterator[SqlDialect]:
    """The dialects of the folder `spoken`: whatever stands in a module of it under a name of its own."""
    names = sorted(found.name for found in pkgutil.iter_modules(spoken.__path__))
    for name in sorted(names, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name)):
        there = vars(importlib.import_module(f"{spoken.__name__}.{name}"))
        yield from (value for value in there.values() if isinstance(value, SqlDialect) and value.name != BASE)


DIALECTS = {dialect.name: dialect for dialect in spoken_here()}
# An operator has the same place in shapes and sizes in every dialect that has it.
ROWS: Mapping[str, Operator] = {key: row for d in reversed(DIALECTS.values()) for key, row in d.operators.items()}
AGGREGATES: Mapping[str, Aggregate] = {k: row for d in reversed(DIALECTS.values()) for k, row in d.aggregates.items()}
_OTHERS: dict[str, SqlDialect] = {}  # those of others that were found


def find(name: str) -> SqlDialect:
    """A dialect of ours by name, or anybody's as module:attribute."""
    if name in DIALECTS:
        return DIALECTS[name]
    if name not in _OTHERS:
        _OTHERS[name] = among(DIALECTS, name)
    return _OTHERS[name]


def row(name: str) -> Operator | None:
    """The row of an operator, in whichever dialect it stands."""
    if name in ROWS:
        return ROWS[name]
    return next((d.operators[name] for d in _OTHERS.values() if name in d.operators), None)


def aggregate(name: str) -> Aggregate:
    """The row of an aggregate or window function; one of which nothing is known where it stands in no dialect."""
    if name in AGGREGATES:
        return AGGREGATES[name]
    return next((d.aggregates[name] for d in _OTHERS.values() if name in d.aggregates), UNKNOWN)


def plainer(name: str) -> tuple[str, ...]:
    """The operators that are plainer than this one and can stand in its place, plainest first."""
    found: list[str] = []
    while (operator := row(name)) and operator.plainer:
        name = operator.plainer
        found.append(name)
    return tuple(reversed(found))
