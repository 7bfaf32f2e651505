"""`gainsay ask`: a user's own statements, what each target and our own semantics answer, side by side."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from rich.table import Table

from gainsay.campaign import describing
from gainsay.campaign.seating import HostedPlayer
from gainsay.cli import passwords
from gainsay.cli.looking import out_console
from gainsay.core import alone, registry
from gainsay.core import judge as judges
from gainsay.core.answer import Answer, Decision, Died, Refused, Rows
from gainsay.core.family import Family, Reading
from gainsay.core.model import Case, Seat, Target
from gainsay.core.talk import is_broken
from gainsay.errors import UsageError
from gainsay.report.pieces import spoken

SHOWN = 30  # rows of an answer


class Asked(NamedTuple):
    """One question: what each seat answered, and what our semantics says under the facts of each."""

    text: str
    answers: list[Answer]
    ours: list[list[Any] | str]
    facts: list[str]  # on which the seats differ, and which this question depends on
    unread: Sequence[str]
    rule: str  # by which answers are compared with ours


def ask(arguments: argparse.Namespace) -> int:
    """Put a user's statements to targets. 1: an answer is not the one of our semantics."""
    if not arguments.on:
        raise UsageError("Name a target: gainsay ask 'SELECT 1' --on sqlite. See: gainsay engines.")
    targets, family = of_one_family(arguments.on)
    scene, text = (scene_text(arguments.scene) if arguments.scene else ""), given(arguments.text)
    if family.scripts_are_statements:
        texts = [*checked(family, scene), *checked(family, text)]
    else:
        texts = [*checked(family, f"{scene}\n{text}")]
    if not any(map(family.is_question, texts)):
        raise UsageError("There is no question in this: the last statement should ask something.")
    seats = [describing.describe(target, number) for number, target in enumerate(targets)]
    told = list(talk(family, texts, seats))
    if arguments.json:
        print(json.dumps([as_json(family, seats, each) for each in told]))
    else:
        for each in told:
            show(family, seats, each)
    if all(isinstance(a, Refused) for each in told for a in each.answers):
        return 2
    return int(any(wrong(family, each) for each in told))


def of_one_family(names: Sequence[str]) -> tuple[list[Target], Family]:
    """The targets of these names, and the language that all of them speak."""
    targets = [passwords.unlocked(Target.parse(name)) for name in names]
    families = sorted({registry.engine(t.engine).family for t in targets})
    if len(families) > 1:
        raise UsageError(f"These targets speak different languages ({', '.join(families)}): ask them apart.")
    return targets, registry.family(families[0])


def given(text: str) -> str:
    """The text of the command line; - is standard input."""
    return sys.stdin.read() if text == "-" else text


def scene_text(path: str) -> str:
    """The statements of a file."""
    try:
        return Path(path).read_text("utf-8")
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not text in UTF-8.") from None


def checked(family: Family, script: str) -> Sequence[str]:
    """The statements of a script, of which none reaches out of an engine."""
    reaching = family.reaches_out(script)
    if reaching:
        raise UsageError(
            f"{reaching!r} is not sent: it may touch files, load code, or go to another machine. Take it out."
        )
    return family.statements(script)


def talk(family: Family, texts: Sequence[str], seats: Sequence[Seat]) -> Iterator[Asked]:
    """Put the statements to all seats, one after the other; each question is yielded with its answers."""
    players = [HostedPlayer(seat.target) for seat in seats]
    try:
        for player in players:
            player.reset()
        before: list[str] = []
        for text in texts:
            if not family.is_question(text):
                before.append(text)
                for seat, player in zip(seats, players, strict=True):
                    tell_refusal(seat, text, player.ask(text))
                continue
            readings = [family.parse(before, text, seat.dialect) for seat in seats]
            said = [
                player.ask(words(family, text, reading, seat))
                for player, reading, seat in zip(players, readings, seats, strict=True)
            ]
            ours = [evaluated(family, reading, (seat,)) for reading, seat in zip(readings, seats, strict=True)]
            facts = differing(family, readings[0], seats, ours)
            yield Asked(text, said, ours, facts, readings[0].unread, family.rule(readings[0].questions[0]))
            revive(players, said, before)
    finally:
        for player in players:
            player.close()


def revive(players: Sequence[HostedPlayer], said: Sequence[Answer], before: Sequence[str]) -> None:
    """Start what died again, with all that was there."""
    for player, answer in zip(players, said, strict=True):
        if isinstance(answer, Died):
            player.reset()
            for text in before:
                player.ask(text)


def tell_refusal(seat: Seat, text: str, answer: Answer) -> None:
    if not isinstance(answer, Rows):
        print(f"gainsay: {seat.name} does not take {text!r}: {in_words(answer)}", file=sys.stderr)


def words(family: Family, text: str, reading: Reading, seat: Seat) -> str:
    """What a seat is asked: the user's own words, or, where a question carries its scene, the same in its dialect."""
    if family.scripts_are_statements:
        return text
    node = family.asked_by(reading.scene, reading.questions[0], seat)
    return family.dialect(seat.dialect).text(node)


def evaluated(family: Family, reading: Reading, seats: tuple[Seat, ...]) -> list[Any] | str:
    recipe = alone.Recipe(reading.questions[0])
    return family.evaluated(Case(family.name, registry.ALONE, reading.scene, recipe, seats, ""))


