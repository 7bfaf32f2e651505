"""The commands that look at engines, oracles and findings."""

from __future__ import annotations

import argparse
import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from gainsay.campaign import config, events, journal, naming, probing, seating
from gainsay.campaign.gathering import Gathering
from gainsay.campaign.ledger import Ledger
from gainsay.cli import folders, passwords
from gainsay.core import registry
from gainsay.core.engine import Engine
from gainsay.core.model import Seat, Target
from gainsay.errors import EnvironmentProblem, UsageError, near
from gainsay.report import coloured, machine, markdown, terminal
from gainsay.triage import known


def table(*columns: str) -> Table:
    return Table(*columns, box=None, pad_edge=False, header_style="bold")


def out_console() -> Console:
    """Standard output: in a pipe as wide as need be, so that no ID is cut."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=400)


def engines(arguments: argparse.Namespace) -> int:
    """`gainsay engines`: all, one by name, or a check of one target."""
    name, target = arguments.action, arguments.target
    if name == "check":
        if not target:
            raise UsageError("Name a target: gainsay engines check TARGET.")
        return check(passwords.unlocked(Target.parse(target)), arguments.json, arguments.refused)
    if arguments.refused:
        raise UsageError("--refused is about one target: gainsay engines check TARGET --refused.")
    if target:
        raise UsageError(
            f"There is no {name!r} here.{near(name, ['check'])} To see what a target takes: gainsay engines check "
            f"{target}."
        )
    listed = [name] if name else list(registry.table("gainsay.engines"))
    for each in listed:
        registry.engine(each)  # it must be there before others are started
    with Gathering([Target(each) for each in listed], installed) as gathering:
        rows = (described(target.engine, said) for target, said in gathering.all())
        if arguments.json:
            print(json.dumps(list(rows)))
        elif name:
            one_engine(next(rows))
        else:
            list_engines(rows)
    return 0


def installed(target: Target, gathering: Gathering) -> str:
    """An engine's version, by starting it once. Nothing is brought for that."""
    if naming.is_unbrought(registry.engine(target.engine)):
        raise EnvironmentProblem(f"not here yet: 'gainsay hunt {target.engine}' has Maven bring it")
    player = gathering.start(target)
    try:
        return player.version()
    finally:
        player.close()


def described(name: str, said: str | EnvironmentProblem) -> dict[str, Any]:
    """What is told of an engine: as data, of which people get the first three."""
    engine = registry.engine(name)
    state = said if isinstance(said, str) else str(said).partition(". ")[0].removeprefix(f"{name}: ")
    state = re.sub(r" \(\w+\)$", "", state)  # what a driver calls it is for those who ask about one engine
    newest = next(iter(engine.releases), "")
    if isinstance(said, str) and newest and newest != said:
        state = f"{said}; a hunt brings {newest}"
    return {
        "engine": name,
        "family": engine.family,
        "installed": state,
        "configs": list(engine.configs),
        "options": dict(engine.options),
    }


def list_engines(rows: Iterable[dict[str, Any]]) -> None:
    """A line for each engine as soon as it is known; a long one goes on below its column."""
    console = out_console()
    width = max(map(len, registry.table("gainsay.engines")))
    indent = " " * (width + 2 + 9)
    console.print(f"{'engine':{width}}  {'family':7}  installed", style="bold")
    for row in rows:
        text = f"{row['engine']:{width}}  {row['family']:7}  {row['installed']}"
        for line in textwrap.wrap(text, console.width, subsequent_indent=indent, break_on_hyphens=False):
            console.print(line, markup=False, soft_wrap=True)
    console.print("\n'gainsay engines NAME' shows an engine's configurations and options.", markup=False)


def one_engine(row: dict[str, Any]) -> None:
    """All that is known of an engine without starting it."""
    console = Console(highlight=False, soft_wrap=True, emoji=False)
    name = row["engine"]
    width = min(console.width, 120)
    console.print(f"{name} ({row['family']}): {row['installed']}", markup=False)
    console.print(f"\nConfigurations, as in {name}:{row['configs'][-1]}; several are joined by +:", markup=False)
    console.print(
        textwrap.fill(
            " ".join(row["configs"]), width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
        ),
        markup=False,
    )
    if row["options"]:
        console.print("\nOptions:")
    for key, about in row["options"].items():
        console.print(
            textwrap.fill(f"?{key}=  {about}", width, initial_indent="  ", subsequent_indent="      "), markup=False
        )


