"""What FalkorDB's words mean."""

import pytest

from gainsay.engines.redis_graph import refusal


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Unable to resolve filtered alias '[(n)-[r:FRIEND_OF]->(m) | r]'", "missing"),  # a maintainer: not supported
        # MATCH (n) WITH * WHERE [()-[]->() | 1] = [] RETURN 1: the same, behind a WITH
        ("_AR_EXP_UpdateEntityIdx: Unable to locate a value with alias [()-[]->() | 1] within the record", "missing"),
        ("_AR_EXP_UpdateEntityIdx: Unable to locate a value with alias n within the record", "internal"),
        ("Unable to resolve filtered alias '@anon_2'", "internal"),  # a maintainer: a bug
        ("Type mismatch: expected Null but was Pointer", "type"),
    ],
)
def test_what_a_maintainer_calls_unsupported_is_a_refusal(message, kind):
    assert refusal(message).kind == kind
