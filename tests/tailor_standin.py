"""An analyzer without a program, for tests of the search: what a run proves and costs is a function of domain and
settings.

It tests us, not an analyzer: acceptance is on Z3 (`make test`) and Eva (`make test-analyzers`).
"""

from __future__ import annotations

import threading
from pathlib import Path

from gainsay.core.poset import Poset
from gainsay.core.tailor_analyzer import (
    OPEN,
    PROVED,
    REFUTED,
    Allowance,
    Code,
    Ingredient,
    Outcome,
    Property,
    Setting,
    TailorAnalyzer,
    Tuning,
)

FIGURE_5_3 = {
    "int": ("zones", "term-int", "ric", "dis-int"),
    "zones": ("oct",),
    "oct": ("pk",),
    "dis-int": ("boxes", "term-dis-int"),
    "bool": (),
    "pk": (),
    "term-int": (),
    "ric": (),
    "boxes": (),
    "term-dis-int": (),
}
TOTAL = 40


class Standin(TailorAnalyzer):
    """Domain number d proves the properties d, d + 10, ...; each step of `delay` proves one more of the last ten and
    costs a second."""

    name = "standin"
    domains = Poset(FIGURE_5_3)
    settings = (
        Setting("delay", ("1", "2", "4", "8", "16"), "1"),
        Setting("narrow", ("1", "2", "3", "4"), "1"),
        Setting("backward", ("off", "on"), "off", is_monotone=False),
    )

    def __init__(self, hands_on: bool = False) -> None:
        super().__init__({})
        self.asked: list[tuple[Ingredient, int, float]] = []
        self.is_handing = hands_on
        self.refutes: dict[str, int] = {}  # domain -> property that it refutes
        self.fails: dict[str, str] = {}  # domain -> status
        self.base_s = 0.5
        self.lock = threading.Lock()

    @property
    def hands_on(self) -> bool:  # type: ignore[override]
        return self.is_handing

    def version(self) -> str:
        return "1"

    def default(self) -> Tuning:
        return Tuning((Ingredient("zones"),))

    def initial(self) -> Tuning:
        return Tuning((Ingredient("int"),))

    def ladder(self) -> list[tuple[str, Tuning]]:
        return [(f"level {d}", Tuning((Ingredient(d),))) for d in ("int", "zones", "oct", "pk")]

    def prepare(self, source: Path, folder: Path, stop: threading.Event) -> Code:
        properties = tuple(Property(f"f{n % 4}", "division_by_zero", f"x{n} != 0", 0, n) for n in range(TOTAL))
        return Code("code", "digest", properties, str(folder), str(source))

    def seconds(self, ingredient: Ingredient) -> float:
        delay = self.settings[0].values.index(ingredient.get(self.settings[0]))
        others = sum(s.values.index(ingredient.get(s)) for s in self.settings[1:])
        return self.base_s + 0.1 * self.domains.names.index(ingredient.domain) + delay + 0.01 * others

    def run(
        self, code: Code, ingredient: Ingredient, assumed: int, allowance: Allowance, stop: threading.Event
    ) -> Outcome:
        with self.lock:
            self.asked.append((ingredient, assumed, allowance.cpu_s))
        if ingredient.domain in self.fails:
            return Outcome(self.fails[ingredient.domain], 0.1)
        seconds = self.seconds(ingredient)
        if seconds > allowance.cpu_s:
            return Outcome("timeout", allowance.cpu_s + 0.01)
        number = self.domains.names.index(ingredient.domain)
        delay = self.settings[0].values.index(ingredient.get(self.settings[0]))
        proved = {n for n in range(TOTAL) if n % 10 == number and n < 30} | {30 + n for n in range(delay)}
        verdicts = [PROVED if n in proved or assumed >> n & 1 else OPEN for n in range(TOTAL)]
        if ingredient.domain in self.refutes:
            verdicts[self.refutes[ingredient.domain]] = REFUTED
        return Outcome("ok", seconds, seconds, 1 << 20, "".join(verdicts))

    def command(self, source: str, ingredient: Ingredient) -> list[str]:
        return [f"standin {source} {ingredient}"]
