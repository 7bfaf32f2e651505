"""Patterns taken from the graph, as GDsmith does: connected regions, and linear pieces of them that share variables.

Pieces of one region map the same element to the same variable; different regions share none, even where they overlap.
Labels and types are kept or dropped at random. Each pattern therefore matches at least where it was taken from: that
place is the witness."""

from __future__ import annotations

from typing import Any

from gainsay.core.draw import Draw
from gainsay.families.cypher.drawing.expressions import Expressions
from gainsay.families.cypher.drawing.lexicon import Lexicon
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.meaning.graph import Graph, NodeV, PathV, RelV

Row = dict[str, Any]
FEW = 7  # relationships; in larger graphs trails are without number


class Weaver:
    """Makes the patterns of a query's clauses; remembers which region each variable belongs to."""

    def __init__(self, draw: Draw, lexicon: Lexicon, graph: Graph, schema: ir.Schema, expressions: Expressions) -> None:
        self.draw = draw
        self.lexicon = lexicon
        self.graph = graph
        self.schema = schema
        self.expressions = expressions
        self.owner: dict[str, int] = {}
        # Then a variable has one set of labels
        self.is_alternative = any(("labels", "any") in profile for profile in lexicon.profiles)
        # No label is such a set too
        self.is_joined = any(("label-on-bound-node", "joined") in profile for profile in lexicon.profiles)
        self.labelled: dict[str, tuple[str, ...]] = {}
        self.regions = 0

    # --- regions ------------------------------------------------------------------------------------------------------

    def anchor(self, row: Row, is_bound: bool) -> tuple[NodeV, int]:
        """Where a region begins: at a node that the witness row knows (then it is that variable's region), or
        anywhere."""
        bound = [(v, name) for name, v in row.items() if v.__class__ is NodeV] if is_bound else []
        if bound:
            node, name = self.draw.pick(bound)
            return node, self.owner.setdefault(name, self.new_region())
        return self.draw.pick(self.graph.nodes), self.new_region()

    def new_region(self) -> int:
        self.regions += 1
        return self.regions

    def region(self, start: NodeV) -> list[RelV]:
        """A connected set of edges around a node."""
        edges: list[RelV] = []
        nodes = [start]
        for _ in range(self.draw.between(1, 5)):
            near = [r for n in nodes for r in (*self.graph.out[n.id], *self.graph.into[n.id]) if r not in edges]
            if not near:
                break
            edge = self.draw.pick(near)
            edges.append(edge)
            nodes += [n for n in (edge.source, edge.target) if n not in nodes]
        return edges

    # --- clauses ------------------------------------------------------------------------------------------------------

    def clause(self, row: Row, optional: bool) -> tuple[tuple[ir.Path, ...], Row]:
        """The patterns of one MATCH, and the witness row with what they bind."""
        draw = self.draw
        witness = dict(row)
        used: set[int] = set()
        paths: list[ir.Path] = []
        several = self.lexicon.has("pattern:comma")
        for _ in range(draw.pick((1, 1, 1, 2)) if several else 1):
            start, region = self.anchor(row, draw.coin(0.75))
            edges = self.region(start)
            for count in range(draw.pick((1, 1, 2)) if several else 1):
                if count:
                    start = draw.pick([start, *(n for r in edges for n in (r.source, r.target))])
                paths.append(self.piece(start, edges, region, witness, used, optional))
        return tuple(paths), witness

    def piece(
        self, start: NodeV, edges: list[RelV], region: int, witness: Row, used: set[int], optional: bool
    ) -> ir.Path:
        """A linear piece of a region: a walk of up to three edges, none of them used before in this clause."""
        draw = self.draw
        first = self.node(start, region, witness, optional)
        hops: list[ir.Hop] = []
        here, nodes, rels = start, [start], []
        for _ in range(draw.pick((0, 1, 1, 1, 2, 2, 3))):
            found = self.step(here, edges, used)
            if found is None:
                break
            walked = [found]
            there = found.target if found.source is here else found.source
            length: tuple[int, ...] = ()
            direction = "->" if found.source is here else "<-"
            if self.lexicon.has("pattern:var length") and draw.coin(0.14):
                there, direction = self.stretch(there, direction, walked, edges, used)
                length = self.length(len(walked))
            elif draw.coin(0.2) and self.lexicon.has("pattern:undirected"):
                direction = "-"
            hops.append(
                ir.Hop(
                    self.edge(walked, direction, length, region, witness, optional),
                    self.node(there, region, witness, optional),
                )
            )
            here = there
            nodes.append(there)
            rels += walked
        name = ""
        if draw.coin(0.06) and hops and self.lexicon.has("pattern:named path") and all(not h.rel.length for h in hops):
            name = self.expressions.fresh("p")
            witness[name] = PathV(tuple(nodes), tuple(rels))
        return ir.Path(first, tuple(hops), name)

    def step(self, here: NodeV, edges: list[RelV], used: set[int]) -> RelV | None:
        near = [r for r in edges if (r.source is here or r.target is here) and r.id not in used]
        if not near:
            return None
        found = self.draw.pick(near)
        used.add(found.id)
        return found

    def stretch(
        self, there: NodeV, direction: str, walked: list[RelV], edges: list[RelV], used: set[int]
    ) -> tuple[NodeV, str]:
        """Go on for a pattern of variable length."""
        for _ in range(self.draw.pick((0, 0, 1, 2))):
            further = self.step(there, edges, used)
            if further is None:
                break
            if further.source is not there if direction == "->" else further.target is not there:
                direction = "-" if self.lexicon.has("pattern:undirected") else direction
            walked.append(further)
            there = further.target if further.source is there else further.source
        if self.draw.coin(0.15) and self.lexicon.has("pattern:undirected"):
            direction = "-"
        return there, direction

    def length(self, walked: int) -> tuple[int, ...]:
        draw = self.draw
        least = draw.pick((1, walked, 0) if self.lexicon.has("pattern:var zero") else (1, walked))
        if (
            draw.coin(0.12) and self.lexicon.has("pattern:var unbounded") and len(self.graph.rels) <= FEW
        ):  # in larger graphs trails are without number
            return (least,)
        return (least, draw.between(walked, max(walked, 3)))

    def known(self, element: Any, region: int, witness: Row) -> list[str]:
        return [name for name, value in witness.items() if value is element and self.owner.get(name) == region]

    def node(self, node: NodeV, region: int, witness: Row, optional: bool) -> ir.NodePat:
        """A pattern that takes this node: a name that is bound to it or a new one, labels, properties."""
        draw = self.draw
        names = self.known(node, region, witness)
        if names and draw.coin(0.85):
            name = draw.pick(names)
        elif draw.coin(0.1):
            name = ""
        else:
            name = self.expressions.fresh("n")
            self.owner[name] = region
            witness[name] = node
        listed = sorted(node.labels)
        if optional and draw.coin(0.12):
            listed = [draw.pick(self.schema.labels)]
        labels = tuple(x for x in listed if draw.coin(0.4))
        if len(labels) > 1 and not self.lexicon.has("pattern:labels many"):
            labels = labels[:1]
        if name and self.is_alternative and (labels or self.is_joined):
            first = self.labelled.setdefault(name, labels)
            labels = labels if labels == first else first if labels else ()
        is_any = False
        if labels and not self.is_alternative and draw.coin(0.06) and self.lexicon.has("pattern:labels any"):
            labels, is_any = tuple(sorted({labels[0], draw.pick(self.schema.labels)})), True
        return ir.NodePat(
            name, labels, self.entries(node.props, self.schema.node_keys, 0.08), is_any and len(labels) > 1
        )

    def edge(
        self, walked: list[RelV], direction: str, length: tuple[int, ...], region: int, witness: Row, optional: bool
    ) -> ir.RelPat:
        """A pattern that takes these relationships; now and then, where it is optional, one that need not."""
        draw = self.draw
        types = tuple(sorted({r.type for r in walked}))
        if draw.coin(0.35):
            types = ()
        elif draw.coin(0.15) and self.lexicon.has("pattern:types many"):
            types = tuple(sorted({*types, draw.pick(self.schema.types)}))
        if optional and draw.coin(0.08):
            types = (draw.pick(self.schema.types),)
        if len(types) > 1 and not self.lexicon.has("pattern:types many"):
            types = ()
        if length:
            return ir.RelPat("", types, direction, (), length)
        edge = walked[0]
        names = self.known(edge, region, witness)
        name = ""
        if names and self.lexicon.has("pattern:rebound edge") and draw.coin(0.15):
            name = draw.pick(names)
        elif draw.coin(0.75):
            name = self.expressions.fresh("r")
            self.owner[name] = region
            witness[name] = edge
        return ir.RelPat(name, types, direction, self.entries(edge.props, self.schema.edge_keys, 0.06))

    def entries(self, props: dict[str, Any], keys: tuple[ir.Key, ...], chance: float) -> tuple[ir.Entry, ...]:
        found = [k for k in keys if k.type in ("int", "str", "bool") and k.name in props and self.draw.coin(chance)]
        return (
            tuple(ir.Entry(k.name, ir.Lit(k.type, props[k.name])) for k in found)
            if self.lexicon.has("pattern:props")
            else ()
        )

    # --- without guidance (GDsmith's baseline 1) ----------------------------------------------------------------------

    def blind(self, row: Row, types: dict[str, str]) -> tuple[tuple[ir.Path, ...], Row]:
        """Patterns that have nothing to do with the graph; the row only says which variables there are."""
        witness = dict(row)
        return (self.blind_path(witness, types),), witness

    def blind_path(self, witness: Row, types: dict[str, str]) -> ir.Path:
        """A path that was not walked in the graph: it may match nothing."""
        draw = self.draw

        def node() -> ir.NodePat:
            bound = [n for n, t in types.items() if t == "node"]
            name = draw.pick(bound) if bound and draw.coin(0.4) else self.expressions.fresh("n")
            witness.setdefault(name, self.graph.nodes[0])
            labels = tuple(x for x in self.schema.labels if draw.coin(0.25))
            return ir.NodePat(name, labels if self.lexicon.has("pattern:labels many") else labels[:1])

        start = node()
        hops = []
        for _ in range(draw.between(0, 2)):
            name = self.expressions.fresh("r")
            kinds = (draw.pick(self.schema.types),) if draw.coin(0.6) else ()
            if self.graph.rels:
                witness[name] = self.graph.rels[0]
            hops.append(ir.Hop(ir.RelPat(name if self.graph.rels else "", kinds, draw.pick(("->", "<-"))), node()))
        return ir.Path(start, tuple(hops))
