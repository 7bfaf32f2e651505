"""The nouns of a hunt: target, seat, step, case, finding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote

import msgspec

from gainsay.core.tree import Node
from gainsay.errors import UsageError

TARGET = re.compile(r"^(?P<engine>[a-z][a-z0-9_-]*)(@(?P<version>[^:?]+))?(:(?P<configs>[^?]+))?(\?(?P<options>.+))?$")
# Never written down: credentials, a command that may hold some, and the leave to empty a database, which holds for
# once.
SECRETS = frozenset({"password", "dsn", "token", "restart", "wipe"})


def anonymous(value: str) -> str:
    """An option's value without the user and the password that an address may have in it."""
    return re.sub(r"//[^/@]*@", "//", value)


class Target(msgspec.Struct, frozen=True):
    """An engine, a version of it (empty: the installed one) and a configuration, as the user named them."""

    engine: str
    version: str = ""
    configs: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def parse(text: str) -> Target:
        """Read engine@version:config+config?key=value, as users write it."""
        match = TARGET.match(text)
        if not match:
            raise UsageError(
                f"{text!r} is not a target. Write engine[@version][:config[+config]][?key=value], such as duckdb@1.1.3 "
                "or sqlite?lib=PATH."
            )
        parts = match.groupdict()
        options = parse_qsl(parts["options"] or "", keep_blank_values=True)
        if any("=" not in pair for pair in (parts["options"] or "=").split("&")):
            raise UsageError(f"{text!r}: what follows '?' must be key=value pairs joined by '&'.")
        configs = tuple(filter(None, (parts["configs"] or "").split("+")))
        return Target(parts["engine"], parts["version"] or "", configs, tuple(options))

    def public(self) -> Target:
        """The same without credentials, for everything that is written down."""
        return msgspec.structs.replace(
            self, options=tuple((k, anonymous(v)) for k, v in self.options if k not in SECRETS)
        )

    def __str__(self) -> str:
        text = (
            self.engine
            + (f"@{self.version}" if self.version else "")
            + (":" + "+".join(self.configs) if self.configs else "")
        )
        shown = [f"{k}={quote(anonymous(v), safe='/.:')}" for k, v in self.options if k not in SECRETS]
        return text + ("?" + "&".join(shown) if shown else "")


class Seat(msgspec.Struct, frozen=True):
    """A target's place in a case: which dialect it speaks, what it was seen to accept, and its documented
    peculiarities."""

    index: int
    target: Target
    version: str
    dialect: str
    build: tuple[str, ...] = ()
    refused: frozenset[str] = frozenset()
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The engine, its configuration and the version that really ran: 'sqlite 3.40.1', 'souffle:magic 2.5'."""
        return f"{self.target.engine}{':' if self.target.configs else ''}{'+'.join(self.target.configs)} {self.version}"


class Probe(NamedTuple):
    """A feature and the texts that a target must accept, in a fresh session after `setup`: all of them, or any.
    What is accepted must also have its effect: the question of `effect` then gives these rows, whether or not `tries`
    before it are refused."""

    feature: str
    texts: tuple[str, ...]
    setup: tuple[str, ...] = ()
    is_any: bool = False
    tries: tuple[str, ...] = ()
    effect: tuple[str, list[tuple[Any, ...]]] | None = None
    is_fresh: bool = False  # it is asked in a session of its own: what it leaves behind is in the way of others


HELPER = -1  # the seat of a step that goes to an engine which is not under test


class Seats:
    """The seats of one conversation.
    `lexicon` is what the family prepared from the features and facts that all of them share.

    `helper` is the name of an engine that is not under test, where there is one.
    """

    __slots__ = ("helper", "lexicon", "seats")

    def __init__(self, seats: tuple[Seat, ...], lexicon: Any = None, helper: str = "") -> None:
        self.seats = seats
        self.lexicon = lexicon
        self.helper = helper

    def __iter__(self) -> Iterator[Seat]:
        return iter(self.seats)

    def __len__(self) -> int:
        return len(self.seats)

    @property
    def refused(self) -> frozenset[str]:
        """Features that at least one seat does not have."""
        return frozenset().union(*(s.refused for s in self.seats))

    @property
    def disputed(self) -> frozenset[str]:
        """Documented facts on which the seats differ: what depends on one of them can't be compared."""
        names = {name for s in self.seats for name, _ in s.facts}
        return frozenset(n for n in names if len({dict(s.facts).get(n) for s in self.seats}) > 1)


class Step(msgspec.Struct, gc=False):
    """One question to one seat.
    `again` says that the same text may come back in this episode: its answer is remembered."""

    label: str
    node: Any
    seat: int = 0
    again: bool = False


class Case(msgspec.Struct, frozen=True):
    """Scene + recipe + seats: all that is needed to hold the conversation again, and all that a reducer may shrink."""

    family: str
    oracle: str
    scene: Any
    recipe: Any
    seats: tuple[Seat, ...]
    claim: str  # the label of the claim that was contradicted, or crash, hang, memory, internal-error

    def with_parts(self, scene: Node, recipe: Any) -> Case:
        return msgspec.structs.replace(self, scene=scene, recipe=recipe)


class Restated(msgspec.Struct, frozen=True):
    """A contradiction between several answers, as a claim of another oracle about the one of them that is wrong."""

    oracle: str
    scene: Any
    recipe: Any
    claim: str


class CaseName(msgspec.Struct, frozen=True, order=True):
    """Where a case came from: with the campaign's seed it names the case for ever."""

    group: str
    episode: int
    oracle: str
    check: int


KINDS = frozenset({"crash", "hang", "memory", "internal-error", "incomplete"})


def kind_of(claim: str) -> str:
    return claim if claim in KINDS else "logic"
