"""What `gainsay hunt` is asked for: its limits, targets, settings and seeds, all checked before anything starts."""

from __future__ import annotations

import argparse
import os
import re

import msgspec
from rich.console import Console

from gainsay.campaign import seating, seeding
from gainsay.campaign.leasing import Limits
from gainsay.campaign.request import Request, check_request
from gainsay.cli import parsing, targets
from gainsay.core import registry
from gainsay.core.model import Target
from gainsay.errors import UsageError


def limits_of(arguments: argparse.Namespace) -> Limits:
    """What ends the hunt, and what its workers may use."""
    checks = parsing.number(arguments.checks, "--checks")
    if checks and arguments.for_s:
        raise UsageError("--for and --checks are two ways to end a hunt: give one of them.")
    return Limits(
        for_s=0.0 if checks else parsing.duration(arguments.for_s or "60s", "--for"),
        checks=checks,
        workers=parsing.number(arguments.workers, "--workers", most=256) or os.cpu_count() or 1,
        memory=parsing.size(arguments.memory, "--memory"),
        stop_after=parsing.number(arguments.stop_after, "--stop-after"),
    )


def without_folder(words: list[str]) -> str | None:
    """Take a folder out of the words that name targets: it is written as a path, with a slash."""
    paths = [word for word in words if re.match(r"[^@:?]*/", word)]
    if len(paths) > 1:
        raise UsageError(f"Two folders are named, {paths[0]} and {paths[1]}. Name one of them.")
    words[:] = [word for word in words if word not in paths]
    for word in words:
        if re.split("[@:?]", word)[0] not in registry.table("gainsay.engines") and os.path.isdir(word):
            raise UsageError(f"There is no engine {word!r}. If the folder is meant: --out {word}, or ./{word}.")
    return paths[0] if paths else None


def named(arguments: argparse.Namespace) -> list[Target]:
    """The targets of the command line and of --targets; with --wipe, those on a server may empty what is there."""
    found = [Target.parse(t) for t in arguments.targets] + (
        targets.targets(arguments.targets_file) if arguments.targets_file else []
    )
    if not arguments.wipe:
        return found
    places = {"host", "port", "url"}
    able = [t for t in found if "wipe" in seating.check(t).options and places & {key for key, _ in t.options}]
    if not able:
        raise UsageError("--wipe empties a database on a server, and no such target is named. Leave it out.")
    return [msgspec.structs.replace(t, options=(*t.options, ("wipe", "1"))) if t in able else t for t in found]


def request_of(arguments: argparse.Namespace) -> Request:
    """What the command line asks for, once all is known to be right that can be known before anything is started."""
    seed = parsing.number(arguments.seed, "--seed", least=0) if arguments.seed is not None else None
    seeds = os.path.abspath(arguments.seeds) if arguments.seeds else ""
    request = Request(
        tuple(named(arguments)),
        tuple(arguments.oracle),
        parsing.settings(arguments.settings),
        seeds,
        seed,
        tuple(map(Target.parse, arguments.sibling)),
    )
    check_request(request)
    return request


def with_seeds(request: Request, arguments: argparse.Namespace) -> dict[str, str]:
    """Settings with the folder of seeds and what in it can be used: a seed that can't be is named, and the rest goes
    on."""
    if not arguments.seeds:
        return request.settings
    chosen = request.targets
    if not chosen:
        raise UsageError(
            "--seeds: name the target whose dialect the seeds are in, such as 'gainsay hunt souffle --seeds DIR'."
        )
    family = seating.check(chosen[0]).family
    if len({seating.check(t).dialect for t in chosen}) > 1:
        raise UsageError(
            "--seeds: a seed is in one engine's dialect, and these targets have several. Name targets of one engine."
        )
    usable, problems = seeding.usable(chosen, family, arguments.seeds)
    console = Console(stderr=True)
    for name, why in problems[:20]:
        console.print(f"  seed {name} is skipped: {why}", highlight=False, markup=False, soft_wrap=True)
    if len(problems) > 20:
        console.print(f"  ... and {len(problems) - 20} more", highlight=False)
    console.print(f"{len(usable)} of {len(usable) + len(problems)} seeds are used.", highlight=False)
    if not usable:
        raise UsageError(
            f"None of the seeds in {arguments.seeds} can be used. Give programs that {chosen[0]} itself runs."
        )
    return {**request.settings, f"{family}.seeds": request.seeds, f"{family}.usable": "\n".join(usable)}
