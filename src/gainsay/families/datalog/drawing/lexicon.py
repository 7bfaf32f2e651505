"""What can be said to all seats at once: types, features, functors and aggregates, and the sizes that settings ask
for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from gainsay.core.model import Seats
from gainsay.errors import UsageError
from gainsay.families.datalog.language import dialects
from gainsay.families.datalog.language.ops import AGGREGATES, FUNCTORS, TESTS
from gainsay.families.datalog.language.writer import Dialect

SETTINGS: Mapping[str, str] = {
    "mix": "how large programs are: small (at most six rules, default for reference) or full (at most twelve)",
    "extremes": "1: also ask what engines may legally differ on (-0.0, words near their bounds); reference stays "
    "silent there",
    "p_empty": "how often a rule without results is kept (default 0.1)",
    "seeds": "a folder of programs in the engine's own dialect (same as --seeds)",
    "usable": "the seeds that are used, one on a line (found at the start)",
}
RULES_SETTINGS: Mapping[str, str] = {
    "max_rules": "rules of a program (default 100)",
    "max_att": "attempts at a new rule before a program is taken as it is (default 20; inf is possible)",
    "p_empty": "how often a rule without results is kept (default 0.1)",
    "p_head": "how often an existing relation is the head of a new rule (default 0.02)",
    "max_iter": "rounds of a recursion before a rule is given up (default 100)",
    "unstratified": "1: also recursion through negation, whose rules are evaluated in one reference program (default "
    "0)",
    "drop": "what is left out of reference programs: inline (default), keywords, or all (keywords and execution "
    "options)",
}


class Sizes:
    """How large a drawn program is."""

    __slots__ = ("max_att", "max_iter", "p_empty", "p_head", "rules")

    def __init__(
        self, rules: int, p_head: float, p_empty: float = 0.1, max_att: float = 20, max_iter: int = 100
    ) -> None:
        self.rules = rules
        self.p_head = p_head
        self.p_empty = p_empty
        self.max_att = max_att
        self.max_iter = max_iter


def full(key: str) -> str:
    """A setting as it was given: the family's own come without their family."""
    return key if "." in key else f"datalog.{key}"


def number(settings: Mapping[str, str], key: str, default: float, least: float, most: float) -> float:
    """A setting that is a number within bounds."""
    text = settings.get(key, "")
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise UsageError(f"--set {full(key)}={text}: a number from {least:g} to {most:g} is needed.")
    return value


def flag(settings: Mapping[str, str], key: str) -> bool:
    text = settings.get(key, "0")
    if text not in ("0", "1"):
        raise UsageError(f"--set {full(key)}={text}: it is 0 or 1.")
    return text == "1"


def weighted(aggregates: Iterable[str]) -> list[str]:
    """Aggregates, each as often as it is to be drawn."""
    return [a for a in aggregates for _ in range(AGGREGATES[a].weight)]


class Lexicon:
    """What may be drawn for these seats: what all their dialects have and none refused."""

    def __init__(self, seats: Seats, settings: Mapping[str, str], seeds: Any = ()) -> None:
        spoken = {s.dialect: dialects.find(s.dialect) for s in seats}
        self.dialects = tuple(spoken)
        self.seeds = seeds
        self._share(list(spoken.values()), seats.refused, seats.disputed)
        self._size(settings, min(d.most_rules for d in spoken.values()))
        self.unstratified = flag(settings, "rules.unstratified")
        self.drop = settings.get("rules.drop", "inline")
        if self.drop not in ("inline", "keywords", "all"):
            raise UsageError(f"--set rules.drop={self.drop}: it is inline, keywords or all.")

    def _share(self, spoken: Sequence[Dialect], refused: Set[str], disputed: Set[str]) -> None:
        """What all dialects can say and no seat refuses."""
        first, *others = spoken
        self.types = tuple(t for t in first.types if all(t in d.types for d in others) and f"type:{t}" not in refused)
        self.features = frozenset.intersection(*(d.features for d in spoken)) - refused
        words = set.intersection(*(set(d.words) for d in spoken))
        said = {name: f for name, f in FUNCTORS.items() if name in words and f.result in self.types}
        self.functors = {name: f for name, f in said.items() if f"functor:{name}" not in refused and not f.is_partial}
        self.tests = {name: t for name, t in TESTS.items() if name in words and f"test:{name}" not in refused}
        in_heads = set.intersection(*(set(d.folds) for d in spoken)) - disputed
        in_bodies = set.intersection(*(set(d.aggregates) for d in spoken))
        self.folds = weighted(a for a in first.folds if a in in_heads and f"fold:{a}" not in refused)
        self.aggregates = weighted(a for a in first.aggregates if a in in_bodies and f"aggregate:{a}" not in refused)
        self.marks = tuple(m for m in first.marks if not others and f"mark:{m}" not in refused)
        self.pragmas = tuple(p for p in first.pragmas if not others and f"pragma:{p}" not in refused)
        self.lowest = max(d.lowest for d in spoken)
        self.largest = min(d.largest for d in spoken)
        self.sum_type = next((d.sum_type for d in spoken if d.sum_type), "")
        self.is_loose = any(d.is_overloaded for d in spoken)
        self.functor_above = min(d.functor_above for d in spoken)
        self.most_unfolded = min(d.most_unfolded for d in spoken)

    def _size(self, settings: Mapping[str, str], most_rules: int) -> None:
        """How large programs are, by what the user says."""
        mix = settings.get("mix", "small")
        if mix not in ("small", "full"):
            raise UsageError(f"There is no mix {mix!r}: it is small or full.")
        p_empty = number(settings, "p_empty", 0.1, 0, 1)
        self.extremes = flag(settings, "extremes")
        self.small = Sizes(6 if mix == "small" else 12, 0.35, p_empty)
        att = settings.get("rules.max_att", "")
        self.rules = Sizes(
            int(number(settings, "rules.max_rules", min(100, most_rules), 1, 1000)),
            number(settings, "rules.p_head", 0.02, 0, 1),
            number(settings, "rules.p_empty", 0.1, 0, 1),
            math.inf if att in ("inf", "infinity") else number(settings, "rules.max_att", 20, 1, 1_000_000),
            int(number(settings, "rules.max_iter", 100, 1, 100_000)),
        )
        # Most programs of `rules` stay short and have more recursion, unless their size was asked for: one grown to
        # Max_rules costs as much as fifty.
        self.is_sized = any(k in settings for k in ("rules.max_rules", "rules.p_head"))
        self.short = Sizes(12, 0.35, self.rules.p_empty, self.rules.max_att, self.rules.max_iter)

    def has(self, feature: str) -> bool:
        return feature in self.features
