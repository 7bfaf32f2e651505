"""Dolt's dialect: MySQL's, without its storage engines, partitions and optimizer switches."""

from __future__ import annotations

from gainsay.families.sql.language.dialect import Extra, Switch
from gainsay.families.sql.language.spoken.mysql import MYSQL

SWITCHES = {
    "no merge join": Switch("SET disable_merge_join = 1", "SET disable_merge_join = 0"),
    "joins in memory": Switch("SET inmemory_joins = 1", "SET inmemory_joins = 0"),
    "plain json": Switch("SET dolt_optimize_json = 0", "SET dolt_optimize_json = 1"),
    "simple joins": Switch("SET join_complexity_limit = 2", "SET join_complexity_limit = 12"),
}
DOLT = MYSQL.extend(
    "dolt",
    without=(*MYSQL.switches, *MYSQL.table_kinds, *MYSQL.extras),
    settings=tuple(switch.turn for switch in SWITCHES.values()),
    lacks=[f"op:{name}/{cls},{cls}" for name in ("greatest", "least") for cls in ("bool", "blob", "bits")],
    switches=SWITCHES,
    extras={"statistics": Extra("ANALYZE TABLE {table}", chance=0.15)},
)
