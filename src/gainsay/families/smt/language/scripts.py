"""Instances as SMT-LIB scripts: whole, on resident definitions, incremental with push and pop, or with assumptions."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

from gainsay.core import registry
from gainsay.core.claim import Claim, Fold, Relation, Side
from gainsay.core.model import Seat, Seats
from gainsay.families.smt.drawing.pool import declared, set_logic
from gainsay.families.smt.language import writer
from gainsay.families.smt.language.ir import Instance, Term
from gainsay.families.smt.language.logics import LOGICS
from gainsay.families.smt.language.sorts import FLOATS, is_fp
from gainsay.families.smt.meaning.scene_cache import SceneCache

CHECK = "(check-sat)"
DECIDES = (
    "The logic is decidable and the instance is small: the solver answers unknown by itself, long before its time "
    "limit."
)


@functools.cache
def check_of(engine: str, configs: tuple[str, ...]) -> str:
    """The command by which a target is asked for a verdict: a configuration may be a tactic."""
    known = registry.engine(engine).configs
    return next(
        (text for config in configs for text in known.get(config, ()) if text.startswith("(check-sat-using")), CHECK
    )


def check(seat: Seat, tactic: str = "") -> str:
    return f"(check-sat-using {tactic})" if tactic else check_of(seat.target.engine, seat.target.configs)


def symbols(terms: Iterable[Term]) -> set[str]:
    """Every operator and symbol that terms use."""
    seen: set[int] = set()
    found = set()
    stack = list(terms)
    while stack:
        term = stack.pop()
        if id(term) not in seen:
            seen.add(id(term))
            found.add(term.op)
            stack.extend(term.args)
    return found


def declarations(cache: SceneCache, terms: Sequence[Term]) -> list[str]:
    """Logic, sorts and the symbols that terms use."""
    used = symbols(terms)
    scene = cache.scene
    return [*set_logic(scene.logic), *scene.prelude, *(declared(d) for d in scene.decls if d.name in used)]


def assertion(term: Term) -> str:
    return f"(assert {writer.text(term)})"


def one_shot(
    cache: SceneCache, asserts: Sequence[str], terms: Sequence[Term], ending: str, options: Sequence[str] = ()
) -> str:
    return "\n".join(["(reset)", *options, *declarations(cache, terms), *asserts, ending])


def script(cache: SceneCache, instance: Instance, command: str) -> str:
    """The text that asks an instance in its mode."""
    if not instance.asserts and instance.mode == "one-shot":
        return cache.pool.script(instance.picks, command)
    if not instance.asserts and instance.mode == "resident":
        return cache.pool.resident(instance.picks, command)
    lines = body(cache, instance)
    if instance.mode == "resident":
        return "\n".join(["(push 1)", *lines, command, "(pop 1)"])
    if instance.mode == "incremental":
        lines = moved(lines, instance.moves, command)
    return "\n".join(["(reset)", *preamble(cache, instance), *lines, command])


def preamble(cache: SceneCache, instance: Instance) -> list[str]:
    """Logic, declarations and definitions of a whole script."""
    if not instance.picks:
        return declarations(cache, instance.asserts)
    there = cache.pool.lines(instance.picks).rstrip("\n")
    known = set(there.split("\n"))
    more = [
        line
        for line in declarations(cache, instance.asserts)[
            len(set_logic(cache.scene.logic)) + len(cache.scene.prelude) :
        ]
        if line not in known
    ]
    return [cache.pool.head, there, *more]


def body(cache: SceneCache, instance: Instance) -> list[str]:
    picked = [cache.pool.truths[i] for i in instance.picks] if instance.picks else []
    return [*picked, *(assertion(t) for t in instance.asserts)]


def moved(lines: Sequence[str], moves: Sequence[str], command: str) -> list[str]:
    """Assertions with pushes, pops and checks between them; a pop without a push is left out."""
    made: list[str] = []
    depth = 0
    for index, line in enumerate(lines):
        move = moves[index] if index < len(moves) else ""
        if move == "push":
            made.append("(push 1)")
            depth += 1
        elif move == "pop" and depth:
            made.append("(pop 1)")
            depth -= 1
        elif move == "check":
            made.append(command)
        made.append(line)
    return made


def checks_in(text: str) -> int:
    return text.count("(check-sat")


def holds(cache: SceneCache, terms: Iterable[Term]) -> bool:
    """Whether each formula is true under the scene's model, by our own evaluation."""
    return all(cache.evaluation.is_true(t) for t in terms)


def valued_by(cache: SceneCache) -> str:
    by = cache.scene.valued_by
    return f" (what gainsay can't evaluate was valued by {by})" if by else ""


def must_be(verdict: str, label: str, step: str, count: int, why: str) -> Claim:
    """The claim that each check of a script has a known verdict."""
    return Claim(label, Side((step,), Fold.VERDICT), Relation.SAME_DECISION, Side(value=((verdict,),) * count), why)


def must_decide(step: str) -> Claim:
    return Claim("incomplete", Side((step,), Fold.VERDICT), Relation.DECIDES, Side(value=(("sat or unsat",),)), DECIDES)


def is_decidable(cache: SceneCache, seats: Seats, tactic: str = "") -> bool:
    """Whether `unknown` would be a finding: a decidable logic, and no tactic or variant that may give up."""
    known = LOGICS.get(cache.scene.logic)
    # Other formats are an extra that few claim
    is_standard = all(not is_fp(d.sort) or d.sort in FLOATS.values() for d in cache.scene.decls)
    return (
        known is not None
        and known.is_decidable
        and is_standard
        and not tactic
        and not any(s.target.configs for s in seats)
    )
