"""What a campaign is: seed, targets, groups and settings, frozen and saved as OUT/campaign.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import tomli_w

from gainsay.core import registry
from gainsay.core.model import Seat, Seats
from gainsay.errors import JournalError


def checks_per_episode(family: str) -> int:
    found: int = registry.family(family).checks_per_episode
    return found


class Group(msgspec.Struct, frozen=True):
    """Seats that are asked together, and the oracles that ask them."""

    key: str
    family: str
    seats: tuple[Seat, ...]
    oracles: tuple[str, ...]
    helper: Seat | None = None  # an engine that is not under test, asked while scenes grow
    # Releases or builds of the only seat's engine, itself among them, to tell causes apart
    siblings: tuple[str, ...] = ()
    installed: str = ""  # the release among them that needs no version in its name
    is_finely_told: bool = False  # the user named them: builds that are close to each other


def turns(group: Group) -> list[str]:
    """Whose turn it is, check by check, over and over: all oracles, those with cheap conversations more often."""
    often = {name: registry.oracle(group.family, name).turns for name in group.oracles}
    return [name for turn in range(max(often.values())) for name in group.oracles if turn < often[name]]


class Campaign(msgspec.Struct, frozen=True):
    """What a hunt is: seed, targets, groups and settings. It is saved, so that the same command goes on with it."""

    seed: int
    targets: tuple[str, ...]
    oracles: tuple[str, ...]
    groups: tuple[Group, ...]
    settings: dict[str, str] = {}
    checks: int = 0
    explicit: bool = True  # the user named the targets
    is_whole: bool = True  # False: more engines were still being started when this was saved

    def group(self, key: str) -> Group:
        return next(g for g in self.groups if g.key == key)

    def family_settings(self, family: str) -> dict[str, str]:
        """A family's own settings by their bare names, and those of its oracles as oracle.key."""
        own = {k.partition(".")[2]: v for k, v in self.settings.items() if k.partition(".")[0] == family}
        oracles = registry.oracles(family)
        return own | {k: v for k, v in self.settings.items() if k.partition(".")[0] in oracles}


def seats_of(group: Group, campaign_settings: dict[str, str]) -> Seats:
    """Seats with the family's lexicon, ready to draw."""
    seats = Seats(group.seats, None, group.helper.name if group.helper else "")
    seats.lexicon = registry.family(group.family).prepare(seats, campaign_settings)
    return seats


def save(campaign: Campaign, out: Path) -> None:
    """Write a campaign into its folder, without credentials."""
    data = msgspec.to_builtins(campaign)
    secretless = [[s.target.public() for s in g.seats] for g in campaign.groups]
    for group in data["groups"]:
        if group["helper"] is None:
            del group["helper"]  # TOML has no nothing
        else:
            group["helper"]["refused"] = sorted(group["helper"]["refused"])
    for group, targets in zip(data["groups"], secretless, strict=True):
        for seat, target in zip(group["seats"], targets, strict=True):
            seat["target"] = msgspec.to_builtins(target)
    for group in data["groups"]:
        for seat in group["seats"]:
            seat["refused"] = sorted(seat["refused"])
            seat["target"]["options"] = [list(o) for o in seat["target"]["options"]]
    (out / "campaign.toml").write_text(tomli_w.dumps(data), encoding="utf-8")


def saved(out: Path) -> Campaign | None:
    path = out / "campaign.toml"
    if not path.exists():
        return None
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Campaign)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise JournalError(
            f"{path} is not what was written there ({error}). Choose another folder with --out, or move this one away."
        ) from None
