"""`gainsay hunt`: from the command line to a campaign, and from its end to a summary and an exit code."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from gainsay import __version__
from gainsay.campaign import config, events, journal, probing, seating, seeding
from gainsay.campaign.ledger import Ledger
from gainsay.campaign.supervisor import Limits, Supervisor
from gainsay.cli import folders, parsing, targets
from gainsay.core import registry
from gainsay.core.model import Seat, Target
from gainsay.engines import releases
from gainsay.errors import UsageError
from gainsay.report import folder, machine, refusals, terminal
from gainsay.triage import known


def limits_of(arguments: argparse.Namespace) -> Limits:
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


def named(arguments: argparse.Namespace) -> list[Target]:
    """The targets of the command line and of --targets; with --wipe, those on a server may empty what is there."""
    found = [Target.parse(t) for t in arguments.targets] + (targets.targets(arguments.targets_file) if arguments.targets_file else [])
    if not arguments.wipe:
        return found
    places = {"host", "port", "url"}
    able = [t for t in found if "wipe" in seating.check(t).OPTIONS and places & {key for key, _ in t.options}]
    if not able:
        raise UsageError("--wipe empties a database on a server, and no such target is named. Leave it out.")
    return [msgspec.structs.replace(t, options=(*t.options, ("wipe", "1"))) if t in able else t for t in found]


def campaign_of(arguments: argparse.Namespace, out: Path, checks: int) -> tuple[config.Campaign, bool]:
    """The campaign to run, and whether it goes on from an earlier run."""
    before = config.saved(out)
    chosen = named(arguments)
    settings = with_seeds(parsing.settings(arguments.settings), arguments)
    asked_seed = parsing.number(arguments.seed, "--seed", least=0) if arguments.seed is not None else None
    seats: dict[str, Seat] = {str(s.target): s for g in before.groups for s in g.seats} if before else {}
    if before is None:
        seed = asked_seed if asked_seed is not None else secrets.randbits(32)
        return config.plan(chosen, arguments.oracle, seed, settings, checks, seats), False
    same_seed = asked_seed is None or asked_seed == before.seed
    wanted = config.plan(
        chosen or [Target.parse(t) for t in before.targets],
        arguments.oracle or list(before.oracles),
        before.seed,
        settings or before.settings,
        checks,
        seats,
        explicit=bool(chosen) or before.explicit,
    )
    if (
        not same_seed
        or [(g.key, g.oracles, [s.version for s in g.seats]) for g in wanted.groups]
        != [(g.key, g.oracles, [s.version for s in g.seats]) for g in before.groups]
        or wanted.settings != before.settings
    ):
        raise UsageError(f"{out} holds a hunt on {', '.join(before.targets)} with seed {before.seed}. Use another --out for another hunt.")
    return wanted, True


def with_seeds(settings: dict[str, str], arguments: argparse.Namespace) -> dict[str, str]:
    """Settings with the folder of seeds and what in it can be used: a seed that can't be is named, and the rest goes on."""
    if not arguments.seeds:
        return settings
    if not named(arguments):
        raise UsageError("--seeds: name the target whose dialect the seeds are in, such as 'gainsay hunt souffle --seeds DIR'.")
    chosen = named(arguments)
    family = seating.check(chosen[0]).FAMILY
    if len({seating.check(t).DIALECT for t in chosen}) > 1:
        raise UsageError("--seeds: a seed is in one engine's dialect, and these targets have several. Name targets of one engine.")
    usable, problems = seeding.usable(chosen, family, arguments.seeds)
    console = Console(stderr=True)
    for name, why in problems[:20]:
        console.print(f"  seed {name} is skipped: {why}", highlight=False, markup=False, soft_wrap=True)
    if len(problems) > 20:
        console.print(f"  ... and {len(problems) - 20} more", highlight=False)
    console.print(f"{len(usable)} of {len(usable) + len(problems)} seeds are used.", highlight=False)
    if not usable:
        raise UsageError(f"None of the seeds in {arguments.seeds} can be used. Give programs that {chosen[0]} itself runs.")
    return {**settings, f"{family}.seeds": os.path.abspath(arguments.seeds), f"{family}.usable": "\n".join(usable)}


def hunt(arguments: argparse.Namespace) -> int:
    limits = limits_of(arguments)
    for target in named(arguments):
        seating.check(target)
    for name in arguments.oracle:
        registry.check_oracle(name)
    parsing.settings(arguments.settings)
    parsing.number(arguments.seed, "--seed", least=0)
    out = Path(arguments.out)
    lock = folders.own(out, "campaign.toml", "hunt")
    console = Console(stderr=arguments.json)
    try:
        return _hunt(arguments, limits, out, console)
    except BaseException:
        folders.leave(out, ("journal.jsonl", "campaign.toml"))
        raise
    finally:
        os.close(lock)


