"""What operators and functions do to strings, lists and elements of the graph, where these are not null."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from gainsay.families.cypher.meaning.graph import NodeV, PathV, RelV
from gainsay.families.cypher.meaning.values import LONGEST, Bag, Failed, TooBig, Undetermined, contains, settled, short

# --- strings ----------------------------------------------------------------------------------------------------------


def ascii_text(value: Any) -> str:
    """ASCII only: lengths, cases and orders of other characters are matters of their own."""
    if value.__class__ is not str:
        raise Failed("a string is wanted")
    if not value.isascii():
        raise Undetermined("characters that are not ASCII")
    return str(value)


def stripping(strip: Callable[[str, str], str]) -> Callable[[Any], str]:
    def meaning(value: Any) -> str:
        if any(c < " " for c in ascii_text(value)):
            raise Undetermined("which characters are blank")
        return strip(value, " ")

    return meaning


def texts(test: Callable[[str, str], bool]) -> Callable[[Any, Any], bool]:
    def meaning(a: Any, b: Any) -> bool:
        if a.__class__ is str and b.__class__ is str:
            return test(a, b)
        raise Undetermined("a test of strings on other values")

    return meaning


def matches(value: Any, pattern: Any) -> bool:
    if not re.fullmatch(r"([A-Za-z0-9 ]|\.\*?)*", ascii_text(pattern)) or "\n" in ascii_text(value):
        raise Undetermined("a regular expression that engines may read in their own ways")
    return re.fullmatch(pattern, value) is not None


def natural(value: Any) -> int:
    if value.__class__ is not int:
        raise Failed("an integer is wanted")
    if value < 0:
        raise Failed("a negative length or position")
    return int(value)


def left(value: Any, length: Any) -> str:
    return ascii_text(value)[: natural(length)]


def right(value: Any, length: Any) -> str:
    return ascii_text(value)[max(0, len(value) - natural(length)) :]


def substring(value: Any, start: Any, length: Any = None) -> str:
    natural(start)
    return ascii_text(value)[start:] if length is None else ascii_text(value)[start : start + natural(length)]


def substring_from_1(value: Any, start: Any, length: Any = None) -> str:
    if start.__class__ is int and start < 1:
        raise Undetermined("a position before a string's start")
    return substring(value, start - 1, length)


def replace(value: Any, old: Any, new: Any) -> str:
    if not ascii_text(old):
        raise Undetermined("the empty string replaced")
    return str(short(ascii_text(value).replace(old, ascii_text(new))))


def split(value: Any, separator: Any) -> list[str]:
    if not ascii_text(separator):
        raise Undetermined("a string split at the empty string")
    return ascii_text(value).split(separator)


# --- lists ------------------------------------------------------------------------------------------------------------


def items(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    raise Failed("a list is wanted")


def is_in(wanted: Any, values: Any) -> bool | None:
    return None if values is None else contains(wanted, items(values))


def is_in_known(wanted: Any, values: Any) -> bool | None:
    """Where the profile says that nulls in the list do not matter."""
    if wanted is None and values == []:
        raise Undetermined("null IN []")
    return None if wanted is None or values is None else contains(wanted, [v for v in items(values) if v is not None])


def size(value: Any) -> int:
    return len(ascii_text(value)) if value.__class__ is str else len(items(value))


def reverse(value: Any) -> Any:
    if value.__class__ is str:
        return ascii_text(value)[::-1]
    return items(value) if value.__class__ is Bag else items(value)[::-1]


def head(value: Any) -> Any:
    return settled(value)[0] if items(value) else None


def last(value: Any) -> Any:
    return settled(value)[-1] if items(value) else None


def tail(value: Any) -> list[Any]:
    return settled(items(value))[1:]


def index(value: Any, place: Any) -> Any:
    """value[place]: from 0; negative ones from the end; null outside. Maps, nodes and relationships have keys."""
    if place.__class__ is str and not isinstance(value, list):
        return (value if value.__class__ is dict else value.props).get(place)
    if place.__class__ is not int:
        raise Failed("an index that is no integer")
    return settled(value)[place] if -len(items(value)) <= place < len(value) else None


def index_from_1(value: Any, place: Any) -> Any:
    if place.__class__ is int:
        if place == 0 or abs(place) > len(items(value)):
            raise Undetermined("an index outside of a list")
        place -= place > 0
    return index(value, place)


def slice_(value: Any, start: Any, stop: Any) -> list[Any]:
    """value[start..stop]: without the stop; negative ones from the end."""
    if start.__class__ is not int or stop.__class__ is not int:
        raise Failed("an index that is no integer")
    return settled(items(value))[start:stop]


def slice_from(value: Any, start: Any) -> list[Any]:
    return slice_(value, start, len(items(value)))


def slice_to(value: Any, stop: Any) -> list[Any]:
    return slice_(value, 0, stop)


def unsettled(*_: Any) -> Any:
    raise Undetermined("slices where lists count from 1")


def range_(start: Any, stop: Any, step: Any = 1) -> list[int]:
    """Both ends are in it."""
    if not start.__class__ is stop.__class__ is step.__class__ is int or step == 0:
        raise Failed("range() wants integers, and a step that is not 0")
    numbers = range(start, stop + (1 if step > 0 else -1), step)
    if len(numbers) > LONGEST:
        raise TooBig("a long range")
    return list(numbers)


# --- elements of the graph --------------------------------------------------------------------------------------------


def of_rel(get: Callable[[RelV], Any]) -> Callable[[Any], Any]:
    def meaning(value: Any) -> Any:
        if value.__class__ is RelV:
            return get(value)
        raise Failed("a relationship is wanted")

    return meaning


def labels(value: Any) -> Bag:
    if value.__class__ is not NodeV:
        raise Failed("a node is wanted")
    return Bag(sorted(value.labels))


def label(value: Any) -> str:
    """Where the profile says that labels() gives the one label."""
    found = labels(value)
    if len(found) != 1:
        raise Undetermined("the label of a node that has none, or several")
    return str(found[0])


def of_path(get: Callable[[PathV], Any]) -> Callable[[Any], Any]:
    def meaning(value: Any) -> Any:
        if value.__class__ is PathV:
            return get(value)
        raise Failed("a path is wanted")

    return meaning
