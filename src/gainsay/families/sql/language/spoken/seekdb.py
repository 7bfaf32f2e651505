"""OceanBase seekdb's dialect: MySQL's, with OceanBase's own switches and hints."""

from __future__ import annotations

from gainsay.families.sql.language.dialect import Switch
from gainsay.families.sql.language.spoken.mysql import MYSQL

VARIABLES = {
    "no rewriting": ("ob_enable_transformation", "0", "1"),
    "rewriting by cost": ("_optimizer_cost_based_transformation", "0", "1"),
    "no plan cache": ("ob_enable_plan_cache", "0", "1"),
    "no pushed aggregation": ("ob_enable_aggregation_pushdown", "0", "1"),
    "no estimation by storage": ("_enable_storage_cardinality_estimation", "0", "1"),
}
COMMENTS = {
    "nested loops": "USE_NL({tables})",
    "hash joins": "USE_HASH({tables})",
    "merge joins": "USE_MERGE({tables})",
    "in order": "ORDERED",
    "no rewriting of one": "NO_REWRITE",
    "hashed groups": "USE_HASH_AGGREGATION",
    "sorted groups": "NO_USE_HASH_AGGREGATION",
    "parallel": "PARALLEL(2)",
    "no merged views": "NO_MERGE",
    "no unnested subqueries": "NO_UNNEST",
}
HINTS = {name: switch for name, switch in MYSQL.switches.items() if switch.hint}
SWITCHES = {
    **{name: Switch(f"SET {key} = {off}", f"SET {key} = {on}") for name, (key, off, on) in VARIABLES.items()},
    **{name: Switch(comment=comment) for name, comment in COMMENTS.items()},
    **HINTS,
}
SEEKDB = MYSQL.extend(
    "seekdb",
    without=tuple(MYSQL.switches),
    settings=tuple(switch.turn for switch in SWITCHES.values() if switch.turn),
    switches=SWITCHES,
)
