"""Cases that others wrote: statements to a graph, a query to its clauses.
What can't be read to the last word stays text as a whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.reader import Reader, read
from gainsay.families.cypher.language.tokens import Unread

KINDS = {
    "INT64": "int",
    "INT": "int",
    "DOUBLE": "float",
    "FLOAT": "float",
    "STRING": "str",
    "BOOLEAN": "bool",
    "BOOL": "bool",
    "INT64[]": "ints",
    "STRING[]": "strs",
}
NODE_TABLE = re.compile(r"CREATE NODE TABLE (\w+)\s*\((.*)\)\s*;?$", re.IGNORECASE | re.DOTALL)
EDGE_TABLE = re.compile(r"CREATE REL TABLE (\w+)\s*\((.*)\)\s*;?$", re.IGNORECASE | re.DOTALL)
INDEX = re.compile(r"CREATE INDEX FOR \((\w+):(\w+)\) ON \(\1\.(\w+)\)\s*;?$", re.IGNORECASE)
CUT = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|//[^\n]*|/\*.*?\*/|;|.""", re.DOTALL)


def statements_of(script: str) -> list[str]:
    """The statements of a script, without their semicolons and comments."""
    found = [""]
    for piece in CUT.findall(script):
        if piece == ";":
            found.append("")
        elif not piece.startswith(("//", "/*")):
            found[-1] += piece
    return [text.strip() for text in found if text.strip()]


def known(setup: Sequence[str], query: str) -> tuple[ir.Scene, list[Any]]:
    try:
        scene = Graphs(setup).scene()
    except Unread:
        return ir.Scene(raw=tuple(setup)), [ir.RawQuery(query)]
    try:
        return scene, [read(query)]
    except Unread:
        return scene, [ir.RawQuery(query)]


class Graphs:
    """Reads CREATE statements into a graph."""

    def __init__(self, setup: Sequence[str]) -> None:
        self.labels: list[str] = []
        self.types: list[str] = []
        self.keys: dict[str, str] = {}
        self.edge_keys: dict[str, str] = {}
        self.vertices: list[ir.Vertex] = []
        self.edges: list[ir.Edge] = []
        self.indexes: list[ir.Index] = []
        for text in setup:
            self.statement(text)

    def statement(self, text: str) -> None:
        """Take a statement into the graph: a table, an index, or a CREATE."""
        table, edges, index = NODE_TABLE.match(text), EDGE_TABLE.match(text), INDEX.match(text)
        if table:
            self.add(self.labels, table.group(1))
            self.columns(table.group(2), self.keys)
        elif edges:
            self.add(self.types, edges.group(1))
            self.columns(edges.group(2), self.edge_keys)
        elif index:
            self.indexes.append(ir.Index(index.group(2), index.group(3), bool(self.vertices)))
        else:
            self.created(Reader(text))

    @staticmethod
    def add(names: list[str], name: str) -> None:
        if name not in names:
            names.append(name)

    @staticmethod
    def columns(text: str, keys: dict[str, str]) -> None:
        for part in text.split(","):
            match = re.match(r"\s*(\w+) (\w+(?:\[\])?)\s*$", part)
            if match and match.group(1) != "id":
                if match.group(2).upper() not in KINDS:
                    raise Unread(part)
                keys[match.group(1)] = KINDS[match.group(2).upper()]

    def created(self, reader: Reader) -> None:
        """Take the nodes and relationships of a CREATE."""
        reader.need("CREATE")
        names: dict[str, int] = {}
        for path in reader.listed(reader.path):
            here = self.node(path.start, names)
            for hop in path.hops:
                there = self.node(hop.node, names)
                if hop.rel.direction == "-" or len(hop.rel.types) != 1 or hop.rel.length:
                    raise Unread("an edge that can't be created")
                source, target = (here, there) if hop.rel.direction == "->" else (there, here)
                self.add(self.types, hop.rel.types[0])
                number, props = self.props(hop.rel.props, self.edge_keys)
                self.edges.append(ir.Edge(self.free(number, self.edges), source, target, hop.rel.types[0], props))
                here = there
        if reader.tokens[reader.at][0] != "end":
            reader.fail()

    def node(self, pattern: ir.NodePat, names: dict[str, int]) -> int:
        """The number of the node that a pattern creates, or of the one that its name stands for already."""
        if pattern.var in names:
            return names[pattern.var]
        for label in pattern.labels:
            self.add(self.labels, label)
        number, props = self.props(pattern.props, self.keys)
        made = ir.Vertex(self.free(number, self.vertices), pattern.labels, props)
        self.vertices.append(made)
        if pattern.var:
            names[pattern.var] = made.id
        return made.id

    def free(self, number: int | None, listed: Sequence[Any]) -> int:
        """The number that was given, or one that nobody has."""
        taken = {v.id for v in self.vertices} | {e.id for e in self.edges}
        if number is not None and number not in {x.id for x in listed}:
            return number
        return next(i for i in range(10_000) if i not in taken)

    @staticmethod
    def props(entries: tuple[ir.Entry, ...], keys: dict[str, str]) -> tuple[int | None, tuple[ir.Kept, ...]]:
        """The number that stands in the properties as `id`, if one does, and the others; their keys are noted."""
        number, found = None, []
        for entry in entries:
            value = entry.value
            if entry.key == "id" and isinstance(value, ir.Lit) and value.kind == "int":
                number = value.value
                continue
            if isinstance(value, ir.Lit) and value.kind != "null":
                kind = value.kind
            elif isinstance(value, ir.ListOf) and value.items and all(isinstance(i, ir.Lit) for i in value.items):
                kind = f"{value.items[0].kind}s"  # type: ignore[union-attr] # all are literals
            else:
                raise Unread("a property that is no value")
            if keys.setdefault(entry.key, kind) != kind:
                raise Unread("a property of several types")
            found.append(ir.Kept(entry.key, value))
        return number if isinstance(number, int) else None, tuple(found)

    def scene(self) -> ir.Scene:
        schema = ir.Schema(
            tuple(self.labels),
            tuple(self.types),
            tuple(ir.Key(*k) for k in self.keys.items()),
            tuple(ir.Key(*k) for k in self.edge_keys.items()),
        )
        return ir.Scene(schema, tuple(self.vertices), tuple(self.edges), tuple(self.indexes))
