"""Stand-alone reproducers: repro.py and repro.<ext> need nothing but the engine. Exit 1 where the bug is present, 0 where it is not."""

from __future__ import annotations

from typing import Any

from gainsay.campaign.events import Finding, read_case
from gainsay.core import registry
from gainsay.core.claim import WORDS, Fold, Relation
from gainsay.core.model import Seat
from gainsay.report import decisions

HEAD = '''#!/usr/bin/env python3
"""{title}

{words}.
{why}
Exits 1 where the bug is present, 0 where it is not, 2 where that can't be told. {found}. Found by gainsay, seed {seed}.
"""
import datetime
import os
import sys
from collections import Counter
from decimal import Decimal

inf, nan = float("inf"), float("nan")

def undecided(kind, error, trace):
    """Whatever goes wrong here is no answer: the engine is not there, or refuses a statement."""
    print(f"Not decided here: {{kind.__name__}}: {{error}}", file=sys.stderr, flush=True)
    os._exit(2)
sys.excepthook = undecided
'''
BODY = """
SETUP = {setup}
QUERIES = {queries}
"""
RUN = """
for statement in SETUP:
    ask(statement)
answers = {label: ask(text) for label, text in QUERIES.items()}
"""
KEYS = {
    "exact": """
def key(value):
    return "nan" if value != value else repr(value + 0.0) if type(value) is float else repr(value)
""",
    "number": """
def key(value):
    return float(value) if isinstance(value, (bool, int, float, Decimal)) else repr(value)
""",
    "group": """
def key(value):
    if isinstance(value, str):
        return value.rstrip(" ").lower()
    return float(value) if isinstance(value, (bool, int, float, Decimal)) else repr(value)
""",
    "graph": """
def key(value):
    if isinstance(value, (list, tuple)):
        return tuple(map(key, value))
    if isinstance(value, dict):
        return tuple(sorted((k, key(v)) for k, v in value.items()))
    if type(value) is float and value - value == 0:
        value = float("%.12g" % value)
        value = int(value) if value.is_integer() else value
    return value if type(value) in (int, float) else repr(value)
""",
    "graph bags": """
def key(value):
    if isinstance(value, (list, tuple)):  # in any order
        return tuple(sorted(map(key, value), key=repr))
    if isinstance(value, dict):
        return tuple(sorted((k, key(v)) for k, v in value.items()))
    if type(value) is float and value - value == 0:
        value = float("%.12g" % value)
        value = int(value) if value.is_integer() else value
    return value if type(value) in (int, float) else repr(value)
""",
    "close": """
def key(value):
    return float("%.8g" % value) if isinstance(value, (bool, int, float, Decimal)) else repr(value)
""",
}
FOLDS = {
    Fold.ROWS.value: "[row for label in {labels} for row in answers[label]]",
    Fold.COUNT.value: "[(sum(len(answers[label]) for label in {labels}),)]",
    Fold.TRUE_ROWS.value: "[row[1:] for label in {labels} for row in answers[label] if row[0]]",
    Fold.TOTAL.value: "[(sum(row[0] or 0 for label in {labels} for row in answers[label]),)]",
    Fold.SUM.value: "[(sum(known(answers, {labels})) if known(answers, {labels}) else None,)]",
    Fold.MIN.value: "[(min(known(answers, {labels}), key=rank, default=None),)]",
    Fold.MAX.value: "[(max(known(answers, {labels}), key=rank, default=None),)]",
}
KNOWN = """
def known(answers, labels):
    return [row[0] for label in labels for row in answers[label] if row[0] is not None]
def rank(value):
    return (2, value) if isinstance(value, str) else (3, value) if isinstance(value, bytes) else (1, value)
"""
JUDGE = """
def same(left, right):
    left, right = [[tuple(map(key, row)) for row in rows] for rows in (left, right)]
    return {compare}
actual = {actual}
expected = {expected}
print(VERSION)
for label, text in QUERIES.items():
    print(f"{{label}}: {{text}}\\n    {{answers[label]}}")
print("expected:", expected)
print("actual:  ", actual)
if same(actual, expected):
    print("No bug here. {found}.")
    sys.exit(0)
print("BUG: " + {why!r})
sys.exit(1)
"""
CHILD = """
if "--run" in sys.argv:
    for statement in SETUP + list(QUERIES.values()):
        ask(statement)
    sys.exit(0)
print(VERSION)
try:
    ended = subprocess.run([sys.executable, __file__, "--run"], timeout={timeout}, capture_output=True, text=True{limit})
    said, code = ended.stderr, ended.returncode
except subprocess.TimeoutExpired:
    said, code = "no answer within {timeout} s", -9
print("expected: an answer or a refusal")
print("actual:  ", f"exit status {{code}}", said.strip()[-500:])
if not code:
    print("No bug here. {found}.")
{verdict}
"""


