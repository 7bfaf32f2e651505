"""The dialects that we have, by name; those of others are found by module and attribute. And the operators and
aggregates of all, for what looks at a case and knows no dialect."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from gainsay.families.sql.language.aggregates import UNKNOWN, Aggregate
from gainsay.families.sql.language.dialect import SqlDialect
from gainsay.families.sql.language.ops import Operator
from gainsay.families.sql.language.spoken.clickhouse import CLICKHOUSE
from gainsay.families.sql.language.spoken.datafusion import DATAFUSION
from gainsay.families.sql.language.spoken.dolt import DOLT
from gainsay.families.sql.language.spoken.doltgres import DOLTGRES
from gainsay.families.sql.language.spoken.duckdb import DUCKDB
from gainsay.families.sql.language.spoken.h2 import H2
from gainsay.families.sql.language.spoken.hsqldb import HSQLDB
from gainsay.families.sql.language.spoken.mysql import MARIADB, MYSQL
from gainsay.families.sql.language.spoken.postgres_like import PGWIRE, QUESTDB
from gainsay.families.sql.language.spoken.postgresql import COCKROACHDB, POSTGRESQL
from gainsay.families.sql.language.spoken.seekdb import SEEKDB
from gainsay.families.sql.language.spoken.sqlite import SQLITE
from gainsay.families.sql.language.spoken.tidb import TIDB
from gainsay.families.sql.language.spoken.turso import TURSO

DIALECTS = {
    d.name: d
    for d in (
        SQLITE, DUCKDB, POSTGRESQL, COCKROACHDB, MYSQL, MARIADB, DATAFUSION, TURSO, CLICKHOUSE, H2, HSQLDB, DOLT,
        DOLTGRES, SEEKDB, TIDB, PGWIRE, QUESTDB,
    )
}  # fmt: skip
# An operator has the same place in shapes and sizes in every dialect that has it.
ROWS: Mapping[str, Operator] = {key: row for d in reversed(DIALECTS.values()) for key, row in d.operators.items()}
AGGREGATES: Mapping[str, Aggregate] = {k: row for d in reversed(DIALECTS.values()) for k, row in d.aggregates.items()}
_OTHERS: dict[str, SqlDialect] = {}  # those of others that were found


def find(name: str) -> SqlDialect:
    """A dialect of ours by name, or anybody's as module:attribute."""
    if name in DIALECTS:
        return DIALECTS[name]
    if name not in _OTHERS:
        module, _, attribute = name.partition(":")
        _OTHERS[name] = getattr(importlib.import_module(module), attribute)
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
