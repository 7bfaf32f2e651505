"""Expressions as they are written: trees of heads and parts, before anybody knows what they mean.

`a IS NOT NULL` is ("IS NOT NULL", a), `SUBSTR(x, 1, 2)` is ("SUBSTR()", x, 1, 2). The spelling of an operator (a row
of ops.py) is read into such a tree as well, with holes for its operands: so an operator needs no second table to be
read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from gainsay.families.sql.language import ops
from gainsay.families.sql.language.tokens import Token, Unread, tokens, unquoted

HOLE = "hole"
# How strongly operators bind, weakest first: what stands in one row binds alike.
Precedence = Mapping[str, int]


def levels(*rows: str) -> Precedence:
    return {word: number for number, row in enumerate(rows, 1) for word in row.split(" ")}


TEST = "= <> IS IN LIKE ILIKE GLOB MATCH REGEXP RLIKE BETWEEN SIMILAR ISNULL NOTNULL <=>"
# https://www.sqlite.org/lang_expr.html, "Operators, and Parse-Affecting Attributes"
SQLITE = levels("OR", "AND", "NOT", TEST, "< <= > >=", "& | << >>", "+ -", "* / %", "|| -> ->>", "COLLATE", "~ :: .")
# https://www.postgresql.org/docs/current/sql-syntax-lexical.html, "Operator Precedence"
POSTGRESQL = levels(
    "OR", "AND", "NOT", "IS ISNULL NOTNULL", "= <> < <= > >=", "BETWEEN IN LIKE ILIKE SIMILAR GLOB MATCH REGEXP",
    "|| & | << >> -> ->> ~ !~ # && ? -|- @> <@ ^@ @? @@ &< &> ?| ?&", "+ -", "* / %", "^", "COLLATE", "unary", ":: .",
)  # fmt: skip
# https://dev.mysql.com/doc/refman/8.0/en/operator-precedence.html
MYSQL = levels(
    "OR", "XOR", "AND", "NOT", "BETWEEN", "= <=> < <= > >= <> IS LIKE REGEXP RLIKE IN", "|", "&", "<< >>", "+ -",
    "* / % DIV MOD", "^", "~ ||", "COLLATE", ":: . -> ->>",
)  # fmt: skip
RULES: Mapping[str, Precedence] = {"sqlite": SQLITE, "postgresql": POSTGRESQL, "mysql": MYSQL}
NEGATED = ("LIKE", "ILIKE", "GLOB", "MATCH", "REGEXP", "RLIKE", "BETWEEN", "IN", "SIMILAR")
# Words that end an expression, so that they are no names
ENDS = frozenset((
    "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "UNION", "INTERSECT", "EXCEPT", "WINDOW", "ON",
    "USING", "JOIN", "LEFT", "RIGHT", "FULL", "INNER", "CROSS", "NATURAL", "WHEN", "THEN", "ELSE", "END", "AND",
    "OR", "AS", "ASC", "DESC", "NULLS", "SET", "VALUES", "RETURNING", "FETCH", "FOR", "WITH", "LATERAL", "OUTER",
    "BETWEEN", "IN", "IS", "LIKE", "NOT", "COLLATE", "CASE", "SELECT", "DISTINCT", "BY", "STRAIGHT_JOIN",
))  # fmt: skip


class Syntax(NamedTuple):
    """What was written: `head` says which form it is. `value` is what is no expression: a token, a query."""

    head: str
    parts: tuple[Syntax, ...]
    start: int
    end: int
    value: Any = None


class Key(NamedTuple):
    """A key of an ORDER BY."""

    expr: Syntax
    is_descending: bool
    nulls: str  # FIRST, LAST or nothing


class Window(NamedTuple):
    """What stands in OVER (...)."""

    partition: tuple[Syntax, ...]
    order: tuple[Key, ...]
    frame: tuple[str, str, str, str] | None  # unit, start, end, exclude


class Behind(NamedTuple):
    """What stands behind a call: FILTER (WHERE ...), OVER (...); or at the end of its operands: ORDER BY ..."""

    where: Syntax | None
    window: Window | None
    order: tuple[Key, ...] = ()  # inside the parentheses


class Cursor:
    """A place in a text that is read."""

    def __init__(self, text: str, rules: Precedence, query: Callable[[Cursor], Any] | None = None) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.at = 0
        self.rules = rules
        self._query = query

    @property
    def now(self) -> Token:
        return self.tokens[self.at]

    def peek(self, ahead: int = 1) -> Token:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def is_at(self, *keys: str) -> bool:
        """Whether these words or signs stand here, one after the other."""
        return all(self.peek(i).key == key and self.peek(i).kind in ("word", "sign") for i, key in enumerate(keys))

    def take(self, *keys: str) -> bool:
        """Go past these words, if they stand here."""
        if not self.is_at(*keys):
            return False
        self.at += len(keys)
        return True

    def need(self, *keys: str) -> None:
        if not self.take(*keys):
            raise Unread(f"{self.now.text or 'the end'!r} where {' '.join(keys)} should be")

    def any_of(self, *keys: str) -> str:
        """The one of these words that stands here, which is gone past; or nothing."""
        return next((key for key in keys if self.take(*key.split(" "))), "")

    def next(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def name(self) -> str:
        """A name; a word that ends an expression is none."""
        token = self.now
        if token.kind != "quoted" and (token.kind != "word" or token.key in ENDS):
            raise Unread(f"{token.text or 'the end'!r} where a name should be")
        self.at += 1
        return unquoted(token)

    def names(self) -> tuple[str, ...]:
        """Names in parentheses."""
        self.need("(")
        found = [self.name()]
        while self.take(","):
            found.append(self.name())
        self.need(")")
        return tuple(found)

    def since(self, start: int) -> str:
        """The text from a place to here."""
        return self.text[start : self.tokens[self.at - 1].end]

    # --- expressions --------------------------------------------------------------------------------------------------

    def made(self, head: str, parts: Sequence[Syntax], start: int, value: Any = None) -> Syntax:
        return Syntax(head, tuple(parts), start, self.tokens[self.at - 1].end, value)

    def expression(self, above: int = 0) -> Syntax:
        """An expression whose operators bind stronger than `above`."""
        left = self._prefix()
        while True:
            token = self.now
            is_not = token.key == "NOT" and token.kind == "word"
            word = self.peek().key if is_not else token.key
            if token.kind not in ("word", "sign") or (is_not and word not in (*NEGATED, "NULL")):
                return left
            level = self.rules["ISNULL" if is_not and word == "NULL" and "ISNULL" in self.rules else word] if (
                word in self.rules or (is_not and word == "NULL")
            ) else 0  # fmt: skip
            if level <= above:
                return left
            self.at += 1 + is_not
            left = self._infix(left, word, level, is_not)

    def _infix(self, left: Syntax, word: str, level: int, is_not: bool) -> Syntax:
        """What follows a left operand, behind the operator."""
        start, head = left.start, f"NOT {word}" if is_not else word
        special = INFIX.get(word)
        if special is not None:
            return special(self, left, head, level)
        return self.made(head, (left, self.expression(level)), start)

    def _prefix(self) -> Syntax:
        token = self.now
        if token.key == "NOT" and token.kind == "word":
            self.at += 1
            if self.is_at("EXISTS"):
                return self.made("NOT", (self._prefix(),), token.start)
            return self.made("NOT", (self.expression(self.rules["NOT"] - 1),), token.start)
        if token.key in ("-", "+", "~") and token.kind == "sign":
            self.at += 1
            number = self.now
            if token.key == "-" and number.kind in ("int", "real") and number.start == token.end:
                self.at += 1
                return self.made(number.kind, (), token.start, f"-{number.text}")
            bound = self.rules.get("unary", self.rules["COLLATE"])
            return self.made(f"{token.key} x", (self.expression(bound),), token.start)
        return self._dotted(self.primary())

    def _dotted(self, left: Syntax) -> Syntax:
        """A part of a struct: (x).a; an element: x[1]."""
        while True:
            if left.head == "()" and self.take("."):
                left = self.made(f".{self.name()}", left.parts, left.start)
            elif left.head not in LITERALS and self.take("["):
                index = self.expression()
                self.need("]")
                left = self.made("x[]", (left, index), left.start)
            else:
                return left

    def primary(self) -> Syntax:
        """A literal, a name, a call, or something in parentheses."""
        token = self.next()
        if token.kind in ("int", "real", "text", "blob"):
            return self.made(token.kind, (), token.start, token.text)
        if token.kind == "sign":
            return self._bracketed(token)
        if token.kind == "word":
            special = WORDS.get(token.key)
            if special is not None:
                found = special(self, token)
                if found is not None:
                    return found
            if self.now.kind == "text" and self.now.start > token.end - 1 and token.key in TYPED:
                said = self.next()
                return self.made("typed", (), token.start, f"{token.key} {said.text}")
            if self.is_at("(") and (token.key not in ENDS or token.key in CALLED):
                return self._call(token)
        if token.kind not in ("word", "quoted") or (token.kind == "word" and token.key in ENDS):
            raise Unread(f"{token.text or 'the end'!r}")
        names = [unquoted(token)]
        while self.is_at(".") and self.peek().kind in ("word", "quoted"):
            self.at += 1
            names.append(unquoted(self.next()))
        if self.is_at(".", "*"):
            self.at += 2
            return self.made("*", (), token.start, names[-1])
        if len(names) > 2:
            raise Unread(f"the name {'.'.join(names)}")
        return self.made("name", (), token.start, (names[0] if len(names) > 1 else "", names[-1]))

    def _bracketed(self, token: Token) -> Syntax:
        if token.key == "(":
            return self._parenthesis(token)
        if token.key == "*":
            return self.made("*", (), token.start, "")
        if token.key == "[":
            return self.made("[]", self._listed("]"), token.start)
        if token.key == "{":
            parts, keys = [], []
            while not self.take("}"):
                keys.append(self.next().text)
                self.need(":")
                parts.append(self.expression())
                self.take(",")
            return self.made(f"{{{','.join(keys)}}}", parts, token.start)
        raise Unread(f"{token.text!r}")

    def _parenthesis(self, token: Token) -> Syntax:
        if self.is_query():
            found = self._subquery(token.start)
            return self.made("query", (), token.start, found)
        parts = self._listed(")")
        if len(parts) == 1:
            return self.made("()", parts, token.start)
        return self.made("row", parts, token.start)

    def is_query(self) -> bool:
        return self.now.kind == "word" and self.now.key in ("SELECT", "WITH", "VALUES")

    def _subquery(self, start: int) -> Any:
        """A query, up to the parenthesis that closes it."""
        if self._query is None:
            raise Unread("a query")
        found = self._query(self)
        self.need(")")
        return found

    def _listed(self, close: str) -> list[Syntax]:
        parts: list[Syntax] = []
        if self.take(close):
            return parts
        while True:
            parts.append(self.expression())
            if not self.take(","):
                self.need(close)
                return parts

    def _call(self, name: Token) -> Syntax:
        """A function: NAME(a, b), with DISTINCT, * and what may stand behind it."""
        self.need("(")
        if self.is_query():
            return self.made(f"{name.key} query", (), name.start, self._subquery(name.start))
        distinct = "DISTINCT " if self.take("DISTINCT") else ""
        parts = () if self.is_at(")") else self.listed()
        order = self.keys() if self.take("ORDER", "BY") else ()
        self.need(")")
        head = f"{distinct}{name.key}()"
        if self.is_at("WITHIN"):
            raise Unread(f"WITHIN behind {name.text}()")
        where = None
        if self.take("FILTER", "("):
            self.need("WHERE")
            where = self.expression()
            self.need(")")
        window = self._window() if self.take("OVER") else None
        behind = None if where is None and window is None and not order else Behind(where, window, order)
        return self.made(head, parts, name.start, behind)

    def _window(self) -> Window:
        """OVER (PARTITION BY ... ORDER BY ... ROWS BETWEEN ... AND ...)"""
        self.need("(")
        partition = self.listed() if self.take("PARTITION", "BY") else ()
        order = self.keys() if self.take("ORDER", "BY") else ()
        unit = self.any_of("ROWS", "RANGE", "GROUPS")
        frame = None
        if unit:
            if not self.take("BETWEEN"):
                raise Unread("a frame with one bound")
            start = self._bound()
            self.need("AND")
            frame = (unit, start, self._bound(), self._excluded())
        self.need(")")
        return Window(partition, order, frame)

    def _bound(self) -> str:
        found = self.any_of("UNBOUNDED PRECEDING", "UNBOUNDED FOLLOWING", "CURRENT ROW")
        if found:
            return found
        number = self.next().text
        return f"{number} {self.next().key}"

    def _excluded(self) -> str:
        if not self.take("EXCLUDE"):
            return ""
        return self.any_of("CURRENT ROW", "GROUP", "TIES", "NO OTHERS").replace("NO OTHERS", "")

    def listed(self) -> tuple[Syntax, ...]:
        """Expressions with commas between them."""
        found = [self.expression()]
        while self.take(","):
            found.append(self.expression())
        return tuple(found)

    def keys(self) -> tuple[Key, ...]:
        """The keys of an ORDER BY."""
        found = []
        while True:
            expr = self.expression()
            word = self.any_of("ASC", "DESC")
            nulls = self.any_of("NULLS FIRST", "NULLS LAST").removeprefix("NULLS ")
            found.append(Key(expr, word == "DESC", nulls))
            if not self.take(","):
                return tuple(found)


# --- forms of their own -----------------------------------------------------------------------------------------------

CALLED = ("LEFT", "RIGHT", "LIKE")  # functions that are called like a join or an operator
TYPED = ("DATE", "TIMESTAMP", "TIME", "INTERVAL")


def is_(cursor: Cursor, left: Syntax, head: str, level: int) -> Syntax:
    """IS [NOT] NULL, TRUE, DISTINCT FROM b, b"""
    head = "IS NOT" if cursor.take("NOT") else "IS"
    word = cursor.any_of("NULL", "TRUE", "FALSE", "UNKNOWN")
    if word:
        return cursor.made(f"{head} {word}", (left,), left.start)
    if cursor.take("DISTINCT", "FROM"):
        head += " DISTINCT FROM"
    return cursor.made(head, (left, cursor.expression(level)), left.start)


def between(cursor: Cursor, left: Syntax, head: str, level: int) -> Syntax:
    low = cursor.expression(level)
    cursor.need("AND")
    return cursor.made(head, (left, low, cursor.expression(level)), left.start)


def in_(cursor: Cursor, left: Syntax, head: str, level: int) -> Syntax:
    """IN (a, b), IN (query), IN table"""
    if not cursor.is_at("("):
        raise Unread(f"{head} without parentheses")
    start = cursor.next()
    if cursor.is_query():
        return cursor.made(f"{head} query", (left,), left.start, cursor._subquery(start.start))
    return cursor.made(head, (left, *cursor._listed(")")), left.start)


def like(cursor: Cursor, left: Syntax, head: str, level: int) -> Syntax:
    if cursor.take("TO"):
        head += " TO"
    right = cursor.expression(level)
    if cursor.take("ESCAPE"):
        return cursor.made(f"{head} ESCAPE", (left, right, cursor.expression(level)), left.start)
    return cursor.made(head, (left, right), left.start)


def collate(cursor: Cursor, left: Syntax, head: str, level: int) -> Syntax:
    return cursor.made(f"COLLATE {cursor.name().upper()}", (left,), left.start)


def postfix(cursor: Cursor, left: Syntax, head: str, level: int) -> Syntax:
    return cursor.made(head.replace("NOT NULL", "NOTNULL"), (left,), left.start)


def cast_behind(cursor: Cursor, left: Syntax, head: str, level: int) -> Syntax:
    return cursor.made(f"CAST {type_of(cursor, is_alone=False)}", (left,), left.start)


INFIX: Mapping[str, Callable[[Cursor, Syntax, str, int], Syntax]] = {
    "IS": is_, "BETWEEN": between, "IN": in_, "LIKE": like, "ILIKE": like, "GLOB": like, "SIMILAR": like,
    "COLLATE": collate, "ISNULL": postfix, "NOTNULL": postfix, "NULL": postfix, "::": cast_behind,
}  # fmt: skip


def type_of(cursor: Cursor, is_alone: bool = True) -> str:
    """A type: words, perhaps with something in parentheses, perhaps a list of it. Not `is_alone`: an operator may
    follow, so that only certain words go on."""
    words: list[str] = []

    def more() -> None:
        while cursor.now.kind == "word" and cursor.now.key not in ENDS and cursor.now.key not in CONSTRAINTS:
            if words and not is_alone and cursor.now.key not in SECOND:
                return
            words.append(cursor.next().key)

    more()
    if words and cursor.is_at("("):
        words[-1] += inside(cursor)
        more()
    text = " ".join(words)
    while cursor.take("[", "]"):
        text += "[]"
    return text


def inside(cursor: Cursor) -> str:
    """What stands in parentheses, with them: (6, 2), (a INTEGER, b VARCHAR)."""
    start, depth = cursor.at, 0
    while True:
        token = cursor.next()
        depth += {"(": 1, ")": -1}.get(token.key, 0)
        if depth == 0:
            break
        if token.kind == "end":
            raise Unread("the end of a type")
    keys = [token.key for token in cursor.tokens[start + 1 : cursor.at - 1]]
    return f"({' '.join(keys).replace(' ,', ',')})"


SECOND = ("PRECISION", "VARYING", "UNSIGNED", "SIGNED", "ZEROFILL", "INTEGER", "ZONE", "TIME", "WITHOUT")
# Words that follow a column's type
CONSTRAINTS = frozenset((
    "PRIMARY", "UNIQUE", "NOT", "NULL", "DEFAULT", "CHECK", "COLLATE", "GENERATED", "REFERENCES", "CONSTRAINT", "AS",
))  # fmt: skip


def case(cursor: Cursor, token: Token) -> Syntax:
    """CASE [x] WHEN a THEN b ... [ELSE c] END"""
    parts = [] if cursor.is_at("WHEN") else [cursor.expression()]
    head = "CASE x" if parts else "CASE"
    while cursor.take("WHEN"):
        parts.append(cursor.expression())
        cursor.need("THEN")
        parts.append(cursor.expression())
    if cursor.take("ELSE"):
        head += " ELSE"
        parts.append(cursor.expression())
    cursor.need("END")
    return cursor.made(head, parts, token.start)


def cast(cursor: Cursor, token: Token) -> Syntax | None:
    """CAST(x AS type), TRY_CAST(x AS type)"""
    if not cursor.take("("):
        return None
    inner = cursor.expression()
    cursor.need("AS")
    kind = type_of(cursor)
    cursor.need(")")
    return cursor.made(f"{token.key} {kind}", (inner,), token.start)


def exists(cursor: Cursor, token: Token) -> Syntax | None:
    if not cursor.is_at("("):
        return None
    cursor.at += 1
    return cursor.made("EXISTS query", (), token.start, cursor._subquery(token.start))


def constant(cursor: Cursor, token: Token) -> Syntax:
    return cursor.made({"NULL": "null"}.get(token.key, "bool"), (), token.start, token.key)


def array(cursor: Cursor, token: Token) -> Syntax | None:
    """ARRAY[a, b]"""
    return cursor.made("ARRAY[]", cursor._listed("]"), token.start) if cursor.take("[") else None


def extract(cursor: Cursor, token: Token) -> Syntax | None:
    """EXTRACT(MONTH FROM x)"""
    if not cursor.take("("):
        return None
    word = cursor.next().key
    cursor.need("FROM")
    inner = cursor.expression()
    cursor.need(")")
    return cursor.made(f"EXTRACT {word}", (inner,), token.start)


WORDS: Mapping[str, Callable[[Cursor, Token], Syntax | None]] = {
    "CASE": case, "CAST": cast, "TRY_CAST": cast, "EXISTS": exists, "NULL": constant, "TRUE": constant,
    "FALSE": constant, "ARRAY": array, "EXTRACT": extract,
}  # fmt: skip


# --- the operator table, turned round ---------------------------------------------------------------------------------

Pattern = tuple[str, Syntax]  # an operator's name, and what its spelling looks like
LITERALS = ("int", "real", "text", "blob", "bool", "null", "typed")


def bare(found: Syntax) -> Syntax:
    """Without the parentheses around it."""
    while found.head == "()":
        (found,) = found.parts
    return found


def patterns(table: ops.Table, rules: Precedence) -> Mapping[str, list[Pattern]]:
    """The operators of a table by the head of their spelling. One whose spelling is no expression can't be read."""
    found: dict[str, list[Pattern]] = {}
    for name, row in table.items():
        text = (row.text % tuple(f"hole{number}" for number in range(len(row.args)))) if "%" in row.text else row.text
        try:
            cursor = Cursor(text, rules)
            tree = bare(cursor.expression())
        except Unread:
            continue
        if cursor.now.kind == "end":
            found.setdefault(tree.head, []).append((name, tree))
    for listed in found.values():
        # What is never drawn comes last, and a spelling that holds more before one that holds less.
        listed.sort(key=lambda item: (not table[item[0]].weight, -size(item[1])))
    return found


