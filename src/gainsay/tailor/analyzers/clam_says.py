"""What Clam prints about each check, and the properties that this makes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from gainsay.core.tailor_analyzer import Property
from gainsay.tailor.analyzers.clam_text import BEHIND, HANDLERS, OURS, Check

RESULT = re.compile(r"^  // loc\(file=.* line=(\d+) col=(-?\d+)\) id=\d+ Result: +(OK|FAIL)")
# Function, kind, line, column: what Clam's own checks have at one place is one property; ours have their number for a
# column.
Place = tuple[str, str, int, int]


def results(text: str) -> Iterator[tuple[int, int, bool, str, str]]:
    """Line, column, whether it is proved, the assertion, and what stands before it, for each check of a function."""
    before = ""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if found := RESULT.match(line):
            yield (
                int(found[1]),
                int(found[2]),
                found[3] == "OK",
                lines[number + 1] if number + 1 < len(lines) else "",
                before,
            )
        else:
            before = line


def verdicts_of(texts: Mapping[str, str], found: Sequence[Check]) -> dict[Place, bool]:
    """Whether each place is proved. Of several checks at one place the worst counts."""
    places: dict[Place, bool] = {}
    for function, text in texts.items():
        for line, column, is_proved, assertion, before in results(text):
            if line >= BEHIND:
                place = (function, "behind", 0, line - BEHIND)
            elif line >= OURS:
                check = found[line - OURS - 1]
                place = (check.function, check.kind, check.line, line - OURS)
            else:
                place = (function, kind_of(assertion, before), line, column)
            places[place] = places.get(place, True) and is_proved
    return places


def kind_of(assertion: str, before: str) -> str:
    """Of a check that Clam put in itself: it does not tell, but each sort has its own form."""
    if "NULL_REF" in assertion:
        return "null"
    return "dangling" if "is_unfreed_or_null" in before else "mem_access"


def dead(found: Sequence[Check], places: Mapping[Place, bool]) -> set[int]:
    """Our checks in functions where one fails for certain (it is open, and the place behind it is not reached), that
    are not reached."""
    reached = {place[3]: not is_dead for place, is_dead in places.items() if place[1] == "behind"}
    proved = {place[3]: is_proved for place, is_proved in places.items() if is_ours(place, found)}
    failing = {c.function for n, c in enumerate(found, 1) if proved.get(n) is False and reached.get(c.behind) is False}
    return {
        n for n, c in enumerate(found, 1) if c.function in failing and proved.get(n) and reached.get(c.behind) is False
    }


def is_ours(place: Place, found: Sequence[Check]) -> bool:
    number = place[3]
    return 0 < number <= len(found) and place[:3] == (
        found[number - 1].function,
        found[number - 1].kind,
        found[number - 1].line,
    )


def named(
    places: Iterable[Place], left_out: set[int], files: Mapping[str, Path], source: Path
) -> dict[Property, Place]:
    """The properties, in the order of the source, each with the text of its line: so it stays the same when lines
    shift."""
    lines: dict[Path, list[str]] = {}
    seen: dict[tuple[str, str, str], int] = {}
    found = {}
    for place in sorted(places, key=lambda p: (p[2], p[0], p[1], p[3])):
        function, kind, line, column = place
        if column in left_out and kind in HANDLERS.values():
            continue
        file = files.get(function, source)
        if file not in lines:
            lines[file] = file.read_text("utf-8", "replace").splitlines() if file.is_file() else []
        text = " ".join(lines[file][line - 1].split()) if 0 < line <= len(lines[file]) else f"in {file.name}"
        key = (function, kind, text)
        seen[key] = seen.get(key, -1) + 1
        found[Property(*key, seen[key], line)] = place
    return found
