"""Between which releases of an engine a finding came and went, and what each release that was tried said."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gainsay.campaign.siblings import GONE, SHOWS

WORDS = {SHOWS: "wrong", GONE: "right"}
UNKNOWN = "not askable"


class Tried(msgspec.Struct, frozen=True):
    """A release on which a case was held: whether the contradiction shows there, and if that can't be told, why."""

    version: str
    state: str
    why: str = ""

    def told(self) -> str:
        return WORDS.get(self.state, UNKNOWN)


class Interval(msgspec.Struct, frozen=True):
    """The releases around the one on which a finding was met in which it shows, oldest first. Empty: there is none such
    among those that can be asked."""

    engine: str
    tried: tuple[Tried, ...]  # oldest first
    releases: int  # of how many
    before: str = ""  # the last that was right before
    introduced: str = ""  # the first that is wrong
    last: str = ""  # the last that is wrong
    fixed: str = ""  # the first that is right again
    is_whole: bool = True  # it was not ended before both ends were known

    @property
    def key(self) -> tuple[str, str]:
        """What two findings of one cause share."""
        return self.introduced, self.last

    @property
    def is_telling(self) -> bool:
        """Whether it tells one cause from another: some release is free of it."""
        return bool(self.before or self.fixed)

    def outside(self) -> list[str]:
        """Releases beyond its ends that are wrong as well: it came twice, or another bug does the same."""
        inside = False
        found = []
        for tried in self.tried:
            inside = inside or tried.version == self.introduced
            if not inside and tried.state == SHOWS:
                found.append(tried.version)
            inside = inside and tried.version != self.last
        return found

    def told(self) -> str:
        """In words: 'since 3.28.0 (3.26.0 is right), until 3.31.1 (3.32.0 is right)'."""
        since = f"since {self.introduced} ({self.before} is right)" if self.before else f"in {self.introduced}, the "
        since += "" if self.before else "oldest release that can be asked"
        until = f"until {self.last} ({self.fixed} is right again)" if self.fixed else ""
        until = until or f"still there in {self.last}, the newest that can be asked"
        also = f"; also in {', '.join(self.outside())}" if self.outside() else ""
        cut = "" if self.is_whole else "; the search was ended early"
        return f"{since}, {until}{also}{cut}"


def twins(intervals: Sequence[tuple[str, Interval]]) -> list[list[str]]:
    """Ids of findings that came and went in the same releases of one engine: probably one cause each."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for name, interval in intervals:
        if interval.is_telling and interval.is_whole:
            found.setdefault((interval.engine, *interval.key), []).append(name)
    return [names for names in found.values() if len(names) > 1]
