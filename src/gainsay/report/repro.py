"""repro.py, a reproducer that needs nothing but the engine: it exits 1 where the bug is present, 0 where it is not, 2
where that can't be told.

It asks again and judges by the judge's own source, which it carries.
"""

from __future__ import annotations

import re

from gainsay.campaign.events import Finding, read_case
from gainsay.campaign.seating import options
from gainsay.core import registry
from gainsay.core.model import Seat
from gainsay.report import carried, decisions
from gainsay.report.pieces import listing, mapping, rows, side

HEAD = '''#!/usr/bin/env python3
"""{title}

{words}.
{why}
Exits 1 where the bug is present, 0 where it is not, 2 where that can't be told.
{found}. Found by gainsay, seed {seed}.
"""
from __future__ import annotations
import datetime
import os
import sys
from collections import Counter
from decimal import Decimal

inf, nan = float("inf"), float("nan")

def undecided(kind, error, trace):
    """Whatever goes wrong here is no answer: the engine is not there, or refuses a statement."""
    told = "" if "--run" in sys.argv else "Not decided here: "
    print(f"{{told}}{{kind.__name__}}: {{error}}", file=sys.stderr, flush=True)
    os._exit(2)
sys.excepthook = undecided
'''
OTHER = """
import re
ELSEWHERE = re.findall(r"\\d+(?:\\.\\d+)+", VERSION)[:1] not in ([], [{met!r}])
if "--run" not in sys.argv and ELSEWHERE:
    told = "Warning: this is " + VERSION + ", another release: the bug may be gone here. {found}."
    print(told, file=sys.stderr, flush=True)
"""
UNKNOWN = """
ELSEWHERE = False
"""
# Whoever checks that a release has mended it wants 0; that it is another release was said before.
ABSENT = """    said = "Not seen on this other release." if ELSEWHERE else "No bug here."
    print(said + " {found}.")
    sys.exit(0)"""
BODY = """
SETUP = {setup}
QUERIES = {queries}
"""
RUN = """
try:
    for statement in SETUP:
        ask(statement)
    answers = {label: ask(text) for label, text in QUERIES.items()}
except SystemExit as ended:
    print(f"Not decided here: the engine died ({ended.code}) where an answer was looked for.", file=sys.stderr)
    sys.exit(2)
"""
JUDGE = """
def brief(rows):  # equal rows as a count
    found = Counter(map(repr, rows)).items()
    return ", ".join(row if count == 1 else f"{{count}} rows {{row}}" for row, count in found) or "no rows"
left = {left}
right = {right}
actual, expected = {order}
print(VERSION)
for label, text in QUERIES.items():
    print(f"{{label}}: {{text}}\\n    {{brief(answers[label])}}")
print("expected:", brief(expected))
print("actual:  ", brief(actual))
if holds({relation!r}, left, right, {rule!r}):
{absent}
print("BUG: " + {why!r})
sys.exit(1)
"""
CHILD = """
if "--run" in sys.argv:
    for statement in SETUP:
        ask(statement)
    print("loaded", flush=True)
    for statement in QUERIES.values():
        ask(statement)
    sys.exit(0)
print(VERSION)
def run(**layout):
    try:
        # Without a backtrace, so that what is printed last is what died.
        quiet = {{**os.environ, "RUST_BACKTRACE": "0", **layout}}
        command = [sys.executable, __file__, "--run"]
        ended = subprocess.run(command, timeout={timeout}, capture_output=True, text=True, env=quiet{limit})
        return ended.stderr, ended.returncode, "loaded" in ended.stdout
    except subprocess.TimeoutExpired:
        return "no answer within {timeout} s", -9, True
said, code, is_loaded = run()
{again}is_there = {verdict}
told = said.strip()[-500:]
if code == 0:
    told = "an answer"
elif code != 2:
    told = f"exit status {{code}} {{told}}"
elif not is_there:
    told = "a refusal: " + told
print("expected: an answer or a refusal")
print("actual:  ", told)
if not is_there and code == 2 and QUERIES and not is_loaded:
    print("Not decided here: what comes before the question is refused.", file=sys.stderr)
    sys.exit(2)
if not is_there:
{absent}
sys.exit(1)
"""
# An engine that breaks its memory dies of it only where something else lies there.
LAYOUTS = """for layout in (
    {"PYTHONMALLOC": "debug"},
    {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"},
    {"MALLOC_TOP_PAD_": "0", "MALLOC_TRIM_THRESHOLD_": "0"},
    {"MALLOC_MMAP_THRESHOLD_": "4096"},
):
    if code == 0:
        said, code, is_loaded = run(**layout)
        if code:
            print("It dies here only with another layout of memory:", layout)
"""


