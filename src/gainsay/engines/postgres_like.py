"""What speaks PostgreSQL's protocol and is hunted on as a server of the user's: CockroachDB, YugabyteDB, QuestDB, ...

Nothing is assumed of them: what they take is probed, and a fact is theirs only if the running server proves it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from gainsay.core.answer import Refused, Rows
from gainsay.core.engine import Facts, Options
from gainsay.engines.postgresql import PROOFS, PostgresHouse, PostgreSQL
from gainsay.engines.sql_server import House, OwnServer, Wire, options_of

OUR_NAMES = re.compile(r"[tvx]\d+(_twin|_back)?|p|ty|xc|z[tie]")  # of scenes, of copies of them, of probes
SEEN = "as the running server answers"


class LikePostgres(PostgreSQL):
    """An engine of the user's that speaks PostgreSQL's protocol."""

    package = ""
    needs_server = True
    has_programs = False
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

    def is_preferred(self) -> bool:
        return False


NO_SERVER = (
    "{name} is hunted on as a server of yours: {name}?url={scheme}://USER@HOST:{port}/DATABASE, with the password in "
    "the environment."
)


class TheirsOnly(PostgresHouse):
    """No server of ours: a schema on the user's."""

    def start(self) -> OwnServer:
        raise RuntimeError(f"{self._engine} is hunted on as a server of yours: give ?url= or ?host=&port=.")


class NoSchemas(TheirsOnly):
    """A server without CREATE SCHEMA: our tables leave one by one, so that the database must have been empty."""

    room = ""

    def empty(self, wire: Wire, name: str) -> None:
        (found,) = wire.run(["SELECT table_name FROM information_schema.tables"])
        for (table,) in found.rows if isinstance(found, Rows) else ():
            if OUR_NAMES.fullmatch(table):
                for kind in ("VIEW", "TABLE"):
                    wire.run([f"DROP {kind} IF EXISTS {table}"])

    def emptied(self, name: str) -> Sequence[str]:
        return ()

    def left(self, name: str) -> Sequence[str]:
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
    """An engine in whose database we can't be apart from the user's tables."""

    def house(self, configs: Sequence[str], options: Options) -> House:
        return NoSchemas(self.theirs(options), self.name)


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
