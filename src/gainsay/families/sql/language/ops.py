"""THE operator table: what each operator takes and gives, how it is spelled, and on which documented facts its meaning
depends.

A signature is 'argument classes -> result class'. T, N and D stand for any class, any number, any date; the same letter
is the same class. A spelling has one %s for each operand, and parentheses around the whole. A dialect is such a table
merged over another one (dialects.py); the generator reads signatures, the renderer spellings."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

NUMBERS = ("int", "dec", "real")
DATES = ("date", "timestamp")


class Operator(NamedTuple):
    args: tuple[str, ...]
    result: str
    text: str
    weight: int = 2
    facts: tuple[str, ...] = ()
    exact: bool = False  # safe on columns whose representative is ambiguous: it looks only at NULL or not


def op(signature: str, text: str, weight: int = 2, facts: str = "", exact: bool = False) -> Operator:
    args, _, result = signature.partition("->")
    return Operator(tuple(args.split()), result.strip(), text, weight, tuple(facts.split()), exact)


Table = Mapping[str, Operator]

ANSI: Table = {
    "=": op("T T -> bool", "(%s = %s)", 8),
    "<>": op("T T -> bool", "(%s <> %s)", 4),
    "<": op("T T -> bool", "(%s < %s)", 4, "nan-order"),
    "<=": op("T T -> bool", "(%s <= %s)", 4, "nan-order"),
    ">": op("T T -> bool", "(%s > %s)", 4, "nan-order"),
    ">=": op("T T -> bool", "(%s >= %s)", 4, "nan-order"),
    "and": op("bool bool -> bool", "(%s AND %s)", 7),
    "or": op("bool bool -> bool", "(%s OR %s)", 7),
    "not": op("bool -> bool", "(NOT %s)", 6),
    "is null": op("T -> bool", "(%s IS NULL)", 3, exact=True),
    "is not null": op("T -> bool", "(%s IS NOT NULL)", 3, exact=True),
    "is true": op("bool -> bool", "(%s IS TRUE)"),
    "case truth": op("bool -> int", "CASE WHEN %s THEN 1 ELSE 0 END", 0),
    "is false": op("bool -> bool", "(%s IS FALSE)"),
    "is not true": op("bool -> bool", "(%s IS NOT TRUE)"),
    "is not false": op("bool -> bool", "(%s IS NOT FALSE)"),
    "is distinct": op("T T -> bool", "(%s IS DISTINCT FROM %s)", 3),
    "is not distinct": op("T T -> bool", "(%s IS NOT DISTINCT FROM %s)", 3),
    "between": op("T T T -> bool", "(%s BETWEEN %s AND %s)", 3, "nan-order"),
    "not between": op("T T T -> bool", "(%s NOT BETWEEN %s AND %s)", 2, "nan-order"),
    "in 1": op("T T -> bool", "(%s IN (%s))", 2),
    "in 2": op("T T T -> bool", "(%s IN (%s, %s))", 2),
    "not in 1": op("T T -> bool", "(%s NOT IN (%s))", 1),
    "not in 2": op("T T T -> bool", "(%s NOT IN (%s, %s))", 1),
    "like": op("text text -> bool", "(%s LIKE %s)", 3, "like-case like-blob"),
    "not like": op("text text -> bool", "(%s NOT LIKE %s)", 1, "like-case like-blob"),
    "ilike": op("text text -> bool", "(%s ILIKE %s)", 2, "like-blob"),
    "glob": op("text text -> bool", "(%s GLOB %s)", 2, "like-blob"),
    "case": op("bool T T -> T", "(CASE WHEN %s THEN %s ELSE %s END)", 2),
    "case bool": op("bool bool bool -> bool", "(CASE WHEN %s THEN %s ELSE %s END)", 1),
    "case of": op("T T U U -> U", "(CASE %s WHEN %s THEN %s ELSE %s END)", 1),
    "coalesce": op("T T -> T", "COALESCE(%s, %s)", 2),
    "nullif": op("T T -> T", "NULLIF(%s, %s)", 1),
    "+": op("N N -> N", "(%s + %s)", 3),
    "-": op("N N -> N", "(%s - %s)", 3),
    "*": op("N N -> N", "(%s * %s)", 2),
    "neg": op("N -> N", "(- %s)", 2),
    "/": op("N N -> real", "(%s / %s)", 1, "division real-digits"),
    "%": op("int int -> int", "(%s %% %s)", 1, "modulo-zero"),
    "&": op("int int -> int", "(%s & %s)", 1),
    "|": op("int int -> int", "(%s | %s)", 1),
    "~": op("int -> int", "(~ %s)", 1),
    "||": op("text text -> text", "(%s || %s)", 3),
    "abs": op("N -> N", "ABS(%s)", 1),
    "round": op("real -> real", "ROUND(%s)", 1, "round-half"),
    "lower": op("text -> text", "LOWER(%s)"),
    "upper": op("text -> text", "UPPER(%s)"),
    "length": op("text -> int", "LENGTH(%s)"),
    "trim": op("text -> text", "TRIM(%s)", 1),
    "ltrim": op("text -> text", "LTRIM(%s)", 1),
    "rtrim": op("text -> text", "RTRIM(%s)", 1),
    "substr": op("text int int -> text", "SUBSTR(%s, %s, %s)", 1, "substr-negative"),
    "instr": op("text text -> int", "INSTR(%s, %s)", 1, "instr-empty"),
    "replace": op("text text text -> text", "REPLACE(%s, %s, %s)", 1, "replace-empty"),
    "row =": op("T U T U -> bool", "((%s, %s) = (%s, %s))", 1, "row-null"),
    "row <>": op("T U T U -> bool", "((%s, %s) <> (%s, %s))", 1, "row-null"),
    "row <": op("T U T U -> bool", "((%s, %s) < (%s, %s))", 1, "row-null"),
    "row >": op("T U T U -> bool", "((%s, %s) > (%s, %s))", 1, "row-null"),
    "row <=": op("T U T U -> bool", "((%s, %s) <= (%s, %s))", 1, "row-null"),
    "row >=": op("T U T U -> bool", "((%s, %s) >= (%s, %s))", 1, "row-null"),
}

SQLITE: Table = {
    "truth": op("bool -> int", "(%s IS TRUE)", 0),
    "is": op("T T -> bool", "(%s IS %s)", 3),
    "is not": op("T T -> bool", "(%s IS NOT %s)", 3),
    "isnull": op("T -> bool", "(%s ISNULL)", 1, exact=True),
    "notnull": op("T -> bool", "(%s NOTNULL)", 2, exact=True),
    "ilike": op("text text -> bool", "(%s LIKE %s)", 3, "like-blob"),
    "glob": op("text text -> bool", "(%s GLOB %s)", 3, "like-blob"),
    "/": op("N N -> real", "(%s / %s)", 2, "division real-digits"),
    "+x": op("T -> T", "(+ %s)", 1),
    "<<": op("int int -> int", "(%s << %s)", 1),
    ">>": op("int int -> int", "(%s >> %s)", 1),
    "collate binary": op("text -> text", "(%s COLLATE BINARY)", 1, "collation-rules"),
    "collate nocase": op("text -> text", "(%s COLLATE NOCASE)", 2, "collation-rules"),
    "collate rtrim": op("text -> text", "(%s COLLATE RTRIM)", 1, "collation-rules"),
    "cast int": op("T -> int", "CAST(%s AS INTEGER)", 2, "cast-text"),
    "cast text": op("T -> text", "CAST(%s AS TEXT)", 2, "cast-real-text"),
    "cast real": op("T -> real", "CAST(%s AS REAL)", 1, "cast-text"),
    "cast blob": op("T -> blob", "CAST(%s AS BLOB)", 1),
    "cast numeric": op("T -> real", "CAST(%s AS NUMERIC)", 1, "cast-text"),
    "min": op("T T -> T", "MIN(%s, %s)", 1),
    "max": op("T T -> T", "MAX(%s, %s)", 1),
    "ifnull": op("T T -> T", "IFNULL(%s, %s)", 1),
    "iif": op("bool T T -> T", "IIF(%s, %s, %s)", 1),
    "typeof": op("T -> text", "TYPEOF(%s)", 2, "type-names"),
    "hex": op("T -> text", "HEX(%s)", 1, "hex-null"),
    "quote": op("T -> text", "QUOTE(%s)", 1),
    "unicode": op("text -> int", "UNICODE(%s)", 1),
    "sign": op("N -> int", "SIGN(%s)", 1),
    "zeroblob": op("-> blob", "ZEROBLOB(1)", 1),
    "likely": op("T -> T", "LIKELY(%s)", 1),
    "unlikely": op("T -> T", "UNLIKELY(%s)", 1),
    "likelihood": op("T -> T", "LIKELIHOOD(%s, 0.5)", 1),
    "date": op("text -> text", "DATE(%s)", 1),
    "julianday": op("text -> real", "JULIANDAY(%s)", 1, "real-digits"),
    "strftime": op("text -> text", "STRFTIME('%%Y', %s)", 1),
    "like escape": op("text text -> bool", "(%s LIKE %s ESCAPE 'a')", 1, "like-blob"),
    "in 0": op("T -> bool", "(%s IN ())", 1),
}

DUCKDB: Table = {
    "truth": op("bool -> int", "CAST(%s IS TRUE AS INTEGER)", 0),
    "cast int": op("T -> int", "TRY_CAST(%s AS INTEGER)", 1),
    "cast bigint": op("T -> int", "TRY_CAST(%s AS BIGINT)", 1),
    "cast tinyint": op("T -> int", "TRY_CAST(%s AS TINYINT)", 1),
    "cast real": op("T -> real", "TRY_CAST(%s AS DOUBLE)", 1),
    "cast dec": op("T -> dec", "TRY_CAST(%s AS DECIMAL(6, 2))", 1),
    "cast text": op("T -> text", "CAST(%s AS VARCHAR)", 1, "cast-real-text"),
    "cast bool": op("T -> bool", "TRY_CAST(%s AS BOOLEAN)", 1),
    "cast date": op("T -> date", "TRY_CAST(%s AS DATE)", 1),
    "cast timestamp": op("T -> timestamp", "TRY_CAST(%s AS TIMESTAMP)", 1),
    "ilike": op("text text -> bool", "(%s ILIKE %s)", 2, "like-blob"),
    "similar": op("text text -> bool", "(%s SIMILAR TO %s)", 1),
    "regexp": op("text -> bool", "REGEXP_MATCHES(%s, '^a')", 2),
    "starts with": op("text text -> bool", "STARTS_WITH(%s, %s)", 1),
    "ends with": op("text text -> bool", "ENDS_WITH(%s, %s)", 1),
    "contains": op("text text -> bool", "CONTAINS(%s, %s)", 1),
    "collate nocase": op("text -> text", "(%s COLLATE NOCASE)", 1, "collation-rules"),
    "greatest": op("T T -> T", "GREATEST(%s, %s)", 1),
    "least": op("T T -> T", "LEAST(%s, %s)", 1),
    "ifnull": op("T T -> T", "IFNULL(%s, %s)", 1),
    "if": op("bool T T -> T", "(IF(%s, %s, %s))", 1),
    "xor": op("int int -> int", "XOR(%s, %s)", 1),
    "sign": op("N -> int", "SIGN(%s)", 1),
    "floor": op("real -> real", "FLOOR(%s)", 1),
    "ceil": op("real -> real", "CEIL(%s)", 1),
    "isnan": op("real -> bool", "ISNAN(%s)", 1),
    "year": op("D -> int", "YEAR(%s)", 1),
    "month": op("D -> int", "MONTH(%s)", 1),
    "dayofweek": op("D -> int", "DAYOFWEEK(%s)", 1),
    "date diff": op("date date -> int", "DATE_DIFF('day', %s, %s)", 1),
    "date trunc": op("timestamp -> timestamp", "DATE_TRUNC('hour', %s)", 1),
    "list contains": op("list int -> bool", "LIST_CONTAINS(%s, %s)", 2),
    "list len": op("list -> int", "LEN(%s)", 2),
    "list get": op("list int -> int", "LIST_EXTRACT(%s, %s)", 1),
    "list concat": op("list list -> list", "LIST_CONCAT(%s, %s)", 1),
    "list of": op("int int -> list", "[%s, %s]", 1),
    "struct a": op("struct -> int", "(%s).a", 2),
    "struct b": op("struct -> text", "(%s).b", 2),
    "struct of": op("int text -> struct", "{'a': %s, 'b': %s}", 1),
    "typeof": op("T -> text", "TYPEOF(%s)", 1, "type-names"),
    "hex": op("text -> text", "HEX(%s)", 1, "hex-null"),
    "md5": op("text -> text", "MD5(%s)", 1),
    "strlen": op("text -> int", "STRLEN(%s)", 1),
    "left": op("text int -> text", "LEFT(%s, %s)", 1),
    "right": op("text int -> text", "RIGHT(%s, %s)", 1),
    "reverse": op("text -> text", "REVERSE(%s)", 1),
}


def expansions(operator: Operator, classes: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each concrete signature over a dialect's classes: T T -> bool becomes int int -> bool, text text -> bool, ..."""
    scopes = {
        "T": classes,
        "U": tuple(c for c in classes if c in ("int", "text", "bool")) or classes,
        "N": tuple(c for c in NUMBERS if c in classes),
        "D": tuple(c for c in DATES if c in classes),
    }
    letters = sorted({*operator.args, operator.result} & scopes.keys())
    for chosen in itertools.product(*(scopes[letter] for letter in letters)):
        meaning = dict(zip(letters, chosen, strict=True))
        args = tuple(meaning.get(a, a) for a in operator.args)
        result = meaning.get(operator.result, operator.result)
        if {*args, result} <= {*classes, "bool"}:
            yield args, result


def loosened(operator: Operator) -> tuple[tuple[str, ...], str]:
    """The signature where any value may stand anywhere (SQLite)."""
    return tuple(
        "bool" if a == "bool" else "any" for a in operator.args
    ), "bool" if operator.result == "bool" else "any"
