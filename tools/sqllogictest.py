"""Runs sqllogictest files through our reader and our evaluator, without an engine: the answers are recorded in them.

    python tools/sqllogictest.py test/select1.test test/evidence/
    python tools/sqllogictest.py --dialect duckdb test/sql/

SQLite's own files (https://www.sqlite.org/sqllogictest/) and DuckDB's (test/sql of its repository) were written by
others: the evaluator is proven against what nobody here wrote. What the reader does not know, what we do not give a
meaning, and what has several right answers is counted apart. Of DuckDB's form there are loops, rows of a line each, and
values that are compared as numbers; a file is left where it needs an extension, a file or a second connection."""

from __future__ import annotations

import argparse
import datetime
import hashlib
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NamedTuple

from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.language.statements import StatementReader, is_question
from gainsay.families.sql.language.tokens import Unread
from gainsay.families.sql.meaning import storage
from gainsay.families.sql.meaning.scene_cache import SceneCache

FACTS: Mapping[str, Mapping[str, str]] = {
    "sqlite": {"like-blob": "as text"},
    "duckdb": {"text-order": "by code point", "null-order": "last", "greatest-null": "ignored"},
}
MOST = 300  # rows that are compared in any order, and statements of a file
SORTS = ("nosort", "rowsort", "valuesort", "sort")
# What a file of DuckDB may ask for and we need not have; where it asks for anything else, it is left
NEEDED = (
    "skip_reload",
    "vector_size",
    "no_alternative_verify",
    "noforcestorage",
    "notwindows",
    "64bit",
    "exact_vector_size",
)
LEAVES = ("load", "restart", "reconnect", "halt", "concurrentloop", "concurrentforeach", "unzip")


ASKING = re.compile(r"\s*(SELECT|EXPLAIN(?!\s+ANALYZE)|DESCRIBE|SHOW|SUMMARIZE|FROM|VALUES)\b", re.IGNORECASE)
CHANGING = re.compile(r"\s*WITH\b.*\b(INSERT|UPDATE|DELETE|MERGE)\b", re.IGNORECASE | re.DOTALL)
DROPPED = re.compile(
    r"\s*(?:DROP\s+(?:TABLE|VIEW)\s+(?:IF\s+EXISTS\s+)?|CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP\s+|TEMPORARY\s+)?TABLE\s+"
    r"(?=[\w\"]+(?:\s*\([^()]*\))?\s+AS\b))([\w\"]+)",
    re.IGNORECASE,
)


class Left(Exception):
    """The rest of a file is left; the word says why."""


class Record(NamedTuple):
    """A statement or a query of a file, with what it must give."""

    head: list[str]
    text: str
    expected: list[str]
    conditions: list[list[str]]


def records(path: Path) -> Iterator[Record]:
    """The records of a file."""
    yield from parsed(path.read_text(errors="replace").splitlines())


def parsed(lines: list[str]) -> Iterator[Record]:
    """The records of some lines."""
    at = 0
    conditions: list[list[str]] = []
    is_skipped = False
    while at < len(lines):
        words = lines[at].split("#")[0].split()
        at += 1
        if words[:1] == ["mode"]:
            is_skipped = words[1:] == ["skip"] or (is_skipped and words[1:] != ["unskip"])
        elif is_skipped or not words:
            continue
        elif words[0] in ("skipif", "onlyif"):
            conditions.append(words)
        elif words[0] in ("loop", "foreach"):
            end = end_of_loop(lines, at)
            yield from looped(words, lines[at:end])
            at = end + 1
        elif (words[0] in LEAVES and not conditions) or (words[0] == "require" and words[1] not in NEEDED):
            raise Left(words[1] if words[0] == "require" else words[0])
        elif words[0] in ("statement", "query"):
            body: list[str] = []
            while at < len(lines) and lines[at].strip():
                body.append(lines[at])
                at += 1
            cut = body.index("----") if "----" in body else len(body)
            yield Record(words, "\n".join(body[:cut]), body[cut + 1 :], conditions)
            conditions = []
        else:
            conditions = []


def end_of_loop(lines: list[str], at: int) -> int:
    """Where the loop ends whose first line was read."""
    depth = 1
    while at < len(lines):
        word = (lines[at].split() or [""])[0]
        depth += (word in ("loop", "foreach", "concurrentloop", "concurrentforeach")) - (word == "endloop")
        if depth == 0:
            return at
        at += 1
    raise Left("a loop without an end")


def looped(words: list[str], lines: list[str]) -> Iterator[Record]:
    """The records of a loop: once for each value of its variable."""
    values = [str(n) for n in range(int(words[2]), int(words[3]))] if words[0] == "loop" else words[2:]
    if any(value.startswith(("<", "!")) for value in values) or len(values) > MOST:
        raise Left("a loop over what is not listed")
    for value in values:
        said = (line.replace(f"${{{words[1]}}}", value).replace(f"{{{words[1]}}}", value) for line in lines)
        yield from parsed(list(said))


