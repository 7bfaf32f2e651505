"""Generic shrinking of any family's trees: each pass proposes smaller cases, and knows nothing of what they mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core.tree import Node, Path, along, holder, put, walk


def chunks(whole: Any) -> Iterator[Any]:
    """Drop elements of tuples: large pieces first. (a, b, c, d) -> (c, d), (a, b), (b, c, d), ...
    One always stays: `defaults` empties a tuple that may be empty."""
    for path, value in walk(whole):
        if not isinstance(value, tuple) or not path or protected(whole, path):
            continue
        length = len(value) // 2
        while length >= 1:
            for start in range(0, len(value), length):
                yield put(whole, path, (*value[:start], *value[start + length :]))
            length //= 2


def protected(whole: Any, path: Path) -> bool:
    """Whether the field at the end of a path is one that its node keeps for itself; so are tuples within its tuple."""
    node, field = holder(whole, path)
    return node is not None and field in node.keep


def defaults(whole: Any) -> Iterator[Any]:
    """Set a field back to its default. WHERE p -> no WHERE; UNIQUE -> nothing."""
    for path, value in walk(whole):
        if not isinstance(value, Node):
            continue
        for field in msgspec.structs.fields(value):
            if field.name in value.keep or field.default is msgspec.NODEFAULT:
                continue
            if getattr(value, field.name) != field.default:
                yield put(whole, (*path, field.name), field.default)


def children(whole: Any) -> Iterator[Any]:
    """Put one of its parts in a node's place. (a AND b) -> a, b."""
    for path, value in walk(whole):
        if isinstance(value, Node) and value.sort:
            for below, child in walk(value):
                if below and isinstance(child, Node) and child.sort == value.sort and is_direct(value, below):
                    yield put(whole, path, child)


def is_direct(value: Node, below: Path) -> bool:
    """Only the nearest nodes of the sort: deeper ones come in the next round."""
    above = list(along(value, below[:-1]))[1:]
    return not any(isinstance(part, Node) and part.sort == value.sort for part in above)


def simpler(whole: Any, simplest: Any) -> Iterator[Any]:
    """Put one of the family's simplest terms in a node's place."""
    for path, value in walk(whole):
        if isinstance(value, Node):
            for new in simplest(value):
                if new != value:
                    yield put(whole, path, new)
