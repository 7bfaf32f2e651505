"""SQLite's dates and times: time values, modifiers, and what they are shown as (the page "Date And Time Functions").

A time value is a count of milliseconds since Julian day 0. What is written in another way than in whole digits that are
a date, and years outside of 0 to 9999 where a modifier counts months, are not determined."""

from __future__ import annotations

import calendar
import datetime
import functools
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from gainsay.families.sql.meaning import storage as s
from gainsay.families.sql.meaning.loose import strict
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.term import Meaning

DAY_MS = 86_400_000
NOON_MS = DAY_MS // 2  # a Julian day begins at noon
LAST_MS = 464_269_060_800_000  # the end of the year 9999
OF_ORDINAL = 1_721_425 * DAY_MS - NOON_MS  # what is added to the days that Python counts
CLOCK = r"(\d\d):(\d\d)(?::(\d\d))?"
WRITTEN = re.compile(rf"(\d{{4}}-\d\d-\d\d)(?:[ T]{CLOCK})?|{CLOCK}")
Modifier = Callable[[int], int]


@functools.lru_cache(maxsize=256)
def time_value(value: Any) -> int | None:
    """A time value, of a Julian day or of a written date; NULL where it is neither."""
    if value.__class__ is str or value.__class__ is bytes:
        text = s.text_of(value)
        if "-" in text[1:] or ":" in text:
            return of_written(text)
        if text.strip().lower() in ("now", "subsec", "subsecond"):
            raise Undetermined("the present")
        number, is_all = s.scanned(text)
        if not is_all:
            return None
        value = number
    if not 0 <= value * DAY_MS < LAST_MS:
        return None
    if not (value * float(DAY_MS)).is_integer():
        raise Undetermined("less than a millisecond")
    return int(value * DAY_MS)


def of_written(text: str) -> int:
    """YYYY-MM-DD, with HH:MM or HH:MM:SS behind it, or such a time alone, which is of 2000-01-01."""
    found = WRITTEN.fullmatch(text)
    if found is None:
        raise Undetermined("a date in another form")
    try:
        day = datetime.date.fromisoformat(found[1] or "2000-01-01")
        hours, minutes, seconds = (int(n or 0) for n in (found.groups()[1:4] if found[1] else found.groups()[4:7]))
        datetime.time(hours, minutes, seconds)
    except ValueError:
        raise Undetermined("a date that is not in the calendar") from None
    return of_date(day) + 1000 * (3600 * hours + 60 * minutes + seconds)


def of_date(day: datetime.date) -> int:
    return day.toordinal() * DAY_MS + OF_ORDINAL


def parts(time: int) -> tuple[int, int, int]:
    """The proleptic Gregorian date (Meeus, Astronomical Algorithms)."""
    whole = (time + NOON_MS) // DAY_MS
    a = math.floor((whole - 1867216.25) / 36524.25)
    a = whole + 1 + a - math.floor(a / 4)
    b = a + 1524
    c = math.floor((b - 122.1) / 365.25)
    d = math.floor(365.25 * c)
    e = math.floor((b - d) / 30.6001)
    month = e - 1 if e < 14 else e - 13
    return c - 4716 if month > 2 else c - 4715, month, b - d - math.floor(30.6001 * e)


# --- what is shown ----------------------------------------------------------------------------------------------------


def date(time: int) -> str:
    year, month, day = parts(time)
    return f"{'-' * (year < 0)}{abs(year):04d}-{month:02d}-{day:02d}"


def clock(time: int) -> str:
    if time % 1000:
        raise Undetermined("which way seconds are rounded")
    seconds = (time + NOON_MS) % DAY_MS // 1000
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def date_and_clock(time: int) -> str:
    return f"{date(time)} {clock(time)}"


def year(time: int) -> str:
    found = parts(time)[0]
    if found < 0:
        raise Undetermined("how a year before 0 is written")
    return f"{found:04d}"


def day_and_month(time: int) -> str:
    _, month, day = parts(time)
    return f"{day:02d}/{month:02d}"


def julian_day(time: int) -> float:
    return time / DAY_MS


# --- modifiers --------------------------------------------------------------------------------------------------------


def later(milliseconds: int) -> Modifier:
    """'+1 day', '-90 minutes'"""
    return lambda time: time + milliseconds


def in_calendar(time: int) -> datetime.date:
    year, month, day = parts(time)
    if not 0 < year < 9999:
        raise Undetermined("a month far off")
    return datetime.date(year, month, day)


def month_later(time: int) -> int:
    """'+1 month': the same day of the next month; what that month does not have is counted on."""
    day = in_calendar(time)
    year, month = (day.year, day.month + 1) if day.month < 12 else (day.year + 1, 1)
    last = calendar.monthrange(year, month)[1]
    fitting = of_date(datetime.date(year, month, min(day.day, last)))
    return fitting + max(day.day - last, 0) * DAY_MS + (time + NOON_MS) % DAY_MS


def start_of_month(time: int) -> int:
    return of_date(in_calendar(time).replace(day=1))


def start_of_year(time: int) -> int:
    return of_date(in_calendar(time).replace(month=1, day=1))


def next_sunday(time: int) -> int:
    """'weekday 0': the day itself, if it is a Sunday."""
    weekday = ((time + NOON_MS) // DAY_MS + 1) % 7
    return time + (7 - weekday) % 7 * DAY_MS


def shown(show: Callable[[int], Any], change: Modifier | None = None) -> Meaning:
    """A function of a time value, perhaps with a modifier."""

    def of(value: Any) -> Any:
        time = time_value(value)
        if time is None:
            return None
        time = time if change is None else change(time)
        if not 0 <= time < LAST_MS:
            raise Undetermined("a time that is out of bounds")
        return show(time)

    return strict(of)


MEANINGS: Mapping[str, Meaning] = {
    "date": shown(date), "time": shown(clock), "datetime": shown(date_and_clock), "julianday": shown(julian_day),
    "strftime": shown(year), "strftime day": shown(day_and_month),
    "date +1 day": shown(date, later(DAY_MS)), "datetime -90 minutes": shown(date_and_clock, later(-5_400_000)),
    "date +1 month": shown(date, month_later), "date start of month": shown(date, start_of_month),
    "datetime start of year": shown(date_and_clock, start_of_year), "date weekday 0": shown(date, next_sunday),
}  # fmt: skip
