"""Names in trees: who binds them and who refers to them. Renaming, dropping and inlining are written here, once for
every family.

A node's class says which of its fields hold names, and of what kind (`binds`, `refers`, `scopes` of core/tree). A field
that binds or refers holds one name, or a tuple of names; an empty name is none. A field that scopes holds pairs of a
name and its sort."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import Any, NamedTuple

import msgspec

from gainsay.core.tree import Node, narrowed, nodes, parts, rebuilt, transform


class Name(NamedTuple):
    """A name where it stands: its kind, the node that has it, and the nodes around that one, outermost first."""

    kind: str
    text: str
    node: Node
    around: tuple[Node, ...] = ()


def named(node: Node) -> Mapping[str, str]:
    """The fields of a node that hold names, with the kinds of these."""
    return {**node.binds, **node.refers} if node.binds or node.refers else {}


def texts(value: Any) -> Iterator[str]:
    """The names in a field."""
    if isinstance(value, tuple):
        for part in value:
            yield from texts(part)
    elif value:
        yield value


def of(node: Node) -> Iterator[tuple[str, str]]:
    """The kind and the text of each name that a node itself has."""
    for field, kind in named(node).items():
        yield from ((kind, text) for text in texts(getattr(node, field)))
    for field, kind in node.scopes.items():
        yield from ((kind, text) for text, _ in getattr(node, field))


def met(tree: Any, *kinds: str) -> dict[str, str]:
    """The names of these kinds, in the order in which they are met; each with the kind that it is first met as."""
    found: dict[str, str] = {}
    for node in nodes(tree):
        for kind, text in of(node):
            if kind in kinds:
                found.setdefault(text, kind)
    return found


def mentions(tree: Any, kind: str, name: str) -> bool:
    """Whether something in a tree binds this name or refers to it."""
    return any((kind, name) in of(node) for node in nodes(tree))


def scoped(parts: Iterable[Node], kind: str) -> set[str]:
    """The names that these nodes bind for their own parts only. Nothing around them may be renamed to one of these: it
    would be captured."""
    return {text for node in parts for field, k in node.scopes.items() if k == kind for text, _ in getattr(node, field)}


def renamed(tree: Any, new: Callable[[Name], str], around: tuple[Node, ...] = ()) -> Any:
    """A tree with other names: `new` is asked for each, where it stands. Nothing is captured where names that differ
    stay different: a name that is `scoped` and not renamed itself is no new one."""
    if isinstance(tree, tuple):
        fresh_parts = tuple([renamed(part, new, around) for part in tree])
        return tree if all(map(operator.is_, fresh_parts, tree)) else fresh_parts
    if not isinstance(tree, Node):
        return tree
    changes, within = _changes(tree, around, new), (*around, tree)
    for field in tree.__struct_fields__:
        value = getattr(tree, field)
        if isinstance(value, (Node, tuple)) and field not in tree.binds and field not in tree.refers:
            fresh = renamed(value, new, within)
            if fresh is not value:
                changes[field] = fresh
    return msgspec.structs.replace(tree, **changes) if changes else tree


def renamed_shared(tree: Any, new: Callable[[Name], str]) -> Any:
    """The same for a tree that shares parts and may be of any depth. What was shared stays shared, so that `new` is not
    told what stands around a name."""

    def change(node: Node) -> Node:
        changes = _changes(node, (), new)
        return msgspec.structs.replace(node, **changes) if changes else node

    return rebuilt(tree, change)


def _changes(node: Node, around: tuple[Node, ...], new: Callable[[Name], str]) -> dict[str, Any]:
    """The fields of a node that hold names, where these become others."""
    found = {}
    for field, kind in named(node).items():
        value = getattr(node, field)
        fresh = _each(value, Name(kind, "", node, around), new)
        if fresh != value:
            found[field] = fresh
    for field, kind in node.scopes.items():
        value = getattr(node, field)
        fresh = tuple((new(Name(kind, text, node, around)), sort) for text, sort in value)
        if fresh != value:
            found[field] = fresh
    return found


def _each(value: Any, place: Name, new: Callable[[Name], str]) -> Any:
    if isinstance(value, tuple):
        renamed_parts = tuple(_each(part, place, new) for part in value)
        has_fewer = len(set(renamed_parts)) < len(set(value))
        return tuple(dict.fromkeys(renamed_parts)) if has_fewer else renamed_parts
    return new(place._replace(text=value)) if value else value


def by(kind: str, names: Mapping[str, str]) -> Callable[[Name], str]:
    """For `renamed`: these new names for those of a kind."""
    return lambda name: names.get(name.text, name.text) if name.kind == kind else name.text


class _Gone:
    """In the place of a node that leaves."""


GONE: Any = _Gone()


def the(kind: str, text: str) -> Callable[[Name], bool]:
    """For `without`: all that has this name."""
    return lambda name: name.text == text and name.kind == kind


def without(
    tree: Any,
    gone: Callable[[Name], bool],
    instead: Callable[[Node], Any] = lambda _: GONE,
    around: tuple[Node, ...] = (),
) -> Any:
    """A tree in which nothing binds a name or refers to it; `gone` is asked for each, where it stands. A node that does
    leaves the tuple it stands in, or a field that may hold nothing; else what it is part of leaves. A name that leaves
    a list of columns takes along what stands at its place. `instead` tells what may stand in a node's place."""
    if isinstance(tree, tuple):
        left = tuple([part for part in [without(p, gone, instead, around) for p in tree] if part is not GONE])
        return tree if len(left) == len(tree) and all(map(operator.is_, left, tree)) else left
    if not isinstance(tree, Node):
        return tree
    if _leaves(tree, gone, around):
        return instead(tree)
    if tree.is_joint and any(map(gone, standing(tree, around))):
        return GONE
    fewer, within = tree, (*around, tree)
    for place in reversed(_places(tree, gone, around)):
        fewer = narrowed(fewer, place)
    changes = _left(fewer, gone, around)
    for field in fewer.__struct_fields__:
        value = getattr(fewer, field)
        if field not in changes and isinstance(value, (Node, tuple)):
            left = without(value, gone, instead, within)
            if left is GONE and not _is_optional(tree, field):
                return GONE
            if left is not value:
                changes[field] = None if left is GONE else left
    made = msgspec.structs.replace(fewer, **changes) if changes else fewer
    return GONE if any(getattr(tree, field) and not getattr(made, field) for field in tree.needs) else made


