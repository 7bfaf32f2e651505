"""THE operator table: an operator is one row.

It says what the operator takes and gives, how it is spelled, what it means, how often it is drawn, on which documented
facts its meaning depends, and what a reducer and a shape need to know of it.

A signature is 'argument classes -> result class'. T, N and D stand for any class, any number, any date, and U for int,
text or bool; the same letter is the same class. A spelling has one %s for each operand, and parentheses around the
whole. A dialect is such a table merged over another one (dialects.py); the generator reads signatures, the renderer
spellings.

A row may have its meaning in it. Those of ours mostly have not: the same row means one thing where any value may stand
anywhere (SQLite) and another where columns have types (DuckDB, PostgreSQL). So a type system's meanings stand together,
by the names of rows, beside what they are made of (meaning/loose.py, typed.py, ...), and `with_meanings` puts them into
a dialect's rows. It refuses a meaning without a row, and a row with two."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from gainsay.families.sql.meaning.term import Meaning

NUMBERS = ("int", "dec", "real")
DATES = ("date", "timestamp")


class Operator(NamedTuple):
    """A row of the table. Operators are named by their keys."""

    args: tuple[str, ...]
    result: str
    text: str
    weight: int = 2
    facts: tuple[str, ...] = ()
    exact: bool = False  # safe on columns whose representative is ambiguous: it looks only at NULL or not
    group: str = ""  # what it is called in a shape, with others that fail for the same cause; nothing: its own name
    plainer: str = ""  # the next plainer operator that can stand in its place
    turned: str = ""  # the one that says the same with its sides exchanged
    opposite: str = ""  # the one that says the opposite of operands that it tells of
    is_key: bool = False  # equal results of it are identical: it may be grouped by
    meaning: Meaning | None = None  # what it does to compiled operands, where the dialect has a semantics

    @property
    def is_test(self) -> bool:
        """Whether it tests a value for NULL or for truth."""
        return self.exact or self.is_key

    def is_as_wide(self, other: Operator | None) -> bool:
        """Whether another dialect's row of the same name takes as many operands."""
        return other is not None and len(other.args) == len(self.args)


def op(signature: str, text: str, weight: int = 2, facts: str = "", exact: bool = False, **more: Any) -> Operator:
    """A row from its signature, spelling, weight and facts; the rest by name."""
    args, _, result = signature.partition("->")
    return Operator(tuple(args.split()), result.strip(), text, weight, tuple(facts.split()), exact, **more)


Table = Mapping[str, Operator]


Row = TypeVar("Row", bound=Any)  # a row with a meaning: an operator, or an aggregate


def with_meanings(table: Mapping[str, Row], meanings: Mapping[str, Any]) -> dict[str, Row]:
    """A table whose rows mean what a type system says. No meaning is without a row, and no row has two."""
    for name in meanings:
        if name not in table or table[name].meaning is not None:
            raise ValueError(f"{name!r} has a meaning and no row, or two meanings")
    return {key: row._replace(meaning=meanings[key]) if key in meanings else row for key, row in table.items()}


