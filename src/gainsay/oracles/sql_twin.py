"""The same data stored otherwise: without indexes, keys and statistics, and in another order of insertion.

A copy of each table that a query reads is made beside it, with the same columns and rows and nothing else, and views on
the copies. Whatever an index, a key, a partition or a statistic lets an engine do, rows must agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from gainsay.core import names, registry, values
from gainsay.core import oracle as port
from gainsay.core.answer import Answer, Rows
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Restated, Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.families.sql.language import ir
from gainsay.oracles.sql_reference import settled

WHY = (
    "Indexes, keys, statistics, storage and the order of insertion change how rows are found, never which rows these "
    "are, so a query and the same query on a plain copy of the tables must agree."
)
Question = ir.Select | ir.Compound | ir.RawQuery
QUESTIONS = 6  # for each copy
MARK = "_twin"
ALTERED = (ir.RenameTable, ir.RenameColumn, ir.AddColumn, ir.DropColumn)
replace = msgspec.structs.replace


class Recipe(port.Recipe, frozen=True):
    """Queries that are asked on the tables and on copies of them."""

    keep: ClassVar[frozenset[str]] = frozenset({"rule"})
    queries: tuple[ir.Select | ir.Compound, ...]
    is_reversed: bool = False  # the copies' rows are inserted in another order
    rule: str = values.EXACT

    @property
    def subject(self) -> Any:
        return self.queries[0] if len(self.queries) == 1 else None

    def with_subject(self, subject: Any) -> Recipe:
        return replace(self, queries=(subject,))

    @property
    def detours(self) -> tuple[str, ...]:
        return ("another order",) if self.is_reversed else ()

    @property
    def shared_question(self) -> Any:
        return self.subject

    @property
    def is_alone(self) -> bool:
        return True


class Twin(Oracle):
    """Compares a query with itself on plain copies of its tables."""

    name: ClassVar[str] = "twin"
    family = "sql"
    recipe_type = Recipe
    about: ClassVar[str] = "a query on the same data without indexes, keys and statistics"

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe | None:
        family = registry.family(self.family)
        drawn = [family.question(draw, scene, seats) for _ in range(QUESTIONS)]
        asked = tuple(q for q, _ in drawn if isinstance(q, (ir.Select, ir.Compound)) and is_copied(q, scene))
        rule = next((r for _, r in drawn if r != values.EXACT), values.EXACT)
        return Recipe(asked, draw.coin(), rule) if asked else None

    def converse(self, scene: ir.Scene, recipe: Recipe, seats: Seats) -> Conversation:
        asked = [q for q in recipe.queries if is_copied(q, scene)]
        needed = reached(asked, scene)
        made = list(copies(scene, needed, recipe.is_reversed))
        suffixes = [f" {number + 1}" if len(asked) > 1 else "" for number in range(len(asked))]
        for suffix, query in zip(suffixes, asked, strict=True):
            yield Step(f"query{suffix}", query)
        is_whole = True
        for number, statement in enumerate(made):
            answer = yield Step(f"copy {number + 1}", statement)
            is_whole &= isinstance(answer, Rows)
        for suffix, query in zip(suffixes, asked, strict=True) if is_whole else ():
            yield Step(f"on the copy{suffix}", renamed(query, needed))
        for number, name in enumerate(reversed(needed)):
            kind = "VIEW" if any(isinstance(s, ir.CreateView) and s.name == name for s in scene.statements) else "TABLE"
            yield Step(f"drop {number + 1}", ir.Setting(f"DROP {kind} {name}{MARK}"))
        for suffix in suffixes if is_whole else ():
            one, other = Side((f"query{suffix}",)), Side((f"on the copy{suffix}",))
            yield Claim("same rows", one, Relation.SAME_BAG, other, WHY, recipe.rule)

    def restated(
        self, scene: ir.Scene, recipe: Recipe, seats: Seats, asked: Mapping[str, Any], answers: Mapping[str, Answer]
    ) -> Iterator[Restated]:
        """A question whose answer our own semantics calls wrong."""
        return settled(scene, seats, asked, answers)

    def recall(self, question: Question) -> Recipe | None:
        return None if isinstance(question, ir.RawQuery) else Recipe((question,))

    def variants(self, scene: ir.Scene, question: Question, seats: Seats) -> list[Recipe]:
        if isinstance(question, ir.RawQuery):
            return []
        return [Recipe((question,), is_reversed) for is_reversed in (False, True)]

    def evidence(self, labels: Sequence[str], claim: Claim) -> Sequence[str]:
        shown = {*claim.left.steps, *claim.right.steps}
        return [label for label in labels if label in shown or label.startswith("copy ")]


def relations_of(scene: ir.Scene) -> dict[str, ir.CreateTable | ir.CreateView]:
    return {s.name: s for s in scene.statements if isinstance(s, (ir.CreateTable, ir.CreateView))}


def reached(queries: Sequence[Any], scene: ir.Scene) -> list[str]:
    """The tables and views that queries read, in the order of their creation."""
    known = relations_of(scene)
    wanted = {n for q in queries for n in names.met(q, "relation") if n in known}
    for name in reversed(known):
        made = known[name]
        if name in wanted and isinstance(made, ir.CreateView):
            wanted |= {n for n in names.met(made.query, "relation") if n in known}
    return [name for name in known if name in wanted]


def is_copied(query: Any, scene: ir.Scene) -> bool:
    """Whether all that a query reads can be copied: no virtual table, no table that was altered, no stored view, whose
    rows are of an earlier time."""
    known = relations_of(scene)
    own = {c.name for c in getattr(query, "ctes", ())}
    read = {n for n in names.met(query, "relation") if n not in own}
    needed = reached([query], scene)
    stored = [known[n] for n in needed]
    if any(isinstance(s, ALTERED) and s.table in needed for s in scene.statements):
        return False
    return bool(read) and read <= known.keys() and not any(isinstance(s, ir.CreateView) and s.is_stored for s in stored)


def copies(scene: ir.Scene, needed: Sequence[str], is_reversed: bool) -> Iterator[ir.Statement]:
    """Plain tables with the same rows, and the same views on them."""
    known = relations_of(scene)
    for name in needed:
        made = known[name]
        if isinstance(made, ir.CreateView):
            yield replace(made, name=name + MARK, query=renamed(made.query, needed))
            continue
        yield ir.CreateTable(name + MARK, tuple(bare_column(c) for c in made.columns), strict=made.strict)
        listed = ", ".join(c.name for c in made.columns if c.generated is None)
        order = f" ORDER BY {len([c for c in made.columns if c.generated is None])} DESC" if is_reversed else ""
        if listed:
            yield ir.Setting(f"INSERT INTO {name}{MARK}({listed}) SELECT {listed} FROM {name}{order}")


def bare_column(column: ir.Column) -> ir.Column:
    """A column without what an index or a rule could be made of. What it computes is computed anew."""
    return replace(column, primary=False, unique=False, not_null=False, default=None, check=None)


def renamed(query: Any, needed: Sequence[str]) -> Any:
    """A query on the copies."""
    return names.renamed(
        query, lambda n: n.text + MARK if n.kind in ("relation", "source") and n.text in needed else n.text
    )
