"""Runs files of sqllogictest, which others wrote, through our reader and evaluator, against their recorded answers.

    python tools/sqllogictest.py --dialect sqlite FOLDER...

No engine is asked. Each query is read, given a meaning and compared with what the file says; what could not be read,
has no one meaning or is too large is counted, and every disagreement is printed. The files themselves stay where they
are."""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.language.statements import StatementReader
from gainsay.families.sql.language.tokens import Unread
from gainsay.families.sql.meaning import storage
from gainsay.families.sql.meaning.scene_cache import SceneCache

FACTS: Mapping[str, Mapping[str, str]] = {
    "sqlite": {"like-blob": "as text"},
    "duckdb": {"text-order": "by code point", "null-order": "last"},
}


class Record(NamedTuple):
    """A statement or a query of a file, with what it must give."""

    head: list[str]
    text: str
    expected: list[str]
    conditions: list[list[str]]


def records(path: Path) -> Iterator[Record]:
    """The records of a file."""
    lines = path.read_text(errors="replace").splitlines()
    at, conditions = 0, []
    while at < len(lines):
        words = lines[at].split("#")[0].split()
        at += 1
        if words and words[0] in ("skipif", "onlyif"):
            conditions.append(words)
        elif words and words[0] == "halt" and not conditions:
            return
        elif words and words[0] in ("statement", "query"):
            body: list[str] = []
            while at < len(lines) and lines[at].strip():
                body.append(lines[at])
                at += 1
            cut = body.index("----") if "----" in body else len(body)
            yield Record(words, "\n".join(body[:cut]), body[cut + 1 :], conditions)
            conditions = []
        elif words:
            conditions = []


def is_meant(record: Record, engine: str) -> bool:
    """Whether a record is for this engine."""
    return all((words[1] == engine) == (words[0] == "onlyif") for words in record.conditions)


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


class Run:
    """What came of the files."""

    def __init__(self, dialect: str) -> None:
        self.name = dialect
        self.dialect = dialects.find(dialect)
        self.counts: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()

    def file(self, path: Path) -> None:
        """One file, from an empty database."""
        reader, statements, cache = StatementReader(self.dialect), [], None
        for record in records(path):
            if not is_meant(record, self.name):
                continue
            if record.head[0] == "statement":
                if record.head[1] != "ok":
                    continue
                cache = None
                self.counts["statements"] += 1
                try:
                    statements.append(reader.statement(record.text))
                except Unread as why:
                    self.reasons[f"statement: {why}"] += 1
                    self.counts["statements not read"] += 1
                    statements.append(ir.RawStatement(record.text))
                continue
            cache = cache or SceneCache(ir.Scene(tuple(statements)), self.dialect, FACTS.get(self.name, {}))
            self.query(path, record, reader, cache)

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
            same = is_same(rows if ordered is None else ordered, record, ordered is not None)
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
    for reason, count in run.reasons.most_common(15):
        print(f"{count:>9,}  {reason}", file=sys.stderr)
    return 1 if run.counts["DISAGREE"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
