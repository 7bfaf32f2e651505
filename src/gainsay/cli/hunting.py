"""`gainsay hunt`: from the command line to a campaign, and from its end to a summary and an exit code."""

from __future__ import annotations

import argparse
import json
import os
import re
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
from gainsay.errors import JournalError, UsageError
from gainsay.report import folder, machine, proving, refusals, terminal
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


def without_folder(words: list[str]) -> str | None:
    """Take a folder out of the words that name targets: it is written as a path, with a slash."""
    paths = [word for word in words if re.match(r"[^@:?]*/", word)]
    if len(paths) > 1:
        raise UsageError(f"Two folders are named, {paths[0]} and {paths[1]}. Name one of them.")
    words[:] = [word for word in words if word not in paths]
    for word in words:
        if word not in registry.table("gainsay.engines") and os.path.isdir(word):
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


def request_of(arguments: argparse.Namespace) -> config.Request:
    """What the command line asks for, once all is known to be right that can be known before anything is started."""
    seed = parsing.number(arguments.seed, "--seed", least=0) if arguments.seed is not None else None
    seeds = os.path.abspath(arguments.seeds) if arguments.seeds else ""
    request = config.Request(
        tuple(named(arguments)),
        tuple(arguments.oracle),
        parsing.settings(arguments.settings),
        seeds,
        seed,
        tuple(map(Target.parse, arguments.sibling)),
    )
    config.check_request(request)
    return request


def place_of(arguments: argparse.Namespace, request: config.Request) -> tuple[Path, bool]:
    """Where a hunt goes, and whether that is for us to say: where the same was hunted last, else into a new folder."""
    given = folders.said(arguments)
    if given is not None and ((given / folders.MARK).exists() or not folders.hunts(given)):
        before = config.saved(given)
        if before is not None and request.differs(before):
            raise conflict(given, before, request.differs(before))
        return given, False
    root = given or folders.HUNTS
    for hunt in folders.hunts(root):
        if hunt != root and is_again(request, hunt):
            return hunt, True
    return folders.following(root, request.name()), True


def is_again(request: config.Request, hunt: Path) -> bool:
    try:
        before = config.saved(hunt)
    except JournalError:
        return False  # nobody asked for that one
    return before is not None and request.is_again(before)


class Conflict(UsageError):
    """A folder that holds another hunt than the one that was asked for."""


def conflict(out: Path, before: config.Campaign, what: str) -> Conflict:
    held = f"{out} holds a hunt on {', '.join(before.targets)} with seed {before.seed}"
    return Conflict(f"{held}, and this one has another {what}. Use another --out for another hunt.")


def known_seats(before: config.Campaign | None) -> dict[str, Seat]:
    return {str(s.target): s for g in before.groups for s in g.seats} if before else {}


def resumed(
    request: config.Request,
    before: config.Campaign,
    out: Path,
    checks: int,
    settings: dict[str, str],
    tell: probing.Tell,
) -> config.Campaign:
    """The campaign that goes on from an earlier run."""
    chosen = list(request.targets) or [Target.parse(t) for t in before.targets if before.is_whole]
    wanted = config.plan(
        chosen,
        request.oracles or before.oracles,
        before.seed,
        settings or before.settings,
        checks,
        known_seats(before),
        explicit=bool(request.targets) or before.explicit,
        tell=tell,
    )
    kept, planned = ([(g.key, g.oracles, [s.version for s in g.seats]) for g in c.groups] for c in (before, wanted))
    if (
        planned != kept if before.is_whole else not all(g in planned for g in kept)
    ) or wanted.settings != before.settings:
        raise conflict(out, before, "version" if {k for k, _, _ in kept} <= {k for k, _, _ in planned} else "target")
    return wanted


def with_seeds(request: config.Request, arguments: argparse.Namespace) -> dict[str, str]:
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


class Growth:
    """A campaign on all that is installed, which grows while it is hunted: it begins with the first engine that is
    ready."""

    def __init__(self, request: config.Request, seed: int, tell: probing.Tell) -> None:
        self._request, self._seed = request, seed
        self._order = [t.engine for t in config.candidates(request.oracles)]
        self._gathering = config.gathered(config.candidates(request.oracles), {}, tell)
        self._seats: list[Seat] = []

    @property
    def waiting(self) -> list[str]:
        return [str(t) for t in self._gathering.waiting]

    def first(self) -> config.Campaign:
        while not self._seats and self._gathering.waiting:
            self._take(1.0)
        return self._campaign()

    def more(self) -> config.Campaign | None:
        """The campaign with what has come since, if something has."""
        return self._campaign() if self._gathering.waiting and self._take(0.0) else None

    def _take(self, timeout_s: float) -> int:
        found = self._gathering.ready(timeout_s)
        self._seats = sorted(
            [*self._seats, *(s for _, s in found if isinstance(s, Seat))],
            key=lambda s: self._order.index(s.target.engine),
        )
        return len(found)

    def _campaign(self) -> config.Campaign:
        request = self._request
        return config.arranged(
            self._seats,
            request.oracles,
            self._seed,
            request.settings,
            0,
            explicit=False,
            is_whole=not self._gathering.waiting,
        )

    def close(self) -> None:
        self._gathering.close()


