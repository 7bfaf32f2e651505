"""A likely repetition of a known finding, with what triggers that finding taken out: if it is as wrong without, another
cause is in it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any

import msgspec

from gainsay.core import registry
from gainsay.core.family import Family
from gainsay.core.model import Case, Seats
from gainsay.core.tree import Node, Path, at, put, walk
from gainsay.triage.passes import protected

MOST = 12  # ways to take a known finding's trigger out
CHOICES = 2  # of what may stand in the place of a part
PARTS = 40  # that carry one feature

Shapes = Mapping[str, Set[str]]  # of known findings, by their ids


def remainder(case: Case, known: Shapes, is_still: Callable[[Case], bool]) -> tuple[str, Case]:
    """The case with the triggers of all these findings taken out, one after the other, as long as it is as wrong; and
    the finding that can't be taken out of it ('': none)."""
    family, seats = registry.family(case.family), Seats(case.seats)
    for name, shape in known.items():
        if not shape <= family.shape(case.scene, case.recipe):
            continue
        tried = itertools.islice(variants(case, shape, seats), MOST)
        rest = next((new for new in tried if is_still(new)), None)
        if rest is None:
            return name, case
        case = rest
    return "", case


def variants(case: Case, shape: Set[str], seats: Seats) -> Iterator[Case]:
    """Legal cases that lack one feature of a shape, and differ in nothing else."""
    family = registry.family(case.family)
    seen = {case}
    for feature, choice in itertools.product(sorted(shape), range(CHOICES)):
        new = taken_out(family, case, feature, choice)
        if new is None or new in seen:
            continue
        seen.add(new)
        if not shape <= family.shape(new.scene, new.recipe) and family.is_legal(new.scene, new.recipe, seats):
            yield new


def taken_out(family: Family, case: Case, feature: str, choice: int) -> Case | None:
    """A case without any part that carries a feature; None where one of them can't be done without."""
    for _ in range(PARTS):
        whole = (case.scene, case.recipe)
        path = next((path for path, node in walk(whole) if path and feature in family.carried(node)), None)
        if path is None:
            return case
        options = [new for new in stand_ins(family, case, path) if feature not in family.carried(new)]
        if options:
            whole = put(whole, path, options[min(choice, len(options) - 1)])
        elif isinstance(path[-1], int) and len(path) > 2 and not protected(whole, path[:-1]):
            among = at(whole, path[:-1])
            whole = put(whole, path[:-1], (*among[: path[-1]], *among[path[-1] + 1 :]))
        else:
            return None
        case = case.with_parts(*whole)
    return None


def stand_ins(family: Family, case: Case, path: Path) -> Iterator[Any]:
    """What may stand at a place: something else, or the same with one of its fields at its default."""
    yield from family.instead(case, path)
    node = at((case.scene, case.recipe), path)
    for field in msgspec.structs.fields(node) if isinstance(node, Node) else ():
        is_set = field.default is not msgspec.NODEFAULT and getattr(node, field.name) != field.default
        if is_set and field.name not in node.keep:
            yield msgspec.structs.replace(node, **{field.name: field.default})
