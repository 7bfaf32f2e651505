"""IR nodes: immutable trees with a place for every part, so that a reducer can shrink any family's tree without knowing
it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Union

import msgspec

Path = tuple[int | str, ...]


class Node(msgspec.Struct, frozen=True, tag=True, tag_field="node"):
    """Base of every IR node.

    `sort` names what may stand in for it: a reducer replaces a node by a smaller one of the same sort.
    `keep` names the fields that a generic reducer must leave alone (names, that other nodes refer to).
    `binds` and `refers` name the fields that hold names, each with the kind of name: relation, variable (core/names).
    `scopes` names the fields that hold pairs, of a name and its sort: what a node binds for its own parts only.
    `places` names the fields that have something for each column of a relation, place by place: its names, a value for
    each, or rows and queries that have one for each themselves.
    `needs` names the tuples that a node is nothing without: it leaves with the last of what they hold.
    `is_joint`: it leaves as a whole with any of the names in it.
    """

    sort: ClassVar[str] = ""
    keep: ClassVar[frozenset[str]] = frozenset()
    binds: ClassVar[Mapping[str, str]] = MappingProxyType({})
    refers: ClassVar[Mapping[str, str]] = MappingProxyType({})
    scopes: ClassVar[Mapping[str, str]] = MappingProxyType({})
    places: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[tuple[str, ...]] = ()
    is_joint: ClassVar[bool] = False


def walk(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every node and tuple below `value`, parents first, with its path."""
    if isinstance(value, Node):
        yield path, value
        for name in value.__struct_fields__:
            child = getattr(value, name)
            if isinstance(child, (Node, tuple)):
                yield from walk(child, (*path, name))
    elif isinstance(value, tuple):
        yield path, value
        for index, child in enumerate(value):
            if isinstance(child, (Node, tuple)):
                yield from walk(child, (*path, index))


def nodes(value: Any) -> Iterator[Node]:
    """Every node of a tree, parents first: the same order as `walk`, without paths, and faster."""
    left = [value]
    while left:
        value = left.pop()
        if isinstance(value, Node):
            yield value
            fields = value.__struct_fields__
            left += [c for name in reversed(fields) if isinstance(c := getattr(value, name), (Node, tuple))]
        elif isinstance(value, tuple):
            left += [c for c in reversed(value) if isinstance(c, (Node, tuple))]


Word = Union[str, tuple[str, str], Callable[[Any], Iterable[str]]]
Words = Mapping[type, Union[Word, list[Word]]]


def said(value: Any, words: Words) -> Iterator[str]:
    """What a table of words says of each node of a tree, by its class: a text, in which {.op} is the node's `op`; a
    field and a text, which is said where the field says something; what a function says of the node; or several."""
    for node in nodes(value):
        row = words.get(node.__class__, ())
        for word in row if isinstance(row, list) else (row,) if row else ():
            if isinstance(word, str):
                yield word.format(node)
            elif not isinstance(word, tuple):
                yield from word(node)
            elif is_given(getattr(node, word[0])):
                yield word[1].format(node)


def is_given(value: Any) -> bool:
    """Whether a field says more than that there is nothing."""
    return value is not None and value is not False and value != "" and value != ()


def at(value: Any, path: Path) -> Any:
    for step in path:
        value = getattr(value, step) if isinstance(step, str) else value[step]
    return value


def along(value: Any, path: Path) -> Iterator[Any]:
    """What stands on the way from `value` to the end of a path, from above: `value` itself first, the end last."""
    yield value
    for step in path:
        value = getattr(value, step) if isinstance(step, str) else value[step]
        yield value


def holder(value: Any, path: Path) -> tuple[Node | None, str]:
    """The node that has what is at the end of a path, and in which of its fields: in a tuple there, or by itself."""
    while path and isinstance(path[-1], int):
        path = path[:-1]
    above = at(value, path[:-1]) if path else None
    return (above, str(path[-1])) if isinstance(above, Node) else (None, "")


def put(value: Any, path: Path, new: Any) -> Any:
    """A copy of `value` with `new` at `path`."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(step, str):
        return msgspec.structs.replace(value, **{step: put(getattr(value, step), rest, new)})
    return (*value[:step], put(value[step], rest, new), *value[step + 1 :])


def narrowed(value: Any, place: int) -> Any:
    """Without what is at a place: of a tuple, of each row of a tuple of rows, of all that a node has for its places.
    (a, b, c) -> (a, c); INSERT INTO t(a, b) VALUES (1, 2) -> INSERT INTO t(a) VALUES (1)."""
    if isinstance(value, Node):
        return msgspec.structs.replace(
            value, **{field: narrowed(getattr(value, field), place) for field in value.places}
        )
    if not isinstance(value, tuple):
        return value
    if any(is_row(part) for part in value):
        return tuple(narrowed(part, place) for part in value)
    return (*value[:place], *value[place + 1 :])


def is_row(value: Any) -> bool:
    """Whether it has something for each column itself."""
    return isinstance(value, Node) and bool(value.places)


def transform(value: Any, change: Any) -> Any:
    """Rebuild bottom-up: `change(node)` gives the node that takes its place."""
    if isinstance(value, tuple):
        return tuple(transform(v, change) for v in value)
    if not isinstance(value, Node):
        return value
    updates = {}
    for name in value.__struct_fields__:
        child = getattr(value, name)
        if isinstance(child, (Node, tuple)):
            new = transform(child, change)
            if new is not child and new != child:
                updates[name] = new
    return change(msgspec.structs.replace(value, **updates) if updates else value)


def rebuilt(root: Any, change: Callable[[Any], Any]) -> Any:
    """The same as `transform`, for a tree that shares parts and may be of any depth: each part is changed once, and
    what was shared stays shared."""
    done: dict[int, Any] = {}
    stack = [root]
    while stack:
        node = stack[-1]
        missing = [part for part in parts(node) if id(part) not in done]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if id(node) not in done:
            fields = [(name, getattr(node, name)) for name in node.__struct_fields__]
            new = {name: _exchanged(value, done) for name, value in fields if isinstance(value, (Node, tuple))}
            is_same = all(new[name] is value for name, value in fields if name in new)
            done[id(node)] = change(node if is_same else msgspec.structs.replace(node, **new))
    return done[id(root)]


def parts(value: Any) -> Iterator[Node]:
    """The nodes right below a node, or in a tuple."""
    below = value if isinstance(value, tuple) else [getattr(value, name) for name in value.__struct_fields__]
    for part in below:
        if isinstance(part, Node):
            yield part
        elif isinstance(part, tuple):
            yield from parts(part)


def _exchanged(value: Any, done: Mapping[int, Any]) -> Any:
    if isinstance(value, Node):
        return done[id(value)]
    if not isinstance(value, tuple):
        return value
    new = tuple(_exchanged(part, done) for part in value)
    return value if all(a is b for a, b in zip(new, value, strict=True)) else new
