"""The commands that look at engines, oracles and findings."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from gainsay.campaign import config, conversation, events, journal, probing, seating
from gainsay.campaign.ledger import Ledger
from gainsay.campaign.process import Child
from gainsay.core import claim as claims
from gainsay.core import registry
from gainsay.core.answer import Decision, Rows
from gainsay.core.claim import Verdict
from gainsay.core.model import Case, Seat, Seats, Target
from gainsay.errors import EnvironmentProblem, InternalError, UsageError
from gainsay.report import folder, machine, markdown, terminal
from gainsay.triage import known


def table(*columns: str) -> Table:
    return Table(*columns, box=None, pad_edge=False, header_style="bold")


def out_console() -> Console:
    """Standard output: in a pipe as wide as need be, so that no ID is cut."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=400)


def engines(arguments: argparse.Namespace) -> int:
    if arguments.action == "check":
        if not arguments.target:
            raise UsageError("Name a target: gainsay engines check TARGET.")
        return check(Target.parse(arguments.target), arguments.json, arguments.refused)
    if arguments.refused:
        raise UsageError("--refused is about one target: gainsay engines check TARGET --refused.")
    rows = []
    for name in registry.table("gainsay.engines"):
        engine = registry.engine(name)
        try:
            state = config.describe(Target(name)).version
        except EnvironmentProblem as error:
            state = str(error).partition(". ")[0]
        rows.append({"engine": name, "family": engine.FAMILY, "installed": state, "configs": list(engine.CONFIGS), "options": dict(engine.OPTIONS)})
    if arguments.json:
        print(json.dumps(rows))
        return 0
    shown = table("engine", "family", "installed", "configurations", "options")
    for row in rows:
        shown.add_row(row["engine"], row["family"], row["installed"], " ".join(row["configs"]), " ".join(f"?{k}=" for k in row["options"]))
    out_console().print(shown)
    return 0


def check(target: Target, as_json: bool, is_refused: bool = False) -> int:
    """What a target is, what it refuses, and its documented peculiarities with their sources."""
    engine = seating.check(target)
    player = seating.HostedPlayer(target)
    try:
        version, build, facts = player.describe()
    finally:
        player.close()
    refusals = probing.refusals(target, engine.FAMILY)
    missing = {feature: refusal.message.splitlines()[0] for feature, refusal in refusals.items()}
    seat = Seat(0, target, version, engine.DIALECT, build, frozenset(missing), tuple((k, v) for k, (v, _) in sorted(facts.items())))
    asked = probing.examined(seat, engine.FAMILY) if hasattr(registry.family(engine.FAMILY), "examination") else []
    total = sum(1 for _ in registry.family(engine.FAMILY).probes(engine.DIALECT))
    if as_json:
        print(
            json.dumps(
                {
                    "target": str(target),
                    "version": version,
                    "build": list(build),
                    "facts": facts,
                    "probed": total,
                    "refused": missing,
                    "asked": [e._asdict() for e in asked],
                    **({"refusals": {feature: refusal._asdict() for feature, refusal in refusals.items()}} if is_refused else {}),
                }
            )
        )
        return 0
    console = Console(soft_wrap=True, highlight=False, emoji=False)
    console.print(f"{target}: {engine.NAME} {version}", markup=False)
    console.print(f"Built with: {', '.join(build) or 'nothing that matters'}", markup=False)
    console.print("\nDocumented meanings (compared only with targets that share them):")
    for name, (value, source) in sorted(facts.items()):
        console.print(f"  {name}: {value}  ({source})", markup=False)
    for name, why in getattr(engine, "DISPUTED", {}).items():
        console.print(f"  {name}: NOT TAKEN FOR DOCUMENTED, so hunted on: {why}", markup=False)
    for text in [key for key in missing if key.startswith(probing.SETUP)]:
        console.print(f"\nWhat other probes need is refused, so that much seems to be missing:\n  {text}: {missing.pop(text)}", markup=False)
    console.print(f"\nProbed: {total} features, {total - len(missing)} taken, {len(missing)} refused and never drawn{':' if missing else '.'}")
    for feature, said in sorted(missing.items()):
        console.print(in_full(feature, refusals[feature]) if is_refused else f"  {feature}: {said[:110]}", markup=False)
    if asked:
        wrong = [e for e in asked if e.right is not None]
        told = f"{len(wrong)} with answers that are neither standard nor documented: a hunt shows them as findings" if wrong else "all as documented"
        console.print(f"\nFixed questions: {len(asked)} asked, {told}{':' if wrong else '.'}")
        for e in wrong:
            console.print(f"  {e.question}\n    gives {e.said[:110]}, must give {(e.right or '')[:110]}", markup=False)
    return 0


