"""What a family and an oracle must offer (an engine: `core/engine`). The registry finds plugins."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from gainsay.core.answer import Answer
from gainsay.core.claim import Claim
from gainsay.core.draw import Draw
from gainsay.core.model import Case, Probe, Seats, Step

Conversation = Generator[Step | Claim, Answer, None]
Growth = Generator[Step, Answer, Any]


def lacking(port: type, plugin: Any) -> list[str]:
    """The members of a port that a plugin does not have. What is only a comment in the port is optional."""
    functions = [name for name, member in vars(port).items() if inspect.isfunction(member) and not name.startswith("_")]
    return [name for name in (*inspect.get_annotations(port), *functions) if not hasattr(plugin, name)]


class Dialect(Protocol):
    """How IR nodes are spelled."""

    name: str
    comment: str  # begins a line of comment

    def text(self, node: Any) -> str: ...


class Oracle(Protocol):
    """Draws a recipe (the only random part), then converses: yields steps, gets answers, yields claims. Pure, but for draw."""

    name: ClassVar[str]
    family: ClassVar[str]
    scene_kind: ClassVar[str]
    min_seats: ClassVar[int]
    recipe_type: ClassVar[Any]
    # Where it has them: `opening(scene, seats)`, recipes that come first on a scene; `explain(scene, recipe, seats)`, why a reduced claim must hold;
    # `settings: ClassVar[Mapping[str, str]]` for --set oracle.key=value; `turns: ClassVar[int]`, how often it has its turn where
    # others have one; `evidence(labels, claim)`, the steps that a report shows; `variants(scene, question, seats)`, several recipes for a question
    # that somebody else wrote; `restated(scene, recipe, seats, asked, answers)`, claims about one of the questions that were asked, of which one
    # may tell which answer is wrong.
    about: ClassVar[str]

    def draw(self, draw: Draw, scene: Any, seats: Seats) -> Any: ...
    def converse(self, scene: Any, recipe: Any, seats: Seats) -> Conversation: ...
    def recall(self, question: Any) -> Any: ...  # a recipe for a question that somebody else wrote, or None where it does not apply


class Family(Protocol):
    """A query language: its IR, generator, dialects, probes, and what a reducer must know of its trees."""

    name: ClassVar[str]
    scene_type: ClassVar[Any]
    question_type: ClassVar[Any]
    extension: ClassVar[str]  # of the reproducer: sql, dl, smt2, cypher
    settings: ClassVar[Mapping[str, str]]  # --set family.key=value: key -> what it means
    checks_per_episode: ClassVar[int]
    ending: ClassVar[str]  # of a statement in a script

    def dialect(self, name: str) -> Dialect: ...
    def probes(self, dialect: str, has: Callable[[str], bool] = ...) -> Iterable[Probe]: ...  # `has`: whether an earlier probe's feature was taken
    def prepare(self, seats: Seats, settings: Mapping[str, str]) -> Any: ...
    def grow(self, draw: Draw, seats: Seats, scene_kind: str) -> Growth: ...
    def canary(
        self, dialect: str
    ) -> tuple[str | Sequence[str], list[tuple[Any, ...]]]: ...  # a question (or several, of which one will do) and its answer
    def asked(self, scene: Any, question: Any) -> Any: ...  # the node that is asked for a question
    def posed(self, scene: Any, node: Any) -> tuple[Any, Any] | None: ...  # a scene and the question for which a node is asked on it, or None
    def expected(self, scene: Any, question: Any) -> list[Any] | None: ...  # the right answer, where the family itself can tell
    def question(self, draw: Draw, scene: Any, seats: Seats) -> tuple[Any, str]: ...
    def script(self, scene: Any) -> Sequence[Any]: ...
    def keep(self, scene: Any, accepted: Iterable[int]) -> Any: ...
    def is_barren(self, scene: Any) -> bool: ...
    def stored(self, scene: Any) -> Sequence[Any]: ...
    def cuts(self, case: Case) -> Iterator[tuple[Any, Any]]: ...  # large cuts, tried before anything else
    def shrinks(self, case: Case) -> Iterator[tuple[Any, Any]]: ...
    def simplest(self, node: Any) -> Sequence[Any]: ...
    def tidy(self, scene: Any, recipe: Any) -> tuple[Any, Any]: ...
    def shape(self, scene: Any, recipe: Any) -> frozenset[str]: ...
    def bucket(self, features: frozenset[str]) -> frozenset[str]: ...
    def absorbs(self, known: frozenset[str], new: frozenset[str]) -> bool: ...
    # Where it has it: `core(features)`, what of a shape names the cause of a death.
    # Where it has it: `swaps(case, other)`, each of two cases with a part of the other in the place of its own, to see whether they are one.
    def is_legal(self, scene: Any, recipe: Any, seats: Seats) -> bool: ...
    def size(self, scene: Any, recipe: Any) -> tuple[int, ...]: ...
    def parse(self, setup: Sequence[str], query: str) -> tuple[Any, Sequence[Any]]: ...
