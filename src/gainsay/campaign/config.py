"""What a campaign is: targets, oracles, seed and settings, frozen and saved as OUT/campaign.toml."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import tomli_w

from gainsay.campaign import probing, siblings
from gainsay.campaign.gathering import Gathering
from gainsay.campaign.seating import HostedPlayer, check
from gainsay.core import registry
from gainsay.core.engine import Engine
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


def describe(target: Target, index: int = 0) -> Seat:
    """Start a target in a process of its own and ask what it is; raise if it is not there or not what was named."""
    player = HostedPlayer(target)
    try:
        return seat_of(player, target, index)
    finally:
        player.close()


def seat_of(player: HostedPlayer, target: Target, index: int = 0) -> Seat:
    version, build, facts = player.describe()
    dialect = registry.engine(target.engine).dialect
    return Seat(
        index, target, version, dialect, build, frozenset(), tuple((k, v) for k, (v, _) in sorted(facts.items()))
    )


def seated(target: Target, known: Mapping[str, Seat], gathering: Gathering | None = None) -> Seat:
    """A described and probed seat, by one start of the target; what an earlier run of this campaign learnt is taken as
    it is."""
    tell = gathering.tell if gathering else probing.silent
    tell(target, 0, 0)
    player = gathering.start(target) if gathering else HostedPlayer(target)
    try:
        seat = seat_of(player, target)
        before = known.get(str(target))
        if before is not None and (before.version, before.build) == (seat.version, seat.build):
            return msgspec.structs.replace(before, target=target)  # what is written down has no credentials
        family = registry.engine(target.engine).family
        return msgspec.structs.replace(seat, refused=probing.refused(seat, family, player, tell))
    finally:
        player.close()


def beside(seat: Seat) -> tuple[tuple[str, ...], str]:
    """The siblings of a seat, and which of them is the installed release."""
    try:
        installed = (
            describe(Target(seat.target.engine)).version if seat.target.version or seat.target.options else seat.version
        )
    except EnvironmentProblem:
        installed = ""
    return siblings.at_hand(seat, installed), installed


def told_apart(campaign: Campaign, targets: Sequence[Target]) -> Campaign:
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


def helper(family: str, members: Sequence[Target]) -> Seat | None:
    """An installed engine of the family that is none of the targets', for families that want one."""
    used = {t.engine for t in members}
    for name in registry.family(family).helpers:
        if name not in used:
            try:
                return describe(Target(name))
            except EnvironmentProblem:
                continue
    return None


def newest(target: Target) -> Target:
    """A target without a version, of an engine whose package is behind its known releases or that Maven brings: the
    newest of them, if it can be had here."""
    engine = check(target)
    if target.version or target.options or not has_newer(engine) or engine.is_preferred():
        return target
    version = releases.newest(engine)
    try:
        releases.folder(engine, version)
    except EnvironmentProblem:
        return target
    return msgspec.structs.replace(target, version=version)


def has_newer(engine: Engine) -> bool:
    """Whether a target without a version may stand for a release that is brought."""
    return bool(engine.releases) or releases.is_from_maven(engine)


def is_at_hand(engine: Engine) -> bool:
    """Whether an engine may be hunted on without being named: no server of the user's, and nothing that Maven would
    have to bring first."""
    return not engine.needs_server and (not releases.is_from_maven(engine) or engine.is_preferred())


def candidates(oracles: Sequence[str] = ()) -> list[Target]:
    """Every engine that needs no server and that one of the oracles may ask, installed or not.
    A server is hunted on only if it is named."""
    able = [n for n in registry.table("gainsay.engines") if is_at_hand(registry.engine(n))]
    return [Target(n) for n in able if not oracles or set(oracles) & set(registry.oracles(registry.engine(n).family))]


def embedded() -> list[Target]:
    """Every engine that is installed here and needs no server."""
    with Gathering(candidates(), lambda target, _: describe(target)) as gathering:
        return [target for target, found in gathering.all() if isinstance(found, Seat)]


def check_settings(settings: dict[str, str], families: Sequence[str]) -> None:
    """Raise where --set names nothing that a chosen family or oracle has."""
    for key in settings:
        owner, _, name = key.partition(".")
        having = [f for f in families if owner in registry.oracles(f)]
        if owner not in families and not having:
            oracles = [o for f in families for o in registry.oracles(f)]
            raise UsageError(f"--set {key}: nothing here is called {owner!r}.{near(owner, [*families, *oracles])}")
        known = (
            registry.family(owner).settings
            if owner in families
            else {k for f in having for k in registry.oracle(f, owner).settings}
        )
        if name not in known:
            raise UsageError(f"--set {key}: {owner} has no parameter {name!r}.{near(name, known)}")


def is_same_target(named: Target, kept: str) -> bool:
    """Whether a name stands for a target of an earlier run, which may have been the newest release of that engine."""
    bare = msgspec.structs.replace(Target.parse(kept), version="")
    return str(named) == kept or (has_newer(registry.engine(named.engine)) and str(named) == str(bare))


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


def families_of(targets: Sequence[Target]) -> dict[str, list[Target]]:
    found: dict[str, list[Target]] = {}
    for target in targets:
        found.setdefault(check(target).family, []).append(target)
    return found


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


def divided(family: str, oracles: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The oracles of a family that were asked for: those that need one seat, and those that compare several."""
    names = [n for n in registry.oracles(family) if not oracles or n in oracles]
    alone = tuple(n for n in names if registry.oracle(family, n).min_seats == 1)
    return alone, tuple(n for n in names if n not in alone)


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


def gathered(targets: Sequence[Target], known: Mapping[str, Seat], tell: probing.Tell = probing.silent) -> Gathering:
    """Start and probe targets side by side, each in the newest release that can be had."""
    return Gathering(targets, lambda target, gathering: seated(newest(target), known, gathering), tell)


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
    groups = [Group(str(s.target), family, (s,), alone, aside, *beside(s)) for s in seats] if alone else []
    if together and len(seats) > 1 and (explicit or oracles):
        placed = tuple(msgspec.structs.replace(s, index=i) for i, s in enumerate(seats))
        groups.append(Group(" ".join(map(str, members)), family, placed, together, aside))
    return groups


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