def in_full(feature: str, refusal: probing.Refusal) -> str:
    """What was asked for a feature, and the whole answer."""
    return "\n".join(
        [f"\n{feature}:", *(f"  {line}" for line in refusal.text.splitlines()), *(f"    > {line}" for line in refusal.message.splitlines())]
    )


def oracles(arguments: argparse.Namespace) -> int:
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
    ledger = Ledger(known.read(Path()))
    for event in journal.read(out / "journal.jsonl"):
        ledger.take(event)
    return campaign, ledger


def findings(arguments: argparse.Namespace) -> int:
    out = Path(arguments.dir or arguments.out)
    _, ledger = opened(out)
    listed = ledger.shown()
    if arguments.json:
        print(json.dumps([machine.brief(f, out) for f in listed]))
        return 0
    if not listed:
        print(f"No findings in {out}.")
        return 0
    shown = table("id", "engine", "kind", "status", "count", "what")
    for f in listed:
        shown.add_row(f.id, f"{f.engine} {f.version}", f.kind, f.status, str(f.count), terminal.what(f.signature))
    out_console().print(shown)
    return 0


def show(arguments: argparse.Namespace) -> int:
    finding = machine.read_finding(machine.find(Path(arguments.out), arguments.id))
    print(markdown.report(finding))
    return 0


def seats_on(case: Case, on: str | None) -> Case:
    """A case with its first seat on another target."""
    if on is None:
        return case
    target = Target.parse(on)
    seat = config.describe(target)
    old = case.seats[0]
    if case.family != registry.engine(target.engine).FAMILY:
        raise UsageError(f"{target} is not of the family {case.family}.")
    return msgspec.structs.replace(case, seats=(msgspec.structs.replace(seat, index=old.index), *case.seats[1:]))


def replay(arguments: argparse.Namespace) -> int:
    finding = machine.read_finding(machine.find(Path(arguments.out), arguments.id))
    try:
        case = seats_on(events.read_case(finding.case), arguments.on)
    except (msgspec.ValidationError, KeyError) as error:
        told = f"The case in {finding.id}/finding.json can't be read ({error}). Was it edited? Hunt again with seed {finding.seed}."
        raise UsageError(told) from None
    players: list[Any] = [seating.HostedPlayer(s.target) for s in case.seats]
    try:
        for player in players:
            player.describe()
        verdicts: list[Verdict] = []
        found = conversation.hold(case, players, Seats(case.seats), finding.before, verdicts)
    except (KeyError, NotImplementedError, ValueError):
        if not arguments.on:
            raise
        print(f"Not decided on {arguments.on}: its dialect has no words for a part of the case.")
        return 0
    finally:
        for player in players:
            player.close()
    then = events.read_case(finding.case).seats[0].target.configs
    left_out = "+".join(c for c in then if c not in case.seats[0].target.configs)
    if left_out:
        print(f"Note: it was met with the configuration {left_out}, without which {arguments.on} is asked here.")
    names = ", ".join(f"{s.target} ({s.version})" for s in case.seats)
    if found is None:
        print(f"Not decided on {names}: a statement is refused there.")
        return 0
    hit = next((c for c in found if c.label == finding.claim), None)
    if hit is None and finding.kind == "logic" and Verdict.HOLDS not in verdicts:
        print(f"Not decided on {names}: its questions are not answered there.")
        return 0
    if hit is None:
        print(f"Not there on {names}: {finding.words}, and so it is.")
        return 0
    print(f"Still there on {names}: {finding.words}.")
    legible: Callable[[str], str] = getattr(registry.family(case.family), "legible", str)
    for label, text in hit.texts.items():
        said = hit.answers.get(label)
        shown = " ".join([said.verdict, *said.model.split()]) if isinstance(said, Decision) else listed(said)
        print(f"  {label}: {legible(text)}\n      {shown}")
    if hit.claim is not None and hit.claim.right.value is not None:
        print(f"  expected: {', '.join(claims.lines(hit.claim.right, hit.answers)) or 'no rows'}")
    return 1


