"""Stand-alone reproducers for solvers: scripts are run whole, and verdicts compared.

How a verdict and a model are read from what was printed is the family's; what they come to is the judge's."""

from __future__ import annotations

import inspect

from gainsay.campaign.events import Finding
from gainsay.core import judge as judges
from gainsay.core import registry
from gainsay.report import carried, pieces

RELATIONS = frozenset(judges.DECISIONS)
RUN = """
printed = {label: ask("\\n".join([*SETUP, text])) for label, text in QUERIES.items()}
answers = {label: verdicts(text) for label, text in printed.items()}
def told(rows):
    return " ".join(row[0] for row in rows)
print(VERSION)
for label, text in QUERIES.items():
    print(f"{label}:\\n{text}\\n    {told(answers[label]) or printed[label][:500]}")
silent = [label for label, found in answers.items() if not found]
if silent:
    told_of = f"no verdict on {', '.join(silent)}: {printed[silent[0]].strip()[:300]}"
    print(f"Not decided here: {told_of}", file=sys.stderr, flush=True)
    sys.exit(2)
"""
MODEL = """
# The solver's own model, put in the place of the declarations: whether the script is true under it.
grounded = under_model(QUERIES[{label!r}], printed[{label!r}])
print("under its own model:\\n" + grounded)
answers[{label!r}] = truth(answers[{label!r}], verdicts(ask(grounded)))
"""
COMPARED = """
actual = {actual}
expected = {expected}
print("expected:", told(expected))
print("actual:  ", told(actual))
holds = decided({relation!r}, actual, expected)
if holds is None:
    print("Not decided here: unknown says nothing.", file=sys.stderr, flush=True)
    sys.exit(2)
if holds:
{absent}
print("BUG: " + {why!r})
sys.exit(1)
"""


def judged(finding: Finding, differential: str, absent: str) -> str:
    """The part of repro.py that asks and compares; `differential` is the label of the blamed target where others were
    compared with it, `absent` what is printed where the bug does not show."""
    claim, middle = finding.sides, ""
    left, right = claim["left"], claim["right"]
    if claim["relation"] == judges.SATISFIES:  # what the oracle computed is asked of the solver here
        middle, left = MODEL.format(label=left["steps"][0]), {**left, "value": None}
    actual, expected = pieces.side(left), pieces.side(right)
    if differential:
        said = finding.answers
        other = next(k for k in said if k != differential and said[k] != said[differential])
        actual, expected = f"answers[{differential!r}]", f"{[(row[0],) for row in said[other]]!r}  # {other}"
    reads = registry.family(finding.family).reads_printed
    compared = COMPARED.format(
        actual=actual, expected=expected, relation=str(claim["relation"]), why=finding.why, absent=absent
    )
    return "\n".join(
        [carried.source("folded", "decided"), "import re", *map(inspect.getsource, reads), RUN + middle + compared]
    )
