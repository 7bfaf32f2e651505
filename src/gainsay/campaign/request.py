"""What the user asks for, and what can be seen to be wrong with it before anything is started."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from gainsay.campaign.config import Campaign
from gainsay.campaign.naming import candidates, families_of, is_same_target
from gainsay.campaign.planning import divided
from gainsay.campaign.seating import check
from gainsay.core import registry
from gainsay.core.model import Seat, Seats, Target
from gainsay.errors import UsageError, near


class Request(msgspec.Struct, frozen=True):
    """What the user asks for, before anything is started. `seeds`: the folder of seeds, whatever in it can be used."""

    targets: tuple[Target, ...]
    oracles: tuple[str, ...]
    settings: dict[str, str]
    seeds: str = ""
    seed: int | None = None
    siblings: tuple[Target, ...] = ()

    def name(self) -> str:
        """For a folder: 'sqlite', 'duckdb@1.2.2+duckdb'; 'all' without targets."""
        spelled = "+".join(re.sub(r"[^\w.@]+", "-", str(t)).strip("-") for t in self.targets)
        return spelled[:60] or "all"

    def differs(self, before: Campaign) -> str:
        """In what it asks for something else than an earlier run, or nothing; what is not said is as it was."""
        settings, seeds = own_settings(before)
        if self.targets and (
            len(self.targets) != len(before.targets) or not all(map(is_same_target, self.targets, before.targets))
        ):
            return "target"
        if self.oracles and set(self.oracles) != (set(before.oracles) or {o for g in before.groups for o in g.oracles}):
            return "oracle"
        if (self.settings and self.settings != settings) or (self.seeds and self.seeds != seeds):
            return "setting"
        return "seed" if self.seed is not None and self.seed != before.seed else ""

    def is_again(self, before: Campaign) -> bool:
        """Whether it asks for just what an earlier run did, but for a seed that is not said."""
        same = set(self.oracles) == set(before.oracles) and (self.settings, self.seeds) == own_settings(before)
        return same and bool(self.targets) == before.explicit and not self.differs(before)


def own_settings(campaign: Campaign) -> tuple[dict[str, str], str]:
    """The settings that the user gave, and his folder of seeds."""
    own = {k: v for k, v in campaign.settings.items() if not k.endswith((".seeds", ".usable"))}
    return own, next((v for k, v in campaign.settings.items() if k.endswith(".seeds")), "")


def check_request(request: Request) -> None:
    """Raise over all that can be seen to be wrong before anything is started.
    Without targets: of all engines that may be there."""
    targets, oracles, settings = request.targets, request.oracles, request.settings
    for name in oracles:
        registry.check_oracle(name)
    families = families_of(targets or candidates())
    check_settings(settings, list(families))
    for name in oracles:
        if not any(name in registry.oracles(f) for f in families):
            has = "; ".join(f"{f} has {', '.join(registry.oracles(f))}" for f in families)
            raise UsageError(f"--oracle {name}: none of these targets has that oracle ({has}).")
    if len(set(map(str, targets))) < len(targets):
        raise UsageError("A target is named twice. Name each once.")
    for family, members in families.items():
        alone, together = divided(family, oracles)
        if targets and together and oracles and not alone and len(members) < 2:
            raise UsageError(
                f"{together[0]} compares targets: name two or more of one family, such as 'gainsay hunt duckdb@1.2.2 "
                "duckdb'."
            )
        for target in members if settings else ():
            seats = Seats((Seat(0, target, target.version, check(target).dialect),))
            # A bad value is told now
            registry.family(family).prepare(seats, Campaign(0, (), (), (), settings).family_settings(family))


def check_settings(settings: dict[str, str], families: Sequence[str]) -> None:
    """Raise where --set names nothing that a chosen family or oracle has."""
    for key in settings:
        owner, _, name = key.partition(".")
        having = [f for f in families if owner in registry.oracles(f)]
        if owner not in families and not having:
            oracles = [o for f in families for o in registry.oracles(f)]
            elsewhere = [f for f in registry.table("gainsay.families") if owner == f or owner in registry.oracles(f)]
            if elsewhere:
                told = f"{owner!r} is of {' and '.join(elsewhere)}, and these targets are of {' and '.join(families)}"
                raise UsageError(f"--set {key}: {told}.")
            raise UsageError(f"--set {key}: nothing here is called {owner!r}.{near(owner, [*families, *oracles])}")
        known = (
            registry.family(owner).settings
            if owner in families
            else {k for f in having for k in registry.oracle(f, owner).settings}
        )
        if name not in known:
            raise UsageError(f"--set {key}: {owner} has no parameter {name!r}.{near(name, known)}")
