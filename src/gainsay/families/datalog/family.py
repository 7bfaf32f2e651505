"""The Datalog family's front door: everything the campaign, the reducer and the reports need to know of Datalog."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from gainsay.core import reaching, values
from gainsay.core.draw import Draw
from gainsay.core.family import Family, Growth, Reading, Starter
from gainsay.core.model import Case, Probe, Seats
from gainsay.errors import UsageError
from gainsay.families.datalog import probe
from gainsay.families.datalog.drawing import lexicon, queries, scenes, seeded, seeds
from gainsay.families.datalog.drawing.lexicon import Lexicon
from gainsay.families.datalog.language import dialects, features, ir, parse
from gainsay.families.datalog.language.writer import Dialect
from gainsay.families.datalog.meaning import legal, semantics
from gainsay.families.datalog.reducing import exchange, shape, shrink, size, swap, tidy

# Words of a Datalog text that touch files or load code, in any dialect of ours
REACHING_OUT = reaching.words(
    r"\.input",
    r"\.output\s+\w+\s*\(",
    r"\.printsize\s+\w+\s*\(",
    r"\.functor",
    r"\.include",
    r"\#include",
    r"\#script",
    r"\#program",
    "@import",
    "@export",
    "CsvReader",
    "JsonReader",
    r"::\w+",
    r"file",
    r"\.limitsize",
)


class Datalog(Family):
    """The family of Datalog: rules over relations."""

    name: ClassVar[str] = "datalog"
    scene_type: ClassVar[Any] = ir.Scene
    question_type: ClassVar[Any] = ir.Rules | ir.RawProgram
    extension: ClassVar[str] = "dl"
    settings: ClassVar[Mapping[str, str]] = lexicon.SETTINGS
    checks_per_episode: ClassVar[int] = 32
    tells_by_swaps: ClassVar[bool] = True
    lexer = "prolog"
    told_in_full = features.COMPLETE
    feature_kinds = features.KINDS
    trial_engines: ClassVar[Sequence[str]] = ("clingo", "nemo", "cozo", "muz")
    starter = Starter(trial="clingo", needs=("clingo",))
    compared_by_line = frozenset({"original", "rewritten"})  # a program and its rewrite

    def dialect(self, name: str) -> Dialect:
        return dialects.find(name)

    def probes(self, dialect: str, has: Callable[[str], bool] = lambda _: True) -> Iterable[Probe]:
        return probe.probes(self.dialect(dialect))

    def canary(self, dialect: str) -> tuple[str, list[tuple[int, ...]]]:
        return probe.canary(self.dialect(dialect))

    def long_question(self, dialect: str) -> str:
        spoken = self.dialect(dialect)
        return spoken.text(probe.long_program(spoken))

    def prepare(self, seats: Seats, settings: Mapping[str, str]) -> Lexicon:
        found: list[seeds.Seed] = []
        if settings.get("seeds"):
            usable = set(settings.get("usable", "").splitlines())
            dialects_ = {s.dialect for s in seats}
            if len(dialects_) > 1:
                raise UsageError(
                    "--seeds: the targets have different dialects, and a seed has one. Name targets of one engine."
                )
            found = [
                s
                for s in seeds.read(Path(settings["seeds"]), self.dialect(next(iter(dialects_))))
                if not s.problem and s.name in usable
            ]
        return Lexicon(seats, settings, found)

    def seeds(self, folder: str, dialect: str) -> list[tuple[str, str, Any]]:
        """The seed programs of a folder: name, why it can't be used (or nothing), and a question that shows whether an
        engine takes it."""
        return seeds.checked(Path(folder), self.dialect(dialect))

    def grow(self, draw: Draw, seats: Seats) -> Growth:
        base = scenes.grow(draw, seats.lexicon)
        if not seats.lexicon.seeds:
            return base
        return (yield from seeded.grow(draw, base, draw.pick(seats.lexicon.seeds), len(seats)))

    def question(self, draw: Draw, scene: ir.Scene, seats: Seats) -> tuple[ir.Rules, str]:
        return queries.query(draw, scene, seats.lexicon), values.NUMBER if len(
            {s.dialect for s in seats}
        ) > 1 else values.EXACT

    def asked(self, scene: ir.Scene, question: ir.Rules | ir.RawProgram) -> Any:
        """The node that is asked for a question on a scene."""
        return ir.program(scene, question) if isinstance(question, ir.Rules) else question

    def posed(self, scene: ir.Scene, node: Any) -> tuple[ir.Scene, Any] | None:
        return (
            semantics.parted(node, scene)
            if isinstance(node, ir.Program)
            else (scene, node)
            if isinstance(node, ir.RawProgram)
            else None
        )

    def expected(self, case: Case) -> list[Any] | None:
        scene, question = case.scene, case.recipe.shared_question
        tables = legal.meaning(ir.program(scene, question), scene.known) if isinstance(question, ir.Rules) else None
        return sorted(tables[question.output], key=repr) if tables is not None else None

    def remark(self, dialect: str, left: Sequence[Any], right: Sequence[Any]) -> str:
        """What a reader should know of a difference: where it is between 0 and 0.0, what that does to a program."""
        pair, effect = values.mixed(left, right), self.dialect(dialect).mixed
        return f"{pair[0]!r} and {pair[1]!r} are different tuples here: {effect}." if pair and effect else ""

    def is_barren(self, scene: ir.Scene) -> bool:
        return not scene.rels and not scene.seeded

    def cuts(self, case: Case) -> Iterator[tuple[Any, Any]]:
        return shrink.cuts(case.scene, case.recipe)

    def shrinks(self, case: Case) -> Iterator[tuple[Any, Any]]:
        return shrink.shrinks(case.scene, case.recipe)

    def tidy(self, scene: ir.Scene, recipe: Any) -> tuple[ir.Scene, Any]:
        return tidy.tidy(scene, recipe)

    def shape(self, scene: ir.Scene, recipe: Any) -> frozenset[str]:
        return shape.shape(scene, recipe)

    def bucket(self, features: frozenset[str]) -> frozenset[str]:
        return shape.bucket(features)

    def absorbs(self, known: frozenset[str], new: frozenset[str]) -> bool:
        return shape.absorbs(known, new)

    def exchanges(self, case: Case) -> Iterator[tuple[str, Any, tuple[Any, Any]]]:
        return exchange.exchanges(case.scene, case.recipe, case.seats[0].dialect)

    def titled(
        self, recipe: Any, named: frozenset[str], spared: frozenset[str], needed: frozenset[str]
    ) -> frozenset[str]:
        return exchange.titled(named, spared, needed)

    def swaps(self, case: Case, other: Case, is_close: bool) -> Iterator[tuple[Any, Any]]:
        return swap.swaps(case.scene, case.recipe, other.scene, other.recipe)

    def is_legal(self, scene: ir.Scene, recipe: Any, seats: Seats) -> bool:
        return legal.is_legal(scene, recipe)

    def size(self, scene: ir.Scene, recipe: Any) -> tuple[int, ...]:
        return size.size(scene, recipe)

    def parse(self, setup: Sequence[str], query: str, dialect: str = "") -> Reading:
        return Reading(*parse.known(setup, query))

    def reaches_out(self, text: str) -> str:
        return reaching.found(text, (REACHING_OUT,))

    def uses(self, node: Any, text: str) -> Iterable[str]:
        return features.uses(node)
