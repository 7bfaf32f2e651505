"""Which programs of a folder of seeds can be used: the family reads them, and every target must take them."""

from __future__ import annotations

from collections.abc import Sequence

from gainsay.campaign.seating import HostedPlayer, check
from gainsay.core import registry
from gainsay.core.model import Target
from gainsay.errors import UsageError


def usable(targets: Sequence[Target], family_name: str, folder: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Names of seeds that can be used, and those that can't be, each with the reason."""
    family = registry.family(family_name)
    seeds = family.seeds(folder, check(targets[0]).dialect)
    if seeds is None:
        raise UsageError(f"--seeds: {family_name} takes no seeds.")
    good: list[str] = []
    bad: list[tuple[str, str]] = []
    players = [(HostedPlayer(t, hard_s=10.0), family.dialect(check(t).dialect)) for t in targets]
    try:
        for player, _ in players:
            player.describe()
            player.reset()
        for name, problem, question in seeds:
            for player, dialect in players if not problem else ():
                problem = family.seed_trouble(player.ask(dialect.text(question)))
                if problem:
                    player.reset()
                    break
            if problem:
                bad.append((name, problem))
            else:
                good.append(name)
    finally:
        for player, _ in players:
            player.close()
    return good, bad
