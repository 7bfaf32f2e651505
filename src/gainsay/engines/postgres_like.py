"""What speaks PostgreSQL's protocol and is hunted on as a server of the user's: CockroachDB, YugabyteDB, QuestDB, ...

Nothing is assumed of them: what they take is probed, and a fact is theirs only if the running server proves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from gainsay.core.answer import Refused, Rows
from gainsay.core.engine import Facts, Options
from gainsay.engines import apart
from gainsay.engines.apart import NOT_DROPPED, PASSES, ApartWire, cleared, owner, tables
from gainsay.engines.postgresql import IN_USE, PROOFS, PostgresHouse, PostgreSQL
from gainsay.engines.sql_server import OURS, House, OwnServer, Wire, is_orphaned, listed, named, options_of

SEEN = "as the running server answers"


class LikePostgres(PostgreSQL):
    """An engine of the user's that speaks PostgreSQL's protocol."""

    package = ""
    needs_server = True
    is_archive = False
    configs = {"default": ()}
    proofs = {}
    old_releases = ""
    code_base: ClassVar[str] = ""

    def house(self, configs: Sequence[str], options: Options) -> House:
        return TheirsOnly(self.theirs(options), self.name)

    def own_version(self) -> str:
        raise RuntimeError(NO_SERVER.format(name=self.name, scheme=self.schemes[0], port=self.port))

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        """What the running server proves, by the questions that PostgreSQL's own facts are proved with."""
        theirs = self.theirs({})
        if theirs is None:
            return {}
        wire = self.connected(theirs)
        try:
            found = {}
            for fact, (question, answers) in PROOFS.items():
                (answer,) = wire.run([str(question)])
                told = (
                    repr(answer.rows) if isinstance(answer, Rows) else "refused" if isinstance(answer, Refused) else ""
                )
                value = next((value for value, rows in answers.items() if rows == told), "")
                if value:
                    found[fact] = (value, SEEN)
            return found
        finally:
            wire.close()

    def requirements(self, version: str) -> Sequence[str]:
        return []

    def available(self) -> Mapping[str, str]:
        return {}  # PostgreSQL's releases are none of its own

    def is_preferred(self) -> bool:
        return False

    def begun(self) -> str:
        return BEGUN.format(name=self.name) + IN_SCHEMA


NO_SERVER = (
    "A server of yours is named by ?url=. Write {name}?url={scheme}://USER@HOST:{port}/DATABASE, with the password in "
    "the environment."
)


class TheirsOnly(PostgresHouse):
    """No server of ours: a schema on the user's. Some have none of PostgreSQL's ways to remove it or to see who uses
    it."""

    def start(self) -> OwnServer:
        raise RuntimeError(f"{self._engine} is hunted on as a server of yours: give ?url= or ?host=&port=.")

    def empty(self, wire: Wire, name: str) -> None:
        """A schema that is not dropped with what is in it is emptied bit by bit."""
        if isinstance(wire.run([f"DROP SCHEMA IF EXISTS {name} CASCADE"])[0], Rows):
            return
        for _ in range(PASSES):
            found = [(kinds, each) for kinds, question in INSIDE for each in listed(wire, question.format(name))]
            if not found:
                return
            for kinds, each in found:
                for kind in kinds:
                    for others in (" CASCADE", ""):
                        wire.run([f"DROP {kind} IF EXISTS {name}.{each}{others}"])
        raise RuntimeError(NOT_DROPPED.format(f"{name}.{found[0][1]}"))

    def emptied(self, name: str) -> Sequence[str]:
        return (f"CREATE SCHEMA IF NOT EXISTS {name}", f"SET search_path = {name}")

    def left(self, name: str) -> Sequence[str]:
        return (f"DROP SCHEMA IF EXISTS {name}",)

    def forgotten(self, wire: Wire) -> Sequence[str]:
        return super().forgotten(wire) if is_told_who(wire) else [n for n in listed(wire, OURS_THERE) if is_orphaned(n)]


