"""A run: every part of a plan is analyzed once, parts that do not fit are halved, and the findings of all become one
report."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import msgspec

from gainsay.core.split_analyzer import NOT_ANALYZED, Finding
from gainsay.split import ledger
from gainsay.split import plan as planning
from gainsay.split.crew import Crew
from gainsay.split.laying import Layout
from gainsay.split.node import Outcome, Task, pack
from gainsay.split.plan import Part, Plan
from gainsay.split.sarif import Grade
from gainsay.split.strategies import members, neighbourhoods, weigh

# Of a part that did not fit, and of what is left of it; one on which the tool crashes is halved down to a file
HALVINGS = 4
HOPELESS = 6  # crashes in a row


class Allowed(msgspec.Struct, frozen=True):
    """For each part: CPU-seconds and bytes."""

    limit_s: float
    memory: int


class Done(msgspec.Struct, frozen=True):
    """A part and what became of it. `label` is its number in the plan, with .1 and .2 for its halves."""

    label: str
    part: Part
    outcome: Outcome
    is_known: bool  # from an earlier run
    is_halved: bool = False  # it did not fit; its halves take its place


class Merged(msgspec.Struct, frozen=True):
    """The findings of all parts as those of one run, and what is missing."""

    found: tuple[Finding, ...]  # as the code base names its files
    grades: dict[str, Grade]
    failures: tuple[tuple[str, str, tuple[str, ...]], ...]  # label, why, files that nobody looked at
    dropped: int  # findings that did not come from their file's home
    unread: tuple[str, ...] = ()  # files that the analyzer could not read


class Runner:
    """Analyzes parts with a crew. `watch` is told of each one that ended, how many wait, and which are handed out."""

    def __init__(
        self, layout: Layout, book: ledger.Ledger, crew: Crew, watch: Callable[[Done | None, int, Sequence[str]], None]
    ) -> None:
        self.layout, self.book, self.crew, self.watch = layout, book, crew, watch
        self._keys: dict[Part, str] = {}

    def run(self, plan: Plan, weights: Sequence[int], allowed: Allowed, *, is_halving: bool = True) -> list[Done]:
        """All parts that are somebody's home, largest first: the longest should not be the last to begin."""
        graph = self.layout.graph
        order = sorted(enumerate(plan.parts, 1), key=lambda item: (-weigh(item[1].files, weights), item[0]))
        waiting = deque((str(number), part, 0) for number, part in order if part.homes)
        running: dict[str, tuple[Part, int]] = {}
        done: list[Done] = []

        def ended(label: str, part: Part, depth: int, outcome: Outcome, is_known: bool) -> None:
            is_cut = is_halving and not outcome.is_ok and (outcome.status == "crash" or depth < HALVINGS)
            halves = (
                planning.halves(part, graph, plan.bounds, weights)
                if is_cut and not is_hopeless(done, label, outcome)
                else []
            )
            waiting.extendleft(reversed([(f"{label}.{n}", half, depth + 1) for n, half in enumerate(halves, 1)]))
            done.append(Done(label, part, outcome, is_known, bool(halves)))
            self.watch(done[-1], len(waiting), list(running))

        while waiting or running:
            while waiting and self.crew.running < 2 * self.crew.wanted:
                label, part, depth = waiting.popleft()
                known = self.book.get(self.key(part), allowed.limit_s, allowed.memory)
                if known is not None:
                    ended(label, part, depth, known, True)
                    continue
                running[label] = part, depth
                self.crew.submit(label, self.task(part, allowed))
            for label, outcome in self.crew.wait(0.5) if running else ():
                part, depth = running.pop(label)
                self.book.put(self.key(part), allowed.limit_s, allowed.memory, outcome)
                ended(label, part, depth, outcome, False)
            self.watch(None, len(waiting), list(running))
        return sorted(done, key=lambda d: [int(n) for n in d.label.split(".")])

    def key(self, part: Part) -> str:
        if part not in self._keys:
            self._keys[part] = ledger.key_of(
                self.layout.analyzer, self.layout.contents(part.files), self.layout.names(part.homes)
            )
        return self._keys[part]

    def task(self, part: Part, allowed: Allowed) -> Task:
        analyzer = self.layout.analyzer
        archive = pack(self.layout.files(part.files))
        names, homes = self.layout.names(part.files), self.layout.names(part.homes)
        return Task(analyzer.name, analyzer.options, names, homes, archive, allowed.limit_s, allowed.memory)


def is_hopeless(done: Sequence[Done], label: str, outcome: Outcome) -> bool:
    """Whether a part and its halves have all failed with the same words: then it is not a file's fault but the
    tool's."""
    family = [d.outcome for d in done if d.label.partition(".")[0] == label.partition(".")[0]]
    return len(family) >= HOPELESS and all(o.said == outcome.said and o.status == "crash" for o in family)


def merge(done: Sequence[Done], layout: Layout, k: int, *, is_union: bool = False, is_known: bool = True) -> Merged:
    """One report.
    Findings count from their file's home; `is_union` is the thesis's rule, by which all count. Where dependencies are
    not known, no neighbourhood is complete."""
    graph, code = layout.graph, layout.code
    # A file that is looked at alone needs no other
    around = neighbourhoods(graph, 0 if layout.analyzer.is_per_file else k)
    own = set(code.names)
    found: dict[Finding, None] = {}
    grades: dict[str, Grade] = {}
    failures = []
    all_found = 0
    for item in done:
        if item.is_halved:
            continue
        home = {graph.names[n] for n in members(item.part.homes)}
        number = int(item.label.partition(".")[0])
        for n in members(item.part.homes):
            is_whole = not around[n] & ~item.part.files and (is_known or layout.analyzer.is_per_file)
            grade = Grade(number, is_whole) if item.outcome.is_ok else Grade(0, False)
            grades[graph.names[n]] = max(
                grade, grades.get(graph.names[n], grade), key=lambda g: (g.is_complete, g.part > 0)
            )
        if not item.outcome.is_ok:
            failures.append((item.label, f"{item.outcome.status}: {item.outcome.said}".strip(": "), home))
        for one in item.outcome.findings:
            all_found += 1
            named = msgspec.structs.replace(one, file=code.outside(one.file))
            if is_union or named.file in home or named.file not in own:
                found[named] = None
    unread = tuple(sorted({f.file for f in found if f.rule == NOT_ANALYZED and f.file in grades}))
    for name in unread:
        grades[name] = Grade(grades[name].part, False)
    unseen = {name for name, grade in grades.items() if not grade.part}
    told = [(label, why, tuple(sorted(home & unseen))) for label, why, home in failures if home & unseen]
    return Merged(tuple(sorted(found)), grades, tuple(told), all_found - len(found), unread)


def summed(done: Sequence[Done]) -> tuple[float, float, int]:
    """The longest part's and all parts' CPU-seconds, and the most memory of one: best possible latency, total time,
    peak."""
    times = [d.outcome.cpu_s for d in done]
    return max(times, default=0.0), sum(times), max((d.outcome.memory for d in done), default=0)
