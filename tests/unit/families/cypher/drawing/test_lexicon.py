"""What may be drawn: settings, and operators that are refused."""

import pytest

from cypher_standin import FAMILY, seats
from gainsay.errors import UsageError
from gainsay.families.cypher.meaning.scene_cache import profile_of

SEATED = seats()
STANDARD = profile_of(SEATED)
TEXT = FAMILY.dialect("neo4j").text


@pytest.mark.parametrize(
    ("key", "value", "part"),
    [("clauses", "0", "1 to 9"), ("clauses", "10", "1 to 9"), ("clauses", "x", "1 to 9"), ("nodes", "0", "1 to 128"),
     ("nodes", "-3", "1 to 128"), ("nodes", "129", "1 to 128"),
      ("guidance", "ful", "Did you mean full"), ("guidance", "", "no such guidance")],
)  # fmt: skip
def test_a_wrong_setting_is_told(key, value, part):
    with pytest.raises(UsageError, match=part):
        seats(**{key: value})


def test_operators_that_are_refused_are_in_no_list():
    made = seats(refused=frozenset({"op:+/int,int", "op:XOR", "op:size/str"})).lexicon
    assert ("+", ("int", "int")) not in made.by_result["int"] and ("+", ("float", "float")) in made.by_result["float"]
    assert not any(op == "XOR" for choices in made.by_result.values() for op, _ in choices)
    assert ("size", ("str",)) not in made.by_result["int"] and ("size", ("ints",)) in made.by_result["int"]
    lacking = seats(dialect="kuzu").lexicon
    assert not any(op in ("toInteger", "labels", "head") for choices in lacking.by_result.values() for op, _ in choices)
