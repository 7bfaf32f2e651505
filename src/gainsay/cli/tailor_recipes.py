"""`gainsay tailor check` and `show`: what is made of a recipe file."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from gainsay.cli import folders
from gainsay.cli.tailor import booked
from gainsay.cli.tailor_options import limits_of, sources_of, workers_of
from gainsay.cli.tailor_screen import Screen, stopping
from gainsay.core.model import Target
from gainsay.core.tailor_analyzer import Code, TailorAnalyzer, Tuning
from gainsay.errors import UsageError
from gainsay.tailor import record, search
from gainsay.tailor.evaluate import Evaluator
from gainsay.tailor.tailoring import Extras, Result, Workshop


def check(arguments: argparse.Namespace) -> int:
    """Run recorded recipes again: what is not proved any more? With --retune, search again where much is lost."""
    path = Path(arguments.recipes)
    book = record.read(path)
    analyzer = book.opened(str(path), given_options(arguments.analyzer, book.analyzer))
    bound = None if arguments.retune is None else percent(arguments.retune)
    wanted = limits_of(arguments, [])
    sources = sources_of(arguments.files)
    units = {source: unit_of(book, path, source) for source in sources}
    fits(book, path, analyzer.version(), arguments.any_version, bound is not None)
    workers = workers_of(arguments)
    console = Console(stderr=arguments.json)
    rows: list[dict[str, Any]] = []
    retuned: list[tuple[Result, int]] = []
    with folders.owned(Path(arguments.out), "runs.jsonl", "tailor run"):
        shop = Workshop(analyzer, Path(arguments.out), workers)
        with stopping(shop):
            for source, unit in units.items():
                code = shop.prepare(source)
                for entry in [e for e in unit.limits if not wanted or e.limit_s in wanted]:
                    row = checked(shop, code, entry)
                    rows.append(row)
                    if not arguments.json:
                        tell(console, row)
                    if bound is not None and row["lost"] and 100 * len(row["lost"]) > bound * max(1, entry.proved):
                        found = again(shop, code, entry, book, console, arguments.json)
                        retuned += [
                            (result, entry.memory) for result in found if result.found[0].best.count >= row["proved"]
                        ]
        shop.cache.close()
    if wanted and not rows:
        raise UsageError(f"{path} has no recipe for a limit of {', '.join(f'{w:g}s' for w in wanted)}.")
    if retuned:
        rewrite(book, path, retuned, shop)
        if not arguments.json:
            console.print(f"New recipes are in {path}.", highlight=False)
    if arguments.json:
        print(json.dumps({"recipes": str(path), "checks": rows, "retuned": [r.code.source for r, _ in retuned]}))
    return 1 if any(row["lost"] or row["status"] != "ok" for row in rows) else 0


def fits(book: record.Book, path: Path, installed: str, is_any_version: bool, is_retuned: bool) -> None:
    """Raise unless recipes may be checked, or searched for again, with the analyzer that is installed."""
    if installed != book.version and not is_any_version:
        raise UsageError(
            f"{path} was made with {book.analyzer} {book.version}, and {installed} is installed. "
            "Run 'gainsay tailor run' again, or check all the same with --any-version."
        )
    if installed != book.version and is_retuned:
        raise UsageError(
            f"{path} was made with {book.analyzer} {book.version}: --retune would mix versions. Run 'gainsay tailor "
            "run' again."
        )


def rewrite(book: record.Book, path: Path, retuned: Sequence[tuple[Result, int]], shop: Workshop) -> None:
    """Put new recipes, each with its memory, in the place of those that lost too much."""
    plan = search.Plan(book.algorithm, search.Budget.of(book.iterations, 3), seed=book.seed + 1)
    for fresh in [booked([result], shop, plan, memory, path) for result, memory in retuned]:
        book = replaced(book, fresh)
    record.write(path, book)


def given_options(text: str | None, name: str) -> dict[str, str]:
    if text is None:
        return {}
    target = Target.parse(text)
    if target.engine != name:
        raise UsageError(f"--analyzer {text}: the recipes are for {name}.")
    return dict(target.options)


def percent(text: str) -> float:
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise UsageError(f"--retune {text}: write a percentage of the recorded proofs, such as --retune 5.")
    return value


def unit_of(book: record.Book, path: Path, source: Path) -> record.Unit:
    key = record.key_of(str(source), path)
    if key not in book.files:
        raise UsageError(f"{path} has no recipe for {key}. It has: {', '.join(sorted(book.files)) or 'none'}.")
    return book.files[key]


def checked(shop: Workshop, code: Code, entry: record.Entry) -> dict[str, Any]:
    """One file under one limit: what was proved when the recipe was recorded, is still there, and is not proved any
    more."""
    score = Evaluator(shop.laboratory(code), entry.limit_s, entry.memory).evaluate(Tuning(tuple(entry.recipe)))
    recorded = {word for words in entry.ids.values() for word in words.split()}
    now = {p.id for p in code.chosen(score.proved)}
    lost = [p for p in code.properties if p.id in recorded and p.id not in now]
    return {
        "file": code.source,
        "limit_s": entry.limit_s,
        "status": score.status,
        "cpu_s": round(score.cpu_s, 3),
        "recorded": entry.proved,
        "proved": score.count,
        "assertions": score.total,
        "lost": [str(p) for p in lost],
    }


def tell(console: Console, row: dict[str, Any]) -> None:
    """Print one check of a recipe as a line, with what was lost."""
    word = "ok" if not row["lost"] and row["status"] == "ok" else "WORSE"
    told = (
        f"{word:6} {row['file']}, limit {row['limit_s']:g}s: {row['proved']} of {row['assertions']} proved, "
        f"{row['recorded']} recorded"
    )
    if row["status"] != "ok":
        told += f"; the recipe did not finish ({row['status']}, {row['cpu_s']:.2f} s)"
    console.print(told, highlight=False, markup=False, soft_wrap=True)
    for text in row["lost"][:20]:
        console.print(f"       lost: {text}", highlight=False, markup=False, soft_wrap=True)
    if len(row["lost"]) > 20:
        console.print(f"       ... and {len(row['lost']) - 20} more", highlight=False)


def again(
    shop: Workshop, code: Code, entry: record.Entry, book: record.Book, console: Console, is_quiet: bool
) -> list[Result]:
    """Search again, from the recorded recipe on, with another seed."""
    plan = search.Plan(
        book.algorithm, search.Budget.of(book.iterations, 3), order=shop.analyzer.order, seed=book.seed + 1
    )
    with Screen(console, shop, is_quiet) as screen:
        screen.say(f"       searching again for {code.source}, limit {entry.limit_s:g}s")
        return shop.tailor(
            [code], [entry.limit_s], entry.memory, plan, Extras(), screen, start=Tuning(tuple(entry.recipe))
        )


def replaced(book: record.Book, fresh: record.Book) -> record.Book:
    """New entries in the place of those for the same file and limit."""
    files = dict(book.files)
    for name, unit in fresh.files.items():
        new = {e.limit_s: e for e in unit.limits}
        kept = [e for e in files[name].limits if e.limit_s not in new]
        files[name] = record.Unit(unit.properties, unit.code, sorted([*kept, *new.values()], key=lambda e: e.limit_s))
    return msgspec.structs.replace(book, files=files, version=fresh.version, gainsay=fresh.gainsay)


# --- show -------------------------------------------------------------------------------------------------------------


def show(arguments: argparse.Namespace) -> int:
    """`tailor show`: recipes, what each part bought, and the analyzer's command."""
    path = Path(arguments.recipes)
    book = record.read(path)
    analyzer = book.opened(str(path))
    if arguments.json:
        plain: Any = msgspec.to_builtins(book)
        for name, unit in book.files.items():
            for number, entry in enumerate(unit.limits):
                commands = [line for i in entry.recipe for line in analyzer.command(str(path.parent / name), i)]
                plain["files"][name]["limits"][number]["commands"] = commands
        print(json.dumps(plain))
        return 0
    lines = [f"{book.analyzer} {book.version}, {book.algorithm}, {book.iterations} iterations, seed {book.seed}"]
    for name, unit in book.files.items():
        for entry in unit.limits:
            lines += shown(analyzer, path.parent / name, unit, entry)
    sys.stdout.write("\n".join(map(printable, lines)) + "\n")
    return 0


