"""The dialects that we have, by name; those of others are found by module and attribute."""

from __future__ import annotations

import importlib

from gainsay.families.sql.language.dialect import SqlDialect
from gainsay.families.sql.language.spoken.clickhouse import CLICKHOUSE
from gainsay.families.sql.language.spoken.datafusion import DATAFUSION
from gainsay.families.sql.language.spoken.dolt import DOLT
from gainsay.families.sql.language.spoken.duckdb import DUCKDB
from gainsay.families.sql.language.spoken.h2 import H2
from gainsay.families.sql.language.spoken.hsqldb import HSQLDB
from gainsay.families.sql.language.spoken.mysql import MARIADB, MYSQL
from gainsay.families.sql.language.spoken.postgresql import COCKROACHDB, POSTGRESQL
from gainsay.families.sql.language.spoken.sqlite import SQLITE
from gainsay.families.sql.language.spoken.turso import TURSO

DIALECTS = {
    d.name: d
    for d in (SQLITE, DUCKDB, POSTGRESQL, COCKROACHDB, MYSQL, MARIADB, DATAFUSION, TURSO, CLICKHOUSE, H2, HSQLDB, DOLT)
}


def find(name: str) -> SqlDialect:
    """A dialect of ours by name, or anybody's as module:attribute."""
    if name in DIALECTS:
        return DIALECTS[name]
    module, _, attribute = name.partition(":")
    found: SqlDialect = getattr(importlib.import_module(module), attribute)
    return found