def is_meant(record: Record, engine: str) -> bool:
    """Whether a record is for this engine."""
    return all((words[1] == engine) == (words[0] == "onlyif") for words in record.conditions)


# --- SQLite's form ----------------------------------------------------------------------------------------------------


def shown(value: Any, kind: str) -> str:
    """A value as sqllogictest prints it."""
    if value is None:
        return "NULL"
    if kind == "I":
        return str(storage.integer_of(value))
    if kind == "R":
        return f"{float(storage.number_of(value)):.3f}"
    text = storage.text_of(value) if not isinstance(value, bool) else str(value).lower()
    return "".join(c if " " <= c <= "~" else "@" for c in text) or "(empty)"


def is_same(rows: list[Any], record: Record, is_ordered: bool) -> bool | None:
    """Whether rows are what a file says; None where it can't be told, since their order is open."""
    kinds, mode = record.head[1], record.head[2] if len(record.head) > 2 else "nosort"
    listed = [[shown(v, k) for v, k in zip(row, kinds, strict=True)] for row in rows]
    expected = record.expected
    is_hashed = len(expected) == 1 and " values hashing to " in expected[0]
    if mode == "rowsort" or (mode == "nosort" and not is_ordered and not is_hashed):
        listed.sort()
    flat = [value for row in listed for value in row]
    if mode == "valuesort":
        flat.sort()
    if is_hashed:
        if mode == "nosort" and not is_ordered and len(listed) > 1:
            return None
        count, _, _, _, digest = expected[0].split()
        return (str(len(flat)), hashlib.md5("".join(v + "\n" for v in flat).encode()).hexdigest()) == (count, digest)
    if mode == "nosort" and not is_ordered:
        width = len(kinds)
        expected = [v for row in sorted(expected[n : n + width] for n in range(0, len(expected), width)) for v in row]
    return flat == expected


# --- DuckDB's form ----------------------------------------------------------------------------------------------------


def is_same_in_lines(rows: list[Any], record: Record, is_ordered: bool) -> bool | None:
    """The same for DuckDB's files: a row in a line, with tabs between its values, or a value in a line."""
    width, expected = len(record.head[1]), record.expected
    mode = next((word for word in record.head[2:] if word in SORTS), "nosort")
    if not expected and any(word not in SORTS for word in record.head[2:]):
        return None  # it gives what another query of that label gives
    if (
        mode == "valuesort"
        or len(rows) > MOST
        or any(line.startswith(("<REGEX>", "<!REGEX>", "<FILE>")) for line in expected)
    ):
        return None
    if len(expected) == 1 and " values hashing to " in expected[0]:
        return None
    cells = [line.rstrip("\t").split("\t") for line in expected]
    if width > 1 and all(len(row) == 1 for row in cells) and len(cells) % width == 0:
        cells = [[row[0] for row in cells[n : n + width]] for n in range(0, len(cells), width)]
    if len(cells) != len(rows) or any(len(row) != width for row in cells) or any(len(row) != width for row in rows):
        return False
    if mode == "nosort" and is_ordered:
        return all(map(is_row, rows, cells))
    left = list(cells)
    for row in rows:
        found = next((n for n, other in enumerate(left) if is_row(row, other)), None)
        if found is None:
            return False
        del left[found]
    return True


def is_row(row: Any, cells: list[str]) -> bool:
    return all(map(is_value, row, cells))


def is_value(value: Any, cell: str) -> bool:
    """Whether a value is what a file says: as text, or as a number."""
    if value is None or (cell == "NULL" and value != "NULL"):
        return value is None and cell == "NULL"
    if isinstance(value, bool):
        return cell.lower() in (("true", "1") if value else ("false", "0"))
    if isinstance(value, (int, float, Decimal)):
        return is_number(value, cell)
    if isinstance(value, datetime.date):
        text = re.sub(r"(\.\d*?)0+$", r"\1", str(value))
        return cell in (text, text.removesuffix(" 00:00:00"), f"{text} 00:00:00")
    if isinstance(value, (list, dict)):
        return cell == nested(value)
    if isinstance(value, datetime.timedelta):
        raise ValueError("an interval is not written as DuckDB writes it")
    return (cell == "" or cell == "(empty)") if value == "" else cell == str(value).replace("\n", "\\n")


def is_number(value: int | float | Decimal, cell: str) -> bool:
    """Reals are compared as DuckDB's own runner does it: to the hundredth part."""
    if str(value) == cell:
        return True
    try:
        wanted = Decimal(cell)
    except InvalidOperation:
        return False
    if isinstance(value, float):
        if math.isnan(value) or wanted.is_nan():
            return math.isnan(value) and wanted.is_nan()
        return abs(value - float(wanted)) <= 0.01 * abs(float(wanted)) + 1e-9
    return wanted == value


