"""Messages between processes, and what the journal keeps: tagged structs, one JSON line each."""

from __future__ import annotations

from typing import Any

import msgspec

from gainsay.campaign.interval import Interval
from gainsay.core import registry
from gainsay.core.model import Case, CaseName, Seat
from gainsay.core.oracle import NOTHING

SURE = ("confirmed", "stateful")  # of findings that count
QUIET = ("muted", "known")  # of findings that somebody knows of: they are counted, and shown last


class Counts(msgspec.Struct):
    """What was done, to be added up."""

    checks: int = 0
    scenes: int = 0
    asks: int = 0
    refused: int = 0
    answered: int = 0  # checks of which the first question got rows
    nonempty: int = 0  # ... at least one row, or a count above zero
    undecidable: int = 0
    contradicted: int = 0
    engine_s: float = 0.0
    shunned: int = 0  # conversations that were not held because they look like a known death or internal error
    void: int = 0  # conversations that asked or claimed nothing, or were not held: no checks

    def add(self, other: Counts) -> None:
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Raw(msgspec.Struct, tag="raw"):
    """A contradiction as it was met, before anybody looked at it.
    A death has no case yet: it is drawn again from its name."""

    name: CaseName
    claim: str
    shape: tuple[str, ...] = ()
    case: Any = None
    before: tuple[tuple[int, str], ...] = ()
    text: str = ""
    detail: str = ""


class Sample(msgspec.Struct):
    """One text of a kind that a group's engine refused, and its whole answer."""

    group: str
    text: str
    message: str


class Progress(msgspec.Struct, tag="progress"):
    """What was counted, which episodes are done, and how far one got that a counted hunt cut short."""

    group: str
    counts: Counts
    done: tuple[int, ...] = ()
    partial: dict[int, int] = {}
    refusals: dict[str, int] = {}  # what the engine said when it refused, and how often
    undecided: dict[str, int] = {}  # why checks were undecidable, and how often
    reached: tuple[int, int] = (-1, 0)  # the episode that runs, and how many of its checks are counted here or before
    held: dict[str, int] = {}  # conversations of each oracle that came to a claim
    idle: dict[str, int] = {}  # ... and those that asked or claimed nothing
    samples: dict[str, Sample] = {}  # one text for each kind of refusal, told once
    # Of a sample of what was asked: feature -> how often it was in a statement or question, and in one that was taken
    drawn: dict[str, tuple[int, int]] = {}


class Trouble(msgspec.Struct, tag="trouble"):
    """A mistake of ours, or of an oracle in its `draw`: the traceback, and where it was met."""

    where: str
    traceback: str
    oracle: str = ""  # whose draw it was
    group: str = ""
    times: int = 1

    @property
    def place(self) -> str:
        """The line of code that did it: what comes from the same one is the same mistake again."""
        lines = [line for line in self.traceback.splitlines() if line.startswith('  File "')]
        return lines[-1] if lines else f"{self.where}: {self.traceback}"


class Gone(msgspec.Struct, tag="gone"):
    """An engine that can't be brought back, a server of the user's that is not ours to start: what to do about it."""

    message: str


class Ready(msgspec.Struct, tag="ready"):
    """A worker has set up, or has done all that it was leased."""

    pass


class Stint(msgspec.Struct):
    """An episode to run: how many checks it has, where to start, and what a worker that died over it left behind."""

    episode: int
    checks: int
    start: int = 0
    uncounted: int = 0  # checks that were made but never reported
    skip: tuple[int, ...] = ()  # checks that killed a worker


class Lease(msgspec.Struct, tag="lease"):
    """Episodes to run, and the shapes of known deaths and internal errors, which need not be met again and again."""

    episodes: tuple[Stint, ...]
    shunned: tuple[tuple[str, ...], ...] = ()


