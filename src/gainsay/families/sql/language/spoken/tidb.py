"""TiDB's dialect: MySQL's, with the switches and hints of its own optimizer."""

from __future__ import annotations

from gainsay.families.sql.language.dialect import Switch
from gainsay.families.sql.language.spoken.mysql import MYSQL

# docs.pingcap.com/tidb/stable/system-variables: what each is normally set to is the other value
OFF = (
    "tidb_opt_insubq_to_join_and_agg", "tidb_opt_projection_push_down", "tidb_opt_prefix_index_single_scan",
    "tidb_opt_three_stage_distinct_agg", "tidb_opt_enable_hash_join", "tidb_opt_prefer_range_scan",
    "tidb_opt_enable_correlation_adjustment", "tidb_enable_index_merge", "tidb_enable_null_aware_anti_join",
    "tidb_enable_outer_join_reorder", "tidb_enable_vectorized_expression", "tidb_enable_inl_join_inner_multi_pattern",
    "tidb_enable_paging", "tidb_enable_chunk_rpc", "tidb_enable_reuse_chunk", "tidb_opt_advanced_join_hint",
)  # fmt: skip
ON = (
    "tidb_opt_agg_push_down", "tidb_opt_distinct_agg_push_down", "tidb_opt_derive_topn", "tidb_opt_force_inline_cte",
    "tidb_opt_skew_distinct_agg", "tidb_opt_enable_non_eval_scalar_subquery", "tidb_opt_enable_semi_join_rewrite",
    "tidb_opt_enable_no_decorrelate_in_select", "tidb_enable_parallel_apply", "tidb_enable_non_prepared_plan_cache",
    "tidb_enable_ordered_result_mode",
)  # fmt: skip
VALUES = {
    "tidb_partition_prune_mode": ("'static'", "'dynamic'"),
    "tidb_opt_join_reorder_threshold": ("8", "0"),
    "tidb_max_chunk_size": ("32", "1024"),
    "tidb_cost_model_version": ("1", "2"),
}
COMMENTS = {
    "hash joins": "HASH_JOIN({tables})",
    "merge joins": "MERGE_JOIN({tables})",
    "index joins": "INL_JOIN({tables})",
    "index hash joins": "INL_HASH_JOIN({tables})",
    "joined in order": "STRAIGHT_JOIN()",
    "hashed groups": "HASH_AGG()",
    "streamed groups": "STREAM_AGG()",
    "pushed aggregation": "AGG_TO_COP()",
    "no join of subqueries": "USE_TOJA(FALSE)",
    "merged indexes": "USE_INDEX_MERGE({tables})",
}
SWITCHES = {
    **{f"no {name}": Switch(f"SET {name} = OFF", f"SET {name} = ON") for name in OFF},
    **{name: Switch(f"SET {name} = ON", f"SET {name} = OFF") for name in ON},
    **{name: Switch(f"SET {name} = {new}", f"SET {name} = {usual}") for name, (new, usual) in VALUES.items()},
    **{name: Switch(comment=comment) for name, comment in COMMENTS.items()},
    **{name: switch for name, switch in MYSQL.switches.items() if switch.hint},
}
TIDB = MYSQL.extend(
    "tidb",
    # It has one storage engine; and statistics take it half a minute where its store is in its own process.
    without=(*MYSQL.switches, "memory", "myisam", "compressed", "fulltext", *MYSQL.extras),
    settings=tuple(switch.turn for switch in SWITCHES.values() if switch.turn),
    switches=SWITCHES,
)