def less(
    trees: Iterable[Any], gone: Callable[[Name], bool], instead: Callable[[Node], Any] = lambda _: GONE
) -> Iterator[Any]:
    """The same of trees that belong together, such as a scene and a recipe; nothing where one of them would leave."""
    left = tuple(without(tree, gone, instead) for tree in trees)
    if all(tree is not GONE for tree in left):
        yield left


def without_place(tree: Any, kind: str, name: str, place: int) -> Any:
    """A tree in which all that binds this name or refers to it has nothing at a place: p(x, y) -> p(x)."""

    def change(node: Node) -> Node:
        return narrowed(node, place) if node.places and (kind, name) in of(node) else node

    return transform(tree, change)


def _leaves(node: Node, gone: Callable[[Name], bool], around: tuple[Node, ...]) -> bool:
    """Whether one of a node's own names leaves, other than of a tuple."""
    for field, kind in named(node).items():
        text = getattr(node, field)
        if text and isinstance(text, str) and gone(Name(kind, text, node, around)):
            return True
    return False


def _is_optional(node: Node, field: str) -> bool:
    """Whether there may be nothing in a field."""
    return any(each.name == field and each.default is None for each in msgspec.structs.fields(node))


def standing(tree: Any, around: tuple[Node, ...]) -> Iterator[Name]:
    """The names of a tree, where they stand."""
    if isinstance(tree, Node):
        yield from (Name(kind, text, tree, around) for kind, text in of(tree))
        around = (*around, tree)
    for part in parts(tree):
        yield from standing(part, around)


def _places(node: Node, gone: Callable[[Name], bool], around: tuple[Node, ...]) -> list[int]:
    """The places that leave: the name that stands there does, or what binds it."""
    found: set[int] = set()
    for field in node.places:
        kind, value = named(node).get(field), getattr(node, field)
        for place, part in enumerate(value if isinstance(value, tuple) else ()):
            is_bound = isinstance(part, Node) and bool(part.binds) and _leaves(part, gone, (*around, node))
            if is_bound or (kind and gone(Name(kind, part, node, around))):
                found.add(place)
    return sorted(found)


def _left(node: Node, gone: Callable[[Name], bool], around: tuple[Node, ...]) -> dict[str, Any]:
    """The fields of a node that hold tuples of names, where some leave. A tuple in a tuple leaves with any of its
    names."""
    found = {}
    for field, kind in named(node).items():
        value = getattr(node, field)
        if isinstance(value, tuple):
            stay = [not any(gone(Name(kind, text, node, around)) for text in texts((part,))) for part in value]
            if not all(stay):
                found[field] = tuple(itertools.compress(value, stay))
    return found


def inlined(tree: Any, values: Mapping[tuple[str, ...], Any]) -> Any:
    """A tree with values in the place of references. A reference is a node that is nothing but names: x, or t.c0."""

    def change(node: Any) -> Any:
        if node.refers and len(node.refers) == len(node.__struct_fields__):
            return values.get(tuple(getattr(node, field) for field in node.refers), node)
        return node

    return transform(tree, change)


def fresh(letters: Iterable[str], taken: Set[str] = frozenset()) -> Iterator[str]:
    """Readable names one after the other, none of which is taken: x, y, z, x1, y1, z1, x2, ..."""
    pool = tuple(letters)
    rounds = 0
    while True:
        for letter in pool:
            name = f"{letter}{rounds}" if rounds else letter
            if name not in taken:
                yield name
        rounds += 1
