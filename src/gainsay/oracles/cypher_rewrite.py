"""Rewrite: a query and the same query said in another way must have the same rows; and so must a query before and after
an index is made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from gainsay.core import oracle as port
from gainsay.core import values
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Seats, Step
from gainsay.core.oracle import Conversation
from gainsay.families.cypher.drawing import queries
from gainsay.families.cypher.drawing.lexicon import SCALARS
from gainsay.families.cypher.drawing.rewrites import NEEDS, REWRITES, Rewrite, apply
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.meaning import proof
from gainsay.families.cypher.meaning.scene_cache import cache_of, profile_of
from gainsay.oracles.cypher_reference import SelfComparing

WHY = "Both say the same: {}. So they must have the same rows."
TRIES = 4


class Recipe(port.Recipe, frozen=True):
    """A query, and what is done to it; or an index that is made between two times of asking it."""

    subject_field: ClassVar[str] = "query"
    query: ir.Query
    rewrites: tuple[Rewrite, ...] = ()
    index: ir.Index | None = None
    is_there: bool = False  # the index, in the scene

    @property
    def is_alone(self) -> bool:
        """Whether the session changes meanwhile."""
        return self.index is not None

    @property
    def features(self) -> frozenset[str]:
        return frozenset(
            {f"rewrite: {r.name}" for r in self.rewrites} | ({"index"} if self.index is not None else set())
        )

    def conversation(self) -> Conversation:
        if self.index is not None:
            drop = ir.DropIndex(self.index.label, self.index.key)
            if self.is_there:
                yield Step("index dropped", drop)
            yield Step("without the index", self.query)
            yield Step("index made", self.index)
            yield Step("with the index", self.query)
            yield Step("index dropped again", drop)
            why = "An index changes how a query is answered, never what the answer is."
            yield Claim(
                "same rows",
                Side(("with the index",)),
                Relation.SAME_BAG,
                Side(("without the index",)),
                why,
                values.GRAPH_BAGS,
            )
            return
        other = apply(self.query, self.rewrites) if self.rewrites else None
        if other is None or other == self.query:
            return
        yield Step("query", self.query)
        yield Step("rewritten", other)
        why = WHY.format(", ".join(r.name for r in self.rewrites))
        yield Claim("same rows", Side(("query",)), Relation.SAME_BAG, Side(("rewritten",)), why, values.GRAPH_BAGS)


class RewriteOracle(SelfComparing):
    """Compares a query with another that means the same, or with itself under an index."""

    name: ClassVar[str] = "rewrite"
    family = "cypher"
    recipe_type = Recipe
    turns: ClassVar[int] = 2
    about: ClassVar[str] = "a query said in another way, or asked with and without an index (after GRev, ICSE 2024)"

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe | None:
        cache, profile, lexicon = cache_of(seats, scene), profile_of(seats), seats.lexicon
        usable = [n for n in REWRITES if all(lexicon.has(need) for need in NEEDS.get(n, ()))]
        for _ in range(TRIES):
            query = queries.query(draw, scene, lexicon)
            if lexicon.has("graph:index drop") and not scene.indexes and draw.coin(0.15):
                plain = [k.name for k in scene.schema.node_keys if k.type in SCALARS]
                if plain:
                    return Recipe(query, (), ir.Index(draw.pick(scene.schema.labels), draw.pick(plain), True))
            for _ in range(TRIES):
                chosen = tuple(Rewrite(draw.pick(usable), draw.below(64)) for _ in range(draw.pick((1, 1, 2, 3))))
                found = Recipe(query, chosen)
                if proof.holds(found.conversation(), cache, profile):
                    return found
        return None

    def recall(self, question: ir.Query | ir.RawQuery) -> Recipe | None:
        return next(self._all(question), None)

    def variants(self, scene: ir.Scene, question: ir.Query | ir.RawQuery, seats: Seats) -> list[Recipe]:
        """Every rewrite of a question that somebody else wrote, and its indexes made late."""
        cache, profile = cache_of(seats, scene), profile_of(seats)
        return [
            r
            for r in self._all(question, scene)
            if r.index is not None or proof.holds(r.conversation(), cache, profile)
        ]

    @staticmethod
    def _all(question: ir.Query | ir.RawQuery, scene: ir.Scene | None = None) -> Iterator[Recipe]:
        if isinstance(question, ir.Query):
            for name, rewrite in REWRITES.items():
                yield from (Recipe(question, (Rewrite(name, i),)) for i, _ in enumerate(rewrite(question)))
            yield from (Recipe(question, (), i, True) for i in (scene.indexes if scene else ()))
