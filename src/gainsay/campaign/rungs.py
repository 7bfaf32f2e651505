"""The releases of an engine as rungs of a ladder: which there are, how far two are apart, and having one brought."""

from __future__ import annotations

from collections.abc import Sequence

from gainsay.core.engine import Engine
from gainsay.engines import releases
from gainsay.errors import EnvironmentProblem, UsageError


def listed(engine: Engine, first: str = "", last: str = "") -> list[str]:
    """The releases of an engine that can be named with @version, oldest first: what an index lists, and what is in the
    cache."""
    if not engine.requirements("0") and not engine.releases:
        told = f" To go further back, {engine.old_releases}." if engine.old_releases else ""
        raise UsageError(f"There are no releases of {engine.name} to search: nothing brings them.{told}")
    found = sorted({*releases.listed(engine), *releases.cached(engine)}, key=releases.numbers)
    if not found:
        raise EnvironmentProblem(f"No release of {engine.name} is listed. Is the package index reachable?")
    for word, bound in (("--from", first), ("--to", last)):
        if bound and not releases.numbers(bound):
            raise UsageError(f"{word} {bound}: write a release, such as {found[-1]}.")
    since = [version for version in found if not first or not releases.is_older(version, first)]
    kept = [version for version in since if not last or not releases.is_older(last, version)]
    if not kept:
        raise UsageError(f"{engine.name} has no release from {first or found[0]} to {last or found[-1]}.")
    return kept


def near(ordered: Sequence[str], version: str) -> list[int]:
    """The places of releases, the nearest to a version first."""
    own = releases.numbers(version)
    return sorted(range(len(ordered)), key=lambda n: distance(releases.numbers(ordered[n]), own))


def distance(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """How far two versions are apart, the leading number first."""
    width = max(len(one), len(other))
    padded = [(*numbers, *(0,) * (width - len(numbers))) for numbers in (one, other)]
    return [abs(a - b) for a, b in zip(*padded, strict=True)]


def brought(engine: Engine, version: str) -> str:
    """Have a release installed into the cache. Empty, or why that can't be."""
    try:
        releases.folder(engine, version, is_hinting=False)
    except EnvironmentProblem as error:
        return str(error).partition(". ")[0].rstrip(".")
    return ""


def is_at_hand(engine: Engine, version: str) -> bool:
    """Whether a release need not be brought."""
    return bool(releases.library(engine, version)) or version in releases.cached(engine)
