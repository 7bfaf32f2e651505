"""What may be drawn for a set of seats: features that all of them have; sizes and settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gainsay.core.model import Seats
from gainsay.errors import EnvironmentProblem, UsageError, near
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.dialects import find
from gainsay.families.cypher.language.ops import OPS
from gainsay.families.cypher.meaning.profile import profile
from gainsay.families.cypher.meaning.scene_cache import SceneCache

SETTINGS: Mapping[str, str] = {
    "clauses": "the most clauses of a query, 1 to 9 (default 4)",
    "nodes": "the most nodes of a graph, 1 to 128 (default 9)",
    "fixed_questions": "on (default) or off: whether the fixed questions come first",
    "guidance": "full (default), topdown, patterns or none: what queries are led by (see docs/cypher.md)",
}
GUIDANCE = ("full", "topdown", "patterns", "none")
SCALARS = ("int", "str", "bool", "float")
LISTS = ("ints", "strs")
Choice = tuple[str, tuple[str, ...]]

INTS = (0, 1, -1, 2, 3, 0, 1)
STRS = ("", "a", "b", "ab", "A", "ba", "")
FLOATS = (0.0, 1.0, -0.5, 1.5, 2.0)
FAR_INTS = (2147483647, -2147483648, 2147483648, 9223372036854775807, -9223372036854775808, 4294967296)
FAR_STRS = ("aaaaaaaaaaaaaaaaaaaaaaaa", " a", "a b", "0", "null", "abcdefghijklm")
FAR_FLOATS = (1e10, -1e10, 0.25, 1e-5)
POOLS: Mapping[str, tuple[Any, ...]] = {"int": INTS, "str": STRS, "float": FLOATS, "bool": (True, False)}
FAR: Mapping[str, tuple[Any, ...]] = {"int": FAR_INTS, "str": FAR_STRS, "float": FAR_FLOATS, "bool": (True, False)}


def variants() -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    """Each operator with each typing of its operands: (feature, operator, operands, result)."""
    for name, operator in OPS.items():
        for args, result in operator.signatures:
            yield f"op:{name}/{','.join(args)}", name, args, result


class Lexicon:
    """`has(feature)` tells of clauses, patterns, forms and statements; `by_result` has the operators by what they
    yield."""

    def __init__(self, seats: Seats, settings: Mapping[str, str]) -> None:
        self.refused = seats.refused.union(*(find(s.dialect).lacks for s in seats))
        for seat in seats:
            if "graph:int property" in seat.refused:
                raise EnvironmentProblem(
                    f"{seat.target} does not take the statements by which gainsay makes a graph with properties, so "
                    "nothing can be asked about one. "
                    f"'gainsay engines check {seat.target}' shows what it says; another release may do."
                )
        self.profiles = tuple(dict.fromkeys(tuple(profile(s.facts).items()) for s in seats))
        self.clauses = whole_number(settings, "clauses", 4, 1, 9)
        self.nodes = whole_number(settings, "nodes", 9, 1, 128)
        self.guidance = settings.get("guidance", "full")
        if self.guidance not in GUIDANCE:
            raise UsageError(
                f"--set cypher.guidance={self.guidance}: there is no such guidance.{near(self.guidance, GUIDANCE)}"
            )
        said = settings.get("fixed_questions", "on")
        if said not in ("on", "off"):
            raise UsageError(f"--set cypher.fixed_questions={said}: say on or off.")
        self.has_fixed_questions = said == "on"
        found: dict[str, list[Choice]] = {}
        for feature, name, args, result in variants():
            if self.has(feature) and self.has(f"op:{name}"):
                found.setdefault(result, []).extend([(name, args)] * OPS[name].weight)
        self.by_result: Mapping[str, tuple[Choice, ...]] = {k: tuple(v) for k, v in found.items()}
        self._cache: SceneCache | None = None

    def has(self, feature: str) -> bool:
        return feature not in self.refused

    def scene_cache(self, scene: ir.Scene) -> SceneCache:
        if self._cache is None or self._cache.scene is not scene:
            self._cache = SceneCache(scene)
        return self._cache


def whole_number(settings: Mapping[str, str], key: str, default: int, least: int, most: int) -> int:
    text = settings.get(key, str(default))
    if not text.isdecimal() or not least <= int(text) <= most:
        raise UsageError(f"--set cypher.{key}={text}: give a whole number from {least} to {most}.")
    return int(text)