def listing(texts: Any) -> str:
    return "[\n" + "".join(f"    {t!r},\n" for t in texts) + "]"


def mapping(texts: dict[str, str]) -> str:
    return "{\n" + "".join(f"    {k!r}: {quoted(v)},\n" for k, v in texts.items()) + "}"


def quoted(text: str) -> str:
    """A Python literal; a text of several lines as such, where nothing in it needs to be escaped."""
    is_plain = "\n" in text and text.replace("\n", "").isprintable() and "\\" not in text and '"""' not in text and not text.endswith('"')
    return f'"""\\\n{text}"""' if is_plain else repr(text)


def rows(shown: list[list[str]]) -> str:
    return "[" + ", ".join("(" + "".join(f"{v}, " for v in row) + ")" for row in shown) + "]"


def title(finding: Finding) -> str:
    """The signature; where nobody can tell who is wrong, under the names of all."""
    engine, _, rest = finding.signature.partition(":")
    return f"{' or '.join([engine, *(text.partition(':')[0] for text in finding.also)])}:{rest}"


def blamed_seat(finding: Finding) -> Seat:
    return read_case(finding.case).seats[finding.seat]


def side(claim_side: dict[str, Any]) -> str:
    if claim_side["value"] is not None:
        return "[" + ", ".join(repr(plain(row)) for row in claim_side["value"]) + "]"
    return FOLDS[claim_side["fold"]].format(labels=tuple(claim_side["steps"]))


def plain(value: Any) -> Any:
    """Rows as tuples again: JSON made them lists."""
    return tuple(plain(v) for v in value) if isinstance(value, (list, tuple)) else value


COMPARE = {
    Relation.SAME_BAG.value: "Counter(left) == Counter(right)",
    Relation.SAME_LIST.value: "left == right",
    Relation.SAME_SET.value: "set(left) == set(right)",
    Relation.SUBSET.value: "set(left) <= set(right)",
    Relation.CONTAINS.value: "set(left) >= set(right)",
}
MIRRORED = {Relation.SUBSET.value: Relation.CONTAINS.value, Relation.CONTAINS.value: Relation.SUBSET.value}


def python(finding: Finding) -> str:
    """The text of repro.py."""
    seat = blamed_seat(finding)
    engine = registry.engine(finding.engine)
    from gainsay.campaign.seating import options

    opening: str = engine.repro(seat.target.version, options(seat.target), seat.target.configs)
    texts = dict(finding.texts)
    before = [text for _, text in finding.before]
    words = finding.words[:1].upper() + finding.words[1:]
    head = HEAD.format(
        title=plain_text(f"{finding.engine} {finding.version}: {title(finding)}"),
        words=plain_text(words),
        why=plain_text(finding.why),
        seed=finding.seed,
        found=met(finding),
    )
    label = f"on {seat.target}"
    is_differential = finding.kind == "logic" and label in texts and len(texts) > 1
    queries = {label: texts[label]} if is_differential else texts
    if finding.sides and finding.sides["relation"] in decisions.RELATIONS:
        setup = [*finding.setup, *before]
        return (
            head
            + opening
            + BODY.format(setup=listing(setup), queries=mapping(queries))
            + decisions.judged(finding, label if is_differential else "", met(finding))
        )
    if finding.kind != "logic":
        setup = [*finding.setup, *before]
        queries = {} if finding.oracle == "load" else {k: v for k, v in texts.items() if not k.startswith("statement")}
        verdict = "sys.exit(1 if code < 0 or code > 128 else 0)  # a signal, here or in the engine's own process"
        if finding.kind == "internal-error":
            verdict = f"sys.exit(1 if {first_words(finding.detail)!r} in said else 0)"
        limit = ""
        if finding.kind == "memory":
            limit = ", preexec_fn=lambda: __import__('resource').setrlimit(__import__('resource').RLIMIT_AS, (4 << 30, 4 << 30))"
            verdict = "sys.exit(1 if code else 0)"
        child = CHILD.format(timeout=60, verdict=verdict, limit=limit, found=met(finding))
        # Before the engine: some of its deaths depend on where things lie in memory, here as in the child.
        return head + "import subprocess\n" + opening + BODY.format(setup=listing(setup), queries=mapping(queries)) + child
    claim = finding.sides
    folds = {claim["left"]["fold"], claim["right"]["fold"]}
    helper = KNOWN if folds & {Fold.SUM.value, Fold.MIN.value, Fold.MAX.value} else ""
    relation = MIRRORED.get(claim["relation"], claim["relation"]) if claim["believed"] == "left" else claim["relation"]
    compare = COMPARE[relation]
    if is_differential:
        actual = f"answers[{label!r}]"
        other = next(k for k in texts if k != label and finding.answers.get(k) != finding.answers.get(label))
        expected = rows(finding.answers[other]) + f"  # {other}"
    else:
        actual, expected = side(claim["left"]), side(claim["right"])
        if claim["believed"] == "left":
            actual, expected = expected, actual
    judge = JUDGE.format(compare=compare, actual=actual, expected=expected, why=finding.why, found=met(finding))
    setup = [*finding.setup, *before]
    return head + opening + BODY.format(setup=listing(setup), queries=mapping(queries)) + KEYS[claim["rule"]] + helper + RUN + judge