def can_grow(request: config.Request, limits: Limits) -> bool:
    """Whether engines may join later: not where a number of checks is shared out, nor where they are compared with each
    other."""
    if request.targets or limits.checks:
        return False
    named = [
        (f, n)
        for f, _, n in (name.partition("/") for name in registry.table("gainsay.oracles"))
        if n in request.oracles
    ]
    return all(registry.oracle(family, name).min_seats == 1 for family, name in named)


def hunt(arguments: argparse.Namespace) -> int:
    limits = limits_of(arguments)
    arguments.dir = without_folder(arguments.targets)
    request = request_of(arguments)
    out, is_ours = place_of(arguments, request)
    try:
        return in_folder(arguments, request, limits, out)
    except Conflict:  # the same targets in other versions
        if not is_ours:
            raise
        return in_folder(arguments, request, limits, folders.following(out.parent, request.name()))


def in_folder(arguments: argparse.Namespace, request: config.Request, limits: Limits, out: Path) -> int:
    lock = folders.own(out, folders.MARK, "hunt")
    try:
        return Hunt(arguments, request, limits, out).run()
    except BaseException:
        folders.leave(out, ("journal.jsonl", folders.MARK))
        raise
    finally:
        os.close(lock)


class Hunt:
    """One run of the command in a folder that is ours."""

    def __init__(self, arguments: argparse.Namespace, request: config.Request, limits: Limits, out: Path) -> None:
        self.arguments, self.request, self.limits, self.out = arguments, request, limits, out
        self.before = config.saved(out)
        self.console = Console(stderr=arguments.json)
        self.screen = terminal.Screen(self.console, quiet=arguments.json)
        self.growth: Growth | None = None
        self.proving = proving.Proving()
        self.told: set[str] = set()  # groups
        self.met: set[str] = set()  # targets

    def run(self) -> int:
        settings = with_seeds(self.request, self.arguments)
        ledger = Ledger(known.read(Path(known.FILE), folders.muted(self.out)))
        for event in journal.read(self.out / "journal.jsonl"):
            ledger.take(event)
        made = ledger.counts.checks
        begun = time.monotonic()
        with self.screen:
            self.screen.say("Starting the targets ...")
            try:
                campaign = self._campaign(settings)
                supervisor = self._hunted(campaign, ledger)
            finally:
                if self.growth:
                    self.growth.close()
        for finding in ledger.shown():
            folder.write(finding, self.out)
        summary = machine.summary(
            supervisor.campaign, ledger, self.out, time.monotonic() - begun, Supervisor.cpu_s(), supervisor.triage_s
        )
        self._conclude(summary, supervisor, ledger.counts.checks - made)
        return exit_code(summary, supervisor)

    def _campaign(self, settings: dict[str, str]) -> config.Campaign:
        made = self._planned(settings)
        return config.told_apart(made, self.request.siblings) if self.request.siblings else made

    def _planned(self, settings: dict[str, str]) -> config.Campaign:
        tell, checks = self.screen.probing, self.limits.checks
        if self.before is not None:
            return resumed(self.request, self.before, self.out, checks, settings, tell)
        seed = self.request.seed if self.request.seed is not None else secrets.randbits(32)
        if can_grow(self.request, self.limits):
            self.growth = Growth(self.request, seed, tell)
            return self.growth.first()
        return config.plan(self.request.targets, self.request.oracles, seed, settings, checks, {}, tell=tell)

    def _hunted(self, campaign: config.Campaign, ledger: Ledger) -> Supervisor:
        out = self.out
        journal.mend(out / "journal.jsonl")
        config.save(campaign, out)
        book = journal.Journal(out / "journal.jsonl")
        book.append(events.Started(__version__, campaign.seed), sync=True)
        for finding in ledger.shown():
            if not (out / "findings" / finding.id / "repro.py").exists():
                folder.write(finding, out)
        if self.before is not None:
            self.screen.say(
                f"Going on in {out}: {ledger.counts.checks:,} checks and {len(ledger.findings)} findings so far."
            )
        self._announce(campaign)
        supervisor = Supervisor(campaign, ledger, book, self.limits, out / ".run", self._on)
        for finding in ledger.unproved():  # of a run that was killed
            self._prove(finding)
        try:
            self._run(supervisor)
        finally:
            self.proving.close()
            supervisor.close()
            book.close()
        return supervisor

    def _announce(self, campaign: config.Campaign) -> None:
        """Say what is hunted on, once for each group, and what is worth knowing about its seats."""
        for group in campaign.groups:
            if group.key in self.told:
                continue
            self.told.add(group.key)
            names = " against ".join(s.name for s in group.seats)
            self.screen.say(f"Hunting on {names} with {', '.join(group.oracles)}; seed {campaign.seed}.")
            for seat in group.seats:
                if str(seat.target) in self.met:
                    continue
                self.met.add(str(seat.target))
                threading.Thread(target=tell_newer, args=(seat, campaign.explicit, self.screen), daemon=True).start()
                fatal = sorted(f.removeprefix(probing.CRASHES) for f in seat.refused if f.startswith(probing.CRASHES))
                if fatal:
                    self.screen.say(
                        f"! {seat.target} dies when it is asked for "
                        f"{', '.join(fatal[:4])}{' ...' if len(fatal) > 4 else ''}: never drawn, "
                        f"so no finding; 'gainsay engines check {seat.target}' tells more."
                    )

    def _on(self, what: str, value: Any) -> None:
        """An event of the supervisor."""
        if what == "finding":  # it is shown once its reproducer was run
            self._prove(value)
            return
        if what == "tick":
            self._show_proved(value)
        if what == "tick" and self.growth:
            campaign = self.growth.more()
            if campaign is not None:
                config.save(campaign, self.out)
                self._announce(campaign)
                value.join(campaign)
        self.screen.on(what, value)

    def _prove(self, finding: events.Finding) -> None:
        written = folder.write(finding, self.out)
        if finding.status in ("confirmed", "stateful"):
            self.proving.add(finding, written)
        elif finding.status != "muted":
            self.screen.on("finding", finding)

    def _show_proved(self, supervisor: Supervisor) -> None:
        """Show the findings whose reproducers have been run since."""
        for finding, proved in self.proving.ended():
            supervisor.note(proved)
            self.screen.on("finding", finding)

    def _await_proofs(self, supervisor: Supervisor) -> None:
        while len(self.proving):
            self._show_proved(supervisor)
            time.sleep(0.05)

    def _run(self, supervisor: Supervisor) -> None:
        """Hunt, then settle. The first Ctrl-C ends the hunt, the second one the settling."""

        def stop(*_: object) -> None:
            if supervisor.is_interrupted:
                raise KeyboardInterrupt
            supervisor.is_interrupted = supervisor.is_stopping = True

        earlier = {s: signal.signal(s, stop) for s in (signal.SIGINT, signal.SIGTERM)}
        try:
            supervisor.hunt()
            if self.growth and self.growth.waiting:
                self.screen.say(
                    f"! Not started and probed in time: {', '.join(self.growth.waiting)}. The same command goes on "
                    "with them."
                )
                self.growth.close()
                self.growth = None
            supervisor.settle(patience_s=5.0 if supervisor.is_stopping else max(10.0, 0.5 * self.limits.for_s))
            self._await_proofs(supervisor)
        except KeyboardInterrupt:
            return
        finally:
            for number, handler in earlier.items():
                signal.signal(number, handler)

    def _conclude(self, summary: dict[str, Any], supervisor: Supervisor, made: int) -> None:
        ledger = supervisor.ledger
        lines = terminal.conclude(
            summary, made, ledger.vanished, ledger.waiting(), supervisor.troubles, self.out, supervisor.undrawn
        )
        lines += refusals.write(ledger, self.out) + [never_applied(**told) for told in summary["never_applied"]]
        if supervisor.is_interrupted:
            lines.insert(0, "Interrupted. What was done until then:")
        for line in lines:
            self.console.print(line, highlight=False, markup=False, soft_wrap=True)
        if supervisor.gone:
            told = f"gainsay: {supervisor.gone} Then run the same command again."
            Console(stderr=True).print(told, highlight=False, markup=False, soft_wrap=True)
        if self.arguments.json:
            print(json.dumps(summary))
        sys.stdout.flush()


