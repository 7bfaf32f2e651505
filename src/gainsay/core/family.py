"""The port of a family: a query language, its generator, dialects and probes, and what a reducer must know of its
trees."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, ClassVar, NamedTuple, Protocol

from gainsay.core import values
from gainsay.core.answer import Answer, Decision, GaveUp
from gainsay.core.answer import Rows as Answered
from gainsay.core.claim import Relation
from gainsay.core.draw import Draw
from gainsay.core.model import Case, Probe, Seat, Seats, Step
from gainsay.core.tree import Path, at

Growth = Generator[Step, Answer, Any]
Parts = tuple[Any, Any]  # a scene and a recipe
Rows = list[Any]
EVERYWHERE = "everywhere"  # the place of what is exchanged in all places at once: if that does nothing, none does


class Reading(NamedTuple):
    """Text that others wrote, as a scene and questions; what stayed text, in words."""

    scene: Any
    questions: Sequence[Any]
    unread: Sequence[str] = ()


class Starter(NamedTuple):
    """What a package begins with that `gainsay new` writes for an engine or an oracle of a family."""

    trial: str  # the engine that such an oracle is tried on
    needs: Sequence[str] = ()  # packages that such an engine needs to work at once
    # The Python package with templates/engine/FAMILY/ and templates/oracle/FAMILY/: README.md.txt, engine.py.txt, ...
    package: str = ""  # empty: gainsay has them


class Dialect(Protocol):
    """How IR nodes are spelled."""

    @property
    def name(self) -> str:
        """As an engine names it."""
        ...

    @property
    def comment(self) -> str:
        """What begins a line of comment."""
        ...

    def text(self, node: Any, /) -> str:
        """A statement or question as it is sent; nothing where this dialect has nothing to say."""
        ...


class Family(ABC):
    """A query language. What has a default here, a family says only where it is otherwise."""

    name: ClassVar[str]  # as in the registry
    scene_type: ClassVar[Any]  # what its scenes are read back as: a Node, or several
    question_type: ClassVar[Any]  # what asks; a statement that changes something is of another type
    extension: ClassVar[str]  # of the reproducer: sql, dl, smt2, cypher
    checks_per_episode: ClassVar[int] = 80  # so many are made on a scene before the next one is drawn
    lexer: ClassVar[str] = "text"  # of pygments, by which its scripts are coloured
    literals: ClassVar[Mapping[str, str]] = {}  # what Python's None, True and False are called in reports
    telling: ClassVar[str] = "Not empty"  # what an answer is that tells something
    ending: ClassVar[str] = ""  # of a statement in a script
    settings: ClassVar[Mapping[str, str]] = {}  # --set family.key=value: key -> what it means
    same: ClassVar[Relation] = Relation.SAME_BAG  # what must hold between the answers of two targets
    remedy: ClassVar[str] = "Nothing it says can be trusted."  # where a target does not answer the canary
    helpers: ClassVar[Sequence[str]] = ()  # engines that may be asked while scenes grow, best first
    patience: ClassVar[int] = 1 << 30  # time-outs after which a scene is left
    scene_s: ClassVar[float] = float("inf")  # of wall time for the checks on a scene
    judges_by_profile: ClassVar[bool] = False  # a case is judged by its engine's documented facts, so it keeps them
    counts_are_rows: ClassVar[bool] = False  # a count of zero is a row like others: an answer that tells something
    is_strict: ClassVar[bool] = False  # a case that is not legal, as drawn or as reduced, is no finding
    tells_by_swaps: ClassVar[bool] = False  # a swap is proof enough, also where there are no other releases
    answers_tell: ClassVar[bool] = False  # another wrong answer of another release is no sign of the same cause
    # A case keeps to its releases while it shrinks: another bug would often take its place
    shrinks_in_span: ClassVar[bool] = False
    # A script is statements and questions that are sent one by one; else a question carries its scene with it
    scripts_are_statements: ClassVar[bool] = False
    # A contradiction that is there without a known finding's trigger (`carried`, `instead`) has another cause
    tells_without: ClassVar[bool] = False
    is_readonly: ClassVar[bool] = False  # questions change nothing: a scene that is loaded may be asked again
    is_threaded: ClassVar[bool] = False  # engines work in threads of their own, whose time is not ours
    is_noisy: ClassVar[bool] = False  # its engines have bugs that any good oracle meets
    # Kinds of probed features of which every draw is told by `uses`: one that is not told was not drawn
    told_in_full: ClassVar[frozenset[str]] = frozenset()
    feature_kinds: ClassVar[Mapping[str, str]] = {}  # kinds of features that `uses` tells -> what a report calls them
    # Engines on which an oracle is tried out, the best first
    trial_engines: ClassVar[Sequence[str]] = ()
    # What `gainsay new` writes for it; None: nothing
    starter: ClassVar[Starter | None] = None
    # Where answers are verdicts: each with the word that contradicts it
    opposites: ClassVar[Mapping[str, str]] = {}
    # ... and what reads them from printed text. A reproducer carries these functions as they are: verdicts(printed),
    # under_model(script, printed), truth(said, under_it)
    reads_printed: ClassVar[Sequence[Callable[..., Any]]] = ()
    # Labels of two questions of which a report marks the lines that only one of them has
    compared_by_line: ClassVar[frozenset[str]] = frozenset()

    # --- what a target takes ------------------------------------------------------------------------------------------

    @abstractmethod
    def dialect(self, name: str) -> Dialect:
        """A dialect by name."""

    @abstractmethod
    def probes(self, dialect: str, has: Callable[[str], bool] = lambda _: True) -> Iterable[Probe]:
        """What to ask a target once. `has`: whether an earlier probe's feature was taken."""

    @abstractmethod
    def canary(self, dialect: str) -> tuple[str | Sequence[str], Rows]:
        """A question (or several, of which one will do) and its answer."""

    def long_question(self, dialect: str) -> str:
        """What takes far longer than any limit of time; nothing where no such text is known."""
        return ""

    def examination(self, seats: Seats) -> Iterator[tuple[Any, Any, Rows, str]]:
        """Fixed questions: scene, question, the right rows under the seats' profile, and the rule by which rows are
        compared."""
        return iter(())

    def uses(self, node: Any, text: str) -> Iterable[str]:
        """What a statement or question is made of, in the words of `probes`: kind:name. For what a hunt says of itself,
        so it is asked of a sample only."""
        return ()

    def row_of(self, feature: str) -> str:
        """What `uses` calls a probed feature; nothing where it does not tell all of that kind."""
        return feature if feature.partition(":")[0] in self.told_in_full else ""

    # --- scenes and questions -----------------------------------------------------------------------------------------

    @abstractmethod
    def prepare(self, seats: Seats, settings: Mapping[str, str]) -> Any:
        """The lexicon: what may be drawn for these seats. A bad setting is a UsageError."""

    @abstractmethod
    def grow(self, draw: Draw, seats: Seats) -> Growth:
        """Draw a scene. It may ask the engine on the way."""

    def fixed_scene(self, number: int, seats: Seats) -> Any:
        """A fixed scene for the first episodes; None where it is drawn."""
        return None

    def scene_number(self, number: int, seats: Seats) -> int:
        """Which scene an episode has: episodes of one number share it."""
        return number

    def seeds(self, folder: str, dialect: str) -> list[tuple[str, str, Any]] | None:
        """The seeds of a folder: name, why it can't be used (or nothing), and a question that shows whether a target
        takes it. None: there are no seeds in this family."""
        return None

    def seed_trouble(self, answer: Answer) -> str:
        """Why a target's answer to a seed's question says that it can't be used; empty: it can."""
        return "" if isinstance(answer, (Answered, Decision, GaveUp)) else " ".join(str(answer).split())[:160]

    @abstractmethod
    def question(self, draw: Draw, scene: Any, seats: Seats) -> tuple[Any, str]:
        """A question for all seats, and the rule by which answers are compared."""

    def asked(self, scene: Any, question: Any) -> Any:
        """The node that is asked for a question."""
        return question

    def asked_by(self, scene: Any, question: Any, seat: Seat) -> Any:
        """The node that one seat is asked: its configuration may be a part of the question."""
        return self.asked(scene, question)

    def posed(self, scene: Any, node: Any) -> Parts | None:
        """A scene and the question for which a node is asked on it; None where there is none."""
        return (scene, node) if isinstance(node, self.question_type) else None

    def expected(self, case: Case) -> Rows | None:
        """The right answer to the question of a case, where the family itself can tell."""
        return None

    def means_one(self, scene: Any, question: Any, seats: Seats) -> bool:
        """Whether the seats mean the same by a question, as far as our own semantics of each can tell."""
        return True

    # --- loading ------------------------------------------------------------------------------------------------------

    def script(self, scene: Any) -> Sequence[Any]:
        """The statements that make a scene; none where a question carries its scene with it."""
        return ()

    def keep(self, scene: Any, accepted: Iterable[int]) -> Any:
        """The scene that some of its statements make."""
        return scene

    @abstractmethod
    def is_barren(self, scene: Any) -> bool:
        """Whether there is nothing to ask about."""

    def stored(self, scene: Any) -> Sequence[Any]:
        """Questions that show all that is stored."""
        return ()

    # --- reducing -----------------------------------------------------------------------------------------------------

    def cuts(self, case: Case) -> Iterator[Parts]:
        """Large cuts, tried before anything else."""
        return iter(())

    @abstractmethod
    def shrinks(self, case: Case) -> Iterator[Parts]:
        """Smaller cases that a generic reducer can't know of."""

    def simplest(self, node: Any) -> Sequence[Any]:
        """What may stand for a node, simplest first."""
        return ()

    @abstractmethod
    def tidy(self, scene: Any, recipe: Any) -> Parts:
        """The same with readable names."""

    @abstractmethod
    def is_legal(self, scene: Any, recipe: Any, seats: Seats) -> bool:
        """Whether a case has one right answer, the same for all seats."""

    @abstractmethod
    def size(self, scene: Any, recipe: Any) -> tuple[int, ...]:
        """How far a case is from the simplest one. Each accepted step makes it smaller."""

    # --- telling causes apart -----------------------------------------------------------------------------------------

    @abstractmethod
    def shape(self, scene: Any, recipe: Any) -> frozenset[str]:
        """The features that a case is made of."""

    @abstractmethod
    def bucket(self, features: frozenset[str]) -> frozenset[str]:
        """What of a reduced shape names the cause."""

    @abstractmethod
    def absorbs(self, known: frozenset[str], new: frozenset[str]) -> bool:
        """Whether a new bucket is a known one with mere surroundings."""

    def core(self, features: frozenset[str]) -> frozenset[str]:
        """What of a shape names the cause of a death; nothing where the bucket does."""
        return frozenset()

    def framed(self, features: frozenset[str]) -> frozenset[str]:
        """What of a bucket or a title is of clauses, and not of what is worked out in them. Where an engine notices at
        some time that its memory is broken, the rest is chance."""
        return features

    def seated(self, seat: Seat) -> frozenset[str]:
        """What a target's configuration adds to the shape."""
        return frozenset()

    def skeleton(self, recipe: Any) -> str:
        """What is asked, in one order and without literals: a question that breaks in several words is one finding.
        Empty: its text does."""
        return ""

    def kin(self, case: Case) -> frozenset[str]:
        """The skeletons of questions next to one that broke an engine: in another context, or with a plainer function.
        If one of them is known to go wrong otherwise, it is the same cause."""
        return frozenset()

    def beside(self, case: Case) -> Iterator[Parts]:
        """Cases next to a reduced one, asked to hear how the engine breaks over them: if it does so in the words of
        another finding, that is the same cause. A question that was answered wrongly has others of the same right
        answer only."""
        return iter(())

    def carried(self, node: Any) -> Set[str]:
        """The features that a node by itself adds to the shape of a case."""
        return frozenset()

    def instead(self, case: Case, path: Path) -> Sequence[Any]:
        """What may stand at a place of (scene, recipe), so that what stands there is taken out: the values that it
        has, where the family can compute them, or something plainer."""
        return self.simplest(at((case.scene, case.recipe), path))

    def swaps(self, case: Case, other: Case, is_close: bool) -> Iterator[Parts]:
        """Each of two cases with a part of the other in the place of its own, to see whether they are one cause.
        `is_close`: they show on the same of many builds, so that also a mere condition in another's place tells
        something."""
        return iter(())

    def exchanges(self, case: Case) -> Iterator[tuple[str, Any, Parts]]:
        """What a title could name, where it stands (or EVERYWHERE), and a case in which it is exchanged there for
        another of its kind."""
        return iter(())

    def titled(
        self, recipe: Any, named: frozenset[str], spared: frozenset[str], needed: frozenset[str]
    ) -> frozenset[str]:
        """What a title names. `named`: the bucket of a wrong answer, the whole shape of what broke the engine, whose
        message is its signature; `spared`: what was exchanged, and the case was as wrong; `needed`: what could not
        be."""
        return named

    # --- telling ------------------------------------------------------------------------------------------------------

    def remark(self, dialect: str, left: Sequence[Any], right: Sequence[Any]) -> str:
        """What a reader should know of a difference between two lists of rows."""
        return ""

    def legible(self, text: str) -> str:
        """What was asked, for people."""
        return text

    # --- what others wrote --------------------------------------------------------------------------------------------

    @abstractmethod
    def parse(self, setup: Sequence[str], query: str, dialect: str = "") -> Reading:
        """Statements and a question that others wrote, read into our trees as far as they can be."""

    def statements(self, script: str) -> Sequence[str]:
        """The statements and questions of a script, one by one; all of it, where a question carries its scene."""
        return (script,) if script.strip() else ()

    def rule(self, question: Any) -> str:
        """The rule by which answers to a question are compared with ours."""
        return values.EXACT

    def depends_on(self, scene: Any, question: Any, dialect: str) -> frozenset[str]:
        """Documented facts by which a question has one meaning or another, where our evaluation does not show it."""
        return frozenset()

    def is_question(self, text: str) -> bool:
        """Whether a text of a script asks something, rather than making or changing something."""
        return True

    def reaches_out(self, text: str) -> str:
        """What in a text would touch files, load code or start something outside of the engine; empty: nothing. Such
        text is never sent."""
        return ""

    def evaluated(self, case: Case) -> Rows | str:
        """The right answer to the question of a case, or why we have none."""
        rows = self.expected(case)
        return "our semantics has no one answer to it" if rows is None else rows
