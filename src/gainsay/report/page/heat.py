"""What a hunt drew, how often, and how often each target took it; and what it says nothing about."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gainsay.campaign.config import Campaign, Group
from gainsay.campaign.ledger import Ledger
from gainsay.core import registry

LEVELS = 5  # shades of how often something was drawn


class Cell(NamedTuple):
    """What became of a feature on a target: `level` 0 for never drawn, else up to LEVELS."""

    text: str
    title: str
    level: int
    is_refused: bool = False  # it was drawn, and more often refused than not


class Row(NamedTuple):
    """A feature, with a cell for each target."""

    name: str
    cells: Sequence[Cell]
    is_untested: bool  # no target was asked for it


class Table(NamedTuple):
    """The features of one kind."""

    kind: str
    rows: Sequence[Row]
    untested: int


class Heat(NamedTuple):
    """One family: its targets, and tables of features."""

    family: str
    targets: Sequence[str]
    sampled: int  # statements and questions that were counted
    tables: Sequence[Table]

    @property
    def untested(self) -> int:
        return sum(table.untested for table in self.tables)

    @property
    def rows(self) -> int:
        return sum(len(table.rows) for table in self.tables)


def heats(campaign: Campaign, ledger: Ledger) -> list[Heat]:
    """One for each family that was hunted on."""
    families = dict.fromkeys(group.family for group in campaign.groups)
    return [heat(family, [g for g in campaign.groups if g.family == family], ledger) for family in families]


def heat(family: str, groups: Sequence[Group], ledger: Ledger) -> Heat:
    """Features in rows, groups of targets in columns."""
    known = [could(group) for group in groups]
    drawn = [ledger.drawn.get(group.key, Counter()) for group in groups]
    names = sorted({name for found in (*known, *drawn) for name in found})
    made: dict[str, list[Row]] = {}
    for name in names:
        cells = [
            cell(name, ledger.drawn.get(g.key, Counter()), ledger.taken.get(g.key, Counter()), could_be)
            for g, could_be in zip(groups, known, strict=True)
        ]
        kind, _, short = name.partition(":")
        made.setdefault(kind, []).append(Row(short or "(none)", cells, all(c.level == 0 for c in cells)))
    kinds = registry.family(family).feature_kinds
    tables = [Table(kinds.get(k, k), rows, sum(r.is_untested for r in rows)) for k, rows in sorted(made.items())]
    tables.sort(key=lambda table: -len(table.rows))
    return Heat(family, [group.key for group in groups], sum(max(d.values(), default=0) for d in drawn), tables)


def could(group: Group) -> Mapping[str, bool]:
    """Features that could be drawn on a group, by what was probed: whether each of its targets takes them."""
    family = registry.family(group.family)
    found: dict[str, bool] = {}
    for seat in group.seats:
        for probe in family.probes(seat.dialect):
            name = family.row_of(probe.feature)
            if name:  # one row may stand for several features: one of them is enough
                found[name] = found.get(name, False) or probe.feature not in seat.refused
    return found


def cell(name: str, drawn: Mapping[str, int], taken: Mapping[str, int], could_be: Mapping[str, bool]) -> Cell:
    """What became of one feature on one group."""
    count, accepted = drawn.get(name, 0), taken.get(name, 0)
    if not count:
        return Cell("" if could_be.get(name, True) else "×", "", 0)
    level = min(LEVELS, 1 + int(math.log10(count) * 1.5))
    told = "" if accepted == count else f"{accepted:,} of {count:,} accepted"
    text = f"{count:,}" if accepted == count else f"{count:,} · {100 * accepted // count} %"
    return Cell(text, told, level, 2 * accepted < count)
