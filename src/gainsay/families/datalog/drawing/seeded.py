"""Relations that a seed program defines: only the engine knows what they hold, so it is asked."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import Any

import msgspec

from gainsay.core import names
from gainsay.core.answer import Answer, Rows
from gainsay.core.draw import Draw
from gainsay.core.model import Step
from gainsay.core.tree import walk
from gainsay.families.datalog.language import ir

MOST_RELATIONS = 6
MOST_ROWS = 48


def read_by(program: ir.Program) -> list[str]:
    """The seed's relations that the program's own rules, or its output, use."""
    names = {r.name for r in program.seeded}
    used = {a.rel for _, a in walk(program.rules) if isinstance(a, ir.Atom)} | {program.output}
    return sorted(names & used)


def asked(text: str, rels: Sequence[ir.Rel], output: str) -> ir.Program:
    """A seed alone, asked for one of its relations."""
    return ir.Program((), (), (), (), output, (), text, tuple(rels))


def grow(draw: Draw, base: ir.Scene, seed: Any, seats: int) -> Generator[Step, Answer, ir.Scene]:
    """A scene on top of a seed (queryFuzz stage 1, DLSmith phase 1): the engine says what the seed's relations hold."""
    used, known = [], []
    for rel in draw.sample(seed.rels, MOST_RELATIONS):
        answers = []
        for seat in range(seats):
            answers.append((yield Step(f"the seed's {rel.name}", asked(seed.text, seed.rels, rel.name), seat)))
        rows = answers[0].rows if isinstance(answers[0], Rows) else None
        if (
            rows is None
            or len(rows) > MOST_ROWS
            or any(not isinstance(a, Rows) for a in answers)
            or not all(map(is_writable, rows))
        ):
            continue
        used.append(rel)
        known += [ir.Fact(rel.name, tuple(row)) for row in rows]
    # An input whose name the seed has already gets another
    taken = {r.name: f"{r.name}_in" for r in base.rels if re.search(rf"\b{r.name}\b", seed.text)}
    grown: ir.Scene = names.renamed(base, names.by("relation", taken))
    return msgspec.structs.replace(
        grown,
        seed=seed.text if used else "",
        seeded=tuple(used),
        known=tuple(known),
    )


def is_writable(row: Sequence[Any]) -> bool:
    """Whether each value is one that we can write as the engine does: numbers, texts and null; not a symbol, a list or
    a truth value."""
    return all(value is None or value.__class__ in (int, float, str) for value in row)


def contents(program: ir.Program, seat: int = 0) -> Generator[Step, Answer, Sequence[ir.Fact] | None]:
    """Ask for all that the seed's relations hold; None where an engine does not say."""
    facts: list[ir.Fact] = []
    for name in read_by(program):
        alone = msgspec.structs.replace(program, rels=(), types=(), facts=(), rules=(), pragmas=(), output=name)
        answer = yield Step(f"the seed's {name}", alone, seat, again=True)
        if not isinstance(answer, Rows):
            return None
        facts += [ir.Fact(name, tuple(row)) for row in answer.rows]
    return facts
