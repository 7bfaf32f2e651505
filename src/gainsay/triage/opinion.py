"""A third opinion: where targets differ, our own evaluator or an engine of other code may tell which of them is wrong.

An opinion is worth something only if it is independent. So another build of an engine, or a fork of it, never votes,
neither here nor among the targets themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from gainsay.campaign import conversation
from gainsay.campaign.seating import HostedPlayer, code_base
from gainsay.core import registry, values
from gainsay.core.answer import Decision, Rows
from gainsay.core.model import Case, Seat, Seats, Target
from gainsay.errors import GainsayError

NOBODY = "one of them is wrong, and nobody here can tell which"


class Opinion(NamedTuple):
    """Which seat is wrong (None: nobody can tell), and who says so."""

    seat: int | None
    words: str


def opinion(case: Case, found: conversation.Contradiction, seats: Sequence[Seat]) -> Opinion:
    """Whose answer is wrong, of several targets that were asked the same. `seats` are the case's, with their facts."""
    answers = list(found.answers.values())
    if found.claim is None or len(answers) < 2 or not all(isinstance(a, (Rows, Decision)) for a in answers):
        return Opinion(found.seat, "")
    family = registry.family(case.family)
    rule = found.claim.rule
    known = family.expected(case)
    if known is not None:
        return evaluated([values.same_bag(a.rows, known, rule) for a in answers], seats)
    said = [(a.rows, code_base(s.target.engine), s.name) for a, s in zip(answers, seats, strict=True)]
    odd = alone(said, rule)
    if odd is not None:
        others = [name for n, (_, _, name) in enumerate(said) if n != odd]
        return Opinion(odd, f"{' and '.join(others)} agree with each other")
    more = [*said]
    for name in registry.table("gainsay.engines"):
        if code_base(name) not in {code for _, code, _ in said} and case.family == registry.engine(name).family:
            rows, label = ask(case, name, seats)
            if rows is not None:
                more.append((rows, code_base(name), label))
    odd = alone(more, values.NUMBER) if len(more) > len(said) else None
    asked = [(rows, label) for rows, _, label in more[len(said) :]]
    if odd is not None and odd < len(said):
        agree = [
            label
            for rows, label in asked
            if any(values.same_bag(rows, r, values.NUMBER) for n, (r, _, _) in enumerate(said) if n != odd)
        ]
        sides = " and ".join(s.name for n, s in enumerate(seats) if n != odd)
        return Opinion(
            odd,
            f"{' and '.join(agree)} {'answer' if agree[1:] else 'answers'} as {sides} "
            f"{'do' if len(said) > 2 else 'does'}",
        )
    told = f"{' and '.join(label for _, label in asked)} can't settle it; " if asked else ""
    return Opinion(None, told + NOBODY)


def evaluated(is_right: Sequence[bool], seats: Sequence[Seat]) -> Opinion:
    """Our own evaluator has computed the answer. Where nobody gave that answer, nobody is blamed more than another."""
    right = [seats[n].name for n, yes in enumerate(is_right) if yes]
    if not right:
        return Opinion(None, f"gainsay's own evaluator answers otherwise than all of them; {NOBODY}")
    return Opinion(
        is_right.index(False),
        f"gainsay's own evaluator answers as {' and '.join(right)} {'do' if right[1:] else 'does'}",
    )


def alone(said: Sequence[tuple[Any, str, str]], rule: str) -> int | None:
    """The one answer that stands against an agreement of others, which must come from two code bases at least.
    None if there is no such."""
    for n, (rows, _, _) in enumerate(said):
        others = [(r, code) for m, (r, code, _) in enumerate(said) if m != n]
        first = others[0][0]
        is_agreed = len({code for _, code in others}) > 1 and all(values.same_bag(r, first, rule) for r, _ in others)
        if is_agreed and not values.same_bag(rows, first, rule):
            return n
    return None


def ask(case: Case, name: str, seats: Sequence[Seat]) -> tuple[list[Any] | None, str]:
    """What an engine that takes no part answers, and its name; None if it can't or won't, or if one of its documented
    differences is about this."""
    engine = registry.engine(name)
    if engine.needs_server:
        return None, ""
    family = registry.family(case.family)
    dialect = family.dialect(engine.dialect)
    player = HostedPlayer(Target(name), hard_s=5.0)
    try:
        version, build, facts = player.describe()
        seat = Seat(
            len(seats),
            Target(name),
            version,
            engine.dialect,
            build,
            frozenset(),
            tuple((k, v) for k, (v, _) in sorted(facts.items())),
        )
        if not family.is_legal(case.scene, case.recipe, Seats((*seats, seat))):
            return None, seat.name
        player.reset()
        texts = list(filter(None, (dialect.text(node) for node in family.script(case.scene))))
        if any(not isinstance(player.ask(t), (Rows, Decision)) for t in texts):
            return None, seat.name
        answer = player.ask(dialect.text(family.asked(case.scene, case.recipe.shared_question)))
        return (answer.rows if isinstance(answer, (Rows, Decision)) else None), seat.name
    except (GainsayError, KeyError, NotImplementedError):
        return None, ""  # not installed, or without one of the operators
    finally:
        player.close()
