"""Doltgres's dialect: PostgreSQL's, whose switches it takes and does not look at.

What it takes of NULL and refuses of every other value is left out by hand: probes can't see that."""

from __future__ import annotations

from gainsay.families.sql.language.dialect import Switch
from gainsay.families.sql.language.spoken.postgresql import POSTGRESQL

SWITCHES = {"plain json": Switch("SET dolt_optimize_json = 0", "SET dolt_optimize_json = 1")}
REFUSED = ("list", "bits")  # classes that most functions have no cast for
OF_VALUES = ("json contains", "json path")
CHOICES = ("greatest", "least", "nullif")
DOLTGRES = POSTGRESQL.extend(
    "doltgres",
    system=None,
    without=(*POSTGRESQL.switches, *OF_VALUES, "unnest", "unnest numbered"),
    types=tuple(t for t in POSTGRESQL.types if t.cls not in REFUSED),
    lacks=("clause:lateral", *(f"op:{name}/bool,bool" for name in CHOICES)),
    settings=tuple(switch.turn for switch in SWITCHES.values()),
    switches=SWITCHES,
    lenient=True,
)