def printable(line: str) -> str:
    """A line without control characters: the text of a recipe file must not look like something else on a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def shown(analyzer: TailorAnalyzer, source: Path, unit: record.Unit, entry: record.Entry) -> Iterator[str]:
    """One recipe in lines."""
    default = "the default does not finish" if entry.default_proved is None else f"{entry.default_proved} by default"
    yield ""
    yield (
        f"{source}, limit {entry.limit_s:g}s: {entry.proved} of {unit.properties} proved in {entry.cpu_s:.2f} CPU-s; "
        f"{default}"
    )
    if entry.note:
        yield f"  note: {entry.note}"
    for number, ingredient in enumerate(entry.recipe, 1):
        yield f"  ingredient {number}: {ingredient}"
    for gain in entry.gains:
        bought = "within the limit only by" if gain.is_needed else f"{gain.proofs:+5d} proofs by"
        yield f"  {bought} {gain.part}" + ("" if gain.is_needed else f", for {gain.cpu_s:+.2f} s")
    for ingredient in entry.recipe:
        yield from (
            f"    {line}" if line[0] in "#(" else f"  $ {line}"
            for line in analyzer.command(spelled(source), ingredient)
        )


def spelled(source: Path) -> str:
    """A path that no program takes for an option."""
    text = str(source)
    return f"./{text}" if text.startswith("-") else text
