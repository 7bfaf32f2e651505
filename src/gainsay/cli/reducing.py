"""`gainsay reduce`: a finding further, or a script of the user's over which an engine is wrong or breaks."""

from __future__ import annotations

import argparse
import select
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gainsay.campaign import config, conversation, describing, events, seating
from gainsay.campaign.journal import Journal
from gainsay.campaign.process import Child
from gainsay.cli import folders, proofs
from gainsay.cli.asking import checked, of_one_family, scene_text
from gainsay.cli.looking import chosen, opened
from gainsay.core import alone, registry
from gainsay.core.family import Family, Reading
from gainsay.core.model import Case, CaseName, Seat, Seats
from gainsay.errors import InternalError, UsageError, near
from gainsay.report import proving, script

BUDGET = 60000  # candidates
BREAKS = ("crash", "hang", "memory", "internal-error")
MEMORY = 2 << 30
GROUP = "case"


def reduce(arguments: argparse.Namespace) -> int:
    """Reduce a finding by its ID, or the script of --case."""
    if arguments.case is None:
        if arguments.id is None:
            raise UsageError(
                "Name a finding (gainsay reduce ID), or a script (gainsay reduce --case FILE --on TARGET)."
            )
        if arguments.on or arguments.expect:
            raise UsageError("--on and --expect are for a script of yours: gainsay reduce --case FILE --on TARGET.")
        return further(arguments)
    if arguments.id is not None and arguments.dir is None:
        arguments.dir = arguments.id
    return own_case(arguments)


def further(arguments: argparse.Namespace) -> int:
    """Look at a finding again, with a budget for further reduction."""
    out, before = chosen(arguments)
    campaign, _ = opened(out)
    if before.status == "stateful":
        raise UsageError(f"{before.id} depends on what was asked before it; its case is kept as it was met.")
    raw = events.Raw(before.name, before.claim, before.shape, before.case, before.before, "", before.detail)
    result = looked_at(raw, campaign, campaign.group(before.name.group), out, before.kind != "logic")
    if isinstance(result, events.Settled):
        print(f"{before.id}: {result.note}.")
        return 0
    kept = msgspec.structs.replace(
        result, id=before.id, signature=before.signature, count=before.count, status=before.status
    )
    kept = proofs.written(kept, out)
    print(f"{before.id}: {lines(before)} lines before, {lines(kept)} now. See {out / 'findings' / before.id}.")
    tell_proof(kept)
    return 0


def tell_proof(finding: events.Finding) -> None:
    """Say what is to be said of a reproducer, if anything."""
    if proving.remark(finding):
        print(f"{proving.remark(finding)}.")


def lines(finding: events.Finding) -> int:
    """How much there is to read in a finding: its statements and questions."""
    return sum(len(text.splitlines()) for text in (*finding.setup, *finding.texts.values()))


def looked_at(
    raw: events.Raw, campaign: config.Campaign, group: config.Group, out: Path, is_hosted: bool
) -> events.Finding | events.Settled:
    """What triage makes of a contradiction, in a process of its own."""
    room = seating.room(group.seats[0].target) if len(group.seats) == 1 else seating.Room("", {})
    child = Child("gainsay.triage.worker", room, out / ".reduce.log")
    job = {
        "raw": msgspec.to_builtins(raw), "seed": campaign.seed, "group": msgspec.to_builtins(group),
        "settings": campaign.family_settings(group.family), "recorder": str(out / ".reduce.recorder"),
        "hosted": is_hosted, "memory": MEMORY, "budget": BUDGET,
    }  # fmt: skip
    child.send(msgspec.json.encode(job) + b"\n")
    said: list[Any] = []
    while not said and child.is_open:
        select.select([child.fd], [], [], 1.0)
        said = child.receive()
    child.kill()
    for name in (".reduce.log", ".reduce.recorder"):
        (out / name).unlink(missing_ok=True)
    result = said[0] if said else None
    if isinstance(result, (events.Finding, events.Settled)):
        return result
    told = result.traceback if isinstance(result, events.Trouble) else "its process died"
    raise InternalError(f"The reduction failed: {told}")


# --- a script of the user's -------------------------------------------------------------------------------------------