class Finding(msgspec.Struct, tag="finding", kw_only=True):
    """A case whose claim was contradicted, confirmed and reduced: all that replay and reports need."""

    id: str
    signature: str
    kind: str
    status: str
    family: str
    oracle: str
    engine: str
    version: str
    claim: str
    words: str
    why: str
    seed: int
    name: CaseName
    case: Any
    setup: tuple[str, ...]
    texts: dict[str, str]
    answers: dict[str, Any]
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    detail: str = ""
    shape: tuple[str, ...] = ()
    bucket: tuple[str, ...] = ()
    before: tuple[tuple[int, str], ...] = ()
    unreduced: bool = False
    seat: int = 0  # whose answer is taken for the wrong one
    opinion: str = ""  # what another engine says, where two differ
    also: tuple[str, ...] = ()  # where nobody can tell who is wrong: its signature for each of the other engines
    span: dict[str, str] = {}  # version of a sibling -> whether the contradiction shows there, see campaign/siblings.py
    same_as: str = ""  # the finding of which this is the same cause in another shape
    apart: tuple[str, str] = ("", "")  # id and signature where the plain ones are those of another cause
    count: int = 1
    sides: dict[str, Any] = {}
    proof: str | None = None  # what is said of its reproducer once that was run: nothing, if it shows the finding
    skeleton: str = ""  # what was asked in the family's normal form, without literals; where the family has one
    title: str = ""  # the signature with what matters, and nothing that does not; nothing: the signature itself
    kin: tuple[str, ...] = ()  # of what broke the engine: the skeletons of its neighbours, see Family.kin
    loosest: str = ""  # the skeleton of a still smaller question over which the engine says nearly the same
    beside: tuple[str, ...] = ()  # what the engine says over questions beside it, where it breaks: see Family.beside
    heard: tuple[str, ...] = ()  # what else it says over the same cause, in the words of its `beside`
    shapes: tuple[tuple[str, ...], ...] = ()  # of wrong answers, where the same cause breaks the engine elsewhere
    otherwise: tuple[str, ...] = ()  # how the same cause shows in other ways: what happens, and over which question
    interval: Interval | None = None  # between which releases it came and went, once that was searched
    # The ids of others that were put into its bucket: whoever has one of them still finds it
    aliases: tuple[str, ...] = ()

    def called(self) -> str:
        """What people read: 'kuzu: logic: distinct, with'."""
        return self.title or self.signature


class Spanned(msgspec.Struct, tag="spanned"):
    """On which siblings of its target a raw contradiction shows as well."""

    name: CaseName
    claim: str
    span: dict[str, str]


class Replayed(msgspec.Struct, tag="replayed"):
    """A likely repetition, replayed with what triggers the known findings taken out: the finding that can't be taken
    out, or the case and its shape in which the contradiction is left without them all."""

    name: CaseName
    claim: str
    finding: str = ""
    case: Any = None
    shape: tuple[str, ...] = ()


class Settled(msgspec.Struct, tag="settled"):
    """How the triage of one raw contradiction ended: a finding's id, or why there is none."""

    name: CaseName
    claim: str
    finding: str
    note: str = ""
    alias: str = ""  # the id that it has by itself: another where it went into the bucket of another


class Proved(msgspec.Struct, tag="proved"):
    """A finding's reproducer was run: what is to be said of it, nothing if it shows the finding."""

    id: str
    words: str


class Bisected(msgspec.Struct, tag="bisected"):
    """Between which releases a finding came and went."""

    id: str
    interval: Interval


class Merged(msgspec.Struct, tag="merged"):
    """A known finding turned out to be another one, which is told by a smaller case now."""

    id: str
    into: str


class Pulse(msgspec.Struct, tag="pulse"):
    """How far a hunt was at a moment: all of it is counted since the folder's first run, but for `run_s` and `cpu_s`,
    which are of this run."""

    at: float  # seconds since 1970
    run_s: float
    cpu_s: float  # of all processes
    counts: Counts
    findings: int
    raw: int
    waiting: int


class Started(msgspec.Struct, tag="started"):
    """A run of the command began."""

    version: str
    seed: int


Heard = Raw | Progress | Trouble | Gone | Ready | Lease
Learned = Finding | Merged | Spanned | Replayed | Settled | Proved | Bisected
Event = Heard | Learned | Started | Pulse
DECODER = msgspec.json.Decoder(Event)
ENCODER = msgspec.json.Encoder()


def encode(event: Any) -> bytes:
    return ENCODER.encode(event) + b"\n"


def read_case(data: Any) -> Case:
    """A case from its JSON: scene and recipe get the types of their family and oracle."""
    family = registry.family(data["family"])
    scene = msgspec.convert(data["scene"], family.scene_type)
    recipe = NOTHING
    if data["recipe"] is not None and data["recipe"]["node"] != "Nothing":
        recipe = msgspec.convert(data["recipe"], registry.oracle(data["family"], data["oracle"]).recipe_type)
    seats = msgspec.convert(data["seats"], tuple[Seat, ...])
    return Case(data["family"], data["oracle"], scene, recipe, seats, data["claim"])


def slim(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Seats for the record: what they refused is not needed to hold a conversation, and what they mean only in some
    families."""
    return tuple(
        msgspec.structs.replace(
            s, target=s.target.public(), refused=frozenset(), facts=s.facts if is_judged_by(s.target.engine) else ()
        )
        for s in seats
    )


def is_judged_by(engine: str) -> bool:
    """Whether cases are judged by what is documented of their engine."""
    return registry.family(registry.engine(engine).family).judges_by_profile
