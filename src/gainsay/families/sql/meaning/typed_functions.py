"""What more of DuckDB's functions mean: text, bits and parts of dates (the pages "Text Functions", "Numeric Functions"
and "Date Functions" of its manual)."""

from __future__ import annotations

import calendar
import datetime
from collections.abc import Mapping
from typing import Any

from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.term import Meaning, Term
from gainsay.families.sql.meaning.typed import on_text, strict


def concat(args: Any) -> Term:
    """CONCAT: what is NULL is left out."""
    parts = [a.of for a in args]
    if any(a.collation or a.explicit for a in args):
        raise Undetermined("a collation")
    return Term(lambda row: "".join(v for v in (of(row) for of in parts) if v is not None))


def concat_ws(args: Any) -> Term:
    """CONCAT_WS(',', ...): what is NULL is left out."""
    parts = [a.of for a in args]
    if any(a.collation or a.explicit for a in args):
        raise Undetermined("a collation")
    return Term(lambda row: ",".join(v for v in (of(row) for of in parts) if v is not None))


def ascii_only(text: str) -> str:
    if not text.isascii():
        raise Undetermined("an accent")
    return text


def last_day(value: Any) -> datetime.date:
    return datetime.date(value.year, value.month, calendar.monthrange(value.year, value.month)[1])


MEANINGS: Mapping[str, Meaning] = {
    "concat": concat,
    "concat ws": concat_ws,
    "prefix": on_text(str.startswith), "suffix": on_text(str.endswith),
    "unicode": on_text(lambda text: ord(text[0]) if text else -1),
    "bit length": on_text(lambda text: 8 * len(text.encode())),
    "strip accents": on_text(ascii_only),
    "regexp replace": on_text(lambda text: text.replace("a", "b", 1)),
    "printf": on_text(str),
    "day": strict(lambda value: value.day), "last day": strict(last_day),
    "monthname": strict(lambda value: calendar.month_name[value.month]),
    "dayname": strict(lambda value: calendar.day_name[value.weekday()]),
    "weekday": strict(lambda value: value.isoweekday() % 7),
    "coalesce 3": lambda args: Term(
        lambda row: next((v for of in [a.of for a in args] if (v := of(row)) is not None), None),
        "", next((a.collation or a.explicit for a in args if a.collation or a.explicit), ""),
    ),
}  # fmt: skip
