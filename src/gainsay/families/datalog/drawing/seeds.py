"""Reads a folder of seed programs, in an engine's own words.
Their rules stay opaque text; only their relations are known, to build on.

A relation that is listed can be read by a generated rule. What a seed prints or asks for by itself is taken out of its
text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from gainsay.errors import UsageError
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.writer import Dialect

MOST_FILES = 2000
MOST_BYTES = 1 << 20
QUOTES = "\"'|<"
Span = tuple[int, int]
Found = tuple[str, Sequence[ir.Rel]]  # the text that is kept, and the relations to build on


class Seed(NamedTuple):
    """A seed program; `problem` says in a sentence why it can't be used, and is empty where it can."""

    name: str
    text: str
    rels: tuple[ir.Rel, ...]
    problem: str


class Unusable(Exception):
    """Why a seed can't be used."""


# --- text -------------------------------------------------------------------------------------------------------------


def masked(text: str, hidden: str) -> str:
    """The text with comments and the insides of quotes blank, at its old length: what is found in it is at the same
    place in the text."""

    def blank(found: re.Match[str]) -> str:
        spaces = re.sub(r"[^\n]", " ", found[0])
        return found[0][0] + spaces[1:-1] + found[0][-1] if found[0][0] in QUOTES else spaces

    return re.sub(hidden, blank, text, flags=re.DOTALL)


def without(text: str, spans: Sequence[Span]) -> str:
    kept, at = [], 0
    for start, end in sorted(spans):
        kept.append(text[at : max(at, start)])
        at = max(at, end)
    return "".join([*kept, text[at:]])


def closing(text: str, start: int, pair: str) -> int:
    """The place behind the bracket that closes the one at `start`."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == pair[0]) - (text[at] == pair[1])
        if depth == 0:
            return at + 1
    raise Unusable(f"It has a {pair[0]!r} that is never closed.")


def split(text: str, marks: str) -> list[str]:
    """The parts between marks that are inside of no bracket."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0 and char in marks:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def arity(args: str) -> int:
    return len(split(args, ",")) if args.strip() else 0


def agreed(heads: Sequence[tuple[str, int]]) -> list[ir.Rel]:
    """Relations of no declared type: those that have one width, and a column at all."""
    widths: dict[str, set[int]] = {}
    for name, width in heads:
        widths.setdefault(name, set()).add(width)
    return [ir.Rel(name, ("any",) * max(found)) for name, found in widths.items() if len(found) == 1 and max(found) > 0]


# --- dialects ---------------------------------------------------------------------------------------------------------

TEXT = r'"(?:[^"\\\n]|\\.)*"'
NAME = r"[A-Za-z_?][\w?]*"
NAMES = rf"{NAME}(?:\s*,\s*{NAME})*"
DOTTED = rf"{NAME}(?:\.{NAME})*"
DECLARED = re.compile(
    rf"\.decl\s+({NAMES})\s*\(([^)]*)\)((?:\s*\b(?:[a-z_]*inline|[a-z_]*magic|brie|btree|btree_delete|eqrel|"
    r"overridable|\w*put|printsize)\b)*)"
)
PRINTED = re.compile(rf"\.(?:output|printsize|limitsize)\b\s*{DOTTED}(?:\s*,\s*{DOTTED})*(?:[ \t]*\([^)]*\))?")
TYPE = re.compile(rf"\.type\s+({NAME})\s*(?:(?:<:|=)\s*({NAME})(?![\w?])(?!\s*[|{{]))?(?![\w?])(?!\s*[=<])")
PRIMITIVE = ("number", "unsigned", "float", "symbol")


