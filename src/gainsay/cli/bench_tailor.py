"""`gainsay tailor bench DIR`: the thesis's experiments on the user's code, as tables in report.md and plots beside
it."""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from gainsay.cli import folders
from gainsay.cli import tailor_options as options
from gainsay.cli.tailor_screen import stopping
from gainsay.core.tailor_analyzer import KINDS, Code
from gainsay.errors import UsageError, near
from gainsay.limits import Stopped
from gainsay.tailor import plots
from gainsay.tailor.experiments import DEFAULT, GENEROUS, PRECISE, PRODUCT, Bench, Trial, both, shares, version_key
from gainsay.tailor.search import ALGORITHMS
from gainsay.tailor.tailoring import Workshop

PARTS = ("rq1", "doubled", "rq2", "rq3", "rq4", "guard")
# Of the limit, for "equally fast" in RQ2; the thesis has 5 s of 5 min, which is below the noise of short runs
TOLERANCE = 0.25


def bench(arguments: argparse.Namespace) -> int:
    """Run the experiments that were chosen, and write their tables and plots."""
    analyzer = options.analyzer_of(arguments.analyzer)
    workers = options.workers_of(arguments)
    plan = options.plan_of(arguments, analyzer, workers)
    limits = options.limits_of(arguments, ["3s", "12s"])
    memory = options.memory_of(arguments)
    parts = tuple(arguments.only) or PARTS
    for part in parts:
        if part not in PARTS:
            raise UsageError(f"--only {part}: there is no such experiment.{near(part, PARTS)}")
    if "rq4" in arguments.only and not arguments.versions:
        raise UsageError(
            "--only rq4 needs --versions DIR, with one folder for each file, and in it one for each version."
        )
    sources = sources_in(Path(arguments.dir), analyzer.suffixes)
    if arguments.versions:
        versions_of(Path(arguments.versions))
    page = Page(Path(arguments.output) if arguments.output else Path(arguments.out) / "bench")
    if page.folder.exists() and not page.folder.is_dir():
        raise UsageError(f"--output {page.folder} is no folder. Choose another one.")
    out = Path(arguments.out)
    console = Console(stderr=True)

    def say(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    with folders.owned(out, "runs.jsonl", "tailor run"):
        shop = Workshop(analyzer, out, workers)
        with stopping(shop):
            try:
                codes = [shop.prepare(source) for source in sources]
                experiments(Bench(shop, codes, memory, plan, say), page, parts, limits, arguments)
            except Stopped:
                say("Stopped early: run the same command again to go on.")
            finally:
                page.write()
        shop.cache.close()
    if arguments.json:
        print(json.dumps(page.data))
    else:
        print("\n".join(page.lines))
    return 1 if any(row["fooled"] for row in page.data.get("guard", [])) else 0


def sources_in(folder: Path, suffixes: Sequence[str]) -> list[Path]:
    """The pieces of code in a folder: files, or for SMT-LIB folders of obligations."""
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.")
    found = sorted(p for p in folder.iterdir() if p.suffix in suffixes and p.is_file())
    if ".smt2" in suffixes:  # a folder of obligations is one piece of code
        found = sorted(p for p in folder.iterdir() if p.is_dir() and any(p.rglob("*.smt2"))) or (
            [folder] if found else []
        )
    if not found:
        raise UsageError(f"{folder} holds no {' or '.join(suffixes)} file.")
    return found


class Page:
    """The report: Markdown lines, plots by file name, and all figures as plain data."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines: list[str] = []
        self.plots: dict[str, str] = {}
        self.data: dict[str, Any] = {}

    def head(self, text: str) -> None:
        self.lines += ["", f"## {text}", ""]

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        self.lines.append("| " + " | ".join(columns) + " |")
        self.lines.append("|" + "---|" * len(columns))
        self.lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
        self.lines.append("")

    def plot(self, name: str, svg: str) -> None:
        self.plots[f"{name}.svg"] = svg
        self.lines += [f"![{name}]({name}.svg)", ""]

    def write(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "report.md").write_text("\n".join(self.lines) + "\n", "utf-8")
        (self.folder / "results.json").write_text(json.dumps(self.data, indent=1) + "\n", "utf-8")
        for name, svg in self.plots.items():
            (self.folder / name).write_text(svg, "utf-8")


def experiments(
    work: Bench, page: Page, parts: Sequence[str], limits: Sequence[float], arguments: argparse.Namespace
) -> None:
    """Each experiment in turn; what is done is on the page if the next one is ended."""
    plan, shop = work.plan, work.shop
    page.lines.append(
        f"# gainsay tailor bench: {shop.analyzer.name} {shop.version}, {plan.budget.iterations} iterations, order "
        f"{plan.order}, seed {plan.seed}"
    )
    load = os.getloadavg()[0]
    page.lines += [
        "",
        f"{work.shop.workers} workers on {os.cpu_count()} cores, load {load:.1f} at the start. Times are CPU-seconds.",
        "",
    ]
    small = min(limits)
    try:
        inventory(page, work.codes, shop.analyzer.kinds)
        trials: list[Trial] = []
        if {"rq1", "doubled", "rq3"} & {*parts}:
            trials = work.effectiveness(limits, [small] if "doubled" in parts else [])
        if {"rq1", "doubled"} & {*parts}:
            effectiveness(page, trials, limits, plan.budget.iterations)
        if "rq3" in parts:
            diversity(page, trials, [s.name for s in shop.analyzer.settings if s.is_drawn])
        if "rq2" in parts:
            optimality(page, work.optimality(small, TOLERANCE * small), TOLERANCE * small, small)
        if "guard" in parts:
            guard(page, work, small, plan.seed)
        if "rq4" in parts and arguments.versions:
            resilience(page, work, Path(arguments.versions), small)
    finally:
        overhead(page, shop)


def inventory(page: Page, codes: Sequence[Code], kinds: Any) -> None:
    """Table 5.3: how many assertions of which kind the code has."""
    page.head("The code (Table 5.3)")
    rows: list[list[Any]] = []
    for code in codes:
        counts = Counter(kinds.get(p.kind, "other") for p in code.properties)
        rows.append(
            [
                code.name,
                len({p.function for p in code.properties}),
                len(code.properties),
                *(counts[kind] for kind in KINDS),
            ]
        )
    rows.append(["all", *(sum(int(row[n]) for row in rows) for n in range(1, 3 + len(KINDS)))])
    page.table(["file", "functions", "assertions", *KINDS], rows)


# --- RQ1 --------------------------------------------------------------------------------------------------------------


def counted(trial: Trial) -> int:
    return trial.score.count if trial.score.is_finished else 0


def effectiveness(page: Page, trials: Sequence[Trial], limits: Sequence[float], iterations: int) -> None:
    """RQ1: what each way proves under each limit, as tables, and Figures 5.4 to 5.7."""
    at = {(t.file, t.limit_s, t.way): t for t in trials}
    files = list(dict.fromkeys(t.file for t in trials))
    ways = list(dict.fromkeys(t.way for t in trials))
    rungs = [w for w in ways if w not in (DEFAULT, PRECISE, GENEROUS, PRODUCT) and w.split()[0] not in ALGORITHMS]
    page.data["rq1"] = [msgspec.to_builtins(t) for t in trials]
    totals: dict[tuple[str, float], int] = {}
    for limit_s in sorted(limits):
        page.head(f"RQ1: proved assertions, limit {limit_s:g} s")
        totals |= proved_by_way(page, at, files, rungs, limit_s)
        proved_by_rung(page, at, files, rungs, limit_s)
    shown = [DEFAULT, "best rung", *ALGORITHMS, PRODUCT]
    page.head("Figure 5.4: proved by each algorithm, for each limit")
    page.plot("figure-5.4", plots.grouped("Assertions proved", [f"{s:g} s" for s in sorted(limits)], {
        way: [totals[way, s] for s in sorted(limits)] for way in shown
    }))  # fmt: skip
    figure_55(page, at, files, max(limits))
    figure_56(page, trials, limits)
    figure_57(page, at, files, min(limits), iterations)


def proved_by_way(
    page: Page, at: Mapping[tuple[str, float, str], Trial], files: Sequence[str], rungs: Sequence[str], limit_s: float
) -> dict[tuple[str, float], int]:
    """A table of what each way proves on each file; how much that is in all, by way and limit."""
    best = {
        f: max((at[f, limit_s, r] for r in rungs if (f, limit_s, r) in at), key=counted, default=None) for f in files
    }
    shown = [DEFAULT, "best rung", PRECISE, GENEROUS, *ALGORITHMS, PRODUCT]
    totals = dict.fromkeys(shown, 0)
    rows = []
    for file in files:
        cells: list[object] = [file, at[file, limit_s, DEFAULT].score.total]
        for way in shown:
            trial = best[file] if way == "best rung" else at.get((file, limit_s, way))
            is_finished = trial is not None and trial.score.is_finished
            cells.append(f"{trial.score.count} ({trial.score.cpu_s:.1f})" if trial and is_finished else "-")
            totals[way] += counted(trial) if trial else 0
        rows.append(cells)
    whole = sum(at[f, limit_s, DEFAULT].score.total for f in files)
    rows.append(["all", whole, *totals.values()])
    rows.append(["ratio to default", "", *(ratio(n, totals[DEFAULT]) for n in totals.values())])
    rows.append(["ratio to best rung", "", *(ratio(n, totals["best rung"]) for n in totals.values())])
    rows.append(["left open", "", *(whole - n for n in totals.values())])
    page.table(["file", "assertions", *shown], rows)
    page.lines += [
        "Proved (CPU-seconds of the recipe); a dash did not finish. The best rung is chosen for each file.",
        "",
    ]
    return {(way, limit_s): n for way, n in totals.items()}


def proved_by_rung(
    page: Page, at: Mapping[tuple[str, float, str], Trial], files: Sequence[str], rungs: Sequence[str], limit_s: float
) -> None:
    """A table of what each rung of the designer's ladder proves."""
    page.table(
        ["rung of the ladder", "proved", "files that finish"],
        [
            [
                r,
                sum(counted(at[f, limit_s, r]) for f in files),
                sum(at[f, limit_s, r].score.is_finished for f in files),
            ]
            for r in rungs
        ],
    )


def ratio(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "-"


def figure_55(page: Page, at: dict[Any, Trial], files: Sequence[str], limit_s: float) -> None:
    """What only the recipe proves, what only the default does, and what both do."""
    page.head(f"Figure 5.5: proved only by the recipe, by both, only by the default ({limit_s:g} s)")
    rows = {}
    for way in (*ALGORITHMS, PRODUCT):
        sums = [both(at[f, limit_s, way].score, at[f, limit_s, DEFAULT].score) for f in files]
        rows[way] = [sum(column) for column in zip(*sums, strict=True)]
    page.table(
        ["algorithm", "only the recipe", "both", "only the default"], [[way, *values] for way, values in rows.items()]
    )
    page.plot(
        "figure-5.5",
        plots.stacked("Assertions proved by recipe and default", ["only the recipe", "both", "only the default"], rows),
    )


def figure_56(page: Page, trials: Sequence[Trial], limits: Sequence[float]) -> None:
    """What the search itself cost, and how many of its runs were over the limit."""
    page.head("Figure 5.6: CPU time of all iterations")
    spent = {
        w: [sum(t.spent_s for t in trials if t.way == w and t.limit_s == s) for s in sorted(limits)]
        for w in (*ALGORITHMS, PRODUCT)
    }
    late = {
        w: [sum(t.timeouts for t in trials if t.way == w and t.limit_s == s) for s in sorted(limits)] for w in spent
    }
    files = len({t.file for t in trials}) or 1
    page.table(
        ["algorithm", *(f"{s:g} s: total, a file, over the limit" for s in sorted(limits))],
        [[w, *(f"{a:,.0f} s, {a / files:,.0f} s, {n}" for a, n in zip(spent[w], late[w], strict=True))] for w in spent],
    )
    page.lines += [
        "A recipe over the limit counts with the whole limit, also where it was not run because a cheaper one was over "
        "it.",
        "",
    ]
    page.plot(
        "figure-5.6",
        plots.grouped("CPU-seconds of all iterations, all files", [f"{s:g} s" for s in sorted(limits)], spent, " s"),
    )


def figure_57(page: Page, at: dict[Any, Trial], files: Sequence[str], limit_s: float, iterations: int) -> None:
    """What twice as many iterations bring."""
    doubled = [w for _, s, w in at if s == limit_s and w.partition(" ")[0] in ALGORITHMS and " " in w]
    if not doubled:
        return
    page.head(f"Figure 5.7: {iterations} and {2 * iterations} iterations, limit {limit_s:g} s")
    groups = {
        a: [sum(counted(at[f, limit_s, w]) for f in files) for w in (a, f"{a} {2 * iterations}")]
        for a in ALGORITHMS
        if f"{a} {2 * iterations}" in doubled
    }
    page.table(["algorithm", str(iterations), str(2 * iterations)], [[a, *values] for a, values in groups.items()])
    page.plot("figure-5.7", plots.grouped("Assertions proved", [str(iterations), str(2 * iterations)], groups))


# --- RQ2, RQ3, RQ4, guard, overhead -----------------------------------------------------------------------------------


def optimality(page: Page, found: dict[str, Counter[str]], tolerance_s: float, limit_s: float) -> None:
    """RQ2: whether a small change of the best recipe is better."""
    page.head(
        f"RQ2, Figure 5.8: one-step changes of the best DARS recipe, limit {limit_s:g} s, equal within {tolerance_s:g} "
        "s"
    )
    rows = {part: [counts["positive"], counts["equal"], counts["negative"]] for part, counts in sorted(found.items())}
    total = sum(map(sum, rows.values())) or 1
    worse = sum(values[1] + values[2] for values in rows.values())
    page.table(["changed", "positive", "equal", "negative"], [[part, *values] for part, values in rows.items()])
    page.lines += [f"{worse} of {total} changes are equal or worse ({100 * worse / total:.1f} %).", ""]
    page.plot("figure-5.8", plots.stacked("Effect of one change", ["positive", "equal", "negative"], rows))
    page.data["rq2"] = {"tolerance_s": tolerance_s, "changes": rows, "equal_or_worse": worse, "all": total}


def diversity(page: Page, trials: Sequence[Trial], settings: Sequence[str]) -> None:
    """RQ3: how much the best recipes differ from the default, and in which settings."""
    chosen = [t for t in trials if t.way == "dars"]
    found: Any = shares(chosen, settings)
    page.head("RQ3: the best DARS recipes, all limits")
    page.lines += [
        f"{found['recipes']} recipes, {found['ingredients']} ingredients. Lengths: {told(found['lengths'])}.",
        "",
    ]
    ingredients = found["ingredients"] or 1
    page.table(["setting", "ingredients in which it is not the default", "share"], [
        [name, n, f"{100 * n / ingredients:.0f} %"] for name, n in found["settings"].items()
    ])  # fmt: skip
    page.head("Figure 5.9: domains in the best recipes")
    page.table(["domain", "ingredients"], [[name, n] for name, n in found["domains"].items()])
    page.plot("figure-5.9", plots.grouped("Share of ingredients with a domain", ["%"], {
        name: [100 * n / ingredients] for name, n in found["domains"].items()
    }, " %"))  # fmt: skip
    page.lines += [f"Frequent combinations: {told(found['combinations'])}.", ""]
    page.data["rq3"] = found


def told(counts: dict[Any, int]) -> str:
    return ", ".join(f"{n} times {name}" for name, n in counts.items()) or "none"


def resilience(page: Page, work: Bench, folder: Path, limit_s: float) -> None:
    """RQ4: how well a recipe serves later versions of the same file."""
    versions = versions_in(folder, work.shop)
    rows = work.resilience(versions, limit_s)
    page.head(
        f"RQ4, Figure 5.10: the first version's recipe on later versions, limit {limit_s:g} s, a new seed for each"
    )
    page.table(
        ["file", "version", "assertions", "first recipe", "new recipe", "difference"],
        [list(row.values()) for row in rows],
    )
    counts = Counter(str(row["difference"]) for row in rows)
    page.lines += [
        f"{counts['equal'] + counts['positive']} of {len(rows)} versions: the first recipe is as good as a new one, or "
        "better.",
        "",
    ]
    later: dict[str, list[float]] = {}
    for name, _ in versions:
        for number, row in enumerate([r for r in rows if r["file"] == name], 1):
            values = later.setdefault(f"version {number}", [0.0, 0.0, 0.0])
            values[("positive", "equal", "negative").index(str(row["difference"]))] += 1
    page.plot("figure-5.10", plots.stacked("Files by difference", ["positive", "equal", "negative"], later))
    page.data["rq4"] = rows


def versions_of(folder: Path) -> dict[str, list[Path]]:
    """The folders of the versions of each file, oldest first."""
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.")
    names = sorted(p for p in folder.iterdir() if p.is_dir())
    found = {n.name: sorted((p for p in n.iterdir() if p.is_dir()), key=lambda p: version_key(p.name)) for n in names}
    if not any(len(versions) > 1 for versions in found.values()):
        raise UsageError(f"{folder} holds no NAME/VERSION/FILE with at least two versions.")
    return found


def versions_in(folder: Path, shop: Workshop) -> list[tuple[str, dict[str, Code]]]:
    found = []
    for name, versions in versions_of(folder).items():
        codes = {version.name: shop.prepare(sources_in(version, shop.analyzer.suffixes)[0]) for version in versions}
        if len(codes) > 1:
            found.append((name, codes))
    return found


def guard(page: Page, work: Bench, limit_s: float, seed: int) -> None:
    rows: list[Any] = list(work.guard(limit_s, seed))
    page.head(f"The guard: planted errors that no recipe may call safe, limit {limit_s:g} s")
    page.table(["code", "ingredients tried", "finished", "called safe"], [
        [row["code"], row["tried"], row["finished"], "; ".join(row["fooled"]) or "none"] for row in rows
    ])  # fmt: skip
    page.data["guard"] = rows


def overhead(page: Page, shop: Workshop) -> None:
    """Our own time beside the analyzer's."""
    tally = shop.tally
    page.head("What it cost")
    own_s = shop.own_s
    share = f"{100 * own_s / tally.analyzer_s:.2f} %" if tally.analyzer_s else "-"
    page.lines.append(
        f"{tally.runs} runs of the analyzer, {tally.analyzer_s:.0f} CPU-s; {tally.known} known already; {tally.spared} "
        "not run because a cheaper "
        f"one was over the limit. Our own CPU time for all of this: {own_s:.1f} s, {share} of the analyzer's."
    )
    page.data["cost"] = {
        "runs": tally.runs,
        "analyzer_s": tally.analyzer_s,
        "own_s": own_s,
        "known": tally.known,
        "spared": tally.spared,
    }
