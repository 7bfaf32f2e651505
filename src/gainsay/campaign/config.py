"""What a campaign is: targets, oracles, seed and settings, frozen and saved as OUT/campaign.toml."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec
import tomli_w

from gainsay.campaign import probing
from gainsay.campaign.seating import HostedPlayer, check
from gainsay.campaign.siblings import siblings
from gainsay.core import registry
from gainsay.core.model import Seat, Seats, Target
from gainsay.engines import releases
from gainsay.errors import EnvironmentProblem, JournalError, UsageError, near


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
    siblings: tuple[str, ...] = ()  # other releases of the only seat's engine, to tell causes apart
    installed: str = ""  # the release among them that needs no version in its name


def turns(group: Group) -> list[str]:
    """Whose turn it is, check by check, over and over: all oracles, those with cheap conversations more often."""
    often = {name: getattr(registry.oracle(group.family, name), "turns", 1) for name in group.oracles}
    return [name for turn in range(max(often.values())) for name in group.oracles if turn < often[name]]


class Campaign(msgspec.Struct, frozen=True):
    seed: int
    targets: tuple[str, ...]
    oracles: tuple[str, ...]
    groups: tuple[Group, ...]
    settings: dict[str, str] = {}
    checks: int = 0
    explicit: bool = True  # the user named the targets

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


def describe(target: Target, index: int = 0) -> Seat:
    """Start a target in a process of its own and ask what it is; raise if it is not there or not what was named."""
    engine = check(target)
    player = HostedPlayer(target)
    try:
        version, build, facts = player.describe()
    finally:
        player.close()
    return Seat(index, target, version, engine.DIALECT, build, frozenset(), tuple((k, v) for k, (v, _) in sorted(facts.items())))


def seated(target: Target, known: dict[str, Seat]) -> Seat:
    """A described and probed seat; what an earlier run of this campaign learnt is taken as it is."""
    seat = describe(target)
    before = known.get(str(target))
    if before is not None and (before.version, before.build) == (seat.version, seat.build):
        return msgspec.structs.replace(before, target=target)  # what is written down has no credentials
    return msgspec.structs.replace(seat, refused=probing.refused(target, registry.engine(target.engine).FAMILY))


def beside(seat: Seat) -> tuple[tuple[str, ...], str]:
    """The siblings of a seat, and which of them is the installed release."""
    try:
        installed = describe(Target(seat.target.engine)).version if seat.target.version or seat.target.options else seat.version
    except EnvironmentProblem:
        installed = ""
    return siblings(seat, installed), installed


def helper(family: str, members: Sequence[Target]) -> Seat | None:
    """An installed engine of the family that is none of the targets', for families that want one."""
    used = {t.engine for t in members}
    for name in getattr(registry.family(family), "helpers", ()):
        if name not in used:
            try:
                return describe(Target(name))
            except EnvironmentProblem:
                continue
    return None


def newest(target: Target) -> Target:
    """A target without a version, of an engine whose package is behind its known releases: the newest of them, if it can be had here."""
    engine = check(target)
    if target.version or target.options or not hasattr(engine, "RELEASES"):
        return target
    try:
        releases.folder(engine, releases.newest(engine))
    except EnvironmentProblem:
        return target
    return msgspec.structs.replace(target, version=releases.newest(engine))


def embedded() -> list[Target]:
    """Every engine that is installed here and needs no server."""
    found = []
    for name in registry.table("gainsay.engines"):
        if getattr(registry.engine(name), "NEEDS_SERVER", False):
            continue  # a server is somebody's: it is hunted on only if it is named
        try:
            describe(Target(name))
        except EnvironmentProblem:
            continue
        found.append(Target(name))
    return found


def check_settings(settings: dict[str, str], families: Sequence[str]) -> None:
    for key in settings:
        owner, _, name = key.partition(".")
        having = [f for f in families if owner in registry.oracles(f)]
        if owner not in families and not having:
            oracles = [o for f in families for o in registry.oracles(f)]
            raise UsageError(f"--set {key}: nothing here is called {owner!r}.{near(owner, [*families, *oracles])}")
        known = (
            registry.family(owner).settings if owner in families else {k for f in having for k in getattr(registry.oracle(f, owner), "settings", {})}
        )
        if name not in known:
            raise UsageError(f"--set {key}: {owner} has no parameter {name!r}.{near(name, known)}")


def plan(
    targets: Sequence[Target],
    oracles: Sequence[str],
    seed: int,
    settings: dict[str, str],
    checks: int,
    known: dict[str, Seat],
    explicit: bool = True,
) -> Campaign:
    """Which seats meet which oracles: each target alone, and all targets of a family together for oracles that compare."""
    for name in oracles:
        registry.check_oracle(name)
    explicit = explicit and bool(targets)
    targets = [newest(t) for t in list(targets) or embedded()]
    if not targets:
        raise EnvironmentProblem("No embedded engine is installed. Run: pip install 'gainsay[all]'")
    families: dict[str, list[Target]] = {}
    for target in targets:
        families.setdefault(check(target).FAMILY, []).append(target)
    check_settings(settings, list(families))
    for name in oracles:
        if not any(name in registry.oracles(f) for f in families):
            has = "; ".join(f"{f} has {', '.join(registry.oracles(f))}" for f in families)
            raise UsageError(f"--oracle {name}: none of these targets has that oracle ({has}).")
    groups: list[Group] = []
    for family, members in families.items():
        names = [n for n in registry.oracles(family) if not oracles or n in oracles]
        alone = tuple(n for n in names if registry.oracle(family, n).min_seats == 1)
        together = tuple(n for n in names if registry.oracle(family, n).min_seats > 1)
        seats = [seated(t, known) for t in members]
        aside = helper(family, members) if f"{family}.seeds" in settings else None
        if alone:
            groups += [Group(str(s.target), family, (s,), alone, aside, *beside(s)) for s in seats]
        if together and len(seats) > 1 and (explicit or oracles):
            placed = tuple(msgspec.structs.replace(s, index=i) for i, s in enumerate(seats))
            groups.append(Group(" ".join(str(t) for t in members), family, placed, together, aside))
        elif together and oracles and not alone:
            raise UsageError(f"{together[0]} compares targets: name two or more of one family, such as 'gainsay hunt duckdb@1.2.2 duckdb'.")
    # Families in turn: a short hunt then sees some engines of each.
    lines = [[g for g in groups if g.family == family] for family in families]
    groups = [g for row in itertools.zip_longest(*lines) for g in row if g is not None]
    if not groups:
        raise UsageError(f"None of the oracles {', '.join(oracles)} applies to {', '.join(map(str, targets))}. 'gainsay oracles' lists what does.")
    if len({g.key for g in groups}) < len(groups):
        raise UsageError("A target is named twice. Name each once.")
    campaign = Campaign(seed, tuple(str(t) for t in targets), tuple(oracles), tuple(groups), settings, checks, explicit)
    for group in groups:
        seats_of(group, campaign.family_settings(group.family))  # a bad setting is told now, not by every worker
    return campaign


def save(campaign: Campaign, out: Path) -> None:
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
        raise JournalError(f"{path} is not what was written there ({error}). Choose another folder with --out, or move this one away.") from None
