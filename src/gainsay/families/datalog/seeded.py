"""Relations that a seed program defines: only the engine knows what they hold, so it is asked."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import msgspec

from gainsay.core.answer import Answer, Rows
from gainsay.core.model import Step
from gainsay.core.tree import walk
from gainsay.families.datalog import ir


def read_by(program: ir.Program) -> list[str]:
    """The seed's relations that the program's own rules, or its output, use."""
    names = {r.name for r in program.seeded}
    used = {a.rel for _, a in walk(program.rules) if isinstance(a, ir.Atom)} | {program.output}
    return sorted(names & used)


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
