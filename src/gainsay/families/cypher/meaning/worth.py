"""What the expressions of a query are worth, in words: which function or condition gives which value, and of what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from gainsay.core.tree import Node, walk
from gainsay.core.wording import counted
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.scopes import free, has_aggregate
from gainsay.families.cypher.meaning.semantics import Evaluator, Failed, TooBig, Undetermined

MOST = 4  # values that are told
OPEN = (Undetermined, Failed, TooBig, KeyError)  # KeyError: a variable that the rows do not have
KINDS = {bool: "bool", int: "int", float: "float", str: "str"}
Table = list[dict[str, Any]]
Spell = Callable[[Any], str]  # a node in the engine's own words


def told(part: ir.Single, evaluator: Evaluator, spell: Spell) -> list[str]:
    """What conditions and columns give, each once: 'sign(n.k) is null where n.k is null'."""
    found: dict[str, None] = {}
    rows: Table = [{}]
    for clause in part.clauses:
        where = getattr(clause, "where", None)
        after = evaluator.clause(msgspec.structs.replace(clause, where=None) if where is not None else clause, rows)
        if isinstance(clause, (ir.With, ir.Return)):
            for item in clause.items:
                if has_aggregate(item.expr):
                    found |= dict.fromkeys(gathered(item, rows, after, spell))
                else:
                    found |= dict.fromkeys(valued(item.expr, rows, evaluator, spell))
        if where is not None:
            found |= dict.fromkeys(valued(where, after, evaluator, spell))
        rows = evaluator.clause(clause, rows) if where is not None else after
    return list(found)[:MOST]


def gathered(item: ir.Item, rows: Table, after: Table, spell: Spell) -> Iterator[str]:
    """'sum(n.k) over 2 rows is 3', where all rows are one group."""
    value = spelled(after[0][item.name], spell) if len(after) == 1 else ""
    if value:
        yield f"{spell(item.expr)} over {counted(len(rows), 'row', 'no')} is {value}"


def valued(expr: ir.Expr, rows: Table, evaluator: Evaluator, spell: Spell) -> Iterator[str]:
    """An expression's value in each row, and those of what it is made of."""
    for row in rows:
        for part in (*operands(expr), expr):
            value = spelled(worth(part, row, evaluator), spell) if is_made(part) else ""
            of = [f"{spell(leaf)} is {spelled(worth(leaf, row, evaluator), spell)}" for leaf in leaves(part, row)]
            if value and not any(text.endswith(" is ") for text in of):
                yield f"{spell(part)} is {value}" + (f" where {' and '.join(of)}" if of else "")


def is_made(expr: Any) -> bool:
    """Whether an expression is made of something: what is read, and what is said as it is, needs no words."""
    return not isinstance(expr, (ir.Lit, ir.Var, ir.Prop, ir.ListOf, ir.MapOf, ir.SubQuery, ir.PatternList))


def operands(expr: ir.Expr) -> Iterator[ir.Expr]:
    """The expressions that another is made of at once, but for those that are worked out for each element of a list."""
    if not isinstance(expr, (ir.Quantified, ir.Comprehension, ir.Reduce)):
        for below, node in walk(expr):
            nearest = 2 if below and isinstance(below[-1], int) else 1
            if len(below) == nearest and isinstance(node, Node) and node.sort == "expr":
                yield node  # type: ignore[misc]  # a node of this sort is one


def leaves(expr: ir.Expr, row: dict[str, Any]) -> list[Any]:
    """The properties and variables of a row that an expression reads; of a node nothing but its properties."""
    read: dict[Any, None] = dict.fromkeys(
        n for _, n in walk(expr) if isinstance(n, ir.Prop) and isinstance(n.base, ir.Var)
    )
    bare = {n.base for n in read}
    read |= dict.fromkeys(n for _, n in walk(expr) if isinstance(n, ir.Var) and n not in bare)
    return [node for node in read if free(node) <= row.keys()]


def worth(expr: ir.Expr, row: dict[str, Any], evaluator: Evaluator) -> Any:
    """A value; something that can't be spelled where there is none."""
    try:
        return evaluator.value(expr, row)
    except OPEN:
        return OPEN


def spelled(value: Any, spell: Spell) -> str:
    """A value as a literal; nothing, where it is an element."""
    if value is None:
        return "null"
    if isinstance(value, list):
        items = [spelled(item, spell) for item in value]
        return f"[{', '.join(items)}]" if all(items) else ""
    return spell(ir.Lit(KINDS[type(value)], value)) if type(value) in KINDS else ""
