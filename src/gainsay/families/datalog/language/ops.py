"""THE table of functors, tests, comparisons and aggregates: types, meaning, and how each dialect spells them.

A meaning raises `Undefined` where engines may differ or refuse: overflow, -0.0, a bad index. What is undefined is never
asked by default."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

BOUND = 1 << 20  # numbers stay far below any engine's word size


class Undefined(Exception):
    """A value on which engines may legally differ."""


def integer(value: int) -> int:
    if -BOUND < value < BOUND:
        return value
    raise Undefined(f"{value} is large")


def natural(value: int) -> int:
    if 0 <= value < BOUND:
        return value
    raise Undefined(f"{value} is not unsigned")


def real(value: float) -> float:
    """Dyadic and small: exact in 32 bits too. -0.0 is kept out."""
    if -BOUND < value < BOUND and value * 64 == int(value * 64) and not (value == 0 and str(value).startswith("-")):
        return value + 0.0  # the sum of no floats is one, too
    raise Undefined(f"{value} is not exact")


def text(value: str) -> str:
    if len(value) <= 24:
        return value
    raise Undefined("a long text")


FIT: Mapping[str, Callable[[Any], Any]] = {"number": integer, "unsigned": natural, "float": real, "symbol": text}


class Functor(NamedTuple):
    """Argument types, result type, meaning, and its spelling by dialect ({} for each argument)."""

    args: tuple[str, ...]
    result: str
    meaning: Callable[..., Any]
    spelled: Mapping[str, str]


def substr(value: str, start: int, length: int) -> str:
    if start < 0 or length < 0 or start + length > len(value):
        raise Undefined("substr outside of the text")
    return value[start : start + length]


def divide(a: int, b: int) -> int:
    if b == 0:
        raise Undefined("division by zero")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def modulo(a: int, b: int) -> int:
    return a - b * divide(a, b)


def to_number(value: str) -> int:
    if not value.removeprefix("-").isdigit() or value in ("-0",) or (len(value) > 1 and value.startswith("0")):
        raise Undefined("not a number")
    return int(value)


def bits(op: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def meaning(a: int, b: int) -> int:
        if a < 0 or b < 0:
            raise Undefined("bits of a negative number")
        return op(a, b)

    return meaning


INFIX = ("souffle", "cozo", "clingo", "nemo")
S, C, N = "souffle", "cozo", "nemo"
FUNCTORS: dict[str, Functor] = {}


def functor(name: str, args: tuple[str, ...], result: str, meaning: Callable[..., Any], **spelled: str) -> None:
    FUNCTORS[name] = Functor(args, result, meaning, spelled)


for sign, word, meaning in (("+", "add", operator.add), ("-", "sub", operator.sub), ("*", "mul", operator.mul)):
    infix = f"({{}} {sign} {{}})"
    functor(f"{word}:number", ("number", "number"), "number", meaning, **dict.fromkeys(INFIX, infix))
    functor(f"{word}:unsigned", ("unsigned", "unsigned"), "unsigned", meaning, souffle=infix)
    functor(f"{word}:float", ("float", "float"), "float", meaning, souffle=infix, cozo=infix)
functor("neg:number", ("number",), "number", operator.neg, souffle="(-{})", cozo="(-{})", clingo="(-{})")
functor("neg:float", ("float",), "float", operator.neg, souffle="(-{})", cozo="(-{})")
functor("abs:number", ("number",), "number", abs, cozo="abs({})", clingo="|{}|", nemo="ABS({})")
for word, pick in (("min", min), ("max", max)):
    both = f"{word}({{}}, {{}})"
    functor(f"{word}:number", ("number", "number"), "number", pick, souffle=both, cozo=both)
    functor(f"{word}:unsigned", ("unsigned", "unsigned"), "unsigned", pick, souffle=both)
    functor(f"{word}:float", ("float", "float"), "float", pick, souffle=both, cozo=both)
functor("div:number", ("number", "number"), "number", divide, souffle="({} / {})")
functor("mod:number", ("number", "number"), "number", modulo, souffle="({} % {})")
functor("div:unsigned", ("unsigned", "unsigned"), "unsigned", divide, souffle="({} / {})")
functor("mod:unsigned", ("unsigned", "unsigned"), "unsigned", modulo, souffle="({} % {})")
for word, op in (("band", operator.and_), ("bor", operator.or_), ("bxor", operator.xor)):
    functor(f"{word}:number", ("number", "number"), "number", bits(op), souffle=f"({{}} {word} {{}})")
    functor(f"{word}:unsigned", ("unsigned", "unsigned"), "unsigned", bits(op), souffle=f"({{}} {word} {{}})")
functor("strlen", ("symbol",), "number", len, souffle="strlen({})", cozo="length({})", nemo="STRLEN({})")
functor(
    "cat",
    ("symbol", "symbol"),
    "symbol",
    operator.add,
    souffle="cat({}, {})",
    cozo="concat({}, {})",
    nemo="CONCAT({}, {})",
)
functor("substr", ("symbol", "number", "number"), "symbol", substr, souffle="substr({}, {}, {})")
functor("to_string", ("number",), "symbol", str, souffle="to_string({})", cozo="to_string({})")
functor("to_number", ("symbol",), "number", to_number, souffle="to_number({})")
functor("upper", ("symbol",), "symbol", str.upper, cozo="uppercase({})", nemo="UCASE({})")
functor("lower", ("symbol",), "symbol", str.lower, cozo="lowercase({})", nemo="LCASE({})")
functor("trim", ("symbol",), "symbol", str.strip, cozo="trim({})")
functor("trim_start", ("symbol",), "symbol", str.lstrip, cozo="trim_start({})")
functor("reverse", ("symbol",), "symbol", lambda s: s[::-1], nemo="STRREV({})")


# Not defined everywhere: an engine may compute them before the test that would have kept them out. Read, never drawn.
PARTIAL = frozenset({"to_number", "substr"})
DIVISIONS = frozenset({"div:number", "mod:number", "div:unsigned", "mod:unsigned"})  # only by constants other than zero


class Test(NamedTuple):
    args: tuple[str, ...]
    meaning: Callable[..., bool]
    spelled: Mapping[str, str]
    denied: Mapping[str, str]  # how its opposite is spelled


TESTS: dict[str, Test] = {
    "contains": Test(
        ("symbol", "symbol"),
        lambda part, whole: part in whole,
        {S: "contains({}, {})", C: "str_includes({1}, {0})"},
        {S: "!contains({}, {})", C: "!str_includes({1}, {0})"},
    ),
    # Patterns are plain letters
    "match": Test(("symbol", "symbol"), lambda a, b: a == b, {S: "match({}, {})"}, {S: "!match({}, {})"}),
    "starts": Test(("symbol", "symbol"), str.startswith, {C: "starts_with({}, {})"}, {C: "!starts_with({}, {})"}),
    "ends": Test(("symbol", "symbol"), str.endswith, {C: "ends_with({}, {})"}, {C: "!ends_with({}, {})"}),
    "is_null": Test(("any",), lambda v: v is None, {C: "is_null({})"}, {C: "!is_null({})"}),
    "is_string": Test(("any",), lambda v: isinstance(v, str), {C: "is_string({})"}, {C: "!is_string({})"}),
    "is_num": Test(("any",), lambda v: isinstance(v, (int, float)), {C: "is_num({})"}, {C: "!is_num({})"}),
}

COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ORDERED = frozenset({"<", "<=", ">", ">="})
OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

AGGREGATES: Mapping[str, Callable[[list[Any]], Any]] = {"count": len, "sum": sum, "min": min, "max": max}