TABLES, TYPES = ("VIEW", "MATERIALIZED VIEW", "TABLE"), ("TYPE", "DOMAIN")
# What may be in a schema, as what it is dropped; some servers have one of the catalogs and some the other
INSIDE = (
    (TABLES, "SELECT table_name FROM information_schema.tables WHERE table_schema = '{}'"),
    (TABLES, "SELECT matviewname FROM pg_matviews WHERE schemaname = '{}'"),
    (
        TYPES,
        "SELECT typname FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = t.typnamespace "
        "WHERE typtype IN ('e', 'd', 'r') AND nspname = '{}'",
    ),
)
OURS_THERE = f"SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE '{OURS}%'"


def is_told_who(wire: Wire) -> bool:
    """Whether the server shows who is connected, by the name that we give ourselves."""
    wire.run([f"SET application_name = {named('asking')}"])
    return named("asking") in listed(wire, IN_USE)


class NoSchemas(TheirsOnly):
    """A server without CREATE SCHEMA: each session has names of its own, and its tables leave one by one."""

    room = ""

    def apart(self, wire: Wire, name: str) -> Wire:
        return ApartWire(wire, f"{name}_")

    def empty(self, wire: Wire, name: str) -> None:
        cleared(wire, f"{name}_")

    def emptied(self, name: str) -> Sequence[str]:
        return ()

    def left(self, name: str) -> Sequence[str]:
        return ()

    def others(self, wire: Wire) -> Sequence[str]:
        return [name for name in super().others(wire) if not name.rpartition(".")[2].startswith(OURS)]

    def forgotten(self, wire: Wire) -> Sequence[str]:
        return sorted({name for name in map(owner, tables(wire)) if is_orphaned(name)})

    def in_use(self, wire: Wire) -> Sequence[str]:
        return ()


class CockroachDB(LikePostgres):
    """CockroachDB by its wire."""

    name = "cockroachdb"
    dialect = "cockroachdb"
    schemes = ("postgresql", "cockroachdb")
    port = 26257
    options = options_of("cockroachdb", "postgresql", 26257)


class Yugabyte(LikePostgres):
    """YugabyteDB's YSQL by its wire: PostgreSQL's own code above another store."""

    name = "yugabyte"
    code_base = "postgresql"
    schemes = ("postgresql", "yugabyte")
    port = 5433
    options = options_of("yugabyte", "postgresql", 5433)


class Materialize(LikePostgres):
    """Materialize by its wire."""

    name = "materialize"
    dialect = "pgwire"
    schemes = ("postgresql", "materialize")
    port = 6875
    options = options_of("materialize", "postgresql", 6875)


class WithoutSchemas(LikePostgres):
    """An engine that has no schemas."""

    def house(self, configs: Sequence[str], options: Options) -> House:
        return NoSchemas(self.theirs(options), self.name)

    def begun(self) -> str:
        return BEGUN.format(name=self.name) + apart.begun()


class QuestDB(WithoutSchemas):
    """QuestDB by its wire."""

    name = "questdb"
    dialect = "questdb"
    schemes = ("postgresql", "questdb")
    port = 8812
    options = options_of("questdb", "postgresql", 8812)


class CrateDB(WithoutSchemas):
    """CrateDB by its wire."""

    name = "cratedb"
    dialect = "pgwire"
    schemes = ("postgresql", "cratedb")
    port = 5432
    options = options_of("cratedb", "postgresql", 5432)


class PgWire(LikePostgres):
    """Anything else that speaks PostgreSQL's protocol."""

    name = "pgwire"
    dialect = "pgwire"
    options = options_of("pgwire", "postgresql", 5432)


# Of stand-alone scripts: nothing is taken for granted there either
BEGUN = """
def tried(text):
    try:
        return ask(text)
    except RuntimeError:
        return []
VERSION = "{name} " + (tried("SHOW server_version") or tried("SELECT version()") or [("?",)])[0][0].split()[0]
""".lstrip()
IN_SCHEMA = """
tried("DROP SCHEMA IF EXISTS gainsay_repro CASCADE")
for (name,) in tried("SELECT table_name FROM information_schema.tables WHERE table_schema = 'gainsay_repro'"):
    tried("DROP VIEW IF EXISTS gainsay_repro." + name)
    tried("DROP TABLE IF EXISTS gainsay_repro." + name)
ask("CREATE SCHEMA IF NOT EXISTS gainsay_repro")
ask("SET search_path = gainsay_repro")
""".lstrip()
