"""The Cypher family's front door: everything the campaign, the reducer and the reports need to know of Cypher."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from gainsay.core import reaching, values
from gainsay.core.draw import Draw
from gainsay.core.family import Family, Growth, Reading, Starter
from gainsay.core.model import Case, Probe, Seats, kind_of
from gainsay.families.cypher import probe
from gainsay.families.cypher.drawing import fixed_questions, lexicon, queries, scenes
from gainsay.families.cypher.drawing.lexicon import Lexicon
from gainsay.families.cypher.language import dialects, features, ir, parse, statements
from gainsay.families.cypher.language.writer import CypherDialect
from gainsay.families.cypher.meaning import legal
from gainsay.families.cypher.meaning.scene_cache import SceneCache, profile_of
from gainsay.families.cypher.meaning.semantics import has_unordered_lists
from gainsay.families.cypher.reducing import beside, contexts, exchange, kin, normal, shape, shrink, size, swap, tidy

# Words of a Cypher text that touch files or load code
REACHING_OUT = reaching.words(
    "LOAD", "COPY", "ATTACH", "INSTALL", r"(?:EXPORT|IMPORT)\s+DATABASE", r"apoc\.\w+", r"dbms\.\w+", r"read_\w+"
)


class Cypher(Family):
    """The family of graph query languages that are openCypher, or nearly."""

    name: ClassVar[str] = "cypher"
    scene_type: ClassVar[Any] = ir.Scene
    question_type: ClassVar[Any] = ir.Query | ir.RawQuery
    extension: ClassVar[str] = "cypher"
    scripts_are_statements: ClassVar[bool] = True
    ending: ClassVar[str] = ";"
    literals: ClassVar[Mapping[str, str]] = {"None": "null", "True": "true", "False": "false"}
    settings: ClassVar[Mapping[str, str]] = lexicon.SETTINGS
    judges_by_profile: ClassVar[bool] = True
    counts_are_rows: ClassVar[bool] = True
    is_strict: ClassVar[bool] = True
    tells_by_swaps: ClassVar[bool] = True
    answers_tell: ClassVar[bool] = True
    is_readonly: ClassVar[bool] = True
    is_threaded: ClassVar[bool] = True
    is_noisy: ClassVar[bool] = True
    lexer = "cypher"
    told_in_full = features.COMPLETE
    feature_kinds = features.KINDS
    trial_engines: ClassVar[Sequence[str]] = ("graphqlite", "kuzu", "arcadedb")
    starter = Starter(trial="graphqlite", needs=("graphqlite", "pysqlite3-binary"))

    def dialect(self, name: str) -> CypherDialect:
        return dialects.find(name)

    def probes(self, dialect: str, has: Callable[[str], bool] = lambda _: True) -> Iterable[Probe]:
        return probe.probes(self.dialect(dialect))

    def long_question(self, dialect: str) -> str:
        return (
            "UNWIND range(1, 3000) AS x UNWIND range(1, 3000) AS y UNWIND range(1, 3000) AS z"
            " WITH x, y, z WHERE x * y + z = -1 RETURN count(*) AS c"
        )

    def canary(self, dialect: str) -> tuple[str, list[tuple[int, ...]]]:
        return "RETURN 1 + 1 AS a, 3 AS b", [(2, 3)]

    def prepare(self, seats: Seats, settings: Mapping[str, str]) -> Lexicon:
        return Lexicon(seats, settings)

    def grow(self, draw: Draw, seats: Seats) -> Growth:
        return scenes.grow(draw, seats.lexicon)
        yield  # the feedback is our own evaluator's; a generator all the same, as every family's grow is

    def fixed_scene(self, number: int, seats: Seats) -> ir.Scene | None:
        """The first episodes are about what is known to differ between engines: fixed_questions.py."""
        return fixed_questions.scene(number, seats.lexicon)

    def examination(self, seats: Seats) -> Iterator[tuple[ir.Scene, ir.Query, list[Any], str]]:
        """The fixed questions with their graph, their right rows under the seat's profile, and how rows are
        compared."""
        for number in range(fixed_questions.EPISODES):
            scene = fixed_questions.scene(number, seats.lexicon)
            cache = SceneCache(scene) if scene is not None else None
            for query in fixed_questions.questions(scene) if scene is not None else ():
                rows = cache.rows(query, profile_of(seats)) if cache is not None else None
                if scene is not None and rows is not None:
                    yield scene, query, rows, rule_for(query)

    def question(self, draw: Draw, scene: ir.Scene, seats: Seats) -> tuple[ir.Query, str]:
        query = queries.query(draw, scene, seats.lexicon)
        return query, rule_for(query)

    def expected(self, case: Case) -> list[Any] | None:
        """The right rows of a case: those on which the profiles of all its seats agree."""
        question = case.recipe.shared_question
        return (
            SceneCache(case.scene).rows(question, profile_of(Seats(case.seats)))
            if isinstance(question, ir.Query)
            else None
        )

    def script(self, scene: ir.Scene) -> Sequence[ir.Statement]:
        return scenes.script(scene)

    def keep(self, scene: ir.Scene, accepted: Iterable[int]) -> ir.Scene:
        return scenes.keep(scene, set(accepted))

    def is_barren(self, scene: ir.Scene) -> bool:
        return not scene.vertices

    def stored(self, scene: ir.Scene) -> Sequence[ir.Query]:
        return scenes.stored(scene)

    def cuts(self, case: Case) -> Iterator[tuple[Any, Any]]:
        return shrink.cuts(case.scene, case.recipe, profile_of(Seats(case.seats)))

    def shrinks(self, case: Case) -> Iterator[tuple[Any, Any]]:
        return shrink.shrinks(case.scene, case.recipe, profile_of(Seats(case.seats)))

    def simplest(self, node: Any) -> Sequence[Any]:
        return size.simplest(node)

    def tidy(self, scene: ir.Scene, recipe: Any) -> tuple[ir.Scene, Any]:
        return tidy.tidy(scene, recipe)

    def shape(self, scene: ir.Scene, recipe: Any) -> frozenset[str]:
        return shape.shape(scene, recipe)

    def bucket(self, features: frozenset[str]) -> frozenset[str]:
        return shape.bucket(features)

    def framed(self, features: frozenset[str]) -> frozenset[str]:
        return shape.framed(features)

    def absorbs(self, known: frozenset[str], new: frozenset[str]) -> bool:
        return shape.absorbs(known, new)

    def swaps(self, case: Case, other: Case, is_close: bool) -> Iterator[tuple[Any, Any]]:
        return swap.swaps(case.scene, case.recipe, other.scene, other.recipe)

    def skeleton(self, recipe: Any) -> str:
        query = contexts.asked(recipe)
        spoken = self.dialect(dialects.COMMON)
        return spoken.text(tidy.renamed(normal.skeleton(query))) if query is not None else ""

    def kin(self, case: Case) -> frozenset[str]:
        return frozenset(map(self.skeleton, kin.kin(case.scene, case.recipe))) - {""}

    def beside(self, case: Case) -> Iterator[tuple[Any, Any]]:
        if kind_of(case.claim) == "logic":
            return beside.alike(case.scene, case.recipe, profile_of(Seats(case.seats)))
        return beside.beside(case.scene, case.recipe)

    def exchanges(self, case: Case) -> Iterator[tuple[str, Any, tuple[Any, Any]]]:
        return exchange.exchanges(case.scene, case.recipe, profile_of(Seats(case.seats)))

    def titled(
        self, recipe: Any, named: frozenset[str], spared: frozenset[str], needed: frozenset[str]
    ) -> frozenset[str]:
        return exchange.titled(recipe, named, spared, needed)

    def is_legal(self, scene: ir.Scene, recipe: Any, seats: Seats) -> bool:
        """Whether every query of a recipe has one answer, the same under the profiles of all seats."""
        if any(self.dialect(s.dialect).has_tables for s in seats) and not legal.has_tables(scene, recipe):
            return False
        profile = tuple(dict.fromkeys(profile_of(seats, i) for i in range(len(seats))))
        return legal.is_legal(scene, recipe, profile)

    def size(self, scene: ir.Scene, recipe: Any) -> tuple[int, ...]:
        return size.size(scene, recipe)

    def parse(self, setup: Sequence[str], query: str, dialect: str = "") -> Reading:
        return Reading(*parse.known(setup, query))

    def rule(self, question: Any) -> str:
        return rule_for(question)

    def statements(self, script: str) -> Sequence[str]:
        return parse.statements_of(script)

    def is_question(self, text: str) -> bool:
        return statements.is_question(text)

    def reaches_out(self, text: str) -> str:
        return reaching.found(text, (REACHING_OUT,))

    def uses(self, node: Any, text: str) -> Iterable[str]:
        return features.uses(node)

    def row_of(self, feature: str) -> str:
        return super().row_of(feature[: feature.rindex("/")] if "/" in feature else feature)  # without the operands


def rule_for(query: Any) -> str:
    """How rows are compared: lists in any order where the order is the engine's choice."""
    return values.GRAPH_BAGS if isinstance(query, ir.Query) and has_unordered_lists(query) else values.GRAPH
