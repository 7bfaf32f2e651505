"""From targets to a campaign: which seats meet which oracles."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import msgspec

from gainsay.campaign import probing, siblings
from gainsay.campaign.config import Campaign, Group, seats_of
from gainsay.campaign.describing import beside, describe, gathered, helper
from gainsay.campaign.naming import candidates
from gainsay.campaign.seating import check
from gainsay.core import registry
from gainsay.core.model import Seat, Target
from gainsay.errors import EnvironmentProblem, UsageError


def plan(
    targets: Sequence[Target],
    oracles: Sequence[str],
    seed: int,
    settings: dict[str, str],
    checks: int,
    known: Mapping[str, Seat],
    explicit: bool = True,
    tell: probing.Tell = probing.silent,
) -> Campaign:
    """Start and probe the targets (without any: all engines that are installed), and arrange them."""
    found: list[Seat] = []
    with gathered(targets or candidates(oracles), known, tell) as gathering:
        for _, seat in gathering.all():
            if isinstance(seat, Seat):
                found.append(seat)
            elif targets:
                raise seat  # the user named it
    return arranged(found, oracles, seed, settings, checks, explicit and bool(targets))


def arranged(
    seats: Sequence[Seat],
    oracles: Sequence[str],
    seed: int,
    settings: dict[str, str],
    checks: int,
    explicit: bool = True,
    is_whole: bool = True,
) -> Campaign:
    """Which seats meet which oracles: each target alone, and all targets of a family together for oracles that
    compare."""
    if not seats:
        raise EnvironmentProblem("No embedded engine is installed. Run: pip install 'gainsay[all]'")
    families: dict[str, list[Seat]] = {}
    for seat in seats:
        families.setdefault(check(seat.target).family, []).append(seat)
    lines = [groups_of(family, members, oracles, settings, explicit) for family, members in families.items()]
    # Families in turn: a short hunt then sees some of each
    groups = [g for row in itertools.zip_longest(*lines) for g in row if g is not None]
    targets = [str(s.target) for s in seats]
    if not groups:
        raise UsageError(
            f"None of the oracles {', '.join(oracles)} applies to {', '.join(targets)}. 'gainsay oracles' lists what "
            "does."
        )
    if len({g.key for g in groups}) < len(groups):
        raise UsageError("A target is named twice. Name each once.")
    campaign = Campaign(seed, tuple(targets), tuple(oracles), tuple(groups), settings, checks, explicit, is_whole)
    for group in groups:
        seats_of(group, campaign.family_settings(group.family))  # a bad setting is told now, not by every worker
    return campaign


def groups_of(
    family: str, seats: Sequence[Seat], oracles: Sequence[str], settings: dict[str, str], explicit: bool
) -> list[Group]:
    """The groups of one family: each seat alone, and all together where an oracle compares them."""
    alone, together = divided(family, oracles)
    members = [s.target for s in seats]
    aside = helper(family, members) if f"{family}.seeds" in settings else None
    chosen = {s.target: alone if oracles else fit(family, alone, s) for s in seats}
    groups = [Group(str(s.target), family, (s,), chosen[s.target], aside, *beside(s)) for s in seats if alone]
    if together and len(seats) > 1 and (explicit or oracles):
        placed = tuple(msgspec.structs.replace(s, index=i) for i, s in enumerate(seats))
        groups.append(Group(" ".join(map(str, members)), family, placed, together, aside))
    return groups


def fit(family: str, names: Sequence[str], seat: Seat) -> tuple[str, ...]:
    """Those of the oracles that can come to a claim about a target."""
    return tuple(n for n in names if registry.oracle(family, n).applies(seat))


def divided(family: str, oracles: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The oracles of a family that were asked for: those that need one seat, and those that compare several."""
    names = [n for n in registry.oracles(family) if not oracles or n in oracles]
    alone = tuple(n for n in names if registry.oracle(family, n).min_seats == 1)
    return alone, tuple(n for n in names if n not in alone)


def with_siblings(campaign: Campaign, targets: Sequence[Target]) -> Campaign:
    """A campaign on one target whose causes are told apart by siblings that the user names."""
    group = campaign.groups[0]
    if len(campaign.groups) > 1 or len(group.seats) > 1:
        raise UsageError("--sibling: the causes of one target are told apart. Hunt on one target, or leave it out.")
    named = siblings.chosen(group.seats[0], group.installed, targets)
    for target in targets:
        describe(target)  # one that does not start is told now
    return msgspec.structs.replace(
        campaign, groups=(msgspec.structs.replace(group, siblings=named, is_finely_told=True),)
    )
