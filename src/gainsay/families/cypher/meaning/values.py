"""openCypher's values: when two are equal (three-valued), the same (for DISTINCT and groups), and which comes first;
and what stays open.

Three exceptions end an evaluation that has no single right answer, or an error as its right answer. None is a mistake
of ours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gainsay.families.cypher.meaning.graph import NodeV, PathV, RelV


class Undetermined(Exception):
    """openCypher, or the engine's documentation, leaves the answer open."""


class Failed(Exception):
    """A run-time error is the right answer, or a legal one: operands are evaluated without short cuts here."""


class TooBig(Exception):
    """More rows than the cap, or too many steps."""


class Bag(list[Any]):
    """A list whose order is the engine's choice: collect(), labels(), keys(), a pattern comprehension."""

    __slots__ = ()


INT64 = 1 << 63
LONGEST = 4000  # of a list or string that an operator makes


def integer(value: int) -> int:
    if -INT64 <= value < INT64:
        return value
    raise Undetermined("int64 overflow")


def real(value: float) -> float:
    """Neither NaN, nor infinite, nor -0.0: engines print, compare and refuse these in many ways."""
    if value - value != 0.0 or (value == 0.0 and str(value)[0] == "-"):
        raise Undetermined(f"{value} as a result")
    return value


def short(value: Any) -> Any:
    if len(value) > LONGEST:
        raise TooBig("a long list or string")
    return value


def settled(value: list[Any]) -> list[Any]:
    """The list itself, where its order is known or means nothing."""
    if value.__class__ is Bag and len(value) > 1 and len({key(v) for v in value}) > 1:
        raise Undetermined("the order of a list that an engine may order as it likes")
    return value


def equal(a: Any, b: Any) -> bool | None:
    """a = b. Values of different kinds are not equal; null is unknown; lists and maps go by their parts."""
    if a is None or b is None:
        return None
    one, two = a.__class__, b.__class__
    if one is two and (one is int or one is str or one is float or one is bool):
        return bool(a == b)
    if one is NodeV or one is RelV:
        return a is b
    if isinstance(a, list):
        return equal_lists(settled(a), settled(b)) if isinstance(b, list) else False
    if one is dict:
        return (
            equal_lists([a[k] for k in sorted(a)], [b[k] for k in sorted(b)])
            if two is dict and a.keys() == b.keys()
            else False
        )
    if one is PathV:
        return two is PathV and a.nodes == b.nodes and a.rels == b.rels
    if (one is int and two is float) or (one is float and two is int):
        return bool(a == b)
    return False


def equal_lists(a: list[Any], b: list[Any]) -> bool | None:
    if len(a) != len(b):
        return False
    parts = [equal(x, y) for x, y in zip(a, b, strict=True)]
    return False if False in parts else None if None in parts else True


def contains(wanted: Any, items: list[Any]) -> bool | None:
    """wanted IN items"""
    is_open = False
    for item in items:
        same = equal(wanted, item)
        if same:
            return True
        is_open = is_open or same is None
    return None if is_open else False


def key(value: Any) -> Any:
    """A hashable stand-in: equal for values that DISTINCT and grouping take for the same.
    Nulls are the same; 1 and 1.0 are, too."""
    cls = value.__class__
    if cls is int or cls is str or cls is float or value is None:
        return value
    if cls is bool:
        return ("bool", value)
    if cls is NodeV:
        return ("node", value.id)
    if cls is RelV:
        return ("rel", value.id)
    if isinstance(value, list):
        return ("list", *[key(v) for v in settled(value)])
    if cls is dict:
        return ("map", *[(k, key(value[k])) for k in sorted(value)])
    return ("path", tuple(n.id for n in value.nodes), tuple(r.id for r in value.rels))


def kind(value: Any) -> str:
    """Values of one kind have an order among them that all engines share."""
    cls = value.__class__
    if cls is int or cls is float:
        return "number"
    return str(cls.__name__)


def rank(value: Any) -> tuple[Any, ...]:
    """A sort key, ascending: null comes last.
    Only numbers, strings, booleans and lists of these have an order that engines share."""
    if value is None:
        return (1,)
    cls = value.__class__
    if cls is int or cls is float or cls is str or cls is bool:
        return (0, value)
    if isinstance(value, list):
        ranks = [rank(v) for v in settled(value)]
        if (1,) in ranks:
            raise Undetermined("the order of lists with null in them")
        return (0, tuple(ranks))
    raise Undetermined(f"the order of values such as {value!r}")


def check_one_kind(values: Iterable[Any], why: str) -> None:
    """Different kinds of values have an order in openCypher, on which engines do not agree."""
    kinds = {kind(v) for v in values if v is not None}
    kinds.discard("Bag" if "list" in kinds else "")
    if len(kinds) > 1:
        raise Undetermined(why)
    if kinds and kinds <= {"list", "Bag"}:
        check_one_kind([item for v in values if v is not None for item in v], why)


def distinct(values: Iterable[Any]) -> list[Any]:
    """Each value once. Which of 1 and 1.0 is kept is the engine's choice."""
    seen: dict[Any, Any] = {}
    for value in values:
        if seen.setdefault(key(value), value).__class__ is not value.__class__ and not isinstance(value, list):
            raise Undetermined("which of two equal numbers is kept")
    return list(seen.values())
