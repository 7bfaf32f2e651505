"""What differs between engines whose values have storage classes and those whose columns have types."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.term import Meaning, Row, Term

if TYPE_CHECKING:
    from gainsay.families.sql.language.aggregates import Aggregate

UNKNOWN = "?"  # the type of a column of which nothing is known


class Attribute(NamedTuple):
    """A column of a relation, as expressions see it."""

    name: str
    affinity: str = ""
    collation: str = ""
    type: str = ""


class Violated(Exception):
    """A row breaks a constraint: the word says which. `policy`: what the constraint says of that."""

    def __init__(self, word: str, policy: str = "") -> None:
        super().__init__(word)
        self.policy = policy


def is_key(table: ir.CreateTable, column: ir.Column) -> bool:
    """Whether a column is of the primary key."""
    return column.primary or any(k.expr == ir.Col("", column.name) for k in table.primary)


def itself(value: Any) -> Any:
    return value


def joined_in_order(system: TypeSystem, node: ir.Agg, arg: Term) -> Callable[[list[Any]], list[Any] | None]:
    """The values that are joined to one text, in their order: that of themselves, or one that can't matter; None where
    there are none."""
    if any(order.expr != node.arg for order in node.order) or len(node.order) > 1:
        raise Undetermined("an order by something else")

    def of(found: list[Any]) -> list[Any] | None:
        if node.order:
            found = sorted(found, key=lambda v: system.sort_rank(v, arg), reverse=node.order[0].desc)
        for one, other in itertools.pairwise(found):
            is_tie = not node.order or system.sort_rank(one, arg) == system.sort_rank(other, arg)
            if is_tie and not system.is_identical(one, other):
                raise Undetermined("which of two texts comes first")
        return found or None

    return of


class TypeSystem(ABC):
    """How values are written, stored, compared, grouped and summed up."""

    ignored: ClassVar[frozenset[str]] = frozenset({"UNIQUE"})  # what INSERT OR IGNORE passes over

    is_comma_weak: ClassVar[bool] = True  # a, b JOIN c is a, (b JOIN c)
    # Whether an INSERT adds one row after the other, and REPLACE puts a whole row in the place of another
    is_row_by_row: ClassVar[bool] = True
    # Whether a column beside one MIN or MAX is of a row that has it
    has_row_of_extreme: ClassVar[bool] = False

    checks_foreign_keys: ClassVar[bool | None] = True  # None: a setting decides

    # The collating sequence of a view's column that is no column itself
    unsaid: ClassVar[str] = ""

    def __init__(self, meanings: Mapping[str, Meaning], aggregates: Mapping[str, Aggregate]) -> None:
        self.meanings = meanings
        self.aggregates = aggregates
        self._literals: dict[ir.Lit, Term] = {}

    # --- values -------------------------------------------------------------------------------------------------------

    def literal(self, node: ir.Lit) -> Term:
        """A literal's value; read once."""
        found = self._literals.get(node)
        if found is None:
            found = self._literals[node] = self.read(node)
        return found

    @abstractmethod
    def read(self, node: ir.Lit) -> Term:
        """The value of a literal."""

    @abstractmethod
    def truth(self, value: Any) -> bool | None:
        """Whether a value is true as a condition."""

    @abstractmethod
    def key(self, value: Any, term: Term) -> Any:
        """What two values of a column share that are the same for DISTINCT, GROUP BY and UNIQUE."""

    @abstractmethod
    def is_identical(self, one: Any, other: Any) -> bool:
        """Whether nobody could tell two values apart."""

    @abstractmethod
    def sort_rank(self, value: Any, term: Term) -> Any:
        """What a value that is not NULL is ordered by."""

    @abstractmethod
    def has_nulls_first(self, is_descending: bool) -> bool | None:
        """Whether NULLs come first in an order where nothing is said of them; None where that is not known."""

    def shown(self, value: Any) -> Any:
        """A value as a session of such an engine gives it."""
        return value

    # --- queries ------------------------------------------------------------------------------------------------------

    def aggregate(self, node: ir.Agg, operand: Term | None) -> Callable[[list[Any]], Any]:
        """What an aggregate makes of the values of its operand; of rows, where it has none."""
        if operand is None:
            return len
        row = self.aggregates.get(node.fn)
        if row is None or row.meaning is None:
            raise Undetermined(f"the aggregate {node.fn}")
        self.check_operand(row, operand)
        summary, is_exact = row.meaning(self, node, operand), row.exact
        if not node.distinct:
            return lambda values: summary([v for v in values if v is not None])

        def of_distinct(values: list[Any]) -> Any:
            found: dict[Any, Any] = {}
            for value in values:
                if value is not None:
                    first = found.setdefault(self.key(value, operand), value)
                    if not is_exact and not self.is_identical(first, value):
                        raise Undetermined("which of two equal values is counted")
            return summary(list(found.values()))

        return of_distinct

    @abstractmethod
    def check_operand(self, row: Aggregate, operand: Term) -> None:
        """Raise `Undetermined` if nobody says what such an aggregate makes of such values."""

    @abstractmethod
    def in_rows(self, left: Sequence[Term], right: Sequence[Term]) -> Callable[[Row, Row], Any]:
        """Whether operands are equal to a row of a subquery."""

    @abstractmethod
    def joined(self, one: Term, other: Term) -> Term:
        """A column of a compound query, of the columns of two arms."""

    def merged(self, way: str, one: Term, other: Term) -> Term:
        """A column that a join by names made of two: COALESCE of both. In a left or inner join that is the first."""
        if way not in ("RIGHT JOIN", "FULL JOIN"):
            return one

        def of(row: Row) -> Any:
            first, second = one.of(row), other.of(row)
            if first is None or second is None:
                return second if first is None else first
            if not self.is_identical(first, second):
                raise Undetermined("which of two equal values a join shows")
            return first

        return Term(of, "", one.collation or other.collation, "", one.type if one.type == other.type else "")

    # --- tables -------------------------------------------------------------------------------------------------------

    @abstractmethod
    def attribute(self, column: ir.Column) -> Attribute:
        """A column of a table."""

    def generated(self, attribute: Attribute, term: Term) -> Attribute:
        """A column of a table that is computed."""
        return attribute

    @abstractmethod
    def storing(self, column: ir.Column) -> Callable[[Any], Any]:
        """What becomes of a value that is stored in a column."""

    def is_needed(self, table: ir.CreateTable, column: ir.Column) -> bool:
        """Whether a column is never NULL."""
        return column.not_null or is_key(table, column)

    def numbered(self, table: ir.CreateTable) -> int | None:
        """The place of a column that numbers the rows where it is given nothing."""
        return None

    def check(self, table: ir.CreateTable, row: Row) -> None:
        """Raise `Violated` if a row has values that its table does not take."""

    def in_trigger(self, column: Attribute) -> Attribute:
        """A column of the row that a trigger is about."""
        return column

    def check_setting(self, text: str) -> None:
        """Raise `Undetermined` if a setting changes what things mean."""
        if "encoding" in text.lower():
            raise Undetermined("another encoding")
