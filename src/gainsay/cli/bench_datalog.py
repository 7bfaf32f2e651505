"""`gainsay bench datalog`: DEOPT's Figures 10 and 6 again.
How many valid test cases with a result a CPU-minute gives, when programs grow rule by rule on their own results and
when rules are just drawn; and what the reference programs cost beside the whole one.

Run as a module it measures one cell, in the room of its target.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.campaign import describing
from gainsay.campaign.seating import LocalPlayer
from gainsay.cli import bench_cell
from gainsay.core import registry
from gainsay.core.answer import Answer, Rows
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seat, Seats, Step, Target
from gainsay.core.talk import Heard, held
from gainsay.errors import EnvironmentProblem
from gainsay.families.datalog.drawing import queries, scenes
from gainsay.families.datalog.drawing.lexicon import Lexicon, Sizes
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.binding import Unsafe, order
from gainsay.families.datalog.meaning import legal
from gainsay.families.datalog.meaning.rulecode import Limits, Table
from gainsay.families.datalog.meaning.semantics import Evaluation, Unstratified, strata
from gainsay.limits import spent_s

SIZES = (20, 40, 60, 100)
# What naive programs may cost before they are given up; an engine would take minutes over them
HUGE = Limits(100, 3000, 400_000)


class Blind(queries.Grower):
    """Draws rules without looking at what they derive: the paper's random method."""

    def relation(self) -> ir.Rel:
        return self.draw.pick(list(self.rels.values()))

    def derive(self, rel: ir.Rel, rule: ir.Rule, is_new: bool) -> Table | None:
        try:
            order(rule.body)
            strata([*self.rules, rule])
        except (Unsafe, Unstratified):
            return None
        if is_new:
            self.state.rels[rel.name] = rel
            self.state.base[rel.name] = set()
        self.state.tables[rel.name] = set()
        return self.state.tables[rel.name]

    def refresh(self) -> None:
        """It does not look."""


class Cell:
    """One engine, one number of rules."""

    def __init__(self, seat: Seat, rules: int) -> None:
        self.seats = Seats((seat,))
        settings = {"rules.max_rules": str(rules)}
        self.lexicon = Lexicon(self.seats, settings)
        self.seats.lexicon = self.lexicon
        self.rules = rules
        self.player = LocalPlayer(seat)
        self.player.reset()
        self.dialect = registry.family("datalog").dialect(seat.dialect)
        self.oracle = registry.oracle("datalog", "rules")
        self.reference_s = self.whole_s = 0.0
        self.references = self.wholes = 0
        self.checked = 0  # programs on the way, too, that gave something and were compared

    def talk(self, scene: ir.Scene, recipe: Any, last_only: bool) -> tuple[bool, bool]:
        """Hold a conversation to its end: whether the last program was valid, and whether it gave something."""
        last = f"program of {len(recipe.rules.rules)} rule{'s' if len(recipe.rules.rules) > 1 else ''}"

        def ask(step: Step) -> Answer:
            is_whole = step.label.startswith("program of")
            if is_whole and last_only and step.label != last:
                return Rows([])  # the random method asks for the finished program only
            text = self.dialect.text(step.node)
            begun = spent_s()
            answer: Answer = self.player.ask(text)
            self.count(is_whole, spent_s() - begun)
            return answer

        said = [s for s in held(self.oracle.converse(scene, recipe, self.seats), ask) if isinstance(s, Heard)]
        full = [s.step.label for s in said if isinstance(s.answer, Rows) and s.answer.rows]
        self.checked += sum(label.startswith("program of") for label in full)
        return any(s.step.label == last and isinstance(s.answer, Rows) for s in said), last in full

    def count(self, is_whole: bool, seconds: float) -> None:
        if is_whole:
            self.whole_s += seconds
            self.wholes += 1
        else:
            self.reference_s += seconds
            self.references += 1

    def scenes(self, method: str) -> Iterator[tuple[Draw, ir.Scene]]:
        number = 0
        while True:
            draw = Draw(seed_for("bench datalog", method, self.rules, number))
            yield draw, scenes.grow(draw, self.lexicon)
            number += 1

    def run(self, method: str, seconds: float) -> dict[str, float]:
        """Make and ask programs by one method for so many CPU-seconds; what that gives in a minute."""
        cases = valid = full = 0
        begun = spent_s()
        for draw, scene in self.scenes(method):
            if spent_s() - begun >= seconds:
                break
            cases += 1
            recipe = self.oracle.draw(draw, scene, self.seats) if method == "incremental" else self.blind(draw, scene)
            if recipe is None:
                continue
            is_valid, is_full = self.talk(scene, recipe, method != "incremental")
            valid += is_valid
            full += is_full
        minutes = (spent_s() - begun) / 60
        return {
            "cases": cases / minutes,
            "valid": valid / minutes,
            "nonempty": full / minutes,
            "checked": self.checked / minutes,
            "cpu_s": 60 * minutes,
        }

    def blind(self, draw: Draw, scene: ir.Scene) -> Any:
        """A program of rules that were just drawn; nothing where it would explode, or means nothing certain."""
        sizes = Sizes(self.rules, self.lexicon.rules.p_head, 1.0, 20, self.lexicon.rules.max_iter)
        made = Blind(draw, self.lexicon, scene, sizes).grown(self.rules)
        if made is None:
            return None
        try:
            program = ir.program(scene, made)
            Evaluation(program.rels, program.facts, HUGE).run(program.rules)
        except (*legal.ILL, KeyError, ValueError):
            return None
        recipe: Any = self.oracle.recipe_type(made)
        return recipe


def measured(seat: Seat, rules: int, seconds: float) -> dict[str, Any]:
    """Measure one cell."""
    job = {"seat": msgspec.to_builtins(seat), "rules": rules, "seconds": seconds}
    found = bench_cell.measured("gainsay.cli.bench_datalog", job, seat.target)
    return {"target": seat.name, "rules": rules, **found}


def rows(targets: list[str], seconds: float) -> Iterator[dict[str, Any]]:
    for name in targets or ["cozo", "souffle"]:
        try:
            seat = describing.seated(Target.parse(name), {})
        except EnvironmentProblem:
            if targets:
                raise
            continue  # Soufflé is measured where it is
        for rules in SIZES:
            yield measured(seat, rules, seconds)


def main() -> None:
    job = json.loads(sys.stdin.buffer.read())
    seat = msgspec.convert(job["seat"], Seat)
    incremental = Cell(seat, job["rules"])
    found: dict[str, Any] = {"incremental": incremental.run("incremental", job["seconds"])}
    found["reference_share"] = incremental.reference_s / max(1e-9, incremental.reference_s + incremental.whole_s)
    each = incremental.reference_s / max(1, incremental.references)
    found["whole_per_reference"] = incremental.whole_s / max(1, incremental.wholes) / max(1e-9, each)
    found["random"] = Cell(seat, job["rules"]).run("random", job["seconds"])
    print(json.dumps(found))


if __name__ == "__main__":
    main()