ANSI: Table = {
    "=": op("T T -> bool", "(%s = %s)", 8, group="comparison", turned="=", opposite="<>"),
    "<>": op("T T -> bool", "(%s <> %s)", 4, group="comparison", plainer=">=", turned="<>", opposite="="),
    "<": op("T T -> bool", "(%s < %s)", 4, "nan-order", group="comparison", plainer="=", turned=">", opposite=">="),
    "<=": op("T T -> bool", "(%s <= %s)", 4, "nan-order", group="comparison", plainer=">", turned=">=", opposite=">"),
    ">": op("T T -> bool", "(%s > %s)", 4, "nan-order", group="comparison", plainer="<", turned="<", opposite="<="),
    ">=": op("T T -> bool", "(%s >= %s)", 4, "nan-order", group="comparison", plainer="<=", turned="<=", opposite="<"),
    "and": op("bool bool -> bool", "(%s AND %s)", 7, group="and/or"),
    "or": op("bool bool -> bool", "(%s OR %s)", 7, group="and/or", plainer="and"),
    "not": op("bool -> bool", "(NOT %s)", 6),
    "is null": op("T -> bool", "(%s IS NULL)", 3, exact=True, group="null test", opposite="is not null"),
    "is not null": op("T -> bool", "(%s IS NOT NULL)", 3, exact=True, group="null test", plainer="is null",
                      opposite="is null"),
    "is true": op("bool -> bool", "(%s IS TRUE)", group="truth test", opposite="is not true", is_key=True),
    "case truth": op("bool -> int", "CASE WHEN %s THEN 1 ELSE 0 END", 0),
    "is false": op("bool -> bool", "(%s IS FALSE)", group="truth test", plainer="is not true", opposite="is not false",
                   is_key=True),
    "is not true": op("bool -> bool", "(%s IS NOT TRUE)", group="truth test", plainer="is true", opposite="is true",
                      is_key=True),
    "is not false": op("bool -> bool", "(%s IS NOT FALSE)", group="truth test", plainer="is false",
                       opposite="is false", is_key=True),
    "is distinct": op("T T -> bool", "(%s IS DISTINCT FROM %s)", 3, group="is", plainer="is not distinct",
                      turned="is distinct", opposite="is not distinct"),
    "is not distinct": op("T T -> bool", "(%s IS NOT DISTINCT FROM %s)", 3, group="is", plainer="is not",
                          turned="is not distinct", opposite="is distinct"),
    "between": op("T T T -> bool", "(%s BETWEEN %s AND %s)", 3, "nan-order", group="comparison",
                  opposite="not between"),
    "not between": op("T T T -> bool", "(%s NOT BETWEEN %s AND %s)", 2, "nan-order", group="comparison",
                      plainer="between", opposite="between"),
    "in 1": op("T T -> bool", "(%s IN (%s))", 2, group="in", plainer="is distinct", opposite="not in 1"),
    "in 2": op("T T T -> bool", "(%s IN (%s, %s))", 2, group="in", plainer="not between", opposite="not in 2"),
    "not in 1": op("T T -> bool", "(%s NOT IN (%s))", 1, group="in", plainer="in 1", opposite="in 1"),
    "not in 2": op("T T T -> bool", "(%s NOT IN (%s, %s))", 1, group="in", plainer="in 2", opposite="in 2"),
    "like": op("text text -> bool", "(%s LIKE %s)", 3, "like-case like-blob", group="pattern", plainer="ilike",
               opposite="not like"),
    "not like": op("text text -> bool", "(%s NOT LIKE %s)", 1, "like-case like-blob", group="pattern", plainer="glob",
                   opposite="like"),
    "ilike": op("text text -> bool", "(%s ILIKE %s)", 2, "like-blob", group="pattern"),
    "glob": op("text text -> bool", "(%s GLOB %s)", 2, "like-blob", group="pattern", plainer="like"),
    "case": op("bool T T -> T", "(CASE WHEN %s THEN %s ELSE %s END)", 2, group="case"),
    "case bool": op("bool bool bool -> bool", "(CASE WHEN %s THEN %s ELSE %s END)", 1, group="case", plainer="if"),
    "case of": op("T T U U -> U", "(CASE %s WHEN %s THEN %s ELSE %s END)", 1, group="case"),
    "coalesce": op("T T -> T", "COALESCE(%s, %s)", 2),
    "nullif": op("T T -> T", "NULLIF(%s, %s)", 1),
    "+": op("N N -> N", "(%s + %s)", 3, group="arithmetic"),
    "-": op("N N -> N", "(%s - %s)", 3, group="arithmetic", plainer="+"),
    "*": op("N N -> N", "(%s * %s)", 2, group="arithmetic", plainer="-"),
    "neg": op("N -> N", "(- %s)", 2, group="arithmetic"),
    "/": op("N N -> real", "(%s / %s)", 1, "division real-digits", group="arithmetic"),
    "%": op("int int -> int", "(%s %% %s)", 1, "modulo-zero", group="arithmetic"),
    "&": op("int int -> int", "(%s & %s)", 1, group="arithmetic", plainer="*"),
    "|": op("int int -> int", "(%s | %s)", 1, group="arithmetic", plainer="&"),
    "~": op("int -> int", "(~ %s)", 1, group="arithmetic"),
    "||": op("text text -> text", "(%s || %s)", 3),
    "abs": op("N -> N", "ABS(%s)", 1),
    "round": op("real -> real", "ROUND(%s)", 1, "round-half"),
    "lower": op("text -> text", "LOWER(%s)"),
    "upper": op("text -> text", "UPPER(%s)", plainer="lower"),
    "length": op("text -> int", "LENGTH(%s)"),
    "trim": op("text -> text", "TRIM(%s)", 1),
    "ltrim": op("text -> text", "LTRIM(%s)", 1, plainer="trim"),
    "rtrim": op("text -> text", "RTRIM(%s)", 1, plainer="ltrim"),
    "substr": op("text int int -> text", "SUBSTR(%s, %s, %s)", 1, "substr-negative"),
    "instr": op("text text -> int", "INSTR(%s, %s)", 1, "instr-empty"),
    "replace": op("text text text -> text", "REPLACE(%s, %s, %s)", 1, "replace-empty"),
    "row =": op("T U T U -> bool", "((%s, %s) = (%s, %s))", 1, "row-null", group="row value", turned="row ="),
    "row <>": op("T U T U -> bool", "((%s, %s) <> (%s, %s))", 1, "row-null", group="row value", plainer="row >=",
                 turned="row <>"),
    "row <": op("T U T U -> bool", "((%s, %s) < (%s, %s))", 1, "row-null", group="row value", plainer="row =",
                turned="row >"),
    "row >": op("T U T U -> bool", "((%s, %s) > (%s, %s))", 1, "row-null", group="row value", plainer="row <",
                turned="row <"),
    "row <=": op("T U T U -> bool", "((%s, %s) <= (%s, %s))", 1, "row-null", group="row value", plainer="row >",
                 turned="row >="),
    "row >=": op("T U T U -> bool", "((%s, %s) >= (%s, %s))", 1, "row-null", group="row value", plainer="row <=",
                 turned="row <="),
}  # fmt: skip


def listed(word: str, number: int, weight: int) -> Operator:
    """x IN (a, b, c)"""
    places = ", ".join(["%s"] * number)
    return op(" ".join("T" * (number + 1)) + " -> bool", f"(%s {word} ({places}))", weight, group="in")


def branched(number: int, weight: int, is_of: bool) -> Operator:
    """CASE with several branches: of conditions, or of one value."""
    branches = " ".join(["WHEN %s THEN %s"] * number)
    if is_of:
        text = f"(CASE %s {branches} ELSE %s END)"
        return op("T " + "T U " * number + "U -> U", text, weight, group="case")
    return op("bool T " * number + "T -> T", f"(CASE {branches} ELSE %s END)", weight, group="case")


# Longer ones are read, and not drawn: they say nothing that the shorter ones do not
LONG: Table = {
    **{f"in {n}": listed("IN", n, n == 3) for n in range(3, 10)},
    **{f"not in {n}": listed("NOT IN", n, n == 3) for n in range(3, 10)},
    **{f"case {n}": branched(n, n == 2, False) for n in range(2, 7)},
    **{f"case of {n}": branched(n, n == 2, True) for n in range(2, 7)},
}
ANSI = {**ANSI, **LONG}


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