def souffle(text: str) -> Found:
    """What can be used of a Soufflé program."""
    seen = masked(text, rf"//[^\n]*|/\*.*?\*/|{TEXT}")
    if re.search(r"^\s*#", seen, re.MULTILINE):
        raise Unusable("It needs the preprocessor, which is not run.")
    if re.search(r"\.functor\b", seen):
        raise Unusable("It declares functors of its own, which are not at hand.")
    if re.search(r"\.include\b", seen):
        raise Unusable("It includes other files.")
    spans = [m.span() for m in PRINTED.finditer(seen)]
    top = seen
    for found in re.finditer(r"\.comp\b[^{]*", seen):
        end = closing(seen, found.end(), "{}") if found.end() < len(seen) else found.end()
        top = top[: found.start()] + " " * (end - found.start()) + top[end:]
    bases = {m[1]: m[2] or "symbol" for m in TYPE.finditer(top)}  # a bare type is an old way to say symbol
    rels: dict[str, ir.Rel] = {}
    for found in DECLARED.finditer(top):
        marks = found[3].split()
        # These two are old words for .output and .printsize.
        spans += [
            (found.start(3) + m.start(), found.start(3) + m.end())
            for m in re.finditer(r"\b(?:output|printsize)\b", found[3])
        ]
        kinds = (
            tuple(base(column.rpartition(":")[2].strip(), bases) for column in found[2].split(","))
            if found[2].strip()
            else ()
        )
        if kinds and "inline" not in marks:
            for name in re.findall(NAME, found[1]):
                rels.setdefault(name, ir.Rel(name, kinds))
    return without(text, spans), list(rels.values())


def base(kind: str, bases: Mapping[str, str]) -> str:
    """The simple type below a type; its own name where there is none."""
    found, steps = kind, 0
    while found in bases and found not in PRIMITIVE and steps <= len(bases):
        found, steps = bases[found], steps + 1
    return found if found in PRIMITIVE else kind


HEAD = re.compile(r"(\?|\b[A-Za-z_]\w*)\s*\[([^\[\]]*)\]\s*(:=|<-|<~)")
FIRST_ROW = re.compile(r"\s*\[\s*(?=\[)")


def cozo(text: str) -> Found:
    """What can be used of a CozoScript query."""
    seen = masked(text, rf"\#[^\n]*|/\*.*?\*/|{TEXT}|'(?:[^'\\\n]|\\.)*'")
    if re.search(
        r"\*\s*[A-Za-z_]\w*\s*(?:\[|\{)|~\s*\w+\s*:|^\s*::?(?:create|put|rm|replace|ensure\w*|update|insert|delete|:)",
        seen,
        re.MULTILINE,
    ):
        raise Unusable("It reads or writes stored relations.")
    if re.search(r"^\s*[{%]", seen, re.MULTILINE) or "$" in seen:
        raise Unusable("It is a script of several queries, or needs parameters.")
    options = [m.span() for m in re.finditer(r"^[ \t]*:\w[^\n]*", seen, re.MULTILINE)]
    rules = list(HEAD.finditer(seen))
    spans, heads = list(options), []
    for number, rule in enumerate(rules, 1):
        if rule[1] == "?":
            after = rules[number].start() if number < len(rules) else len(seen)
            spans.append((rule.start(), rule.start() + len(seen[rule.start() : after].rstrip())))
            continue
        row = FIRST_ROW.match(seen, rule.end())
        if rule[2].strip() or rule[3] != "<-" or row is None:
            heads.append((rule[1], arity(rule[2])))
        else:
            heads.append((rule[1], arity(seen[row.end() + 1 : closing(seen, row.end(), "[]") - 1])))
    return without(text, spans), agreed(heads)


def statements(seen: str, end: str) -> Iterator[tuple[str, Span]]:
    """The sentences of a text, without their ends, and where each is."""
    at = 0
    for found in re.finditer(end, seen):
        sentence = seen[at : found.start()]
        yield sentence.strip(), (at + len(sentence) - len(sentence.lstrip()), found.end())
        at = found.end()
    if seen[at:].strip():
        raise Unusable("Its last sentence has no end.")


def clingo(text: str) -> Found:
    """What can be used of a clingo program with one answer."""
    seen = masked(text, rf"%\*.*?\*%|%[^\n]*|{TEXT}")
    spans, heads = [], []
    for sentence, span in statements(seen, r"(?<!\.)\.(?!\.)"):
        word = (re.match(r"#\w+|:~|:-|\{", sentence) or [""])[0]
        if word == "#show":
            spans.append(span)
        elif word not in ("", "#const", "#defined"):
            known = {":-": "a constraint", ":~": "a weak constraint", "{": "a choice"}
            raise Unusable(f"It has {known.get(word, word)}: it may have several answers, or none.")
        elif not word:
            head = sentence.partition(":-")[0].strip()
            if len(split(head, ";|:")) > 1 or "{" in head:
                raise Unusable("It has a disjunction or a choice in a head: it may have several answers.")
            found = re.fullmatch(r"(_*[a-z]\w*)\s*\((.*)\)", head, re.DOTALL)
            if found:
                # p(1, 2; 3, 4) stands for two atoms.
                heads += [(found[1], arity(part)) for part in split(found[2], ";")]
    return without(text, spans), agreed(heads)


