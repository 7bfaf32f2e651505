"""The Cypher family's IR: expressions, patterns, clauses, queries; and the scene, which is a graph.
Nodes are data; dialects spell them.

What refers to what: variables by name within a query; elements of the graph by their number (`id`), which is also their
property `id`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Union

import msgspec

from gainsay.core.tree import Node

# --- expressions ------------------------------------------------------------------------------------------------------


class Lit(Node, frozen=True, gc=False):
    """A literal. The kind is part of it: 1 is not 1.0 and not true."""

    sort: ClassVar[str] = "expr"
    kind: str  # null, int, float, str, bool
    value: bool | int | float | str | None = None


class ListOf(Node, frozen=True, gc=False):
    """[a, b, ...]"""

    sort: ClassVar[str] = "expr"
    items: tuple[Expr, ...] = ()


class Entry(Node, frozen=True, gc=False):
    """key: value, in a map or in the braces of a pattern."""

    keep: ClassVar[frozenset[str]] = frozenset({"key"})
    refers: ClassVar[Mapping[str, str]] = {"key": "property"}
    key: str
    value: Expr


class MapOf(Node, frozen=True, gc=False):
    """{k: a, ...}"""

    sort: ClassVar[str] = "expr"
    entries: tuple[Entry, ...] = ()


class Var(Node, frozen=True, gc=False):
    """A variable."""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"name"})
    refers: ClassVar[Mapping[str, str]] = {"name": "variable"}
    name: str


class Prop(Node, frozen=True, gc=False):
    """base.key: of a node, a relationship or a map."""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"key"})
    refers: ClassVar[Mapping[str, str]] = {"key": "property"}
    base: Expr
    key: str


class Op(Node, frozen=True, gc=False):
    """An entry of the operator table (ops.py), operator or function, applied to its operands."""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"args", "op"})
    op: str
    args: tuple[Expr, ...]


class HasLabel(Node, frozen=True, gc=False):
    """(n:A), of a node; of a relationship its type, where the engine has that."""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"label"})
    refers: ClassVar[Mapping[str, str]] = {"label": "label"}
    base: Expr
    label: str


class When(Node, frozen=True, gc=False):
    """A branch of a CASE."""

    test: Expr
    value: Expr


class Case(Node, frozen=True, gc=False):
    """CASE [operand] WHEN ... THEN ... [ELSE ...] END"""

    sort: ClassVar[str] = "expr"
    whens: tuple[When, ...]
    default: Expr | None = None
    operand: Expr | None = None


class Comprehension(Node, frozen=True, gc=False):
    """[var IN source WHERE condition | result]"""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"var"})
    binds: ClassVar[Mapping[str, str]] = {"var": "variable"}
    var: str
    source: Expr
    condition: Expr | None = None
    result: Expr | None = None


class Quantified(Node, frozen=True, gc=False):
    """kind(var IN source WHERE condition); kind: all, any, none, single"""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"kind", "var"})
    binds: ClassVar[Mapping[str, str]] = {"var": "variable"}
    kind: str
    var: str
    source: Expr
    condition: Expr


class Reduce(Node, frozen=True, gc=False):
    """reduce(total = initial, var IN source | step)"""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"total", "var"})
    binds: ClassVar[Mapping[str, str]] = {"total": "variable", "var": "variable"}
    total: str
    initial: Expr
    var: str
    source: Expr
    step: Expr


class Agg(Node, frozen=True, gc=False):
    """An aggregate of ops.AGGREGATES; no argument is count(*)."""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"arg"})
    fn: str
    arg: Expr | None = None
    distinct: bool = False


class SubQuery(Node, frozen=True, gc=False):
    """EXISTS { MATCH patterns WHERE condition }, COUNT { ...
    }, or a bare pattern as a condition; kind: exists, count, pattern"""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"kind"})
    kind: str
    patterns: tuple[Path, ...]
    where: Expr | None = None


class PatternList(Node, frozen=True, gc=False):
    """A pattern comprehension: [pattern WHERE condition | result]"""

    sort: ClassVar[str] = "expr"
    pattern: Path
    result: Expr
    where: Expr | None = None


class RawExpr(Node, frozen=True, gc=False):
    """Text that was read no further."""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"text"})
    text: str


Expr = Union[
    Lit,
    ListOf,
    MapOf,
    Var,
    Prop,
    Op,
    HasLabel,
    Case,
    Comprehension,
    Quantified,
    Reduce,
    Agg,
    SubQuery,
    PatternList,
    RawExpr,
]

# --- patterns ---------------------------------------------------------------------------------------------------------


class NodePat(Node, frozen=True, gc=False):
    """(var:A:B {k: 1}); with `is_any`, (var:A|B)"""

    keep: ClassVar[frozenset[str]] = frozenset({"var"})
    binds: ClassVar[Mapping[str, str]] = {"var": "variable"}
    refers: ClassVar[Mapping[str, str]] = {"labels": "label"}
    var: str = ""
    labels: tuple[str, ...] = ()
    props: tuple[Entry, ...] = ()
    is_any: bool = False


class RelPat(Node, frozen=True, gc=False):
    """-[var:T|S *lo..hi {k: 1}]-> ; direction: ->, <- or - ; length: () one edge, (lo,) *lo.. , (lo, hi) *lo..hi"""

    keep: ClassVar[frozenset[str]] = frozenset({"var", "length"})
    binds: ClassVar[Mapping[str, str]] = {"var": "variable"}
    refers: ClassVar[Mapping[str, str]] = {"types": "type"}
    var: str = ""
    types: tuple[str, ...] = ()
    direction: str = "->"
    props: tuple[Entry, ...] = ()
    length: tuple[int, ...] = ()


class Hop(Node, frozen=True, gc=False, tag_field="hop"):
    """A relationship of a path, and the node that it leads to."""

    rel: RelPat
    node: NodePat


class Path(Node, frozen=True, gc=False):
    """A linear pattern: [var =] (start)-[rel]-(node)..."""

    keep: ClassVar[frozenset[str]] = frozenset({"var"})
    binds: ClassVar[Mapping[str, str]] = {"var": "variable"}
    start: NodePat
    hops: tuple[Hop, ...] = ()
    var: str = ""


# --- clauses and queries ----------------------------------------------------------------------------------------------


class Match(Node, frozen=True, gc=False):
    """MATCH or OPTIONAL MATCH."""

    sort: ClassVar[str] = "clause"
    patterns: tuple[Path, ...]
    where: Expr | None = None
    optional: bool = False


class Unwind(Node, frozen=True, gc=False):
    """UNWIND: a row for each element of a list."""

    sort: ClassVar[str] = "clause"
    keep: ClassVar[frozenset[str]] = frozenset({"var"})
    binds: ClassVar[Mapping[str, str]] = {"var": "variable"}
    expr: Expr
    var: str


class Item(Node, frozen=True, gc=False):
    """expr AS name; a variable under its own name is written alone."""

    keep: ClassVar[frozenset[str]] = frozenset({"name"})
    binds: ClassVar[Mapping[str, str]] = {"name": "variable"}
    expr: Expr
    name: str


class Order(Node, frozen=True, gc=False):
    """A key of an ORDER BY."""

    expr: Expr
    desc: bool = False


class With(Node, frozen=True, gc=False):
    """WITH [DISTINCT] [*,] items [ORDER BY ...] [SKIP n] [LIMIT n] [WHERE ...]"""

    sort: ClassVar[str] = "clause"
    items: tuple[Item, ...] = ()
    star: bool = False
    distinct: bool = False
    order: tuple[Order, ...] = ()
    skip: int | None = None
    limit: int | None = None
    where: Expr | None = None


class Return(Node, frozen=True, gc=False):
    """The last clause: what a query gives."""

    sort: ClassVar[str] = "clause"
    items: tuple[Item, ...]
    distinct: bool = False
    order: tuple[Order, ...] = ()
    skip: int | None = None
    limit: int | None = None


Clause = Union[Match, Unwind, With, Return]


class Single(Node, frozen=True, gc=False):
    """Clauses, of which the last is a RETURN."""

    clauses: tuple[Clause, ...]


class Query(Node, frozen=True, gc=False):
    """One or more parts, joined by UNION or (`is_all`) UNION ALL; all have the same columns."""

    sort: ClassVar[str] = "query"
    parts: tuple[Single, ...]
    is_all: bool = False


class RawQuery(Node, frozen=True, gc=False):
    """A query that was read no further."""

    keep: ClassVar[frozenset[str]] = frozenset({"text"})
    text: str


# --- the graph --------------------------------------------------------------------------------------------------------


class Kept(Node, frozen=True, gc=False):
    """A property of a node or relationship that is stored: key and value. A missing property is not listed."""

    keep: ClassVar[frozenset[str]] = frozenset({"key", "value"})
    refers: ClassVar[Mapping[str, str]] = {"key": "property"}
    key: str
    value: Lit | ListOf


class Vertex(Node, frozen=True, gc=False):
    """A node. Its number is its property `id`."""

    keep: ClassVar[frozenset[str]] = frozenset({"id"})
    refers: ClassVar[Mapping[str, str]] = {"labels": "label"}
    id: int
    labels: tuple[str, ...] = ()
    props: tuple[Kept, ...] = ()


class Edge(Node, frozen=True, gc=False):
    """A relationship from one node to another, by their numbers; its own number is its property `id`."""

    keep: ClassVar[frozenset[str]] = frozenset({"id", "source", "target", "type"})
    refers: ClassVar[Mapping[str, str]] = {"type": "type"}
    id: int
    source: int
    target: int
    type: str
    props: tuple[Kept, ...] = ()


class Key(Node, frozen=True, gc=False):
    """A property that may occur, and the type of its values: int, float, str, bool, or a list of these: ints, strs."""

    keep: ClassVar[frozenset[str]] = frozenset({"name", "type"})
    binds: ClassVar[Mapping[str, str]] = {"name": "property"}
    name: str
    type: str


class Schema(Node, frozen=True, gc=False):
    """What may occur in the graph.
    Engines that want tables get one for each label and each type, with all keys; others get none."""

    binds: ClassVar[Mapping[str, str]] = {"labels": "label", "types": "type"}
    labels: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    node_keys: tuple[Key, ...] = ()
    edge_keys: tuple[Key, ...] = ()

    def keys(self, is_edge: bool) -> tuple[Key, ...]:
        """The properties of relationships, or of nodes."""
        return self.edge_keys if is_edge else self.node_keys


class Index(Node, frozen=True, gc=False):
    """An index on a property of the nodes with a label. `is_late`: made when the graph is there already."""

    keep: ClassVar[frozenset[str]] = frozenset({"label", "key"})
    refers: ClassVar[Mapping[str, str]] = {"label": "label", "key": "property"}
    label: str
    key: str
    is_late: bool = False


class DropIndex(Node, frozen=True, gc=False):
    """DROP INDEX."""

    keep: ClassVar[frozenset[str]] = frozenset({"label", "key"})
    refers: ClassVar[Mapping[str, str]] = {"label": "label", "key": "property"}
    label: str
    key: str


class SetKey(Node, frozen=True, gc=False):
    """MATCH (n {id: ID}) SET n.key = value; NULL removes it. `is_edge`: of a relationship."""

    keep: ClassVar[frozenset[str]] = frozenset({"id", "key", "is_edge", "value", "label"})
    refers: ClassVar[Mapping[str, str]] = {"key": "property"}
    id: int
    key: str
    value: Lit | ListOf
    is_edge: bool = False
    label: str = ""  # of the node, or the relationship's type: where tables are wanted


class Drop(Node, frozen=True, gc=False):
    """MATCH (n {id: ID}) DETACH DELETE n, or MATCH ()-[r {id: ID}]->() DELETE r."""

    keep: ClassVar[frozenset[str]] = frozenset({"id", "is_edge", "label"})
    id: int
    is_edge: bool = False
    label: str = ""


Change = Union[SetKey, Drop]


class Scene(Node, frozen=True):
    """A graph: what was created, and what was changed thereafter.
    `probe`: 0, or which part of the probe questions comes first."""

    keep: ClassVar[frozenset[str]] = frozenset({"schema", "probe"})
    schema: Schema = Schema()
    vertices: tuple[Vertex, ...] = ()
    edges: tuple[Edge, ...] = ()
    indexes: tuple[Index, ...] = ()
    changes: tuple[Change, ...] = ()
    raw: tuple[str, ...] = ()  # statements that were read no further
    probe: int = 0

    def elements(self, is_edge: bool) -> tuple[Vertex, ...] | tuple[Edge, ...]:
        """The relationships, or the nodes."""
        return self.edges if is_edge else self.vertices

    def stored(self, is_edge: bool, keys: tuple[Key, ...], elements: Iterable[Any]) -> Scene:
        """The same graph with other properties of relationships, or of nodes."""
        schema = self.schema
        if is_edge:
            new = msgspec.structs.replace(schema, edge_keys=keys)
            return msgspec.structs.replace(self, schema=new, edges=tuple(elements))
        new = msgspec.structs.replace(schema, node_keys=keys)
        return msgspec.structs.replace(self, schema=new, vertices=tuple(elements))


# --- statements, as a scene's script ----------------------------------------------------------------------------------


class NodeTable(Node, frozen=True, gc=False):
    """For engines that want a schema: the table of a label."""

    label: str
    keys: tuple[Key, ...]


class EdgeTable(Node, frozen=True, gc=False):
    """For engines that want a schema: the table of a type, between any two of the labels."""

    type: str
    labels: tuple[str, ...]
    keys: tuple[Key, ...]


class Create(Node, frozen=True, gc=False):
    """CREATE of some nodes and relationships in one statement; relationships may also be between nodes of earlier
    statements."""

    vertices: tuple[Vertex, ...] = ()
    edges: tuple[Edge, ...] = ()
    known: tuple[Vertex, ...] = ()  # nodes of earlier statements, to which edges lead


class RawStatement(Node, frozen=True, gc=False):
    """A statement that somebody else wrote, as text."""

    text: str


Statement = Union[NodeTable, EdgeTable, Create, Index, DropIndex, SetKey, Drop, RawStatement]

NULL = Lit("null")
TRUE, FALSE = Lit("bool", True), Lit("bool", False)
