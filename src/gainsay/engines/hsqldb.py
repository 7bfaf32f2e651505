"""HSQLDB, in process: any release that Maven brings."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from gainsay.core.engine import Facts, Proofs
from gainsay.engines.jdbc import JarEngine, JdbcSession

DOCS = "https://hsqldb.org/doc/2.0/guide"
# SQLSTATE, or the beginning of it -> the kind of refusal
KINDS = (
    ("42501", "name"), ("4258", "syntax"), ("4259", "syntax"), ("4256", "type"), ("42", "other"),
    ("22018", "conversion"), ("22007", "conversion"), ("22003", "overflow"), ("22", "value"), ("21", "value"),
    ("23", "constraint"), ("0A", "missing"), ("44", "constraint"),
)  # fmt: skip
ONE = "FROM (VALUES(0)) AS q"
# Fact -> a question, and the answer by which each value is known. Probes verify `facts`; they never invent it.
PROOFS: Proofs = {
    "like-case": (f"SELECT 'a' LIKE 'A' {ONE}", {"sensitive": "[(False,)]"}),
    "round-half": (
        f"SELECT ROUND(CAST(0.5 AS DOUBLE), 0), ROUND(CAST(2.5 AS DOUBLE), 0) {ONE}", {"to even": "[(0.0, 2.0)]"},
    ),
    "trailing-space": (f"SELECT 'a' = 'a ' {ONE}", {"counts": "[(False,)]", "ignored": "[(True,)]"}),
}  # fmt: skip


class HsqldbSession(JdbcSession):
    """A database of a name that nobody has; it goes with its last connection."""

    kinds = KINDS
    driver = "org.hsqldb.jdbc.JDBCDriver"
    begins = ("SET DATABASE SQL SYNTAX MYS TRUE",)  # REPLACE INTO

    @staticmethod
    def url(options: Sequence[str]) -> str:
        return ";".join((f"jdbc:hsqldb:mem:{secrets.token_hex(6)}", "shutdown=true", *options))


class HSQLDB(JarEngine):
    """A configuration is properties of the database's URL."""

    name = "hsqldb"
    dialect = "hsqldb"
    title = "HSQLDB"
    artifact = "org.hsqldb:hsqldb"
    session = HsqldbSession
    configs = {
        "default": (),
        "mvcc": ("hsqldb.tx=mvcc",),
        "strict": ("sql.enforce_strict_size=true",),
    }
    proofs = PROOFS
    old_releases = "name one that Maven brings, such as hsqldb@2.3.6"

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        functions = f"{DOCS}/builtinfunctions-chapt.html"
        return {
            "like-case": ("sensitive", f"{DOCS}/dataaccess-chapt.html#dac_sql_predicates"),
            "round-half": ("to even", functions),
            "trailing-space": ("ignored", f"{DOCS}/databaseobjects-chapt.html#dbc_collations"),
        }
