"""The meaning of each operator and function, one line for each fact; null, and what stays open."""

import pytest

from gainsay.families.cypher.language.ops import OPS
from gainsay.families.cypher.language.reader import read
from gainsay.families.cypher.meaning.graph import Graph
from gainsay.families.cypher.meaning.profile import FACTS, profile
from gainsay.families.cypher.meaning.semantics import Evaluator, Undetermined

NOWHERE = Evaluator(Graph([], []), profile(()))


def value(text):
    rows = NOWHERE.rows(read(f"RETURN {text} AS x"))
    return rows[0][0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # truth
        ("true AND null", None),
        ("false AND null", False),
        ("null AND null", None),
        ("true OR null", True),
        ("false OR null", None),
        ("true XOR null", None),
        ("true XOR false", True),
        ("true XOR true", False),
        ("NOT null", None),
        ("NOT false", True),
        ("null IS NULL", True),
        ("1 IS NOT NULL", True),
        # equality
        ("null = null", None),
        ("null <> null", None),
        ("1 = 1.0", True),
        ("1 = 'a'", False),
        ("1 <> 'a'", True),
        ("true = 1", False),
        ("[1, 2] = [1, 2]", True),
        ("[1, 2] = [1.0, 2]", True),
        ("[1] = [1, 2]", False),
        ("[1, null] = [1, null]", None),
        ("[1, null] = [2, null]", False),
        ("[1, null] <> [2, null]", True),
        ("[null] = [1, null]", False),
        ("[] = []", True),
        ("{a: 1} = {a: 1}", True),
        ("{a: null} = {a: 1}", None),
        ("{a: 1} = {b: 1}", False),
        # order
        ("1 < 2", True),
        ("1 <= 1.0", True),
        ("2 > null", None),
        ("'a' < 'b'", True),
        ("'B' < 'a'", True),
        ("'' < 'a'", True),
        ("'ab' >= 'a'", True),
        # lists
        ("1 IN [1, null]", True),
        ("2 IN [1, null]", None),
        ("2 IN [1]", False),
        ("null IN [1]", None),
        ("null IN []", False),
        ("1 IN []", False),
        ("1 IN null", None),
        ("size([1, null])", 2),
        ("[1, 2] + [3]", [1, 2, 3]),
        ("[1] + null", None),
        ("head([1, 2])", 1),
        ("head([])", None),
        ("last([1, 2])", 2),
        ("tail([1, 2, 3])", [2, 3]),
        ("tail([])", []),
        ("reverse([1, 2])", [2, 1]),
        ("[1, 2, 3][0]", 1),
        ("[1, 2, 3][-1]", 3),
        ("[1, 2, 3][3]", None),
        ("[1, 2, 3][-4]", None),
        ("[1, 2, 3][null]", None),
        ("[1, 2, 3][0..2]", [1, 2]),
        ("[1, 2, 3][1..9]", [2, 3]),
        ("[1, 2, 3][-2..-1]", [2]),
        ("[1, 2, 3][2..1]", []),
        ("[1, 2, 3][null..1]", None),
        ("range(1, 3)", [1, 2, 3]),
        ("range(3, 1)", []),
        ("range(3, 1, -1)", [3, 2, 1]),
        ("range(0, 5, 2)", [0, 2, 4]),
        # numbers
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("7 / 2.0", 3.5),
        ("-7 % 3", -1),
        ("7 % -3", 1),
        ("1 + null", None),
        ("2 * 3 - 1", 5),
        ("1 + 0.5", 1.5),
        ("2 ^ 3", 8.0),
        ("-(2)", -2),
        ("abs(-2)", 2),
        ("sign(-2.5)", -1),
        ("sign(0)", 0),
        ("ceil(1.25)", 2.0),
        ("floor(-1.25)", -2.0),
        ("round(1.25)", 1.0),
        ("round(1.5)", 2.0),
        ("round(-1.5)", -1.0),
        ("round(-1.75)", -2.0),
        ("sqrt(4)", 2.0),
        # conversions
        ("toInteger('12')", 12),
        ("toInteger('-3')", -3),
        ("toInteger('junk')", None),
        ("toInteger(-1.75)", -1),
        ("toFloat(1)", 1.0),
        ("toFloat('1.5')", 1.5),
        ("toString(12)", "12"),
        ("toString(true)", "true"),
        ("toString('a')", "a"),
        ("toBoolean('true')", True),
        ("toBoolean('junk')", None),
        # strings
        ("'ab' STARTS WITH ''", True),
        ("'' CONTAINS ''", True),
        ("'ab' CONTAINS 'b'", True),
        ("'ab' ENDS WITH 'a'", False),
        ("null STARTS WITH 'a'", None),
        ("'abc' =~ 'a.*'", True),
        ("'abc' =~ 'b'", False),
        ("'a' + 'b'", "ab"),
        ("'a' + null", None),
        ("size('abc')", 3),
        ("toUpper('aB')", "AB"),
        ("toLower('aB')", "ab"),
        ("trim(' a ')", "a"),
        ("ltrim(' a ')", "a "),
        ("rtrim(' a ')", " a"),
        ("left('abc', 2)", "ab"),
        ("left('abc', 9)", "abc"),
        ("right('abc', 2)", "bc"),
        ("right('abc', 0)", ""),
        ("substring('abc', 1)", "bc"),
        ("substring('abc', 1, 1)", "b"),
        ("substring('abc', 5)", ""),
        ("replace('aba', 'a', 'cc')", "ccbcc"),
        ("reverse('abc')", "cba"),
        ("split('a,b,', ',')", ["a", "b", ""]),
        ("split('', ',')", [""]),
        # null, and what takes its place
        ("coalesce(null, 1)", 1),
        ("coalesce(null, null, 2)", 2),
        ("coalesce(null, null)", None),
        ("nullIf(1, 1)", None),
        ("nullIf(1, 2)", 1),
        ("isEmpty('')", True),
        ("isEmpty([1])", False),
        # forms
        ("CASE WHEN null THEN 1 ELSE 2 END", 2),
        ("CASE WHEN false THEN 1 END", None),
        ("CASE 1 WHEN 1.0 THEN 'y' ELSE 'n' END", "y"),
        ("CASE null WHEN null THEN 1 ELSE 2 END", 2),
        ("CASE WHEN true THEN 1 ELSE 1 / 0 END", 1),
        ("[x IN [1, 2, 3] WHERE x > 1 | x * 2]", [4, 6]),
        ("[x IN [1, null] WHERE x > 0]", [1]),
        ("[x IN null | x]", None),
        ("any(x IN [1, null] WHERE x = 1)", True),
        ("any(x IN [2, null] WHERE x = 1)", None),
        ("any(x IN [] WHERE x = 1)", False),
        ("all(x IN [1, null] WHERE x = 1)", None),
        ("all(x IN [2, null] WHERE x = 1)", False),
        ("all(x IN [] WHERE x = 1)", True),
        ("none(x IN [2, null] WHERE x = 1)", None),
        ("none(x IN [2] WHERE x = 1)", True),
        ("single(x IN [1, 2] WHERE x = 1)", True),
        ("single(x IN [1, 1, null] WHERE x = 1)", False),
        ("single(x IN [1, null] WHERE x = 1)", None),
        ("any(x IN null WHERE x = 1)", None),
        ("reduce(t = 0, x IN [1, 2] | t + x)", 3),
        ("reduce(t = 0, x IN [1, null] | t + x)", None),
        ("{a: 1}.a", 1),
        ("{a: 1}.b", None),
    ],
)
def test_an_expression_means(text, expected):
    found = value(text)
    assert (found, type(found)) == (expected, type(expected))


@pytest.mark.parametrize(
    "text",
    [
        "sqrt(-1)",
        "2 ^ 0.5",
        "1.0 / 0",
        "round(-0.25)",
        "toInteger('1.5')",
        "toInteger('')",
        "toUpper('ä')",
        "size('ä')",
        "'a' =~ '[a-z]+'",
        "replace('a', '', 'b')",
        "split('a', '')",
        "9223372036854775807 * 2",
        "true < 1",
        "[1] < [2]",
    ],
)
def test_what_stays_open(text):
    with pytest.raises(Undetermined):
        value(text)


@pytest.mark.parametrize("name", OPS)
def test_a_strict_operator_gives_null_for_null(name):
    operator = OPS[name]
    for args, _ in operator.signatures:
        assert operator.template.count("%s") <= len(args)
    if operator.strict:
        least = operator.template.count("%s")
        text = operator.template % tuple(["null"] * least)
        assert value(text) is None


def test_facts_of_operators_are_facts():
    assert {fact for operator in OPS.values() for fact in operator.facts} <= FACTS.keys()
