"""H2, in process: any release that Maven brings."""

from __future__ import annotations

from collections.abc import Sequence

from gainsay.core.engine import Facts, Proofs
from gainsay.engines.jdbc import JarEngine, JdbcSession

DOCS = "https://h2database.com/html"
# SQLSTATE, or the beginning of it -> the kind of refusal
KINDS = (
    ("HY000", "internal"), ("HYC00", "missing"), ("0A", "missing"), ("42000", "syntax"), ("42001", "syntax"),
    ("42S", "name"), ("90022", "name"), ("22018", "conversion"), ("22007", "conversion"), ("22003", "overflow"),
    ("22", "value"), ("23", "constraint"), ("21", "type"), ("42", "type"),
)  # fmt: skip
# Fact -> a question, and the answer by which each value is known. Probes verify `facts`; they never invent it.
PROOFS: Proofs = {
    "like-case": ("SELECT 'a' LIKE 'A'", {"sensitive": "[(False,)]"}),
    "modulo-zero": ("SELECT MOD(5, 0)", {"error": "refused"}),
    "substr-negative": ("SELECT SUBSTR('abc', -2, 1)", {"start counts from the end": "[('b',)]"}),
}  # fmt: skip


class H2Session(JdbcSession):
    """A database without a name: it goes with its connection."""

    kinds = KINDS
    driver = "org.h2.Driver"

    @staticmethod
    def url(options: Sequence[str]) -> str:
        return ";".join(("jdbc:h2:mem:", *options))


class H2(JarEngine):
    """A configuration is options of the database's URL."""

    name = "h2"
    dialect = "h2"
    title = "H2"
    artifact = "com.h2database:h2"
    session = H2Session
    configs = {
        "default": (),
        "no-or": ("OPTIMIZE_OR=FALSE",),
        "no-in-list": ("OPTIMIZE_IN_LIST=FALSE",),
        "no-in-select": ("OPTIMIZE_IN_SELECT=FALSE",),
        "no-distinct": ("OPTIMIZE_DISTINCT=FALSE",),
        "no-evaluated-subqueries": ("OPTIMIZE_EVALUATABLE_SUBQUERIES=FALSE",),
        "no-reused-results": ("OPTIMIZE_REUSE_RESULTS=0",),
        "lazy": ("LAZY_QUERY_EXECUTION=1",),
        "recompile": ("RECOMPILE_ALWAYS=TRUE", "QUERY_CACHE_SIZE=0"),
    }
    proofs = PROOFS
    old_releases = "name one that Maven brings, such as h2@1.4.200"

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        return {
            "like-case": ("sensitive", f"{DOCS}/grammar.html#like_predicate_right_hand_side"),
            "modulo-zero": ("error", f"{DOCS}/functions.html#mod"),
            "substr-negative": ("start counts from the end", f"{DOCS}/functions.html#substring"),
        }
