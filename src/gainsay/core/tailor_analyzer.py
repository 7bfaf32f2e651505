"""The port of an analyzer that `gainsay tailor` tunes: what can be tuned, and one run under limits.
What has no default is abstract.

The thesis calls a sequence of ingredients a recipe, and so do the command line and the documents. In code it is a
`Tuning`, because a recipe is what an oracle draws."""

from __future__ import annotations

import hashlib
import re
import threading
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from gainsay.core.analyzer import Analyzer
from gainsay.core.poset import Poset
from gainsay.errors import UsageError, near

# Verdicts, one letter for each property, in the order of Code.properties.
PROVED, OPEN, REFUTED = "P", "o", "R"
FUNCTION = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
MOST_INGREDIENTS = 100
# The thesis's four, and the rest
KINDS = ("division by zero", "integer overflow", "buffer overflow", "use after free", "other")


class Setting(msgspec.Struct, frozen=True):
    """An option with its values from the least to the most precise."""

    name: str
    values: tuple[str, ...]
    default: str
    is_monotone: bool = True  # a later value costs at least as much time
    is_drawn: bool = True  # not drawn: only the designer's ladder uses it
    needs: str = ""  # a part of the domain without which it does nothing
    takes_function: bool = False  # may be given for one function alone, as name@function

    @property
    def most_precise(self) -> str:
        return self.values[-1]


class Ingredient(msgspec.Struct, frozen=True, order=True):
    """A domain with all its options. Only settings that differ from the default are kept, sorted by name."""

    domain: str
    settings: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return self.domain + "".join(f" {name}={value}" for name, value in self.settings)

    def get(self, setting: Setting) -> str:
        return dict(self.settings).get(setting.name, setting.default)

    def put(self, name: str, value: str, default: str | None) -> Ingredient:
        """With another value; the default is not kept."""
        values = {**dict(self.settings), name: value}
        if value == default:
            del values[name]
        return Ingredient(self.domain, tuple(sorted(values.items())))


class Tuning(msgspec.Struct, frozen=True, order=True):
    """A recipe: ingredients in the order in which they are run."""

    ingredients: tuple[Ingredient, ...]

    def __str__(self) -> str:
        return " ; ".join(map(str, self.ingredients))

    def __len__(self) -> int:
        return len(self.ingredients)

    @property
    def domains(self) -> list[str]:
        return [i.domain for i in self.ingredients]

    def replace(self, index: int, ingredient: Ingredient) -> Tuning:
        return Tuning((*self.ingredients[:index], ingredient, *self.ingredients[index + 1 :]))


class Property(msgspec.Struct, frozen=True):
    """One assertion. It is known by everything but its line, so that it stays the same when lines shift."""

    function: str
    kind: str
    text: str
    ordinal: int
    line: int = 0

    @property
    def id(self) -> str:
        return hashlib.blake2b(
            repr((self.function, self.kind, self.text, self.ordinal)).encode(), digest_size=4
        ).hexdigest()

    def __str__(self) -> str:
        again = f" (the {self.ordinal + 1}th such)" if self.ordinal else ""
        return f"{self.function}{f', line {self.line}' if self.line else ''}: {self.kind}: {self.text}{again}"


class Code(msgspec.Struct, frozen=True):
    """Code that was prepared once: a digest of what is analyzed, its properties, and the folder that holds what a run
    needs."""

    name: str
    digest: str
    properties: tuple[Property, ...]
    folder: str
    source: str = ""  # the path that the user gave

    def mask(self, verdicts: str, verdict: str) -> int:
        """The properties with this verdict, as bits."""
        return sum(1 << n for n, v in enumerate(verdicts) if v == verdict)

    def chosen(self, mask: int) -> list[Property]:
        return [p for n, p in enumerate(self.properties) if mask >> n & 1]


class Outcome(msgspec.Struct, frozen=True):
    """What one run of one ingredient did.
    `status` is ok, timeout, memory, hang, crash, or cut: so many stayed `open` that it could not win any more."""

    status: str
    cpu_s: float
    wall_s: float = 0.0
    memory: int = 0
    verdicts: str = ""
    detail: str = ""
    open: int = 0


NO_BOUND = 1 << 60


class Allowance(msgspec.Struct, frozen=True):
    """What one run may use: CPU-seconds over all its processes, bytes; and the number of open properties at which it
    can't win."""

    cpu_s: float
    memory: int
    open: int = NO_BOUND


