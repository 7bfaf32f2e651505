"""The SQL family's front door: everything the campaign, the reducer and the reports need to know of SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, ClassVar

from gainsay.core import values
from gainsay.core.draw import Draw
from gainsay.core.family import Family, Growth, Reading, Starter
from gainsay.core.model import Case, Probe, Seats
from gainsay.core.tree import Path, walk
from gainsay.errors import UsageError, near
from gainsay.families.sql import probe
from gainsay.families.sql.drawing import queries, scenes
from gainsay.families.sql.drawing.lexicon import MIXES, Lexicon
from gainsay.families.sql.language import dialects, features, ir, parse, reaching, statements
from gainsay.families.sql.language.dialect import SqlDialect
from gainsay.families.sql.language.schema import relations
from gainsay.families.sql.meaning import legal, scene_cache, types
from gainsay.families.sql.reducing import exchange, instead, normal, shape, shrink, size, swap, tidy


class SQL(Family):
    """The family of SQL."""

    name: ClassVar[str] = "sql"
    scene_type: ClassVar[Any] = ir.Scene
    question_type: ClassVar[Any] = ir.Select | ir.Compound | ir.RawQuery
    extension: ClassVar[str] = "sql"
    ending: ClassVar[str] = ";"
    literals: ClassVar[Mapping[str, str]] = {"None": "NULL"}
    judges_by_profile: ClassVar[bool] = True
    shrinks_in_span: ClassVar[bool] = True
    scripts_are_statements: ClassVar[bool] = True
    tells_without: ClassVar[bool] = True
    lexer = "sql"
    told_in_full = features.COMPLETE
    feature_kinds = features.KINDS
    trial_engines: ClassVar[Sequence[str]] = ("apsw", "duckdb", "sqlite")
    starter = Starter(trial="sqlite")
    settings: ClassVar[Mapping[str, str]] = {"mix": "how large scenes and queries are: full (default) or small"}

    def dialect(self, name: str) -> SqlDialect:
        """A dialect of ours by name, or anybody's as module:attribute."""
        return dialects.find(name)

    def probes(self, dialect: str, has: Callable[[str], bool] = lambda _: True) -> Iterable[Probe]:
        return probe.probes(self.dialect(dialect), has)

    def prepare(self, seats: Seats, settings: Mapping[str, str]) -> Lexicon:
        name = settings.get("mix", "full")
        if name not in MIXES:
            raise UsageError(f"There is no mix {name!r}.{near(name, MIXES)}")
        return Lexicon(seats, MIXES[name])

    def grow(self, draw: Draw, seats: Seats) -> Growth:
        return scenes.grow(draw, seats.lexicon)
        yield  # SQL needs no feedback; a generator all the same, as every family's grow is

    def question(self, draw: Draw, scene: ir.Scene, seats: Seats) -> tuple[ir.Query, str]:
        lexicon: Lexicon = seats.lexicon
        query = queries.with_rows(draw, lexicon, scene, lexicon.relations(scene))
        return query, values.NUMBER if lexicon.is_mixed else values.CLOSE if sums(query) else values.EXACT

    def long_question(self, dialect: str) -> str:
        return (
            "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r WHERE x < 100000000) SELECT COUNT(*) FROM r"
        )

    def canary(self, dialect: str) -> tuple[str, list[tuple[int, ...]]]:
        return "SELECT 1 + 1, 3", [(2, 3)]

    def script(self, scene: ir.Scene) -> Sequence[ir.Statement]:
        return scene.statements

    def keep(self, scene: ir.Scene, accepted: Iterable[int]) -> ir.Scene:
        return ir.Scene(tuple(scene.statements[i] for i in accepted))

    def is_barren(self, scene: ir.Scene) -> bool:
        """Whether there is nothing to ask about: every table was refused."""
        return not relations(scene)

    def stored(self, scene: ir.Scene) -> Sequence[ir.Select]:
        """Queries that show all that is stored."""
        tables = [r for r in relations(scene) if r.kind in ("table", "virtual")]
        return [ir.Select(tuple(c for c, _ in t.columns()), (ir.Join(t.name),)) for t in tables]

    def cuts(self, case: Case) -> Iterator[tuple[Any, Any]]:
        return shrink.cuts(case.scene, case.recipe)

    def shrinks(self, case: Case) -> Iterator[tuple[Any, Any]]:
        yield from shrink.shrinks(case.scene, case.recipe)
        yield from normal.normal(case.scene, case.recipe)
        switches = self.dialect(case.seats[0].dialect).switches
        yield from ((case.scene, case.recipe.by(name)) for name in (switches if case.recipe.detours else ()))

    def simplest(self, node: Any) -> Sequence[Any]:
        return size.simplest(node)

    def tidy(self, scene: ir.Scene, recipe: Any) -> tuple[ir.Scene, Any]:
        return tidy.tidy(scene, recipe)

    def shape(self, scene: ir.Scene, recipe: Any) -> frozenset[str]:
        return shape.shape(scene, recipe)

    def bucket(self, features: frozenset[str]) -> frozenset[str]:
        return shape.bucket(features)

    def core(self, features: frozenset[str]) -> frozenset[str]:
        return shape.core(features)

    def absorbs(self, known: frozenset[str], new: frozenset[str]) -> bool:
        return shape.absorbs(known, new)

    def is_legal(self, scene: ir.Scene, recipe: Any, seats: Seats) -> bool:
        spoken = {s.dialect: self.dialect(s.dialect) for s in seats}
        strict = next((d for d in spoken.values() if not d.loose), None)
        is_typed = strict is not None and (len(seats) > 1 or strict.lenient)
        if is_typed and strict is not None and not types.is_typed(scene, recipe, strict, len(spoken) > 1):
            return False
        if len(seats) > 1 and legal.is_choosing(scene):
            return False
        disputed = legal.disputed(seats, spoken.values())
        if disputed and uses(scene, recipe, disputed, spoken.values()):
            return False
        return is_spelled(scene, recipe, spoken.values()) and legal.is_legal(scene, recipe)

    def size(self, scene: ir.Scene, recipe: Any) -> tuple[int, ...]:
        return size.size(scene, recipe)

    def carried(self, node: Any) -> Set[str]:
        return shape.of_statement(node) | shape.of_node(node)

    def instead(self, case: Case, path: Path) -> Sequence[Any]:
        return instead.instead(case, path)

    def swaps(self, case: Case, other: Case, is_close: bool) -> Iterator[tuple[Any, Any]]:
        if not is_close and not swap.is_telling(case.scene, case.recipe, other.scene, other.recipe):
            return
        for one, two in ((case, other), (other, case)):
            yield from swap.swaps(one.scene, one.recipe, two.scene, two.recipe)

    def exchanges(self, case: Case) -> Iterator[tuple[str, Any, tuple[Any, Any]]]:
        return exchange.exchanges(case.scene, case.recipe, self.dialect(case.seats[0].dialect))

    def titled(
        self, recipe: Any, named: frozenset[str], spared: frozenset[str], needed: frozenset[str]
    ) -> frozenset[str]:
        return exchange.titled(named, spared, needed)

    def parse(self, setup: Sequence[str], query: str, dialect: str = "sqlite") -> Reading:
        return parse.known(setup, query, self.dialect(dialect))

    def rule(self, question: Any) -> str:
        return values.CLOSE if isinstance(question, (ir.Select, ir.Compound)) and sums(question) else values.EXACT

    def depends_on(self, scene: ir.Scene, question: Any, dialect: str) -> frozenset[str]:
        rows = self.dialect(dialect).operators
        names = {n.op for _, n in walk((scene, question)) if isinstance(n, ir.Op)}
        return frozenset(fact for name in names if name in rows for fact in rows[name].facts)

    def statements(self, script: str) -> Sequence[str]:
        return parse.statements_of(script)

    def is_question(self, text: str) -> bool:
        return statements.is_question(text)

    def reaches_out(self, text: str) -> str:
        return reaching.out(text)

    def means_one(self, scene: Any, question: Any, seats: Seats) -> bool:
        return scene_cache.means_one(scene, question, seats)

    def evaluated(self, case: Case) -> list[Any] | str:
        question, first = case.recipe.shared_question, case.seats[0]
        return scene_cache.told(case.scene, question, self.dialect(first.dialect), dict(first.facts))

    def uses(self, node: Any, text: str) -> Iterable[str]:
        return features.uses(node)

    def row_of(self, feature: str) -> str:
        return features.row_of(feature)


