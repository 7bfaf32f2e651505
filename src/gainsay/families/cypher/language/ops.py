"""THE operator table of Cypher: signatures, the common spelling, the meaning, how often it is drawn, and the facts on
which it depends.

Types: int, float, str, bool, ints and strs (lists), node, rel, path, nodes and rels (lists). A template is for the
smallest number of operands; functions that take more are spelled likewise."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gainsay.families.cypher.meaning import meanings as m
from gainsay.families.cypher.meaning import sequences as q
from gainsay.families.cypher.meaning.values import equal

Signature = tuple[tuple[str, ...], str]


class Operator(NamedTuple):
    """`strict`: null in, null out; the meaning of a strict one never sees a null."""

    signatures: tuple[Signature, ...]
    template: str
    meaning: Callable[..., Any]
    strict: bool = True
    weight: int = 1
    facts: tuple[str, ...] = ()


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

OPS: Mapping[str, Operator] = {
    "=": Operator(EQUALITY, "(%s = %s)", equal, weight=4, facts=("list-equality-null",)),
    "<>": Operator(EQUALITY, "(%s <> %s)", m.differ, weight=3, facts=("list-equality-null",)),
    "<": Operator(ORDERING, "(%s < %s)", m.comparison(operator.lt), weight=2),
    "<=": Operator(ORDERING, "(%s <= %s)", m.comparison(operator.le), weight=2),
    ">": Operator(ORDERING, "(%s > %s)", m.comparison(operator.gt), weight=2),
    ">=": Operator(ORDERING, "(%s >= %s)", m.comparison(operator.ge), weight=2),
    "AND": Operator(each(("bool",), "bool", 2), "(%s AND %s)", m.both, strict=False, weight=3),
    "OR": Operator(each(("bool",), "bool", 2), "(%s OR %s)", m.either, strict=False, weight=3),
    "XOR": Operator(each(("bool",), "bool", 2), "(%s XOR %s)", m.one_of, strict=False),
    "NOT": Operator(each(("bool",), "bool"), "(NOT %s)", m.negate, strict=False, weight=2),
    "IS NULL": Operator(each(ALL, "bool"), "(%s IS NULL)", lambda a: a is None, strict=False, weight=2),
    "IS NOT NULL": Operator(each(ALL, "bool"), "(%s IS NOT NULL)", lambda a: a is not None, strict=False, weight=2),
    "IN": Operator(
        (*on("int", "ints", to="bool"), *on("str", "strs", to="bool")),
        "(%s IN %s)",
        q.is_in,
        strict=False,
        weight=3,
        facts=("in-null",),
    ),
    "STARTS WITH": Operator(each(("str",), "bool", 2), "(%s STARTS WITH %s)", q.texts(str.startswith), weight=2),
    "ENDS WITH": Operator(each(("str",), "bool", 2), "(%s ENDS WITH %s)", q.texts(str.endswith), weight=2),
    "CONTAINS": Operator(each(("str",), "bool", 2), "(%s CONTAINS %s)", q.texts(operator.contains), weight=2),
    "=~": Operator(each(("str",), "bool", 2), "(%s =~ %s)", q.matches, weight=0),
    "+": Operator(
        (*ARITHMETIC, *each(("str", *LISTS), "same", 2)), "(%s + %s)", m.add, weight=3, facts=("concat-null",)
    ),
    "-": Operator(ARITHMETIC, "(%s - %s)", m.arithmetic(operator.sub), weight=2),
    "*": Operator(ARITHMETIC, "(%s * %s)", m.arithmetic(operator.mul), weight=2),
    "/": Operator(ARITHMETIC, "(%s / %s)", m.whole_divide, facts=("integer-division",)),
    "%": Operator(on("int", "int", to="int"), "(%s %% %s)", m.modulo),
    "^": Operator(tuple((pair, "float") for pair in NUMBERS), "(%s ^ %s)", m.power),
    "neg": Operator(NUMERIC, "(-(%s))", m.minus),
    "abs": Operator(NUMERIC, "abs(%s)", m.absolute),
    "sign": Operator(each(("int", "float"), "int"), "sign(%s)", m.sign),
    "ceil": Operator(each(("float",), "float"), "ceil(%s)", m.upwards, facts=("ceil",)),
    "floor": Operator(each(("float",), "float"), "floor(%s)", m.downwards, facts=("ceil",)),
    "round": Operator(each(("float",), "float"), "round(%s)", m.rounded, facts=("round-half",)),
    "sqrt": Operator(each(("int", "float"), "float"), "sqrt(%s)", m.root),
    "toInteger": Operator(each(("str", "float"), "int"), "toInteger(%s)", m.to_integer, facts=("float-to-integer",)),
    "toFloat": Operator(each(("int", "str"), "float"), "toFloat(%s)", m.to_float),
    "toString": Operator(each(("int", "bool", "str"), "str"), "toString(%s)", m.to_string),
    "toBoolean": Operator(each(("str",), "bool"), "toBoolean(%s)", m.to_boolean),
    "size": Operator(each(("str", *LISTS, "nodes", "rels"), "int"), "size(%s)", q.size, weight=2),
    "isEmpty": Operator(each(("str", *LISTS), "bool"), "isEmpty(%s)", lambda a: q.size(a) == 0),
    "toUpper": Operator(each(("str",), "str"), "toUpper(%s)", lambda a: q.plain(a).upper()),
    "toLower": Operator(each(("str",), "str"), "toLower(%s)", lambda a: q.plain(a).lower()),
    "trim": Operator(each(("str",), "str"), "trim(%s)", q.stripping(str.strip)),
    "ltrim": Operator(each(("str",), "str"), "ltrim(%s)", q.stripping(str.lstrip)),
    "rtrim": Operator(each(("str",), "str"), "rtrim(%s)", q.stripping(str.rstrip)),
    "left": Operator(on("str", "int", to="str"), "left(%s, %s)", q.left),
    "right": Operator(on("str", "int", to="str"), "right(%s, %s)", q.right),
    "substring": Operator(
        (*on("str", "int", to="str"), *on("str", "int", "int", to="str")),
        "substring(%s, %s)",
        q.substring,
        facts=("substring",),
    ),
    "replace": Operator(on("str", "str", "str", to="str"), "replace(%s, %s, %s)", q.replace),
    "reverse": Operator(each(("str", *LISTS), "same"), "reverse(%s)", q.reverse),
    "split": Operator(on("str", "str", to="strs"), "split(%s, %s)", q.split),
    "coalesce": Operator(
        (*each(VALUES, "same", 2), *each(VALUES, "same", 3)), "coalesce(%s, %s)", m.coalesce, strict=False, weight=2
    ),
    "nullIf": Operator(each(SCALARS, "same", 2), "nullIf(%s, %s)", m.null_if, strict=False),
    "head": Operator((*on("ints", to="int"), *on("strs", to="str")), "head(%s)", q.head),
    "last": Operator((*on("ints", to="int"), *on("strs", to="str")), "last(%s)", q.last),
    "tail": Operator(each(LISTS, "same"), "tail(%s)", q.tail),
    "index": Operator(
        (*on("ints", "int", to="int"), *on("strs", "int", to="str")),
        "(%s)[%s]",
        q.index,
        weight=2,
        facts=("list-index",),
    ),
    "slice": Operator(tuple(((t, "int", "int"), t) for t in LISTS), "(%s)[%s..%s]", q.slice_, facts=("list-index",)),
    "slice from": Operator(tuple(((t, "int"), t) for t in LISTS), "(%s)[%s..]", q.slice_from, facts=("list-index",)),
    "slice to": Operator(tuple(((t, "int"), t) for t in LISTS), "(%s)[..%s]", q.slice_to, facts=("list-index",)),
    "range": Operator(
        (*on("int", "int", to="ints"), *on("int", "int", "int", to="ints")), "range(%s, %s)", q.range_, weight=2
    ),
    "type": Operator(on("rel", to="str"), "type(%s)", q.of_rel(lambda r: r.type)),
    "startNode": Operator(on("rel", to="node"), "startNode(%s)", q.of_rel(lambda r: r.source)),
    "endNode": Operator(on("rel", to="node"), "endNode(%s)", q.of_rel(lambda r: r.target)),
    "labels": Operator(on("node", to="strs"), "labels(%s)", q.labels, facts=("labels-function",)),
    "length": Operator(on("path", to="int"), "length(%s)", q.of_path(lambda p: len(p.rels))),
    "nodes": Operator(on("path", to="nodes"), "nodes(%s)", q.of_path(lambda p: list(p.nodes))),
    "relationships": Operator(on("path", to="rels"), "relationships(%s)", q.of_path(lambda p: list(p.rels))),
}

# By fact and value: what an operator means where an engine's documentation differs from openCypher. The second: whether
# it is strict.
VARIANTS: Mapping[tuple[str, str], Mapping[str, tuple[Callable[..., Any], bool]]] = {
    ("integer-division", "real"): {"/": (m.real_divide, True)},
    ("concat-null", "the other"): {"+": (m.add_or_other, False)},
    ("substring", "from 1"): {"substring": (q.substring_from_1, True)},
    ("ceil", "integer"): {"ceil": (m.integral(m.upwards), True), "floor": (m.integral(m.downwards), True)},
    ("float-to-integer", "down"): {"toInteger": (m.to_integer_down, True)},
    ("round-half", "away from zero"): {"round": (m.rounded_away, True)},
    ("in-null", "false"): {"IN": (q.is_in_known, False)},
    ("list-equality-null", "a value"): {"=": (m.equal_values, True), "<>": (m.differ_values, True)},
    ("labels-function", "string"): {"labels": (q.label, True)},
    ("list-index", "from 1"): {
        "index": (q.index_from_1, True),
        "slice": (q.unsettled, True),
        "slice from": (q.unsettled, True),
        "slice to": (q.unsettled, True),
    },
}


def meanings(profile: Mapping[str, str]) -> dict[str, tuple[Callable[..., Any], bool]]:
    """By operator: its meaning under this profile, and whether it is strict."""
    table = {name: (op.meaning, op.strict) for name, op in OPS.items()}
    for (fact, value), variants in VARIANTS.items():
        if profile.get(fact) == value:
            table.update(variants)
    return table