def exit_code(summary: dict[str, Any], supervisor: Supervisor) -> int:
    if any(f["status"] in ("confirmed", "stateful") for f in summary["findings"]):
        return 1
    if supervisor.gone or (summary["never_applied"] and supervisor.campaign.oracles):
        return 2  # who names an oracle that never applies should not take silence for a clean bill
    # A mistake of our own, or of an oracle, is no clean bill
    return 3 if supervisor.troubles or supervisor.undrawn else 0


def never_applied(targets: str, oracle: str, conversations: int) -> str:
    """What is said of an oracle that checked nothing."""
    return (
        f"{oracle} never applied to {targets}: none of its {conversations:,} conversations came to a claim. 'gainsay "
        f"oracles' lists others."
    )


def tell_newer(seat: Seat, is_asking: bool, screen: terminal.Screen) -> None:
    """Say where a newer release can be had than the one that is hunted on.
    An index is asked only for targets that the user named."""
    if seat.target.version or seat.target.options:
        return  # just this one is wanted
    other = releases.newest(registry.engine(seat.target.engine), is_asking=is_asking)
    if releases.is_older(seat.version, other):
        screen.say(
            f"! {seat.target} is {seat.version} here, and {other} can be had: gainsay hunt {seat.target.engine}@{other}"
        )
