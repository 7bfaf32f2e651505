"""A real solver that may be told to lie, conversations held with it, and short ways to draw terms, models and scenes
for SMT."""

from __future__ import annotations

from typing import NamedTuple

import talks
from gainsay.core import registry
from gainsay.core.answer import Decision
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seat, Seats, Target
from gainsay.families.smt.drawing import scenes, vocabulary
from gainsay.families.smt.drawing.expressions import Grower
from gainsay.families.smt.drawing.lexicon import Lexicon
from gainsay.families.smt.drawing.pool import declared
from gainsay.families.smt.drawing.vocabulary import ELEMENTS
from gainsay.families.smt.language import logics, writer
from gainsay.families.smt.language.ir import Term
from gainsay.families.smt.meaning.scene_cache import written

ORACLES = ("storm", "terms", "model", "unsat-by-construction", "consistency")
LOGICS = tuple(logics.LOGICS)
DIVISIBLE = frozenset({"op:divisible"})  # Z3 5.4 does not know it


def seats(refused=DIVISIBLE, engine="z3", configs=(), **settings):
    """A seat on a target, and its lexicon; storm_a_max="3" is --set storm.a_max=3."""
    made = Seats((Seat(0, Target(engine, "", configs), "0", "smtlib", (), refused),))
    made.lexicon = Lexicon(made, {k.replace("storm_", "storm."): v for k, v in settings.items()})
    return made


def scene(number, seated, name="scene"):
    return scenes.grow(Draw(seed_for(number, name)), seated.lexicon)


def cases(name, count, refused=DIVISIBLE, **settings):
    """What an oracle draws, on a scene each."""
    seated = seats(refused, **settings)
    oracle = registry.oracle("smt", name)
    for number in range(count):
        grown = scene(number, seated)
        yield grown, oracle.draw(Draw(seed_for(number, name)), grown, seated), seated


class Words(NamedTuple):
    """A vocabulary with a model, and something that grows terms over it."""

    known: vocabulary.Vocabulary
    grower: Grower
    draw: Draw


def words(logic, number, has=lambda feature: feature != "divisible"):
    draw = Draw(seed_for(number, logic, "words"))
    known = vocabulary.draw_vocabulary(draw, logic, has)
    used = logics.theories(known.sorts, any(d.args for d in known.decls), bool(known.datatypes))
    return Words(known, Grower(draw, logics.find(logic, used), known.decls, known.sorts, known.datatypes, has), draw)


def models(known, draw, count):
    """The vocabulary's own model, and others."""
    yield known.model
    for _ in range(count - 1):
        yield {d.name: vocabulary.interpretation(draw, d, known.datatypes) for d in known.decls}


def declarations(known):
    return [*known.prelude, *map(declared, known.decls)]


def pinned(known):
    """Lines after which every symbol has the value that the vocabulary's model gives it; elements of U are constants
    that differ."""
    lines = [*known.prelude]
    if "U" in known.sorts:
        elements = [f"U!{n}" for n in range(ELEMENTS)]
        lines += [*(f"(declare-fun {e} () U)" for e in elements), f"(assert (distinct {' '.join(elements)}))"]
    for d in known.decls:
        value = known.model[d.name]
        if d.args:
            lines.append(defined(d, value, known.datatypes))
        else:
            lines += [declared(d), f"(assert (= {d.name} {written(value, d.sort, known.datatypes)}))"]
    return lines


def defined(decl, value, datatypes):
    text = written(value.default, decl.sort, datatypes)
    for key, result in sorted(value.table.items(), key=repr):
        tests = " ".join(
            f"(= x{n} {written(v, s, datatypes)})" for n, (v, s) in enumerate(zip(key, decl.args, strict=True))
        )
        text = f"(ite (and {tests} true) {written(result, decl.sort, datatypes)} {text})"
    return f"(define-fun {decl.name} ({' '.join(f'(x{n} {s})' for n, s in enumerate(decl.args))}) {decl.sort} {text})"


def script(logic, lines, terms):
    return "\n".join(
        ["(reset)", f"(set-logic {logic})", *lines, *(f"(assert {writer.text(t)})" for t in terms), "(check-sat)"]
    )


def negation(term):
    return Term("not", (term,))


class Solver:
    """A real solver; `lie` may change what it says: lie(text, answer) -> answer."""

    def __init__(self, engine="z3", lie=lambda text, answer: answer):
        self.session = registry.engine(engine).open_session((), {})
        self.lie = lie

    def load(self, scene):
        """Start anew with what a scene keeps in a resident solver."""
        self.session.renew()
        for text in registry.family("smt").script(scene):
            self.session.ask(text)

    def ask(self, text):
        return self.lie(text, self.session.ask(text))

    def verdict(self, text):
        answer = self.session.ask(text)
        return answer.verdict if isinstance(answer, Decision) else repr(answer)

    def close(self):
        self.session.close()


def hold(oracle, scene, recipe, seated, *asks):
    """Hold a conversation with one ask per seat."""
    return talks.hold(oracle, scene, recipe, seated, lambda step, text: asks[step.seat](text))