def nested(value: Any) -> str:
    """A list or struct as DuckDB writes it as text."""
    if isinstance(value, list):
        if any(isinstance(part, Decimal) for part in value):
            raise ValueError("decimals of a list are written with as many digits")
        return "[" + ", ".join(map(nested, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"'{k}': {nested(v)}" for k, v in value.items()) + "}"
    return "NULL" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def is_open(statements: list[ir.Statement]) -> bool:
    """Whether a transaction is going on."""
    marks = [s.text.split()[0] for s in statements if isinstance(s, ir.Mark)]
    return bool(marks) and marks[-1] == "BEGIN"


# --- a run ------------------------------------------------------------------------------------------------------------


class Run:
    """What came of the files."""

    def __init__(self, dialect: str) -> None:
        self.name = dialect
        self.dialect = dialects.find(dialect)
        self.is_same = is_same_in_lines if dialect == "duckdb" else is_same
        self.counts: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()

    def file(self, path: Path) -> None:
        """One file, from an empty database."""
        self.counts["files"] += 1
        try:
            self.records(path)
        except Left as why:
            self.counts["files that are left"] += 1
            self.reasons[f"left: {why}"] += 1

    def records(self, path: Path) -> None:
        """The records of a file, one after the other."""
        reader, statements, cache = StatementReader(self.dialect), [], None
        for record in records(path):
            if not is_meant(record, self.name):
                continue
            if any(word.startswith("con") for word in record.head[2:3]):
                raise Left("a second connection")
            if record.head[0] == "statement" or not is_question(record.text) or CHANGING.match(record.text):
                if record.head[1] == "error":
                    if is_open(statements):
                        raise Left("an error in a transaction")
                    continue
                cache = None
                self.counts["statements"] += 1
                if is_open(statements) and DROPPED.match(record.text):
                    raise Left("a relation that goes in a transaction")
                statements = self.changed(record, reader, statements)
                if len(statements) > MOST and self.name == "duckdb":
                    raise Left("many statements")
                continue
            cache = cache or SceneCache(ir.Scene(tuple(statements)), self.dialect, FACTS.get(self.name, {}))
            self.query(path, record, reader, cache)

    def changed(self, record: Record, reader: StatementReader, statements: list[ir.Statement]) -> list[ir.Statement]:
        """The statements with one more. What only asks is none; of a relation that goes, or that a query makes, nothing
        is known from there on."""
        if ASKING.match(record.text):
            return statements
        gone = DROPPED.match(record.text)
        if gone is None:
            return [*statements, self.statement(record, reader)]
        name = gone[1].strip('"').lower()
        reader.relations.pop(name, None)
        return [s for s in statements if not {name} & {str(getattr(s, f, "")).lower() for f in ("name", "table")}]

    def statement(self, record: Record, reader: StatementReader) -> ir.Statement:
        """A statement as it was read; as text where it can't be."""
        try:
            if record.head[1] == "ok" or record.head[0] == "query":
                return reader.statement(record.text)
            why: object = "a statement that may fail"
        except Unread as unread:
            why = unread
        self.reasons[f"statement: {why}"[:90]] += 1
        self.counts["statements not read"] += 1
        return ir.RawStatement(record.text)

    def query(self, path: Path, record: Record, reader: StatementReader, cache: SceneCache) -> None:
        """One query against its recorded answer."""
        self.counts["queries"] += 1
        reader.unread.clear()
        try:
            node = reader.query(record.text)
        except Unread as why:
            self.counts["queries not read"] += 1
            self.reasons[f"query: {why}"[:90]] += 1
            return
        if reader.unread:
            self.counts["queries not read"] += 1
            self.reasons[f"query: {reader.unread[0]}"[:90]] += 1
            return
        rows = cache.rows(node)
        if rows is None:
            self.counts["no one meaning, or too large"] += 1
            return
        ordered = cache.in_order(node)
        try:
            same = self.is_same(rows if ordered is None else ordered, record, ordered is not None)
        except (storage.Undetermined, ValueError):
            same = None
        self.counts["order open" if same is None else "agree" if same else "DISAGREE"] += 1
        if same is False:
            print(f"{path}: {record.text}\n  file: {record.expected[:6]}\n  ours: {rows[:6]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dialect", default="sqlite", choices=["sqlite", "duckdb", "postgresql"])
    parser.add_argument("paths", nargs="+", type=Path)
    arguments = parser.parse_args()
    run = Run(arguments.dialect)
    for path in sorted(p for given in arguments.paths for p in ([given] if given.is_file() else given.rglob("*.test"))):
        run.file(path)
    for name, count in run.counts.most_common():
        print(f"{count:>9,}  {name}")
    for reason, count in run.reasons.most_common(25):
        print(f"{count:>9,}  {reason}", file=sys.stderr)
    return 1 if run.counts["DISAGREE"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
