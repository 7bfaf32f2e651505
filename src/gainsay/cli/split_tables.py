"""What `gainsay split` tells: plans, the end of a run, and comparisons, as tables and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from gainsay.core.split_analyzer import SplitAnalyzer
from gainsay.core.wording import counted
from gainsay.split.comparing import Comparison, Row
from gainsay.split.plan import Costs, Plan
from gainsay.split.running import Allowed, Done, Merged, summed
from gainsay.split.sizing import Size
from gainsay.split.strategies import Graph

SHOWN = 10  # names in one line
MB = 1 << 20


class Planned(msgspec.Struct, frozen=True):
    """A plan, what it costs, and why it was made so."""

    plan: Plan
    costs: Costs
    size: Size
    reason: str


def table(console: Console, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table. In a pipe it is wide enough not to be folded."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(columns):
        made.add_column(column, justify="left" if number == 0 else "right", no_wrap=number > 0)
    for row in rows:
        made.add_row(*map(str, row))
    wide = (
        Console(file=console.file, width=max(console.width, 160), highlight=False)
        if not console.is_terminal
        else console
    )
    wide.print(made)


def few(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")


# --- plan -------------------------------------------------------------------------------------------------------------


def planned(console: Console, rows: Sequence[Planned], is_table: bool, graph: Graph) -> None:
    """Print what plans cost, and the parts of a single one."""
    columns = ["strategy", "size", "k", "p", "parts", "largest", "redundancy", "edges lost", "complete files", "CPU s"]
    table(
        console,
        columns,
        [
            [
                row.plan.strategy,
                str(row.size),
                row.plan.bounds.k,
                f"{row.plan.bounds.p:g}",
                row.costs.parts,
                row.size.told(row.costs.largest, row.plan.bounds.size),
                f"{row.costs.redundancy:.2f}",
                f"{100 * row.costs.edges_lost / max(1, row.costs.edges):.1f} %",
                f"{row.costs.complete} of {row.costs.files}",
                f"{row.plan.cpu_s:.2f}",
            ]
            for row in rows
        ],
    )
    if not is_table:
        console.print(f"{rows[0].plan.strategy}: {rows[0].reason}.", highlight=False, markup=False, soft_wrap=True)
        for number, part in enumerate(rows[0].plan.parts, 1):
            names = graph.named(part.homes)
            console.print(
                f"  part {number}: {part.files.bit_count()} file{'s' if part.files.bit_count() != 1 else ''}, at home "
                f"{len(names)}: {few(names)}",
                highlight=False,
                markup=False,
                soft_wrap=True,
            )


def planned_json(graph: Graph, rows: Sequence[Planned], graph_s: float) -> dict[str, Any]:
    """Plans as one JSON object."""
    return {
        "files": len(graph.names),
        "edges": graph.edges,
        "graph_s": round(graph_s, 3),
        "plans": [
            {
                "strategy": row.plan.strategy,
                "reason": row.reason,
                "size": str(row.size),
                "k": row.plan.bounds.k,
                "p": row.plan.bounds.p,
                "planning_s": round(row.plan.cpu_s, 3),
                **msgspec.to_builtins(row.costs),
                "files_of_parts": [
                    {"files": graph.named(p.files), "homes": graph.named(p.homes)} for p in row.plan.parts
                ],
            }
            for row in rows
        ],
    }


# --- run --------------------------------------------------------------------------------------------------------------


def failures(merged: Merged) -> list[str]:
    return [
        f"Part {label} could not be analyzed ({' '.join(why.split())}): {', '.join(files)}"
        for label, why, files in merged.failures
    ]


def summary(
    analyzer: SplitAnalyzer,
    made: Plan,
    done: Sequence[Done],
    merged: Merged,
    reason: str,
    graph_s: float,
    wall_s: float,
) -> dict[str, Any]:
    """A run in figures, for the report and for JSON."""
    longest, total, memory = summed(done)
    fresh = sum(d.outcome.cpu_s for d in done if not d.is_known)
    pipeline = graph_s + made.cpu_s + total
    return {
        "analyzer": analyzer.title,
        "is_per_file": analyzer.is_per_file,
        "strategy": made.strategy,
        "reason": reason,
        "parts": len(made.parts),
        "halved": sum(d.is_halved for d in done),
        "known": sum(d.is_known for d in done),
        "findings": len(merged.found),
        "dropped": merged.dropped,
        "incomplete": sum(not grade.is_complete for grade in merged.grades.values()),
        "files": len(merged.grades),
        "longest_part_s": round(longest, 3),
        "total_s": round(total, 3),
        "spent_s": round(fresh, 3),
        "peak_memory": memory,
        "graph_s": round(graph_s, 3),
        "planning_s": round(made.cpu_s, 3),
        "dependency_share": round((graph_s + made.cpu_s) / pipeline, 4) if pipeline else 0.0,
        "wall_s": round(wall_s, 3),
    }


def concluded(console: Console, told: dict[str, Any], merged: Merged, output: Path) -> None:
    """Print what came of a run: failures first, then figures, then where the report is."""

    def say(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    for why in dict.fromkeys(why for _, why, _ in merged.failures):
        labels = [label for label, other, _ in merged.failures if other == why]
        files = sorted({name for _, other, names in merged.failures if other == why for name in names})
        parts = f"Part {labels[0]}" if len(labels) == 1 else f"{len(labels)} parts ({few(labels)})"
        said = "timeout: raise --limit" if why == "timeout" else " ".join(why.split())[:300]
        say(f"! {parts} could not be analyzed ({said}). Nobody looked at {few(files)}.")
    if merged.unread:
        say(f"! {told['analyzer']} could not read {len(merged.unread)} of {told['files']} files: {few(merged.unread)}.")
    whole = told["files"] - told["incomplete"]
    seen = f"{whole} of {told['files']} files were seen with their whole neighbourhood."
    if told["is_per_file"]:
        seen = f"{whole} of {told['files']} files were seen, each by itself: {told['analyzer']} needs no other for it."
    dropped = f"{told['dropped']} dropped: said twice, or not by the file's home"
    say(f"{counted(told['findings'], 'finding')} ({dropped}). {seen}")
    say(
        f"Longest part {told['longest_part_s']:.1f} CPU-s, all {told['total_s']:.1f}, peak "
        f"{told['peak_memory'] / MB:.0f} MB; "
        f"dependencies {told['graph_s']:.1f} and plan {told['planning_s']:.1f} CPU-s, "
        f"{100 * told['dependency_share']:.1f} % of all; "
        f"{told['wall_s']:.0f} s by the clock."
    )
    say(f"The report is in {output}.")


# --- compare ----------------------------------------------------------------------------------------------------------


def show_comparison(console: Console, result: Comparison, allowed: Allowed) -> None:
    """Print the thesis's table: each way of splitting against the whole run."""
    base = result.rows[0]
    columns = [
        "",
        "findings",
        "kept",
        "lost",
        "spurious",
        "latency s",
        "total s",
        "peak MB",
        "parts",
        "size MB",
        "time-outs",
        "crashes",
        "success",
    ]
    table(console, columns, [cells(row, base, result.has_whole) for row in result.rows])
    within = "ends" if base.is_within else "does not end"
    console.print(
        f"Times are CPU-seconds, latency is the longest part. Without a cut it {within} within {allowed.limit_s:g} s "
        "and "
        f"{allowed.memory / MB:.0f} MB. Findings are told apart by file, line and rule.",
        highlight=False,
        soft_wrap=True,
    )
    for way, texts in result.failures.items():
        for text in texts[:SHOWN]:
            console.print(f"! {way}: {text[:300]}", highlight=False, markup=False, soft_wrap=True)


def cells(row: Row, base: Row, has_whole: bool) -> list[object]:
    """A row as text. Without a whole run nobody can say what was kept or lost."""

    def rate(count: int) -> str:
        return f"{100 * count / max(1, row.runs):.0f} %"

    return [
        row.way,
        row.found,
        row.kept if has_whole else "N/A",
        f"{row.lost} ({100 * row.lost / max(1, base.found):.2f} %)" if has_whole else "N/A",
        f"{row.spurious} ({100 * row.spurious / max(1, base.found):.2f} %)" if has_whole else "N/A",
        f"{row.latency_s:.1f} ({100 * row.latency_s / base.latency_s:.0f} %)"
        if base.latency_s and has_whole
        else f"{row.latency_s:.1f}",
        f"{row.total_s:.1f}",
        f"{row.memory / MB:.0f} ({100 * row.memory / base.memory:.0f} %)" if base.memory else f"{row.memory / MB:.0f}",
        row.parts,
        f"{row.total_size / MB:.1f}",
        rate(row.timeouts),
        rate(row.crashes),
        rate(row.runs - row.timeouts - row.crashes),
    ]
