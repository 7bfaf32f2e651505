"""What may be drawn for a set of seats: the logics and operators that all of them take; sizes and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gainsay.core.draw import Draw
from gainsay.core.model import Seats
from gainsay.errors import UsageError, near
from gainsay.families.smt.drawing.expressions import Grower
from gainsay.families.smt.drawing.vocabulary import FORMATS
from gainsay.families.smt.language.ir import Scene
from gainsay.families.smt.language.logics import LOGICS
from gainsay.families.smt.meaning.scene_cache import SceneCache

SETTINGS: Mapping[str, str] = {
    "logics": "names of logics, joined by commas: formulas are drawn in these only",
    "fuel": "how deep drawn formulas are (default 4)",
    "mix": "small: short formulas; full: everything",
    "seeds": "the folder of seeds (set by --seeds)",
    "usable": "the seeds that can be used (set by --seeds)",
}
UNSPECIFIED = frozenset(
    {"op:fp.min", "op:fp.max", "op:fp.to_ubv", "op:fp.to_sbv", "op:selector", "op:division by terms"}
)
MODES = ("one-shot", "resident", "incremental")
LIMITS = {
    "storm.nc": (1, 100_000),
    "storm.nm": (1, 100_000),
    "storm.d_max": (1, 10_000),
    "storm.a_max": (1, 10_000),
    "fuel": (1, 12),
}


class Lexicon:
    """What may be drawn for these seats: logics, operators, modes, and the limits of what is drawn."""

    def __init__(self, seats: Seats, settings: Mapping[str, str], seeds: Sequence[Any] = ()) -> None:
        # What the standard leaves to the solver is not compared between solvers: each may fix it in its own way.
        self.refused = seats.refused | (UNSPECIFIED if len(seats) > 1 else frozenset())
        self.settings = settings
        self.seeds = list(seeds)
        self.fuel = self._number("fuel", 2 if settings.get("mix") == "small" else 4)
        self.d_max = self._number("storm.d_max", 64)
        self.a_max = self._number("storm.a_max", 64)
        self.nc = self._number("storm.nc", 0)
        self.nm = self._number("storm.nm", 0)
        share = self._share("storm.tactics")
        self.tactics = share if "mode:tactic" not in self.refused else 0.0  # Z3 alone has them
        self.modes = [m for m in self._modes() if m == "one-shot" or f"mode:{m}" not in self.refused]
        self.logics = self._logics()
        self._weights = self._added_up()
        self._cache: SceneCache | None = None

    def _number(self, key: str, default: int) -> int:
        low, high = LIMITS[key]
        text = self.settings.get(key, str(default))
        if not text.isdigit() or not low <= int(text) <= high:
            if key not in self.settings:
                return default
            raise UsageError(f"--set {key if '.' in key else f'smt.{key}'}={text}: give a number from {low} to {high}.")
        return int(text)

    def _share(self, key: str) -> float:
        try:
            found = float(self.settings.get(key, "0"))
        except ValueError:
            found = -1.0
        if not 0 <= found <= 1:
            raise UsageError(f"--set {key}={self.settings[key]}: give a number from 0 to 1.")
        return found

    def _modes(self) -> Sequence[str]:
        wanted = self.settings.get("storm.mode", "")
        if wanted and wanted not in MODES:
            raise UsageError(f"--set storm.mode={wanted}: there is no such mode. It is one of {', '.join(MODES)}.")
        return (wanted,) if wanted else MODES

    def _logics(self) -> list[str]:
        wanted = [n for n in self.settings.get("logics", "").split(",") if n]
        for name in wanted:
            if name not in LOGICS:
                raise UsageError(
                    f"--set smt.logics: there is no logic {name!r} here.{near(name, LOGICS)} There are "
                    f"{', '.join(LOGICS)}."
                )
        has_floats = any(self.has(f) for f in FORMATS)
        usable = [
            n for n in LOGICS if f"logic:{n}" not in self.refused and (has_floats or "fp" not in LOGICS[n].theories)
        ]
        found = [n for n in usable if not wanted or n in wanted]
        if not found:
            raise UsageError(f"The targets do not share any of the logics {', '.join(wanted or LOGICS)}.")
        return found

    def _added_up(self) -> list[float]:
        total = 0.0
        return [total := total + LOGICS[n].weight for n in self.logics]

    def draw_logic(self, draw: Draw) -> str:
        at = draw.unit() * self._weights[-1]
        return next(n for n, upto in zip(self.logics, self._weights, strict=True) if at < upto)

    def modes_of(self, scene: Scene) -> list[str]:
        """How instances of a scene may be asked: some solvers take quantifiers only one-shot."""
        is_quantified = (
            "quant" in LOGICS[scene.logic].theories if scene.logic in LOGICS else not scene.logic.startswith("QF_")
        )
        return [
            m for m in self.modes if m == "one-shot" or not is_quantified or f"mode:{m} quant" not in self.refused
        ] or ["one-shot"]

    def has(self, feature: str) -> bool:
        """Whether every seat takes an operator, or a sort."""
        return f"op:{feature}" not in self.refused

    def scene_cache(self, scene: Scene) -> SceneCache:
        if self._cache is None or self._cache.scene is not scene:
            self._cache = SceneCache(scene)
        return self._cache

    def grower(self, draw: Draw, scene: Scene) -> Grower:
        return self.scene_cache(scene).grower(draw, self.has)
