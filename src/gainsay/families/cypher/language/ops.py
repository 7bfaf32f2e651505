"""THE tables of operators and aggregates of Cypher: each is one row.

An operator has the signatures, the common spelling, the meaning, how often it is drawn and with what, the facts on
which it depends, and what a reducer and a shape need to know of it. So has an aggregate, which is spelled by its name.

Types: int, float, str, bool, ints and strs (lists), node, rel, path, nodes and rels (lists). A template is for the
smallest number of operands; functions that take more are spelled likewise."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from gainsay.families.cypher.meaning import aggregates as a
from gainsay.families.cypher.meaning import meanings as m
from gainsay.families.cypher.meaning import sequences as q
from gainsay.families.cypher.meaning.values import Bag, equal

Signature = tuple[tuple[str, ...], str]


Meaning = tuple[Callable[..., Any], bool]  # and whether it is strict


class Operator(NamedTuple):
    """A row of the table. Operators are named by their keys.
    `strict`: null in, null out; the meaning of a strict one never sees a null."""

    signatures: tuple[Signature, ...]
    template: str
    meaning: Callable[..., Any]
    strict: bool = True
    weight: int = 1
    # Fact -> its value -> what the operator means where an engine's documentation differs so from openCypher.
    facts: Mapping[str, Mapping[str, Meaning]] = MappingProxyType({})
    group: str = ""  # what it is called in a shape, with others that fail for the same cause; nothing: its own name
    plainer: str = ""  # the next plainer operator that can stand in its place
    opposite: str = ""  # the one that is true where this one is false
    # For each operand, the last serving for all that follow: by type, the values that are drawn. None: any will do.
    operands: tuple[Mapping[str, tuple[Any, ...]], ...] = ()
    literal_share: float = 0.0  # how often the operands behind the first are literals


class Aggregate(NamedTuple):
    """A row of the table of aggregates. They are named by their keys, as they are written."""

    draws: tuple[str, ...]  # the types of what it is drawn over
    takes: frozenset[str]  # the types of what it may be over
    result: str  # a type; `same`, or `list`: of that type
    meaning: Callable[[list[Any]], Any]  # what it makes of values of which none is null; there is one at least
    nothing: Callable[[], Any] = lambda: None  # what it makes of no values
    # Fact -> its value -> what it makes of no values where an engine's documentation differs so from openCypher.
    facts: Mapping[str, Mapping[str, Callable[[], Any]]] = MappingProxyType({})
    weight: int = 1
    counts_rows: bool = False  # also without an operand, of rows: count(*)
    gathers: bool = False  # it gives a list, in an order of the engine's choice
    chooses: bool = False  # it gives one of its values
    plainer: str = ""  # the next plainer aggregate that can stand in its place


SCALARS = ("int", "float", "str", "bool")
LISTS = ("ints", "strs")
VALUES = (*SCALARS, *LISTS)
ALL = (*VALUES, "node", "rel")
NUMBERS = (("int", "int"), ("float", "float"), ("int", "float"), ("float", "int"))


def each(types: tuple[str, ...], result: str, arity: int = 1) -> tuple[Signature, ...]:
    """One signature for each type: as many operands of it, and the result, which may be `same`."""
    return tuple(((t,) * arity, t if result == "same" else result) for t in types)


def on(*args: str, to: str) -> tuple[Signature, ...]:
    return ((args, to),)


EQUALITY = (*each(ALL, "bool", 2), *((pair, "bool") for pair in NUMBERS[2:]))
ORDERING = (*each(("int", "float", "str"), "bool", 2), *((pair, "bool") for pair in NUMBERS[2:]))
ARITHMETIC = (*on("int", "int", to="int"), *((pair, "float") for pair in NUMBERS[1:]))
NUMERIC = each(("int", "float"), "same")
ANY: Mapping[str, tuple[Any, ...]] = MappingProxyType({})
DIVISORS = (ANY, {"int": (1, 2, 3, -2), "float": (1.0, 2.0, -0.5)})
POSITIONS = (ANY, {"int": (0, 1, 2, 1)})

OPS: Mapping[str, Operator] = {
    "=": Operator(
        EQUALITY,
        "(%s = %s)",
        equal,
        weight=4,
        facts={"list-equality-null": {"a value": (m.equal_values, True)}},
        group="comparison",
        opposite="<>",
    ),
    "<>": Operator(
        EQUALITY,
        "(%s <> %s)",
        m.differ,
        weight=3,
        facts={"list-equality-null": {"a value": (m.differ_values, True)}},
        group="comparison",
        plainer="=",
        opposite="=",
    ),
    "<": Operator(ORDERING, "(%s < %s)", m.comparison(operator.lt), weight=2, group="comparison", opposite=">="),
    "<=": Operator(
        ORDERING, "(%s <= %s)", m.comparison(operator.le), weight=2, group="comparison", plainer="<", opposite=">"
    ),
    ">": Operator(
        ORDERING, "(%s > %s)", m.comparison(operator.gt), weight=2, group="comparison", plainer="<", opposite="<="
    ),
    ">=": Operator(
        ORDERING, "(%s >= %s)", m.comparison(operator.ge), weight=2, group="comparison", plainer=">", opposite="<"
    ),
    "AND": Operator(each(("bool",), "bool", 2), "(%s AND %s)", m.both, strict=False, weight=3, group="and/or/not"),
    "OR": Operator(
        each(("bool",), "bool", 2), "(%s OR %s)", m.either, strict=False, weight=3, group="and/or/not", plainer="AND"
    ),
    "XOR": Operator(each(("bool",), "bool", 2), "(%s XOR %s)", m.one_of, strict=False, plainer="AND"),
    "NOT": Operator(each(("bool",), "bool"), "(NOT %s)", m.negate, strict=False, weight=2, group="and/or/not"),
    "IS NULL": Operator(
        each(ALL, "bool"), "(%s IS NULL)", lambda a: a is None, strict=False, weight=2, group="null test"
    ),
    "IS NOT NULL": Operator(
        each(ALL, "bool"),
        "(%s IS NOT NULL)",
        lambda a: a is not None,
        strict=False,
        weight=2,
        group="null test",
        plainer="IS NULL",
    ),
    "IN": Operator(
        (*on("int", "ints", to="bool"), *on("str", "strs", to="bool")),
        "(%s IN %s)",
        q.is_in,
        strict=False,
        weight=3,
        facts={"in-null": {"false": (q.is_in_known, False)}},
        literal_share=0.7,
    ),
    "STARTS WITH": Operator(
        each(("str",), "bool", 2), "(%s STARTS WITH %s)", q.texts(str.startswith), weight=2, group="prefix test"
    ),
    "ENDS WITH": Operator(
        each(("str",), "bool", 2),
        "(%s ENDS WITH %s)",
        q.texts(str.endswith),
        weight=2,
        group="prefix test",
        plainer="STARTS WITH",
    ),
    "CONTAINS": Operator(
        each(("str",), "bool", 2), "(%s CONTAINS %s)", q.texts(operator.contains), weight=2, plainer="STARTS WITH"
    ),
    "=~": Operator(
        each(("str",), "bool", 2),
        "(%s =~ %s)",
        q.matches,
        weight=0,
        operands=(ANY, {"str": ("a.*", ".*", "", "a|b", "[ab]+", ".*b")}),
    ),
    "+": Operator(
        (*ARITHMETIC, *each(("str", *LISTS), "same", 2)),
        "(%s + %s)",
        m.add,
        weight=3,
        facts={"concat-null": {"the other": (m.add_or_other, False)}},
    ),
    "-": Operator(ARITHMETIC, "(%s - %s)", m.arithmetic(operator.sub), weight=2, group="arithmetic", plainer="+"),
    "*": Operator(ARITHMETIC, "(%s * %s)", m.arithmetic(operator.mul), weight=2, group="arithmetic", plainer="+"),
    "/": Operator(
        ARITHMETIC,
        "(%s / %s)",
        m.whole_divide,
        facts={"integer-division": {"real": (m.real_divide, True)}},
        group="arithmetic",
        operands=DIVISORS,
    ),
    "%": Operator(on("int", "int", to="int"), "(%s %% %s)", m.modulo, group="arithmetic", operands=DIVISORS),
    "^": Operator(
        tuple((pair, "float") for pair in NUMBERS),
        "(%s ^ %s)",
        m.power,
        group="arithmetic",
        operands=(ANY, {"int": (2, 1, 0), "float": (2.0,)}),
    ),
    "neg": Operator(NUMERIC, "(-(%s))", m.minus, group="arithmetic"),
    "abs": Operator(NUMERIC, "abs(%s)", m.absolute),
    "sign": Operator(each(("int", "float"), "int"), "sign(%s)", m.sign),
    "ceil": Operator(
        each(("float",), "float"), "ceil(%s)", m.upwards, facts={"ceil": {"integer": (m.integral(m.upwards), True)}}
    ),
    "floor": Operator(
        each(("float",), "float"),
        "floor(%s)",
        m.downwards,
        facts={"ceil": {"integer": (m.integral(m.downwards), True)}},
    ),
    "round": Operator(
        each(("float",), "float"),
        "round(%s)",
        m.rounded,
        facts={"round-half": {"away from zero": (m.rounded_away, True)}},
    ),
    "sqrt": Operator(each(("int", "float"), "float"), "sqrt(%s)", m.root),
    "toInteger": Operator(
        each(("str", "float"), "int"),
        "toInteger(%s)",
        m.to_integer,
        facts={"float-to-integer": {"down": (m.to_integer_down, True)}},
    ),
    "toFloat": Operator(each(("int", "str"), "float"), "toFloat(%s)", m.to_float),
    "toString": Operator(each(("int", "bool", "str"), "str"), "toString(%s)", m.to_string),
    "toBoolean": Operator(each(("str",), "bool"), "toBoolean(%s)", m.to_boolean),
    "size": Operator(each(("str", *LISTS, "nodes", "rels"), "int"), "size(%s)", q.size, weight=2),
    "isEmpty": Operator(each(("str", *LISTS), "bool"), "isEmpty(%s)", lambda a: q.size(a) == 0),
    "toUpper": Operator(
        each(("str",), "str"), "toUpper(%s)", lambda a: q.ascii_text(a).upper(), group="letter case", plainer="toLower"
    ),
    "toLower": Operator(each(("str",), "str"), "toLower(%s)", lambda a: q.ascii_text(a).lower(), group="letter case"),
    "trim": Operator(each(("str",), "str"), "trim(%s)", q.stripping(str.strip), group="trim"),
    "ltrim": Operator(each(("str",), "str"), "ltrim(%s)", q.stripping(str.lstrip), group="trim", plainer="trim"),
    "rtrim": Operator(each(("str",), "str"), "rtrim(%s)", q.stripping(str.rstrip), group="trim", plainer="trim"),
    "left": Operator(on("str", "int", to="str"), "left(%s, %s)", q.left, operands=POSITIONS),
    "right": Operator(on("str", "int", to="str"), "right(%s, %s)", q.right, plainer="left", operands=POSITIONS),
    "substring": Operator(
        (*on("str", "int", to="str"), *on("str", "int", "int", to="str")),
        "substring(%s, %s)",
        q.substring,
        facts={"substring": {"from 1": (q.substring_from_1, True)}},
        operands=POSITIONS,
    ),
    "replace": Operator(on("str", "str", "str", to="str"), "replace(%s, %s, %s)", q.replace),
    "reverse": Operator(each(("str", *LISTS), "same"), "reverse(%s)", q.reverse),
    "split": Operator(on("str", "str", to="strs"), "split(%s, %s)", q.split, operands=(ANY, {"str": ("a", "b", " ")})),
    "coalesce": Operator(
        (*each(VALUES, "same", 2), *each(VALUES, "same", 3)), "coalesce(%s, %s)", m.coalesce, strict=False, weight=2
    ),
    "nullIf": Operator(each(SCALARS, "same", 2), "nullIf(%s, %s)", m.null_if, strict=False),
    "head": Operator((*on("ints", to="int"), *on("strs", to="str")), "head(%s)", q.head),
    "last": Operator((*on("ints", to="int"), *on("strs", to="str")), "last(%s)", q.last, plainer="head"),
    "tail": Operator(each(LISTS, "same"), "tail(%s)", q.tail),
    "index": Operator(
        (*on("ints", "int", to="int"), *on("strs", "int", to="str")),
        "(%s)[%s]",
        q.index,
        weight=2,
        facts={"list-index": {"from 1": (q.index_from_1, True)}},
        group="element of a list",
        operands=POSITIONS,
    ),
    "slice": Operator(
        tuple(((t, "int", "int"), t) for t in LISTS),
        "(%s)[%s..%s]",
        q.slice_,
        facts={"list-index": {"from 1": (q.unsettled, True)}},
        group="slice",
        operands=POSITIONS,
    ),
    "slice from": Operator(
        tuple(((t, "int"), t) for t in LISTS),
        "(%s)[%s..]",
        q.slice_from,
        facts={"list-index": {"from 1": (q.unsettled, True)}},
        group="slice",
    ),
    "slice to": Operator(
        tuple(((t, "int"), t) for t in LISTS),
        "(%s)[..%s]",
        q.slice_to,
        facts={"list-index": {"from 1": (q.unsettled, True)}},
        group="slice",
    ),
    "range": Operator(
        (*on("int", "int", to="ints"), *on("int", "int", "int", to="ints")),
        "range(%s, %s)",
        q.range_,
        weight=2,
        operands=({"int": (0, 1, 2, 3)}, {"int": (0, 1, 2, 3)}, {"int": (1, 2)}),
    ),
    "type": Operator(on("rel", to="str"), "type(%s)", q.of_rel(lambda r: r.type)),
    "startNode": Operator(on("rel", to="node"), "startNode(%s)", q.of_rel(lambda r: r.source)),
    "endNode": Operator(on("rel", to="node"), "endNode(%s)", q.of_rel(lambda r: r.target)),
    "labels": Operator(
        on("node", to="strs"), "labels(%s)", q.labels, facts={"labels-function": {"string": (q.label, True)}}
    ),
    "length": Operator(on("path", to="int"), "length(%s)", q.of_path(lambda p: len(p.rels))),
    "nodes": Operator(on("path", to="nodes"), "nodes(%s)", q.of_path(lambda p: list(p.nodes))),
    "relationships": Operator(on("path", to="rels"), "relationships(%s)", q.of_path(lambda p: list(p.rels))),
}

NUMBER = frozenset({"int", "float", "null"})
PLAIN = frozenset({*VALUES, "list", "nodes", "rels", "null"})
LISTED = frozenset({"int", "str", "null"})
SOME = ("int", "str")
LEAST, GREATEST = a.extreme(min), a.extreme(max)
NULL_OF_NOTHING = MappingProxyType({"null": lambda: None})

AGGREGATES: Mapping[str, Aggregate] = {
    "count": Aggregate(
        ("int", "str", "float", "bool"),
        PLAIN | {"node", "rel", "path"},
        "int",
        len,
        nothing=int,
        weight=2,
        counts_rows=True,
    ),
    "sum": Aggregate(
        ("int", "float"),
        NUMBER,
        "same",
        a.total,
        nothing=int,
        facts={"sum-of-nothing": NULL_OF_NOTHING},
        plainer="min",
    ),
    "min": Aggregate(SOME, PLAIN, "same", LEAST, chooses=True, plainer="count"),
    "max": Aggregate(SOME, PLAIN, "same", GREATEST, chooses=True, plainer="min"),
    "avg": Aggregate(("int", "float"), NUMBER, "float", a.average, plainer="min"),
    "collect": Aggregate(
        SOME,
        LISTED,
        "list",
        Bag,
        nothing=Bag,
        facts={"collect-of-nothing": NULL_OF_NOTHING},
        gathers=True,
        plainer="count",
    ),
}


def aggregates(profile: Mapping[str, str]) -> dict[str, a.Meaning]:
    """By name: what an aggregate makes of values that are not null, under this profile."""
    return {name: aggregated(row, profile) for name, row in AGGREGATES.items()}


def aggregated(row: Aggregate, profile: Mapping[str, str]) -> a.Meaning:
    """What an aggregate makes of values that are not null, under this profile."""
    found = (variants.get(profile.get(fact, "")) for fact, variants in row.facts.items())
    nothing = next(filter(None, found), row.nothing)
    return lambda values: row.meaning(values) if values else nothing()


def meanings(profile: Mapping[str, str]) -> dict[str, Meaning]:
    """By operator: its meaning under this profile, and whether it is strict."""
    return {name: meaning(operator, profile) for name, operator in OPS.items()}


def meaning(operator: Operator, profile: Mapping[str, str]) -> Meaning:
    """What an operator means under this profile, and whether it is strict."""
    for fact, variants in operator.facts.items():
        if profile.get(fact) in variants:
            return variants[profile[fact]]
    return operator.meaning, operator.strict


def plainer(name: str, table: Mapping[str, Operator] | Mapping[str, Aggregate] = OPS) -> tuple[str, ...]:
    """The operators or aggregates that are plainer than this one and can stand in its place, the next plainer one
    first."""
    found: list[str] = []
    while name in table and table[name].plainer:
        name = table[name].plainer
        found.append(name)
    return tuple(found)


def good(operator: Operator, position: int, kind: str) -> tuple[Any, ...]:
    """The values that do as this operand, where most others would be refused or mean nothing; none: any will do."""
    if not operator.operands:
        return ()
    return tuple(operator.operands[min(position, len(operator.operands) - 1)].get(kind, ()))
