"""THE tables of functors, tests, comparisons and aggregates: each is one row, with types, meaning, and how each dialect
spells it. A dialect of somebody else's brings its own spellings (`Dialect.spelled`).

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
    # Not defined everywhere: an engine may compute it before the test that would have kept it out. Read, never drawn.
    is_partial: bool = False
    by_constants: bool = False  # a division: only by constants other than zero
    sample: tuple[Any, ...] = ()  # arguments to ask with, where not all will do
    weight: int = 1  # how often it is drawn
    group: str = ""  # what it is called in a shape, with others that fail for the same cause; nothing: its own name
    plainer: str = ""  # the next plainer functor that can stand in its place


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
S, C, L, N = "souffle", "cozo", "clingo", "nemo"


def functor(signature: str, meaning: Callable[..., Any], spelled: Mapping[str, str], **more: Any) -> Functor:
    """A row from its signature, its meaning and its spellings; the rest by name."""
    args, _, result = signature.partition(" -> ")
    return Functor(tuple(args.split()), result, meaning, spelled, **more)


def infix(sign: str, *dialects: str) -> dict[str, str]:
    return dict.fromkeys(dialects, f"({{}} {sign} {{}})")


def call(word: str, *dialects: str) -> dict[str, str]:
    return dict.fromkeys(dialects, f"{word}({{}}, {{}})")


FUNCTORS: dict[str, Functor] = {
    "add:number": functor("number number -> number", operator.add, infix("+", *INFIX)),
    "add:unsigned": functor("unsigned unsigned -> unsigned", operator.add, infix("+", S)),
    "add:float": functor("float float -> float", operator.add, infix("+", S, C)),
    "sub:number": functor("number number -> number", operator.sub, infix("-", *INFIX), plainer="add:number"),
    "sub:unsigned": functor("unsigned unsigned -> unsigned", operator.sub, infix("-", S), plainer="add:unsigned"),
    "sub:float": functor("float float -> float", operator.sub, infix("-", S, C), plainer="add:float"),
    "mul:number": functor("number number -> number", operator.mul, infix("*", *INFIX)),
    "mul:unsigned": functor("unsigned unsigned -> unsigned", operator.mul, infix("*", S)),
    "mul:float": functor("float float -> float", operator.mul, infix("*", S, C)),
    "neg:number": functor("number -> number", operator.neg, {S: "(-{})", C: "(-{})", L: "(-{})"}),
    "neg:float": functor("float -> float", operator.neg, {S: "(-{})", C: "(-{})"}),
    "abs:number": functor("number -> number", abs, {C: "abs({})", L: "|{}|", N: "ABS({})"}),
    "min:number": functor("number number -> number", min, call("min", S, C)),
    "min:unsigned": functor("unsigned unsigned -> unsigned", min, call("min", S)),
    "min:float": functor("float float -> float", min, call("min", S, C)),
    "max:number": functor("number number -> number", max, call("max", S, C), plainer="min:number"),
    "max:unsigned": functor("unsigned unsigned -> unsigned", max, call("max", S), plainer="min:unsigned"),
    "max:float": functor("float float -> float", max, call("max", S, C), plainer="min:float"),
    "div:number": functor("number number -> number", divide, infix("/", S), by_constants=True),
    "mod:number": functor("number number -> number", modulo, infix("%", S), by_constants=True, plainer="div:number"),
    "div:unsigned": functor("unsigned unsigned -> unsigned", divide, infix("/", S), by_constants=True),
    "mod:unsigned": functor(
        "unsigned unsigned -> unsigned", modulo, infix("%", S), by_constants=True, plainer="div:unsigned"
    ),
    "band:number": functor("number number -> number", bits(operator.and_), infix("band", S)),
    "band:unsigned": functor("unsigned unsigned -> unsigned", bits(operator.and_), infix("band", S)),
    "bor:number": functor("number number -> number", bits(operator.or_), infix("bor", S), plainer="band:number"),
    "bor:unsigned": functor(
        "unsigned unsigned -> unsigned", bits(operator.or_), infix("bor", S), plainer="band:unsigned"
    ),
    "bxor:number": functor("number number -> number", bits(operator.xor), infix("bxor", S), plainer="bor:number"),
    "bxor:unsigned": functor(
        "unsigned unsigned -> unsigned", bits(operator.xor), infix("bxor", S), plainer="bor:unsigned"
    ),
    "strlen": functor("symbol -> number", len, {S: "strlen({})", C: "length({})", N: "STRLEN({})"}),
    "cat": functor(
        "symbol symbol -> symbol", operator.add, {S: "cat({}, {})", C: "concat({}, {})", N: "CONCAT({}, {})"}
    ),
    "substr": functor(
        "symbol number number -> symbol", substr, {S: "substr({}, {}, {})"}, is_partial=True, sample=("a", 0, 0)
    ),
    "to_string": functor("number -> symbol", str, {S: "to_string({})", C: "to_string({})"}),
    "to_number": functor("symbol -> number", to_number, {S: "to_number({})"}, is_partial=True, sample=("1",)),
    "upper": functor("symbol -> symbol", str.upper, {C: "uppercase({})", N: "UCASE({})"}, plainer="lower"),
    "lower": functor("symbol -> symbol", str.lower, {C: "lowercase({})", N: "LCASE({})"}),
    "trim": functor("symbol -> symbol", str.strip, {C: "trim({})"}),
    "trim_start": functor("symbol -> symbol", str.lstrip, {C: "trim_start({})"}, plainer="trim"),
    "reverse": functor("symbol -> symbol", lambda s: s[::-1], {N: "STRREV({})"}),
}


class Test(NamedTuple):
    """Argument types, meaning, and the spellings of a test and of its opposite by dialect."""

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


class Comparison(NamedTuple):
    """What a comparison means, and which one is true where it is false."""

    meaning: Callable[[Any, Any], bool]
    opposite: str
    is_order: bool = True  # not of all types


COMPARISONS: Mapping[str, Comparison] = {
    "=": Comparison(operator.eq, "!=", False),
    "!=": Comparison(operator.ne, "=", False),
    "<": Comparison(operator.lt, ">="),
    "<=": Comparison(operator.le, ">"),
    ">": Comparison(operator.gt, "<="),
    ">=": Comparison(operator.ge, "<"),
}


class Aggregate(NamedTuple):
    """What an aggregate makes of values, and the dialects that have it: in heads, in bodies."""

    meaning: Callable[[list[Any]], Any]
    in_heads: tuple[str, ...]
    in_bodies: tuple[str, ...]
    counts: bool = False  # rows, whatever is in them: a number
    chooses: bool = False  # it gives one of the values, and of none there is none
    weight: int = 1  # how often it is drawn


AGGREGATES: Mapping[str, Aggregate] = {
    "count": Aggregate(len, INFIX, (S, L), counts=True),
    "sum": Aggregate(sum, INFIX, (S, L)),
    "min": Aggregate(min, INFIX, (S, L), chooses=True),
    "max": Aggregate(max, INFIX, (S, L), chooses=True),
}


def plainer(fn: str) -> list[str]:
    """The functors that are plainer than this one and can stand in its place, the next plainer one first."""
    found: list[str] = []
    while FUNCTORS[fn].plainer:
        fn = FUNCTORS[fn].plainer
        found.append(fn)
    return found


def group(fn: str) -> str:
    """What a functor is called in a shape."""
    return FUNCTORS[fn].group or fn.partition(":")[0]