def differing(family: Family, reading: Reading, seats: Sequence[Seat], ours: Sequence[list[Any] | str]) -> list[str]:
    """The documented facts that make the difference: with the other seat's value of one, our answer is another one."""
    found: dict[str, None] = {}
    first = dict(seats[0].facts)
    for seat in seats[1:]:
        for name, value in seat.facts:
            if name not in first or first[name] == value:
                continue
            turned = msgspec.structs.replace(seats[0], facts=tuple({**first, name: value}.items()))
            is_telling = name in family.depends_on(reading.scene, reading.questions[0], seats[0].dialect)
            if is_telling or evaluated(family, reading, (turned,)) != ours[0]:
                found[f"{name}: {first[name]} ({seats[0].target}), {value} ({seat.target})"] = None
    return list(found)


def agree(family: Family, asked: Asked, number: int) -> bool | None:
    """Whether a seat's answer is ours; None where one of them is none."""
    said, ours = asked.answers[number], asked.ours[number]
    if isinstance(ours, str) or not isinstance(said, (Rows, Decision)):
        return None
    if family.same in judges.DECISIONS:
        return judges.decided(family.same, said.rows, ours)
    return judges.holds(family.same, said.rows, ours, asked.rule)


def wrong(family: Family, asked: Asked) -> bool:
    """Whether a seat answers otherwise than our semantics, or breaks."""
    return any(map(is_broken, asked.answers)) or any(
        agree(family, asked, number) is False for number in range(len(asked.answers))
    )


# --- showing ----------------------------------------------------------------------------------------------------------


def in_words(answer: Answer) -> str:
    if isinstance(answer, Refused):
        return f"refused: {answer.message}"
    if isinstance(answer, Died):
        return f"died: {answer.how} {answer.signal}".strip()
    return f"gave up: {answer.reason}" if not isinstance(answer, (Rows, Decision)) else str(answer)


def lines(family: Family, rows: Sequence[Any]) -> list[str]:
    shown = [spoken(str(tuple(row)), family.literals) for row in rows[:SHOWN]]
    more = [f"... {len(rows) - SHOWN} more"] if len(rows) > SHOWN else []
    return [*shown, *more] or ["no rows"]


def column(family: Family, answer: Answer | list[Any] | str) -> str:
    if isinstance(answer, str):
        return answer
    rows = answer if isinstance(answer, list) else answer.rows if isinstance(answer, (Rows, Decision)) else None
    return "\n".join(lines(family, rows)) if rows is not None else in_words(answer)  # type: ignore[arg-type]


def columns(family: Family, seats: Sequence[Seat], asked: Asked) -> Iterator[tuple[str, str]]:
    """What stands side by side: a heading and what is below it. Our answer stands once where it is the same for all."""
    for seat, answer in zip(seats, asked.answers, strict=True):
        yield seat.name, column(family, answer)
    texts = [column(family, each) for each in asked.ours]
    if len(set(texts)) == 1:
        yield "our semantics", texts[0]
    else:
        for seat, text in zip(seats, texts, strict=True):
            yield f"our semantics, as {seat.target.engine}", text


def verdicts(family: Family, seats: Sequence[Seat], asked: Asked) -> Iterator[str]:
    """What follows from the answers, in sentences."""
    for number, (seat, answer) in enumerate(zip(seats, asked.answers, strict=True)):
        if agree(family, asked, number) is False:
            yield f"{seat.name} does not answer what its own manual says, by our semantics."
        elif isinstance(answer, Died):
            yield f"{seat.name} died over it ({answer.how} {answer.signal})."
    for fact in asked.facts:
        yield f"Documented difference: {fact}."
    for reason in asked.unread:
        yield f"Not read, so our semantics says nothing of it: {reason}."


def show(family: Family, seats: Sequence[Seat], asked: Asked) -> None:
    """A question with all answers to it, one beside the other."""
    console = out_console()
    console.print(asked.text.strip(), style="bold", markup=False, soft_wrap=True)
    table = Table(box=None, pad_edge=False, header_style="cyan", padding=(0, 3, 0, 0))
    found = list(columns(family, seats, asked))
    for heading, _ in found:
        table.add_column(heading, overflow="fold")
    table.add_row(*(text.replace("[", r"\[") for _, text in found))
    console.print(table)
    for sentence in verdicts(family, seats, asked):
        console.print(sentence, markup=False, soft_wrap=True)
    console.print()


def as_json(family: Family, seats: Sequence[Seat], asked: Asked) -> dict[str, Any]:
    """One question for other programs; a value is Python's text of it, which keeps its type."""

    def listed(rows: Sequence[Any]) -> list[list[str]]:
        return [[repr(value) for value in row] for row in rows]

    answers = [
        {
            "target": str(seat.target),
            "version": seat.version,
            "rows": listed(answer.rows) if isinstance(answer, (Rows, Decision)) else None,
            "said": "" if isinstance(answer, (Rows, Decision)) else in_words(answer),
            "ours": None if isinstance(ours, str) else listed(ours),
            "why": ours if isinstance(ours, str) else "",
            "agrees": agree(family, asked, number),
        }
        for number, (seat, answer, ours) in enumerate(zip(seats, asked.answers, asked.ours, strict=True))
    ]
    return {"question": asked.text.strip(), "answers": answers, "facts": asked.facts, "unread": list(asked.unread)}