def nemo(text: str) -> Found:
    """What can be used of a Nemo program."""
    seen = masked(text, rf"%[^\n]*|{TEXT}|<[A-Za-z][^<>\s,()?]*>")
    spans, heads = [], []
    for sentence, span in statements(seen, r"\.(?!\d)"):
        word = (re.match(r"@\w+", sentence) or [""])[0]
        if word in ("@output", "@export"):
            spans.append(span)
        elif word in ("@import", "@source"):
            raise Unusable("It imports files.")
        elif not word:
            head = sentence.partition(":-")[0]
            if re.search(r"![A-Za-z_]", head):
                raise Unusable("It has a rule that invents values.")
            for atom in split(head, ","):
                found = re.fullmatch(r"([A-Za-z_]\w*)\s*\((.*)\)", atom.strip(), re.DOTALL)
                heads += [(found[1], arity(found[2]))] if found else []
    return without(text, spans), agreed(heads)


BITS = re.compile(r"\(\s*_\s+BitVec\s+6\s*\)")  # the only sort that our muz dialect speaks of
RELATION = re.compile(r"\(\s*declare-rel\s+([^\s()|]+)\s*\(((?:[^()]|\([^()]*\))*)\)")


def muz(text: str) -> Found:
    """What can be used of a fixed-point problem in SMT-LIB."""
    seen = masked(text, r';[^\n]*|"(?:[^"])*"|\|[^|]*\|')
    spans, rels, at = [], [], seen.find("(")
    while at >= 0:
        end = closing(seen, at, "()")
        form = seen[at:end]
        declared = RELATION.match(form)
        if re.match(r"\(\s*(?:query|check-sat|exit)\b", form):
            spans.append((at, end))
        elif declared and declared[2].strip() and not BITS.sub("", declared[2]).strip():
            rels.append(ir.Rel(declared[1], ("number",) * len(BITS.findall(declared[2]))))
        at = seen.find("(", end)
    return without(text, spans), rels


# --- folders ----------------------------------------------------------------------------------------------------------


def seed(name: str, content: bytes, dialect: Dialect) -> Seed:
    """A seed from the bytes of its file."""
    try:
        if len(content) > MOST_BYTES:
            raise Unusable(f"It is larger than {MOST_BYTES >> 20} MB.")
        text, rels = dialect.seed(content.decode("utf-8").replace("\r\n", "\n"))
        if not rels:
            raise Unusable("It defines no relation that rules could build on.")
        return Seed(name, text, tuple(rels), "")
    except UnicodeDecodeError as error:
        return Seed(name, "", (), f"It is not UTF-8 (byte {error.start}).")
    except Unusable as problem:
        return Seed(name, "", (), str(problem))


def read(folder: Path, dialect: Dialect) -> list[Seed]:
    """The seeds of a folder, by name; those that can't be used say why."""
    wanted = dialect.seed_files
    if not wanted:
        raise UsageError(f"--seeds: there are no seeds in the dialect {dialect.name}: it reads nobody's programs.")
    if not folder.is_dir():
        fact = "is not a folder" if folder.exists() else "does not exist"
        raise UsageError(f"{folder} {fact}. Name a folder of {dialect.name} programs.")
    files = sorted(
        (path.relative_to(folder).as_posix(), path)
        for path in folder.rglob("*")
        if path.suffix in wanted and path.is_file()
    )
    if not files:
        raise UsageError(
            f"{folder} has no file that ends in {' or '.join(wanted)}. Name a folder of {dialect.name} programs."
        )
    return [opened(name, path, dialect) for name, path in files[:MOST_FILES]]


def opened(name: str, path: Path, dialect: Dialect) -> Seed:
    try:
        return seed(name, path.read_bytes(), dialect)
    except OSError as error:
        return Seed(name, "", (), f"It can't be read: {error.strerror}.")
