"""What a dialect of SQL is: a table of types, operators, literals, settings and clauses, merged over another one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from gainsay.families.sql.language import aggregates, ir, ops
from gainsay.families.sql.language.writer import Rules
from gainsay.families.sql.meaning.system import TypeSystem
from gainsay.families.sql.meaning.term import Meaning


class ColumnType(NamedTuple):
    """A type that a column may have. `setup` makes it, where it is not built in: it is a part of the scene."""

    text: str
    cls: str
    weight: int = 1
    exact: bool = True  # equal stored values are identical: DISTINCT has one way to choose
    setup: str = ""
    is_key: bool = True  # it can be one, and have an index
    is_zeroed: bool = False  # INSERT OR IGNORE stores, where NULL may not be, what IS NULL and has a value


class IndexKind(NamedTuple):
    """How an index may be made, besides the usual way: CREATE INDEX {name} ON {table} USING hash ({keys})."""

    text: str
    classes: frozenset[str]  # of columns that it can have
    columns: int = 3  # that it can have at the most
    prefix: str = ""  # behind each key: (2)
    chance: float = 0.15  # of being chosen where an index is made on such a column


class Extra(NamedTuple):
    """A statement that makes or changes something beside a table: {name}, {table} and {a}, {b} for its columns.

    `classes`: that its columns may have; empty: any. What it does must be determined."""

    text: str
    columns: int = 0
    classes: frozenset[str] = frozenset()
    chance: float = 0.05
    is_change: bool = False  # whether it changes what a table holds


class TableFunction(NamedTuple):
    """A function of a FROM list that gives rows: a few, whatever it is given. A %s for each argument."""

    text: str
    args: tuple[str, ...]  # classes
    columns: tuple[str, ...]  # classes of what it gives
    exact: bool = True  # equal values of them are identical
    weight: int = 1


class TableKind(NamedTuple):
    """What stands around the columns of a table: before is CREATE {before}TABLE, after follows the columns.
    {table} and {a}, a column, may stand in it; `classes` are those that {a} may have."""

    before: str = ""
    after: str = ""
    classes: frozenset[str] = frozenset()
    chance: float = 0.05
    is_partitioned: bool = False  # then its keys must hold the column: it has none


class Switch(NamedTuple):
    """What changes how a query is planned and never what it answers: statements that turn it and turn it back, or a
    hint that stands behind each table, or a comment behind SELECT. Where {index} is in a hint, it stands behind each
    table that has one: the first of them, or with `is_last` the last. {tables} in a comment are those that are read.
    `is_broad`: it turns what several others turn, so that a query that agrees under it need not be asked under them."""

    turn: str = ""
    back: str = ""
    hint: str = ""
    is_last: bool = False
    comment: str = ""
    is_broad: bool = False


MERGED = (
    "rules", "operators", "aggregates", "literals", "spell", "index_kinds", "table_kinds", "table_functions", "extras",
    "probes", "switches",
)  # fmt: skip
# Of the meanings of operators, of aggregates, and of facts
System = Callable[[Mapping[str, Meaning], aggregates.Table, Mapping[str, str]], TypeSystem]
UNORDERED = frozenset({"list", "struct"})


# what a dialect takes over whole
KEPT = (
    "types",
    "settings",
    "loose",
    "lenient",
    "unordered",
    "collations",
    "joins",
    "lacks",
    "system",
    "precedence",
    "aliases",
)


class SqlDialect:
    """A dialect is a table: types, operators, settings, literals by class, and the rule that spells each node."""

    comment = "--"

    def __init__(
        self,
        name: str,
        rules: Rules,
        operators: ops.Table,
        types: tuple[ColumnType, ...],
        literals: Mapping[str, tuple[ir.Lit, ...]],
        settings: tuple[str, ...],
        loose: bool,
        spell: Mapping[str, str],
        unordered: frozenset[str] = UNORDERED,
        collations: tuple[str, ...] = (),
        joins: tuple[str, ...] = (),
        index_kinds: Mapping[str, IndexKind] = {},
        table_kinds: Mapping[str, TableKind] = {},
        extras: Mapping[str, Extra] = {},
        probes: Mapping[str, tuple[str, ...]] = {},
        switches: Mapping[str, Switch] = {},
        table_functions: Mapping[str, TableFunction] = {},
        lacks: Collection[str] = (),
        system: System | None = None,
        lenient: bool = False,
        aliases: Mapping[str, str] = {},
        precedence: str = "postgresql",
        aggregates: aggregates.Table = aggregates.AGGREGATES,
    ) -> None:
        self.name, self.rules, self.operators = name, rules, operators
        self.types, self.literals, self.settings = types, literals, settings
        self.loose = loose
        self.lenient = lenient  # the engine takes operands that its manual refuses: a case is kept well typed
        self.spell = spell  # how some words are said here: what all dialects call INSERT OR IGNORE, a type, a literal
        self.unordered = unordered  # classes that can be no key and are not sorted
        self.collations = collations  # that a column of text may have
        self.joins = joins  # kinds that others do not have
        self.index_kinds, self.table_kinds, self.extras = index_kinds, table_kinds, extras
        self.switches = switches  # by name
        self.table_functions = table_functions
        self.probes = probes  # features that are asked for in other words than everywhere
        self.lacks = frozenset(lacks)  # features that are taken and mean something else here, or nothing: never drawn
        self.aliases = aliases  # other names of types, which are read
        self.precedence = precedence  # how strongly operators bind, by a row of syntax.RULES
        self.system = system  # what its values are, where we have a semantics of it
        self.meanings = {key: row.meaning for key, row in operators.items() if row.meaning is not None}
        self.templates = {key: operator.text for key, operator in operators.items()}
        self.wrapped = frozenset(key for key, text in self.templates.items() if text[0] == "(" and text[-1] == ")")
        self.aggregates = aggregates
        self.words = {name: row.word or name.upper() for name, row in aggregates.items()}
        self.named = {word: name for name, word in self.words.items()}
        self._forget()

    def _forget(self) -> None:
        """Keep no texts yet. The steps of a check mostly share a predicate object: its text is made once. The node is
        kept, so that its id stays its own."""
        self._known: dict[int, tuple[Any, str]] = {}
        self._items: Any = None
        self._items_text = ""

    def extend(self, name: str, without: Collection[str] = (), **changed: Any) -> SqlDialect:
        """A dialect that differs from this one: tables are merged over its own, everything else is replaced.
        `without`: names of operators, switches and kinds of this one that it does not have."""
        merged = {
            key: {k: v for k, v in getattr(self, key).items() if k not in without} | dict(changed.pop(key, {}))
            for key in MERGED
        }
        kept = {key: getattr(self, key) for key in KEPT}
        return SqlDialect(name, **{**kept, **merged, **changed})

    def called(self, fn: str) -> str:
        """The name of an aggregate or window function, as it is written."""
        return self.words.get(fn) or fn.upper()

    def values(self, facts: Mapping[str, str]) -> TypeSystem:
        """What its values are under these facts, where we have a semantics of it."""
        assert self.system is not None, "who asks for it has seen that there is a semantics"
        return self.system(self.meanings, self.aggregates, facts)

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(t.cls for t in self.types))

    def text(self, node: Any) -> str:
        return self.rules[node.__class__](self, node)

    def shared(self, node: Any) -> str:
        """The text of an expression that will come again soon."""
        known = self._known.get(id(node))
        if known is not None:
            return known[1]
        text = self.rules[node.__class__](self, node)
        if len(self._known) > 63:
            self._known.clear()
        self._known[id(node)] = node, text
        return text

    def top(self, node: Any) -> str:
        """The text of an expression without the outermost parentheses."""
        text = self.shared(node)
        return text[1:-1] if node.__class__ is ir.Op and node.op in self.wrapped else text