def check(target: Target, as_json: bool, is_refused: bool = False) -> int:
    """What a target is, what it refuses, and its documented peculiarities with their sources."""
    engine = seating.check(target)
    player = seating.HostedPlayer(target)
    try:
        version, build, facts = player.describe()
    finally:
        player.close()
    refusals = probing.refusals(target, engine.family)  # never what is remembered
    missing = {feature: refusal.message.splitlines()[0] for feature, refusal in refusals.items()}
    seat = Seat(
        0,
        target,
        version,
        engine.dialect,
        build,
        frozenset(missing),
        tuple((k, v) for k, (v, _) in sorted(facts.items())),
    )
    probing.remember(seat, engine.family, missing)
    asked = probing.examined(seat, engine.family)
    total = sum(1 for _ in registry.family(engine.family).probes(engine.dialect))
    if as_json:
        data = {"target": str(target), "version": version, "build": list(build), "facts": facts, "probed": total}
        data |= {"refused": missing, "asked": [e._asdict() for e in asked]}
        print(json.dumps(data | ({"refusals": {k: r._asdict() for k, r in refusals.items()}} if is_refused else {})))
        return 0
    console = Console(soft_wrap=True, highlight=False, emoji=False)
    lines = [f"{target}: {engine.name} {version}", f"Built with: {', '.join(build) or 'nothing that matters'}"]
    lines += meanings(engine, facts) + taken(total, missing, refusals, is_refused) + right(asked)
    for line in lines:
        console.print(line, markup=False)
    return 0


def meanings(engine: Engine, facts: Mapping[str, tuple[str, str]]) -> list[str]:
    """What is documented of an engine, with the sources."""
    lines = ["\nDocumented meanings (compared only with targets that share them):"]
    lines += [f"  {name}: {value}  ({source})" for name, (value, source) in sorted(facts.items())]
    return lines + [f"  {name}: NOT TAKEN FOR DOCUMENTED, so hunted on: {why}" for name, why in engine.disputed.items()]


def taken(total: int, missing: dict[str, str], refusals: Mapping[str, probing.Refusal], is_refused: bool) -> list[str]:
    """What a target takes, and what it refuses."""
    needed = [key for key in missing if key.startswith(probing.SETUP)]
    whole = {key: refusals[key].message for key in needed if is_refused and key in refusals}
    told = "\nWhat other probes need is refused, so that much seems to be missing:\n  "
    lines = [f"{told}{key}: {whole.get(key, missing[key])}" for key in needed]
    missing = {key: said for key, said in missing.items() if key not in needed}
    told = f"{total - len(missing)} taken, {len(missing)} refused and never drawn{':' if missing else '.'}"
    lines.append(f"\nProbed: {total} features, {told}")
    for feature, said in sorted(missing.items()):
        lines.append(in_full(feature, refusals[feature]) if is_refused else f"  {feature}: {said[:110]}")
    return lines


def right(asked: Sequence[probing.Examined]) -> list[str]:
    """Which of the fixed questions a target gets right, and what it says to the others."""
    if not asked:
        return []
    wrong = [e for e in asked if e.right is not None]
    told = "all as documented."
    if wrong:
        told = f"{len(wrong)} with answers that are neither standard nor documented: a hunt shows them as findings:"
    lines = [f"\nFixed questions: {len(asked)} asked, {told}"]
    for e in wrong:
        lines.append(f"  {e.question}\n    gives {e.said[:110]}, must give {(e.right or '')[:110]}")
    return lines


def in_full(feature: str, refusal: probing.Refusal) -> str:
    """What was asked for a feature, and the whole answer."""
    return "\n".join(
        [
            f"\n{feature}:",
            *(f"  {line}" for line in refusal.text.splitlines()),
            *(f"    > {line}" for line in refusal.message.splitlines()),
        ]
    )