def own_case(arguments: argparse.Namespace) -> int:
    """Reduce a script. 1: it is wrong, and here is the smaller one; 0: nobody sees that anything is wrong."""
    if not arguments.on:
        raise UsageError("Name the target that is wrong: gainsay reduce --case FILE --on TARGET.")
    targets, family = of_one_family(arguments.on)
    names = expected(family, arguments.expect, len(targets))
    texts = checked(family, scene_text(arguments.case))
    questions = [number for number, text in enumerate(texts) if family.is_question(text)]
    if not questions:
        raise UsageError(f"There is no question in {arguments.case}: the last statement should ask something.")
    seats = tuple(describing.seated(target, {}) for target in targets)
    seats = tuple(msgspec.structs.replace(seat, index=number) for number, seat in enumerate(seats))
    setup = [text for text in texts[: questions[-1]] if not family.is_question(text)]
    reading = family.parse(setup, texts[questions[-1]], seats[0].dialect)
    case = seen(family, reading, seats, names)
    if case is None:
        tell_nothing(names, arguments.expect, reading)
        return 0
    return reduced(case, seats, folders.said(arguments) or folders.following(folders.HUNTS, "reduced"), len(texts))


def expected(family: Family, word: str | None, targets: int) -> list[str]:
    """The oracles that may see it: the one that was named, or all. What breaks an engine is seen by `alone`."""
    known = [n for n in registry.oracles(family.name) if registry.oracle(family.name, n).min_seats <= targets]
    if word is None:
        return [registry.ALONE, *sorted(known, key=lambda name: not registry.oracle(family.name, name).is_by_meaning)]
    if word in BREAKS:
        return [registry.ALONE]
    if word not in known:
        needs = " It compares targets: name two of them with --on." if word in registry.oracles(family.name) else ""
        raise UsageError(f"Nothing is called {word!r} that could be expected.{needs or near(word, [*known, *BREAKS])}")
    return [word]


def seen(family: Family, reading: Reading, seats: tuple[Seat, ...], names: Sequence[str]) -> Case | None:
    """The case as the first oracle sees it that finds something wrong."""
    for name in names:
        needed = registry.oracle(family.name, name).min_seats if name != registry.ALONE else 1
        used = seats if needed > 1 else seats[:1]
        players: list[Any] = [seating.HostedPlayer(seat.target, MEMORY) for seat in used]
        try:
            for case in cases(family, name, reading, used):
                found = conversation.hold(case, players, Seats(used)) or []
                if found:
                    return msgspec.structs.replace(case, claim=found[0].label)
        finally:
            for player in players:
                player.close()
    return None


def cases(family: Family, name: str, reading: Reading, seats: tuple[Seat, ...]) -> Iterator[Case]:
    """A case for each way in which an oracle asks a question of the script."""
    drawing = Seats(seats)
    drawing.lexicon = family.prepare(drawing, {})
    for question in (q for q in reading.questions if isinstance(q, family.question_type)):
        if name == registry.ALONE:
            yield Case(family.name, name, reading.scene, alone.Recipe(question), seats, "")
            continue
        for recipe in registry.oracle(family.name, name).variants(reading.scene, question, drawing):
            yield Case(family.name, name, reading.scene, recipe, seats, "")


def tell_nothing(names: Sequence[str], word: str | None, reading: Reading) -> None:
    what = f"{word} does not see" if word else "No oracle sees"
    print(f"{what} anything wrong in it ({len(names)} asked).")
    for reason in reading.unread:
        print(f"Not read, so that our semantics says nothing of it: {reason}.")


def reduced(case: Case, seats: tuple[Seat, ...], out: Path, before: int) -> int:
    """Reduce a case and write its folder, which is one of a hunt to all other commands."""
    out.mkdir(parents=True, exist_ok=True)
    used = seats[: len(case.seats)]
    group = config.Group(GROUP, case.family, used, (case.oracle,))
    campaign = config.Campaign(0, tuple(str(s.target.public()) for s in used), (case.oracle,), (group,))
    slim = msgspec.structs.replace(case, seats=events.slim(used))
    raw = events.Raw(CaseName(GROUP, 0, case.oracle, 0), case.claim, (), msgspec.to_builtins(slim))
    with folders.owned(out, folders.MARK, "reduction"):
        result = looked_at(raw, campaign, group, out, case.claim in BREAKS)
        if isinstance(result, events.Settled):
            print(f"It was seen once, and then: {result.note}.")
            return 0
        config.save(campaign, out)
        result = proofs.written(result, out)
        journal = Journal(out / "journal.jsonl")
        journal.append(result, sync=True)
        journal.close()
    statements = len(result.setup) + len(result.texts)
    print(script.text(result).strip())
    print(f"\n{before} statements before, {statements} now. Seen by {result.oracle}: {result.words or result.kind}.")
    tell_proof(result)
    print(f"Kept in {out / 'findings' / result.id}. Again: gainsay replay {result.id} --out {out}")
    return 1