def plain_text(text: str) -> str:
    """Text for a docstring: what would be read as an escape or as its end is written in another way."""
    return text.replace("\\", "\\\\").replace('"' * 3, "'" * 3)


def met(finding: Finding) -> str:
    """Where the bug was met, and what brings that release."""
    brings = [r for r in registry.engine(finding.engine).requirements(finding.version) if "==" in r]
    return f"It was met on {finding.engine} {finding.version}" + (f" (pip install {brings[0]})" if brings else "")


def first_words(detail: str) -> str:
    """The part of an internal error's text that will be the same elsewhere."""
    line = next((text for text in detail.splitlines() if text.strip()), "")
    return line[:40]


def is_verdict(answer: list[list[str]]) -> bool:
    return bool(answer) and all(len(row) == 1 for row in answer) and answer[0][0] in WORDS


def script(finding: Finding) -> str:
    """The text of repro.sql (or .dl, .smt2, ...): statements and questions, answers as comments."""
    family = registry.family(finding.family)
    end, note = family.ending, family.dialect(registry.engine(finding.engine).DIALECT).comment
    lines = [f"{note} {finding.engine} {finding.version}: {finding.words}", f"{note} {finding.why}", ""]
    command = getattr(registry.engine(finding.engine), "RUN", "")
    lines += [f"{note} run: {command} repro.{family.extension}", ""] if command else []
    lines += prelude(finding)
    lines += [f"{s}{end}" for s in finding.setup] + [f"{t}{end}" for _, t in finding.before] + [""]
    if finding.sides and finding.sides["right"]["value"] is not None:
        lines += [f"{note} expected: {', '.join(finding.right) or 'no rows'}"]
    last = list(finding.texts)[-1] if finding.texts else ""
    for label, text in finding.texts.items():
        lines += [f"{note} {label}: {shown(finding.answers.get(label))}"]
        if finding.oracle == "load" and text in finding.setup:
            continue
        # Where a question is a whole program, one can be run: the last. The others are there to compare.
        lines += [f"{text}{end}"] if end or label == last else [f"{note}     {line}" for line in text.splitlines()]
    return "\n".join(lines) + "\n"


def prelude(finding: Finding) -> list[str]:
    """What a configuration says to the engine first, where it is text of the script."""
    configs = registry.engine(finding.engine).CONFIGS
    chosen = [text for config in blamed_seat(finding).target.configs for text in configs.get(config, ())]
    return [text for text in chosen if isinstance(text, str) and text.startswith("(set-")]


def shown(answer: Any) -> str:
    if isinstance(answer, list) and is_verdict(answer):
        return " ".join(row[0] for row in answer)[:300]
    if isinstance(answer, list):
        return f"{len(answer)} row{'s' if len(answer) != 1 else ''}" + "".join(f" ({', '.join(r)})" for r in answer[:8])
    return " ".join(str(answer).split())[:300]