def oracles(arguments: argparse.Namespace) -> int:
    """`gainsay oracles`: what each compares."""
    rows = []
    for name in registry.table("gainsay.oracles"):
        family, _, short = name.partition("/")
        rows.append({"family": family, "oracle": short, "about": registry.oracle(family, short).about})
    rows.append({"family": "every", "oracle": "(always on)", "about": "crash, hang, out of memory, internal error"})
    if arguments.json:
        print(json.dumps(rows))
        return 0
    shown = table("family", "oracle", "what must agree")
    for row in rows:
        shown.add_row(row["family"], row["oracle"], row["about"])
    out_console().print(shown)
    return 0


def opened(out: Path) -> tuple[config.Campaign, Ledger]:
    """A hunt's campaign and what its journal says."""
    campaign = config.saved(out)
    if campaign is None:
        raise UsageError(f"{out} is not the folder of a hunt: it has no campaign.toml. Hunt first, or name the folder.")
    ledger = Ledger(known.read(Path(known.FILE), folders.muted(out)))
    for event in journal.read(out / "journal.jsonl"):
        ledger.take(event)
    return campaign, ledger


def hunts(arguments: argparse.Namespace) -> list[Path]:
    """The hunts that are meant, the newest first; the folder itself where there is none."""
    folder = folders.said(arguments) or folders.HUNTS
    return folders.hunts(folder) or [folder]


def chosen(arguments: argparse.Namespace) -> tuple[Path, events.Finding]:
    """The finding that is meant, and its hunt."""
    found = machine.find(hunts(arguments), arguments.id)
    return found.parent.parent, machine.read_finding(found)


def findings(arguments: argparse.Namespace) -> int:
    """`gainsay findings`: those of one hunt or of all."""
    listed = [(out, opened(out)[1].shown()) for out in hunts(arguments)]
    if arguments.json:
        print(json.dumps([machine.brief(f, out) for out, found in listed for f in found]))
        return 0
    console = out_console()
    for out, found in listed:
        if not found:
            console.print(f"No findings in {out}.", markup=False)
        elif len(listed) > 1:
            console.print(f"{out}:", markup=False, style="bold")
        list_findings(console, found)
    return 0


def list_findings(console: Console, found: Sequence[events.Finding]) -> None:
    """Each with its whole ID: in a pipe on a line of its own, on a terminal what it is about stands below."""
    often = max((len(terminal.times(f.count)) for f in found), default=0)
    for f in found:
        head = (
            f"{f.id:{max(len(g.id) for g in found)}}  {f.kind:{max(len(g.kind) for g in found)}}  {f.status:9}  "
            f"{terminal.times(f.count):>{often}}"
        )
        about = f"{f.engine} {f.version}: {terminal.what(f.called())}"
        below = textwrap.wrap(
            about, console.width, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
        )
        if console.is_terminal:
            console.print(head, markup=False, soft_wrap=True, style=coloured.style_of(f.kind))
            console.print("\n".join(below), markup=False, soft_wrap=True)
        else:
            console.print(f"{head}  {about}", markup=False, soft_wrap=True)


def show(arguments: argparse.Namespace) -> int:
    """`gainsay show`: a finding's report, in colour on a terminal; or the page of its hunt, opened at it."""
    out, finding = chosen(arguments)
    if arguments.open:
        from gainsay.cli import reporting

        return reporting.open_page(out, finding.id)
    console = Console(highlight=False, emoji=False)
    if console.is_terminal:
        console.print(coloured.shown(finding, str(out / "findings" / finding.id)), markup=False)
    else:
        print(markdown.report(finding))
    return 0


def mute(arguments: argparse.Namespace) -> int:
    out, finding = chosen(arguments)
    place = folders.muted(out)
    known.add(place, known.Muted(finding.id, finding.signature, finding.shape))
    print(
        f"Muted: {finding.signature}. Noted in {place}; hunts whose folder is beside it count it but do not report it."
    )
    return 0