class TailorAnalyzer(Analyzer):
    """Base of all analyzers that can be tuned."""

    install: ClassVar[str] = ""  # what a user does to get it
    trusted_only: ClassVar[frozenset[str]] = frozenset()  # options that a user may give, and a recipe file may not
    order: ClassVar[str] = "domains"  # what is searched first unless --order says otherwise
    hands_on: ClassVar[bool] = False  # whether what earlier ingredients proved changes what a later one does
    doubt: ClassVar[str] = "One of the two is a bug of the analyzer."  # said where one run proves what another refutes
    domains: ClassVar[Poset]  # of abstract values, ordered by precision
    settings: ClassVar[tuple[Setting, ...]] = ()  # what can be tuned besides
    kinds: ClassVar[Mapping[str, str]] = {}  # kind of a property -> one of KINDS

    @abstractmethod
    def version(self) -> str:
        """Of the installed analyzer. Raise EnvironmentProblem, with `install`, if there is none."""

    @abstractmethod
    def default(self) -> Tuning:
        """What a user gets who gives no option."""

    def initial(self) -> Tuning:
        """Where the search starts: rec_init of Algorithm 6."""
        return self.default()

    def most_precise(self) -> Tuning:
        """The greatest domains, each with the most precise value of every setting (RQ2)."""
        found = []
        for domain in self.domains.greatest:
            ingredient = Ingredient(domain)
            for setting in self.settings_of(domain):
                ingredient = ingredient.put(setting.name, setting.most_precise, setting.default)
            found.append(ingredient)
        return Tuning(tuple(found))

    def ladder(self) -> Sequence[tuple[str, Tuning]]:
        """The levels that the analyzer's designer offers, from fast to precise, each with its name."""
        return ()

    @abstractmethod
    def prepare(self, source: Path, folder: Path, stop: threading.Event) -> Code:
        """Parse and instrument once, into `folder`. Raise UsageError if the code can't be read or has no property."""

    @abstractmethod
    def run(
        self, code: Code, ingredient: Ingredient, assumed: int, allowance: Allowance, stop: threading.Event
    ) -> Outcome:
        """One run. `assumed` are the bits of what is proved already; it is 0 unless `hands_on`."""

    @abstractmethod
    def command(self, source: str, ingredient: Ingredient) -> list[str]:
        """What a user types to run this ingredient without gainsay, as shell lines."""

    def planted(self, folder: Path, stop: threading.Event) -> Sequence[Code]:
        """Code of our own with errors that an execution runs into, to be tried with many recipes: none may call one
        safe."""
        return ()

    def with_error(self, code: Code) -> Code | None:
        """The user's code with an error planted where an execution gets to, if the analyzer's file can tell such a
        place."""
        return None

    def called_safe(self, code: Code, proved: int) -> list[str]:
        """Which planted errors a run took for proved.
        A function planted_KIND_N has one: not all its properties of that kind hold. A property of the kind "planted"
        never holds."""
        found = [str(p) for p in code.chosen(proved) if p.kind == "planted"]
        for function in sorted({p.function for p in code.properties if p.function.startswith("planted_")}):
            kind = function.removeprefix("planted_").rpartition("_")[0]
            if all(proved >> n & 1 for n, p in enumerate(code.properties) if (p.function, p.kind) == (function, kind)):
                found.append(function)
        return found

    # --- the same for every analyzer ----------------------------------------------------------------------------------

    def settings_of(self, domain: str) -> list[Setting]:
        """Settings that may be drawn with a domain."""
        parts = domain.split("+")
        return [s for s in self.settings if s.is_drawn and (not s.needs or s.needs in parts)]

    def setting(self, name: str) -> Setting | None:
        """The setting of this name."""
        return next((s for s in self.settings if s.name == name), None)

    def checked(self, tuning: Tuning, where: str) -> Tuning:
        """Raise unless every word of a tuning stands in the tables: what a file says reaches a command line only by way
        of them."""
        if not 0 < len(tuning) <= MOST_INGREDIENTS:
            raise UsageError(
                f"{where}: a recipe has {len(tuning) or 'no'} ingredients; it may have 1 to {MOST_INGREDIENTS}."
            )
        for ingredient in tuning.ingredients:
            if len(dict(ingredient.settings)) < len(ingredient.settings):
                raise UsageError(f"{where}: a setting stands twice in one ingredient.")
            if ingredient.domain not in self.domains.names:
                raise UsageError(
                    f"{where}: {self.name} has no domain "
                    f"{ingredient.domain!r}.{near(ingredient.domain, self.domains.names)}"
                )
            for name, value in ingredient.settings:
                self._check_setting(name, value, where)
        return tuning

    def _check_setting(self, name: str, value: str, where: str) -> None:
        plain, at, function = name.partition("@")
        setting = self.setting(plain)
        if setting is None or (at and not setting.takes_function):
            raise UsageError(
                f"{where}: {self.name} has no setting {name!r} that tailor may "
                f"use.{near(plain, [s.name for s in self.settings])}"
            )
        if at and not FUNCTION.fullmatch(function):
            raise UsageError(f"{where}: {name!r} does not name a function.")
        if value not in setting.values:
            raise UsageError(
                f"{where}: {name} can't be {value!r}. It takes {', '.join(v or repr(v) for v in setting.values)}."
            )
