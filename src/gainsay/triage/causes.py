"""What of a case names its cause, and whether that is the cause of a known finding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from gainsay.campaign import config, conversation, events
from gainsay.campaign.reasons import is_by_chance
from gainsay.campaign.siblings import GONE, told_apart
from gainsay.core import registry
from gainsay.core.family import Family
from gainsay.core.model import Case, Seat, kind_of
from gainsay.triage import signature
from gainsay.triage.holding import Holding, words_in
from gainsay.triage.job import Known
from gainsay.triage.opinion import Opinion
from gainsay.triage.span import Siblings


def bucket_of(case: Case, seat: Seat, found: conversation.Contradiction | None = None) -> frozenset[str]:
    """What of a case names its cause."""
    family = registry.family(case.family)
    bucket = frozenset(family.bucket(family.shape(case.scene, case.recipe) | family.seated(seat)))
    return family.framed(bucket) if found is not None and is_by_chance(found.label, found.detail) else bucket


def signatures(
    group: config.Group, found: conversation.Contradiction, opinion: Opinion, bucket: frozenset[str]
) -> list[str]:
    """The signature under the name of the blamed engine; where nobody can tell, then under those of the others."""
    detail = words_in(group, found, found.detail) if found.label in ("crash", "internal-error") else ""
    # An assertion's or an internal error's own words name the bug better than what surrounds it.
    parts = frozenset() if found.label == "internal-error" or "Assertion" in detail else bucket
    others = [seat.target.engine for seat in group.seats] if opinion.seat is None else []
    engines = dict.fromkeys([group.seats[opinion.seat or 0].target.engine, *others])
    return [signature.signature(engine, kind_of(found.label), parts, detail) for engine in engines]


class Causes:
    """The known findings of which a new one may be another sight."""

    def __init__(self, known: Iterable[Known], siblings: Siblings, open_place: Callable[[], Holding]) -> None:
        self._known, self._siblings, self._open = known, siblings, open_place

    def same(self, case: Case, span: Mapping[str, str], bucket: frozenset[str]) -> str:
        """The known finding that shows on the same releases, and a part of which is wrong in this case's place or this
        one's in its place. Where releases tell nothing: one that has more around it, if its part is wrong without."""
        family = registry.family(case.family)
        tried = [k for k in self._known if is_telling(family, k, span) or has_more(family, k, bucket)]
        alike = [k for k in tried if not told_apart(case.family, k.span, span)]
        if not alike:
            return ""
        with self._open() as held:
            for known in alike:
                for swapped in swaps(held.group, case, known):
                    # Else it has what stands around the known one
                    is_it = is_telling(family, known, span) or bucket_of(swapped, held.group.seats[0]) == bucket
                    if is_it and held.is_legal(swapped) and held.same(swapped) is not None:
                        if not told_apart(case.family, span, self._siblings.span(swapped)):  # not a third bug
                            return known.id
        return ""


def swaps(group: config.Group, case: Case, known: Known) -> Iterator[Case]:
    """Cases with a part of a known finding's in the place of this one's, or this one's there."""
    family = registry.family(case.family)
    for scene, recipe in family.swaps(case, events.read_case(known.case), group.is_finely_told):
        is_ours = isinstance(recipe, type(case.recipe))
        oracle, claim = (case.oracle, case.claim) if is_ours else (known.case["oracle"], known.case["claim"])
        yield Case(case.family, oracle, scene, recipe, case.seats, claim)


def is_telling(family: Family, known: Known, span: Mapping[str, str]) -> bool:
    """Whether a part of one case that is wrong in the other's place shows that they are one cause."""
    return family.tells_by_swaps or (GONE in span.values() and GONE in known.span.values())


def has_more(family: Family, known: Known, bucket: frozenset[str]) -> bool:
    """Whether a known finding is this one with mere surroundings."""
    return bucket < frozenset(known.bucket) and family.absorbs(bucket, frozenset(known.bucket))