def size(tree: Syntax) -> int:
    return 1 + sum(map(size, tree.parts))


def hole(pattern: Syntax) -> int | None:
    """Which operand a part of a spelling stands for."""
    if pattern.head == "name" and pattern.value[1].startswith("hole") and not pattern.value[0]:
        return int(pattern.value[1][4:])
    return None


def fitted(pattern: Syntax, found: Syntax, args: dict[int, Syntax]) -> bool:
    """Whether something has the form of a spelling; its operands are put into `args`."""
    pattern, found = bare(pattern), bare(found)
    number = hole(pattern)
    if number is not None:
        args[number] = found
        return found.head != "row"
    if pattern.head != found.head or len(pattern.parts) != len(found.parts) or isinstance(found.value, Behind):
        return False
    if pattern.head in LITERALS or pattern.head == "name":
        return bool(pattern.value == found.value)
    return all(fitted(one, other, args) for one, other in zip(pattern.parts, found.parts, strict=True))


def operation(table: Mapping[str, list[Pattern]], found: Syntax) -> tuple[str, list[Syntax]] | None:
    """The operator whose spelling this is, and its operands."""
    for name, pattern in table.get(found.head, ()):
        args: dict[int, Syntax] = {}
        if fitted(pattern, found, args):
            return name, [args[number] for number in sorted(args)]
    return None
