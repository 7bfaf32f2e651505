"""Cypher text to IR: queries as we write them, and most of what others write.
What it does not know it refuses; it never guesses."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import AGGREGATES, OPS
from gainsay.families.cypher.language.tokens import Unread, tokens, unquoted

FOLDS = {name.lower(): name for name in AGGREGATES}
BY_NAME = {
    name.lower(): name
    for name in OPS
    if re.fullmatch(r"[A-Za-z]+", name) and OPS[name].template.lower().startswith(f"{name.lower()}(")
}
CASTS = {"INT64": "toInteger", "DOUBLE": "toFloat", "STRING": "toString", "BOOLEAN": "toBoolean"}
BINARY = (("OR",), ("XOR",), ("AND",))
SUMS, PRODUCTS = ("+", "-"), ("*", "/", "%")
COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")
CLAUSES = frozenset(
    {
        "MATCH",
        "OPTIONAL",
        "UNWIND",
        "WITH",
        "RETURN",
        "WHERE",
        "ORDER",
        "SKIP",
        "LIMIT",
        "UNION",
        "CREATE",
        "SET",
        "DELETE",
        "DETACH",
    }
)


class Reader:
    """Reads a query by recursive descent, a method for each form."""

    def __init__(self, text: str) -> None:
        self.tokens = tokens(text)
        self.at = 0

    # --- tokens -------------------------------------------------------------------------------------------------------

    def fail(self) -> NoReturn:
        raise Unread(f"at {' '.join(t for _, t in self.tokens[self.at : self.at + 5])!r}")

    def peek(self, ahead: int = 0) -> str:
        """The next sign or word (words in capitals); '' for literals and at the end."""
        kind, text = self.tokens[min(self.at + ahead, len(self.tokens) - 1)]
        return text if kind == "sign" else text.upper() if kind == "name" else ""

    def has(self, *words: str) -> bool:
        """Take these words if they come next."""
        if all(self.peek(i) == word for i, word in enumerate(words)):
            self.at += len(words)
            return True
        return False

    def need(self, *words: str) -> None:
        if not self.has(*words):
            self.fail()

    def name(self) -> str:
        kind, text = self.tokens[self.at]
        if kind != "name":
            self.fail()
        self.at += 1
        return text.strip("`")

    def whole_number(self) -> int:
        kind, text = self.tokens[self.at]
        if kind != "int":
            self.fail()
        self.at += 1
        return int(text)

    def listed(self, item: Callable[[], Any], end: str = "") -> tuple[Any, ...]:
        if end and self.has(end):
            return ()
        found = [item()]
        while self.has(","):
            found.append(item())
        if end:
            self.need(end)
        return tuple(found)

    def tried(self, read: Callable[[], Any]) -> Any:
        """What `read` reads, or nothing, and then nothing was taken."""
        start = self.at
        try:
            return read()
        except Unread:
            self.at = start
            return None

    # --- expressions --------------------------------------------------------------------------------------------------

    def expr(self, level: int = 0) -> ir.Expr:
        """Connectives by their precedence, then what they connect."""
        if level < len(BINARY):
            left = self.expr(level + 1)
            while self.peek() in BINARY[level]:
                op = self.peek()
                self.at += 1
                left = ir.Op(op, (left, self.expr(level + 1)))
            return left
        if self.has("NOT"):
            return ir.Op("NOT", (self.expr(level),))
        return self.comparison()

    def comparison(self) -> ir.Expr:
        left = self.test()
        if self.peek() in COMPARISONS:
            op = self.peek()
            self.at += 1
            left = ir.Op(op, (left, self.test()))
            if self.peek() in COMPARISONS:
                self.fail()  # chained
        return left

    def test(self) -> ir.Expr:
        """A sum, with the tests that follow it: IS NULL, IN, STARTS WITH, ..."""
        left = self.sum()
        while True:
            if self.has("IS", "NOT", "NULL"):
                left = ir.Op("IS NOT NULL", (left,))
            elif self.has("IS", "NULL"):
                left = ir.Op("IS NULL", (left,))
            elif self.has("IN"):
                left = ir.Op("IN", (left, self.sum()))
            elif self.has("STARTS", "WITH"):
                left = ir.Op("STARTS WITH", (left, self.sum()))
            elif self.has("ENDS", "WITH"):
                left = ir.Op("ENDS WITH", (left, self.sum()))
            elif self.has("CONTAINS"):
                left = ir.Op("CONTAINS", (left, self.sum()))
            elif self.has("=~"):
                left = ir.Op("=~", (left, self.sum()))
            else:
                return left

    def sum(self) -> ir.Expr:
        return self.chain(SUMS, lambda: self.chain(PRODUCTS, lambda: self.chain(("^",), self.unary)))

    def chain(self, signs: tuple[str, ...], below: Callable[[], ir.Expr]) -> ir.Expr:
        left = below()
        while self.peek() in signs:
            op = self.peek()
            self.at += 1
            left = ir.Op(op, (left, below()))
        return left

    def unary(self) -> ir.Expr:
        if self.has("-"):
            kind, text = self.tokens[self.at]
            if kind in ("int", "float"):
                self.at += 1
                return self.postfix(ir.Lit(kind, -int(text) if kind == "int" else -float(text)))
            return ir.Op("neg", (self.unary(),))
        return self.postfix(self.primary())

    def postfix(self, base: ir.Expr) -> ir.Expr:
        """What follows a value: a property, a label, a subscript."""
        while True:
            if self.has("."):
                base = ir.Prop(base, self.name())
            elif self.peek() == ":" and isinstance(base, ir.Var):
                self.need(":")
                base = ir.HasLabel(base, self.name())
            elif self.has("["):
                base = self.subscript(base)
            else:
                return base

    def subscript(self, base: ir.Expr) -> ir.Expr:
        """An element or a slice of a list; the bracket is open."""
        if self.has(".."):
            last = self.expr()
            self.need("]")
            return ir.Op("slice to", (base, last))
        first = self.expr()
        if self.has("]"):
            return ir.Op("index", (base, first))
        self.need("..")
        if self.has("]"):
            return ir.Op("slice from", (base, first))
        last = self.expr()
        self.need("]")
        return ir.Op("slice", (base, first, last))

    def primary(self) -> ir.Expr:
        """A literal, a name, a call, a list, a map, or something in parentheses."""
        kind, text = self.tokens[self.at]
        if kind in ("int", "float", "str"):
            self.at += 1
            return ir.Lit(kind, int(text) if kind == "int" else float(text) if kind == "float" else unquoted(text))
        if self.peek() == "(":
            pattern = self.tried(self.bare_pattern)
            if pattern is not None:
                return ir.SubQuery("pattern", (pattern,))
            self.need("(")
            inside = self.expr()
            self.need(")")
            return inside
        if self.has("["):
            return self.bracketed()
        if self.peek() == "{":
            return ir.MapOf(self.entries())
        return self.word()

    def bare_pattern(self) -> ir.Path:
        path = self.path()
        if not path.hops:
            self.fail()
        return path

    def bracketed(self) -> ir.Expr:
        if self.peek() == "(":
            made = self.tried(self.pattern_list)
            if made is not None:
                return made  # type: ignore[no-any-return] # tried() gives what it was given
        if self.tokens[self.at][0] == "name" and self.peek(1) == "IN":
            made = self.tried(self.comprehension)
            if made is not None:
                return made  # type: ignore[no-any-return] # as above
        return ir.ListOf(self.listed(self.expr, "]"))

    def pattern_list(self) -> ir.PatternList:
        path = self.bare_pattern()
        where = self.expr() if self.has("WHERE") else None
        self.need("|")
        result = self.expr()
        self.need("]")
        return ir.PatternList(path, result, where)

    def comprehension(self) -> ir.Comprehension:
        var = self.name()
        self.need("IN")
        source = self.expr()
        condition = self.expr() if self.has("WHERE") else None
        result = self.expr() if self.has("|") else None
        self.need("]")
        return ir.Comprehension(var, source, condition, result)

    def word(self) -> ir.Expr:
        """What begins with a word: a constant, CASE, a subquery, a call or a variable."""
        word = self.peek()
        if word in ("TRUE", "FALSE"):
            self.at += 1
            return ir.TRUE if word == "TRUE" else ir.FALSE
        if word == "NULL":
            self.at += 1
            return ir.NULL
        if word == "CASE":
            return self.case()
        if word in ("EXISTS", "COUNT") and self.peek(1) == "{":
            return self.subquery(word.lower())
        if word in CLAUSES:
            self.fail()
        name = self.name()
        return self.call(name) if self.has("(") else ir.Var(name)

    def case(self) -> ir.Case:
        """CASE ... END"""
        self.need("CASE")
        operand = None if self.peek() == "WHEN" else self.expr()
        whens = []
        while self.has("WHEN"):
            test = self.expr()
            self.need("THEN")
            whens.append(ir.When(test, self.expr()))
        default = self.expr() if self.has("ELSE") else None
        self.need("END")
        return ir.Case(tuple(whens), default, operand)

    def subquery(self, kind: str) -> ir.SubQuery:
        self.at += 2
        self.has("MATCH")
        patterns = self.listed(self.path)
        where = self.expr() if self.has("WHERE") else None
        self.need("}")
        return ir.SubQuery(kind, patterns, where)

    def call(self, name: str) -> ir.Expr:
        """A function's call, an aggregate, a quantifier or a reduce; its name was read."""
        low = name.lower()
        if low in FOLDS:
            if self.has("*", ")"):
                return ir.Agg(FOLDS[low])
            distinct = self.has("DISTINCT")
            arg = self.expr()
            self.need(")")
            return ir.Agg(FOLDS[low], arg, distinct)
        if low in ("any", "all", "none", "single"):
            var = self.name()
            self.need("IN")
            source = self.expr()
            self.need("WHERE")
            condition = self.expr()
            self.need(")")
            return ir.Quantified(low, var, source, condition)
        if low == "reduce":
            return self.reduce()
        if low == "cast":
            value = self.expr()
            self.need("AS")
            kind = self.name().upper()
            self.need(")")
            return ir.Op(CASTS[kind], (value,)) if kind in CASTS else self.fail()
        args = self.listed(self.expr, ")")
        if low not in BY_NAME:
            self.fail()
        return ir.Op(BY_NAME[low], args)

    def reduce(self) -> ir.Reduce:
        """reduce(total = initial, var IN list | step); the word was read."""
        total = self.name()
        self.need("=")
        initial = self.expr()
        self.need(",")
        var = self.name()
        self.need("IN")
        source = self.expr()
        self.need("|")
        step = self.expr()
        self.need(")")
        return ir.Reduce(total, initial, var, source, step)

    # --- patterns -----------------------------------------------------------------------------------------------------

    def entries(self) -> tuple[ir.Entry, ...]:
        self.need("{")
        return self.listed(self.entry, "}")

    def entry(self) -> ir.Entry:
        key = self.name()
        self.need(":")
        return ir.Entry(key, self.expr())

    def node(self) -> ir.NodePat:
        """(var:Label {key: value})"""
        self.need("(")
        var = self.name() if self.tokens[self.at][0] == "name" else ""
        labels: list[str] = []
        is_any = False
        while self.peek() in (":", "|"):
            is_any = is_any or self.peek() == "|"
            self.at += 1
            labels.append(self.name())
        props = self.entries() if self.peek() == "{" else ()
        self.need(")")
        return ir.NodePat(var, tuple(labels), props, is_any)

    def hop(self) -> ir.Hop:
        """-[...]->(...), in any direction."""
        is_left = self.has("<-")
        if not is_left:
            self.need("-")
        rel = ir.RelPat()
        if self.has("["):
            rel = self.edge()
        is_right = self.has("->")
        if not is_right:
            self.need("-")
        if is_left and is_right:
            self.fail()
        direction = "<-" if is_left else "->" if is_right else "-"
        return ir.Hop(ir.RelPat(rel.var, rel.types, direction, rel.props, rel.length), self.node())

    def edge(self) -> ir.RelPat:
        """What stands in the brackets of a relationship, which are open."""
        var = self.name() if self.tokens[self.at][0] == "name" else ""
        types: list[str] = []
        if self.has(":"):
            types.append(self.name())
            while self.has("|"):
                self.has(":")
                types.append(self.name())
        length = self.length() if self.has("*") else ()
        props = self.entries() if self.peek() == "{" else ()
        self.need("]")
        return ir.RelPat(var, tuple(types), "->", props, length)

    def length(self) -> tuple[int, ...]:
        kind = self.tokens[self.at][0]
        least = self.whole_number() if kind == "int" else None
        if not self.has(".."):
            return (1,) if least is None else (least, least)
        if self.tokens[self.at][0] != "int":
            return (1 if least is None else least,)
        return (1 if least is None else least, self.whole_number())

    def path(self) -> ir.Path:
        var = ""
        if self.tokens[self.at][0] == "name" and self.peek(1) == "=":
            var = self.name()
            self.need("=")
        start = self.node()
        hops = []
        while self.peek() in ("-", "<-"):
            hops.append(self.hop())
        return ir.Path(start, tuple(hops), var)

    # --- clauses ------------------------------------------------------------------------------------------------------

    def query(self) -> ir.Query:
        """One query, or several that a UNION joins; not UNION and UNION ALL at once."""
        parts = [self.single()]
        kinds = set()
        while self.has("UNION"):
            kinds.add(self.has("ALL"))
            parts.append(self.single())
        if len(kinds) > 1:
            self.fail()
        if self.tokens[self.at][0] != "end":
            self.fail()
        return ir.Query(tuple(parts), True in kinds)

    def single(self) -> ir.Single:
        clauses: list[ir.Clause] = []
        while not clauses or not isinstance(clauses[-1], ir.Return):
            clauses.append(self.clause())
        return ir.Single(tuple(clauses))

    def clause(self) -> ir.Clause:
        """One clause, by its first word."""
        if self.has("OPTIONAL", "MATCH"):
            return self.match(True)
        if self.has("MATCH"):
            return self.match(False)
        if self.has("UNWIND"):
            expr = self.expr()
            self.need("AS")
            return ir.Unwind(expr, self.name())
        if self.has("WITH"):
            distinct = self.has("DISTINCT")
            star = self.has("*")
            items = self.items() if not star or self.has(",") else ()
            order, skip, limit = self.tail()
            return ir.With(items, star, distinct, order, skip, limit, self.expr() if self.has("WHERE") else None)
        self.need("RETURN")
        distinct = self.has("DISTINCT")
        return ir.Return(self.items(), distinct, *self.tail())

    def match(self, optional: bool) -> ir.Match:
        return ir.Match(self.listed(self.path), self.expr() if self.has("WHERE") else None, optional)

    def items(self) -> tuple[ir.Item, ...]:
        found = self.listed(lambda: (self.expr(), self.name() if self.has("AS") else ""))
        taken = {name for _, name in found}
        fresh = iter(f"c{i}" for i in range(1000) if f"c{i}" not in taken)
        return tuple(ir.Item(e, name or (e.name if isinstance(e, ir.Var) else next(fresh))) for e, name in found)

    def tail(self) -> tuple[tuple[ir.Order, ...], int | None, int | None]:
        order: tuple[ir.Order, ...] = ()
        if self.has("ORDER", "BY"):
            order = self.listed(self.order)
        skip = self.whole_number() if self.has("SKIP") else None
        return order, skip, self.whole_number() if self.has("LIMIT") else None

    def order(self) -> ir.Order:
        expr = self.expr()
        desc = self.has("DESC") or self.has("DESCENDING")
        if not desc:
            self.has("ASC")
        return ir.Order(expr, desc)


def read(text: str) -> ir.Query:
    """A query; Unread if there is anything in it that we do not know."""
    return Reader(text).query()
