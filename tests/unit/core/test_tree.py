"""Walking and changing trees: what stands where, what is said of it, and what is at a place."""

import pytest

from gainsay.core.tree import holder, narrowed, said
from gainsay.families.sql.language import ir

ONE, TWO, THREE = (ir.Lit("int", text) for text in "123")
QUERY = ir.Select((ONE, ir.Op("not", (TWO,))), where=ir.Op("not", (THREE,)))


def test_what_is_in_a_tuple_or_by_itself_is_held_by_a_field_of_a_node():
    assert holder(QUERY, ("items", 1, "args", 0)) == (QUERY.items[1], "args")
    assert holder(QUERY, ("where",)) == (QUERY, "where")
    assert holder((QUERY,), (0,)) == (None, "") and holder(QUERY, ()) == (None, "")


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ((1, 2, 3), (1, 3)),
        (ir.Values((ONE, TWO)), ir.Values((ONE,))),
        (ir.Compound("UNION", (QUERY, QUERY)), ir.Compound("UNION", (ir.Select((ONE,), where=QUERY.where),) * 2)),
        (
            ir.Insert("t", ("a", "b"), (ir.Values((ONE, TWO)),), query=QUERY),
            ir.Insert("t", ("a",), (ir.Values((ONE,)),), query=ir.Select((ONE,), where=QUERY.where)),
        ),
        (ir.Insert("t", ("a", "b"), ()), ir.Insert("t", ("a",), ())),
    ],
)
def test_a_place_leaves_whatever_has_something_for_it(value, left):
    assert narrowed(value, 1) == left


def test_words_are_said_of_each_node_by_its_class():
    words = {ir.Op: "op:{.op}", ir.Lit: lambda node: [node.kind, node.text]}
    assert list(said(QUERY, words)) == ["int", "1", "op:not", "int", "2", "op:not", "int", "3"]
