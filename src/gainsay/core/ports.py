"""What an engine, a family and an oracle must offer. Plugins are found by the registry and used only through these."""

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


class Session(Protocol):
    """A connection to a fresh, empty place on an engine."""

    def ask(self, text: str) -> Answer: ...
    def close(self) -> None: ...


class Engine(Protocol):
    """A module, one per engine. Standard library only at import time: hosts load it in other environments.

    `requirements` gives the pip requirements that bring a version, best first; `environment` the variables that a process must start
    with to use it; `prove` raises RuntimeError unless the process really runs what the options name.
    """

    NAME: str
    FAMILY: str
    DIALECT: str
    PACKAGE: str  # what to pip install; empty for the standard library's
    CONFIGS: Mapping[str, Sequence[str]]
    OPTIONS: Mapping[str, str]  # key -> what it means
    # Where it has them: `PROOFS`, fact -> a question, and the answer by which each value is known; `CODE_BASE`, whose code it runs, where that
    # is not its own name (a binding, a fork): such engines are no witnesses for each other; `NEEDS_SERVER`; `RELEASES` and `PIP`, where wheels
    # have other numbers; `SLOW`, configurations without which it is probed; `RUN`, the command that runs a reproducer's script;
    # `DISPUTED`, what it does that is not taken for documented, and why.

    def version(self) -> str: ...
    def build(self) -> Sequence[str]: ...
    def facts(self, version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]: ...  # fact -> (value, source)
    def requirements(self, version: str) -> Sequence[str]: ...
    def environment(self, version: str, options: Mapping[str, str]) -> Mapping[str, str]: ...
    def prove(self, options: Mapping[str, str]) -> None: ...
    def available(self) -> Mapping[str, str]: ...  # PyPI package -> pattern whose first group is the engine's version
    def repro(self, version: str, options: Mapping[str, str], configs: Sequence[str]) -> str: ...  # opens it in a stand-alone script: ask, VERSION
    def open_session(self, configs: Sequence[str], options: Mapping[str, str]) -> Session: ...


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
    # Where it has it: `skeleton(recipe)`, what is asked in one order and without literals: one question that breaks in several words is one finding.
    # Where it has it: `swaps(case, other, is_close)`, each of two cases with a part of the other in the place of its own, to see whether they are
    # one; `is_close`: they show on the same of many builds, so that also a mere condition in another's place tells something;
    # `tells_by_swaps`, whether that is proof enough where no other release is at hand; `answers_tell`, whether another release shows the same only
    # by the same wrong answer.
    def is_legal(self, scene: Any, recipe: Any, seats: Seats) -> bool: ...
    def size(self, scene: Any, recipe: Any) -> tuple[int, ...]: ...
    def parse(self, setup: Sequence[str], query: str) -> tuple[Any, Sequence[Any]]: ...