def listed(answer: Any) -> str:
    """Rows one beside the other; anything else in its own words."""
    return (", ".join(map(str, answer.rows)) or "no rows") if isinstance(answer, Rows) else str(answer)


def lines(finding: events.Finding) -> int:
    """How much there is to read in a finding: its statements and questions."""
    return sum(len(text.splitlines()) for text in (*finding.setup, *finding.texts.values()))


def reduce(arguments: argparse.Namespace) -> int:
    out = Path(arguments.out)
    campaign, _ = opened(out)
    before = machine.read_finding(machine.find(out, arguments.id))
    if before.status == "stateful":
        raise UsageError(f"{before.id} depends on what was asked before it; its case is kept as it was met.")
    group = campaign.group(before.name.group)
    raw = events.Raw(before.name, before.claim, before.shape, before.case, before.before, "", before.detail)
    room = seating.room(group.seats[0].target) if len(group.seats) == 1 else seating.Room("", {})
    child = Child("gainsay.triage.worker", room, out / ".reduce.log")
    job = {
        "raw": msgspec.to_builtins(raw), "seed": campaign.seed, "group": msgspec.to_builtins(group),
        "settings": campaign.family_settings(group.family), "recorder": str(out / ".reduce.recorder"),
        "hosted": before.kind != "logic", "memory": 2 << 30, "budget": 60000,
    }  # fmt: skip
    child.send(msgspec.json.encode(job) + b"\n")
    import select

    said: list[Any] = []
    while not said and child.is_open:
        select.select([child.fd], [], [], 1.0)
        said = child.receive()
    child.kill()
    for name in (".reduce.log", ".reduce.recorder"):
        (out / name).unlink(missing_ok=True)
    result = said[0] if said else None
    if isinstance(result, events.Finding):
        kept = msgspec.structs.replace(result, id=before.id, signature=before.signature, count=before.count, status=before.status)
        folder.write(kept, out)
        print(f"{before.id}: {lines(before)} lines before, {lines(kept)} now. See {out / 'findings' / before.id}.")
        return 0
    if isinstance(result, events.Settled):
        print(f"{before.id}: {result.note}.")
        return 0
    raise InternalError(f"The reduction of {before.id} failed: {getattr(result, 'traceback', 'its process died')}")


def mute(arguments: argparse.Namespace) -> int:
    finding = machine.read_finding(machine.find(Path(arguments.out), arguments.id))
    known.add(Path(), known.Muted(finding.id, finding.signature, finding.shape))
    print(f"Muted: {finding.signature}. Noted in {known.FILE}; hunts started in this folder count it but do not report it.")
    return 0


def report(arguments: argparse.Namespace) -> int:
    out = Path(arguments.dir)
    campaign, ledger = opened(out)
    summary = machine.summary(campaign, ledger, out, 0.0, 0.0)
    if arguments.format == "json":
        whole = [json.loads(msgspec.json.encode(f)) for f in ledger.shown()]
        print(json.dumps({**summary, "findings": [{**machine.brief(f, out), **w} for f, w in zip(ledger.shown(), whole, strict=True)]}))
    else:
        print(markdown.campaign(ledger.shown(), summary))
    return 0
