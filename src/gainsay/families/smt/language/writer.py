"""Writes terms as SMT-LIB text.
What terms share is written once, so that text grows with the graph and not with the tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from gainsay.families.smt.language.ir import Term
from gainsay.families.smt.meaning.types import postorder

NO_VARIABLES: frozenset[str] = frozenset()
VALUES = ("+", "-", "*", "/", "fp")
SMALL = 8  # nodes that are written twice rather than put into a let


def text(term: Term) -> str:
    """A term as a tree. Shared parts are repeated."""
    return _Writer().text(term)


def define(terms: Sequence[Term], prefix: str) -> tuple[list[tuple[str, str, str]], list[str]]:
    """Definitions (name, sort, text) of what terms share, each after those it needs, and the text of each term in those
    names.

    Values stay where they are: cvc5 takes no name in ((as const S) 5), and logics of floats have no sort for the Real
    in to_fp. Parts with variables of a quantifier can't be defined outside of it; if they are shared and not small, a
    let inside holds them."""
    nodes = postorder(terms)
    refs = Counter(id(a) for node in nodes for a in node.args)
    refs.update(map(id, terms))
    free, literal = _free(nodes), _literal(nodes)
    writer = _Writer(prefix, free, _sizes(nodes))
    definitions = []
    for node in nodes:
        if node.args and refs[id(node)] > 1 and not free[id(node)] and id(node) not in literal:
            body = writer.text(node)
            name = writer.new_name()
            definitions.append((name, node.sort, body))
            writer.names[id(node)] = name
    return definitions, [writer.text(term) for term in terms]


def _free(nodes: Sequence[Term]) -> dict[int, frozenset[str]]:
    """Variables of quantifiers that each node has and does not bind."""
    variables = {name for node in nodes for name, _ in node.bound}
    free: dict[int, frozenset[str]] = {}
    for node in nodes:
        found = NO_VARIABLES
        for a in node.args:
            found = found | free[id(a)] if free[id(a)] else found
        if not node.args and node.op in variables:
            found = frozenset((node.op,))
        free[id(node)] = found.difference(name for name, _ in node.bound) if node.bound else found
    return free


def _literal(nodes: Sequence[Term]) -> set[int]:
    """Nodes that solvers want to see as literals: (- 5), (/ 1.0 3.0), (fp #b0 #b1 #b0), and arrays that are such a
    value everywhere."""
    found: set[int] = set()
    for node in nodes:
        is_value = (
            node.op[0] in '0123456789#"' or node.op.startswith("(_ ")
            if not node.args
            else node.op in VALUES or node.op.startswith("(as const ")
        )
        if is_value and all(id(a) in found for a in node.args):
            found.add(id(node))
    return found


def _sizes(nodes: Sequence[Term]) -> dict[int, int]:
    """How many nodes the tree of each node has; what is not small is all the same."""
    sizes: dict[int, int] = {}
    for node in nodes:
        sizes[id(node)] = min(SMALL + 1, 1 + sum(sizes[id(a)] for a in node.args))
    return sizes


Naming = tuple[int, str]  # a node, and its name from here on; an empty name ends a let


class _Writer:
    """Writes with an explicit stack, as terms may be deep. A node that has a name is written as its name."""

    def __init__(
        self, prefix: str = "", free: dict[int, frozenset[str]] | None = None, sizes: dict[int, int] | None = None
    ) -> None:
        self.names: dict[int, str] = {}
        self.prefix = prefix
        self.free = free
        self.sizes = sizes or {}
        self.count = 0

    def new_name(self) -> str:
        self.count += 1
        return f"{self.prefix}{self.count - 1}"

    def text(self, term: Term) -> str:
        out: list[str] = []
        stack: list[str | Term | Naming] = [term]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                out.append(item)
            elif isinstance(item, tuple):
                self.names[item[0]] = item[1]
            elif name := self.names.get(id(item)):
                out.append(name)
            elif not item.args:
                out.append(item.op)
            elif item.bound:
                out.append(f"({item.op} ({' '.join(f'({variable} {sort})' for variable, sort in item.bound)}) ")
                stack.append(")")
                stack.extend(reversed(list(self.body(item))))
            else:
                out.append(f"({item.op}")
                stack.append(")")
                for a in reversed(item.args):
                    stack += (a, " ")
        return "".join(out)

    def body(self, quantifier: Term) -> Iterator[str | Term | Naming]:
        """What a quantifier's body is written as: parts that are shared in it come first, each in a let around the
        rest."""
        body = quantifier.args[0]
        shared = self.shared(quantifier) if self.free is not None else []
        for node in shared:
            name = self.new_name()
            yield f"(let (({name} "
            yield node
            yield ")) "
            yield id(node), name
        yield body
        yield ")" * len(shared)
        yield from ((id(node), "") for node in shared)

    def shared(self, quantifier: Term) -> list[Term]:
        """Nodes that only this quantifier's body may name: used twice there, with its variables, and with none that is
        bound deeper."""
        assert self.free is not None
        nodes = postorder(quantifier.args)
        refs = Counter(id(a) for node in nodes for a in node.args)
        own = frozenset(name for name, _ in quantifier.bound)
        deeper = {name for node in nodes for name, _ in node.bound}
        scope = (own | self.free[id(quantifier)]) - deeper
        return [
            n
            for n in nodes
            if refs[id(n)] > 1 and self.sizes[id(n)] > SMALL and own & self.free[id(n)] and self.free[id(n)] <= scope
        ]