def title(finding: Finding) -> str:
    """What a finding is called; where nobody can tell who is wrong, under the names of all."""
    engine, _, rest = finding.called().partition(":")
    return f"{' or '.join([engine, *(text.partition(':')[0] for text in finding.also)])}:{rest}"


def blamed_seat(finding: Finding) -> Seat:
    return read_case(finding.case).seats[finding.seat]


def python(finding: Finding) -> str:
    """The text of repro.py."""
    seat = blamed_seat(finding)
    opened: str = registry.engine(finding.engine).repro(
        seat.target.version, options(seat.target), seat.target.configs
    ) + other_release(finding)
    label = f"on {seat.target}"
    is_compared = finding.kind in ("logic", "incomplete") and label in finding.texts and len(finding.texts) > 1
    asked = {label: finding.texts[label]} if is_compared else dict(finding.texts)
    if finding.sides and finding.sides["relation"] in decisions.RELATIONS:
        return (
            head(finding)
            + opened
            + body(finding, asked)
            + decisions.judged(finding, label if is_compared else "", absent(finding))
        )
    if finding.kind != "logic":
        asked = {} if finding.oracle == "load" else {k: v for k, v in asked.items() if not k.startswith("statement")}
        # Before the engine: some of its deaths depend on where things lie in memory, here as in the child.
        return head(finding) + "import subprocess\n" + opened + body(finding, asked) + broken(finding)
    return (
        head(finding)
        + opened
        + body(finding, asked)
        + carried.source("folded", "holds")
        + RUN
        + judged(finding, label if is_compared else "")
    )


def head(finding: Finding) -> str:
    words = finding.words[:1].upper() + finding.words[1:]
    named = plain_text(f"{finding.engine} {finding.version}: {title(finding)}")
    return HEAD.format(
        title=named, words=plain_text(words), why=plain_text(finding.why), seed=finding.seed, found=met(finding)
    )


def body(finding: Finding, asked: dict[str, str]) -> str:
    return BODY.format(setup=listing([*finding.setup, *(text for _, text in finding.before)]), queries=mapping(asked))


def judged(finding: Finding, compared: str) -> str:
    """The part that compares both sides of a claim; `compared` is the label of the blamed target where others were
    asked besides."""
    claim = finding.sides
    left, right = (side(claim["left"]), side(claim["right"])) if not compared else both(finding, compared)
    order = "right, left" if claim["believed"] == "left" and not compared else "left, right"
    named = {"relation": str(claim["relation"]), "rule": claim["rule"], "why": finding.why, "absent": absent(finding)}
    return JUDGE.format(left=left, right=right, order=order, **named)


def both(finding: Finding, compared: str) -> tuple[str, str]:
    """What the blamed target answers, and what one of the others did that answered otherwise."""
    other = next(k for k in finding.texts if k != compared and finding.answers.get(k) != finding.answers.get(compared))
    return f"answers[{compared!r}]", f"{rows(finding.answers[other])}  # {other}"


def broken(finding: Finding) -> str:
    """The part that runs the script as a child, and looks at how that ends."""
    verdict, limit = "code < 0 or code > 128", ""  # a signal, here or in the engine's own process
    if finding.kind == "internal-error":
        verdict = f"{first_words(finding.detail)!r} in said"
    if finding.kind == "memory":
        limit = (
            ", preexec_fn=lambda: __import__('resource').setrlimit(__import__('resource').RLIMIT_AS, (4 << 30, 4 << "
            "30))"
        )
        verdict = "code"
    again = LAYOUTS if finding.kind == "crash" else ""
    return CHILD.format(timeout=60, verdict=verdict, limit=limit, again=again, absent=absent(finding))


def absent(finding: Finding) -> str:
    """What is printed where the bug does not show."""
    return ABSENT.format(found=met(finding))


def plain_text(text: str) -> str:
    """Text for a docstring: what would be read as an escape or as its end is written in another way."""
    return text.replace("\\", "\\\\").replace('"' * 3, "'" * 3)


def met(finding: Finding) -> str:
    """Where the bug was met, and what brings that release."""
    brought = registry.engine(finding.engine).brought_by(finding.version)
    return f"It was met on {finding.engine} {finding.version}" + (f" ({brought})" if brought else "")


def met_by(finding: Finding) -> str:
    """The oracle whose claim it is; of a lone question, the one that asked it first."""
    return finding.name.oracle if finding.oracle == registry.ALONE else finding.oracle


def other_release(finding: Finding) -> str:
    """The part of repro.py that warns where the engine is another release than the one on which the bug was met."""
    number = re.search(r"\d+(?:\.\d+)+", finding.version)
    return OTHER.format(met=number[0], found=met(finding)) if number else UNKNOWN


def first_words(detail: str) -> str:
    """The part of an internal error's text that will be the same elsewhere."""
    line = next((text for text in detail.splitlines() if text.strip()), "")
    return line[:40]