def _hunt(arguments: argparse.Namespace, limits: Limits, out: Path, console: Console) -> int:
    if not arguments.json:
        console.print("Starting and probing the targets ...", highlight=False)
    campaign, is_resumed = campaign_of(arguments, out, limits.checks)
    path = out / "journal.jsonl"
    ledger = Ledger(known.read(Path()))
    for event in journal.read(path):
        ledger.take(event)
    before = ledger.counts.checks
    journal.mend(path)
    config.save(campaign, out)
    book = journal.Journal(path)
    book.append(events.Started(__version__, campaign.seed), sync=True)
    for finding in ledger.shown():
        if not (out / "findings" / finding.id / "repro.py").exists():
            folder.write(finding, out)
    supervisor: Supervisor | None = None
    begun = time.monotonic()
    with terminal.Screen(console, quiet=arguments.json) as screen:
        if is_resumed:
            screen.say(f"Going on in {out}: {ledger.counts.checks:,} checks and {len(ledger.findings)} findings so far.")
        for group in campaign.groups:
            names = " against ".join(s.name for s in group.seats)
            screen.say(f"Hunting on {names} with {', '.join(group.oracles)}; seed {campaign.seed}.")
            for seat in group.seats:
                fatal = sorted(f.removeprefix(probing.CRASHES) for f in seat.refused if f.startswith(probing.CRASHES))
                if fatal:
                    screen.say(
                        f"! {seat.target} dies when it is asked for {', '.join(fatal[:4])}{' ...' if len(fatal) > 4 else ''}: never drawn, "
                        f"so no finding; 'gainsay engines check {seat.target}' tells more."
                    )
        threading.Thread(target=tell_newer, args=(campaign, screen), daemon=True).start()
        try:
            supervisor = Supervisor(campaign, ledger, book, limits, out / ".run", screen_and_folder(screen, out))
            _run(supervisor, limits)
        finally:
            if supervisor is not None:
                supervisor.close()
    for finding in ledger.shown():
        folder.write(finding, out)
    kept = refusals.write(ledger, out)
    summary = machine.summary(campaign, ledger, out, time.monotonic() - begun, Supervisor.cpu_s())
    made = ledger.counts.checks - before
    lines = terminal.conclude(summary, made, ledger.vanished, ledger.waiting(), supervisor.troubles, str(out), supervisor.undrawn)
    unused = [never_applied(**told) for told in summary["never_applied"]]
    for line in lines + kept + unused:
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    if supervisor.gone:
        Console(stderr=True).print(f"gainsay: {supervisor.gone} Then run the same command again.", highlight=False, markup=False, soft_wrap=True)
    book.close()
    if arguments.json:
        print(json.dumps(summary))
    sys.stdout.flush()
    if any(f["status"] in ("confirmed", "stateful") for f in summary["findings"]):
        return 1
    if supervisor.gone or (unused and campaign.oracles):
        return 2  # who names an oracle that never applies should not take silence for a clean bill
    return 3 if supervisor.troubles or supervisor.undrawn else 0  # a mistake of our own, or of an oracle, is no clean bill


def never_applied(targets: str, oracle: str, conversations: int) -> str:
    """What is said of an oracle that checked nothing."""
    return f"{oracle} never applied to {targets}: none of its {conversations:,} conversations came to a claim. 'gainsay oracles' lists others."


def tell_newer(campaign: config.Campaign, screen: terminal.Screen) -> None:
    """Say where a newer release can be had than the one that is hunted on. An index is asked only for targets that the user named."""
    for seat in dict.fromkeys(seat for group in campaign.groups for seat in group.seats):
        engine = registry.engine(seat.target.engine)
        if seat.target.version or seat.target.options:
            continue  # just this one is wanted
        other = releases.newest(engine, is_asking=campaign.explicit)
        if releases.is_older(seat.version, other):
            screen.say(f"! {seat.target} is {seat.version} here, and {other} can be had: gainsay hunt {seat.target.engine}@{other}")


def screen_and_folder(screen: terminal.Screen, out: Path) -> Any:
    def on(what: str, value: Any) -> None:
        if what == "finding":
            folder.write(value, out)
            if value.status == "muted":
                return
        screen.on(what, value)

    return on


def _run(supervisor: Supervisor, limits: Limits) -> None:
    """Hunt, then settle. The first Ctrl-C ends the hunt, the second one the settling."""

    def stop(*_: object) -> None:
        if supervisor.is_stopping:
            raise KeyboardInterrupt
        supervisor.is_stopping = True

    earlier = {s: signal.signal(s, stop) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        supervisor.hunt()
        supervisor.settle(patience_s=max(10.0, 0.5 * limits.for_s) if not supervisor.is_stopping else 5.0)
    except KeyboardInterrupt:
        return
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)
