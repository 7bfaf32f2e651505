"""What a target's name stands for: an engine that is at hand, in its newest release."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gainsay.campaign.seating import check
from gainsay.core import registry
from gainsay.core.engine import Engine
from gainsay.core.model import Target
from gainsay.engines import releases
from gainsay.errors import EnvironmentProblem


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


def is_unbrought(engine: Engine) -> bool:
    """Whether Maven would have to bring an engine before it could be started."""
    is_kept = any((releases.cache_dir() / engine.name).glob("[0-9]*"))
    return releases.is_from_maven(engine) and not engine.needs_server and not engine.is_preferred() and not is_kept


def candidates(oracles: Sequence[str] = ()) -> list[Target]:
    """Every engine that needs no server and that one of the oracles may ask, installed or not.
    A server is hunted on only if it is named."""
    able = [n for n in registry.table("gainsay.engines") if is_at_hand(registry.engine(n))]
    return [Target(n) for n in able if not oracles or set(oracles) & set(registry.oracles(registry.engine(n).family))]


def families_of(targets: Sequence[Target]) -> dict[str, list[Target]]:
    found: dict[str, list[Target]] = {}
    for target in targets:
        found.setdefault(check(target).family, []).append(target)
    return found


def is_same_target(named: Target, kept: str) -> bool:
    """Whether a name stands for a target of an earlier run, which may have been the newest release of that engine."""
    bare = msgspec.structs.replace(Target.parse(kept), version="")
    return str(named) == kept or (has_newer(registry.engine(named.engine)) and str(named) == str(bare))