def is_spelled(scene: Any, recipe: Any, spoken: Iterable[SqlDialect]) -> bool:
    """Whether every dialect has a word for each operator: the plainer one of two may be another dialect's."""
    names = {n.op for _, n in walk((scene, recipe)) if isinstance(n, ir.Op)}
    return all(names <= d.operators.keys() for d in spoken)


def uses(scene: Any, recipe: Any, facts: Set[str], spoken: Iterable[SqlDialect]) -> bool:
    """Whether an operator is there whose meaning depends on one of these facts."""
    names = {n.op for _, n in walk((scene, recipe)) if isinstance(n, ir.Op)}
    return any(facts & set(d.operators[name].facts) for d in spoken for name in names if name in d.operators)


def sums(query: ir.Query) -> bool:
    """Whether a query shows a sum, whose last digits depend on the order of addition."""
    if isinstance(query, ir.RowList):
        return False
    for arm in query.arms if isinstance(query, ir.Compound) else (query,):
        if any(i.__class__ in (ir.Agg, ir.Over) and dialects.aggregate(i.fn).is_sum for i in arm.items):
            return True
        if any(j.sub is not None and sums(j.sub) for j in arm.source) or any(sums(c.query) for c in arm.ctes):
            return True
    return any(sums(c.query) for c in query.ctes)
