"""Stand-alone reproducers for solvers: scripts are run whole, and verdicts compared."""

from __future__ import annotations

from gainsay.campaign.events import Finding
from gainsay.core.claim import Relation
from gainsay.report import carried, pieces

RELATIONS = frozenset({Relation.SAME_DECISION, Relation.SATISFIES, Relation.DECIDES})
RUN = """
def verdicts(printed):
    return [line.strip() for line in printed.splitlines() if line.strip() in ("sat", "unsat", "unknown")]
printed = {label: ask("\\n".join([*SETUP, text])) for label, text in QUERIES.items()}
answers = {label: [(word,) for word in verdicts(text)] for label, text in printed.items()}
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
COMPARED = """
actual = {actual}
expected = {expected}
print("expected:", told(expected))
print("actual:  ", told(actual))
agreement = agreed(actual, expected)
if agreement is None:
    print("Not decided here: unknown says nothing.", file=sys.stderr, flush=True)
    sys.exit(2)
is_wrong = not agreement
"""
DECIDED = """
actual = answers[{label!r}]
print("expected: sat or unsat")
print("actual:  ", told(actual))
is_wrong = actual == [("unknown",)]
"""
MODEL = """
# The solver's own model, put in the place of the declarations: the script must stay satisfiable.
import re
printed_model = printed[{label!r}].partition("sat")[2].strip()
printed_model = re.sub(r"^\\(\\s*(model)?|\\)\\s*$", "", printed_model)
defined = set(re.findall(r"\\(define-fun(?:-rec)? (\\|[^|]*\\||\\S+)", printed_model))
lines = QUERIES[{label!r}].replace("(get-model)", "").splitlines()
kept = [line for line in lines if not (line.startswith("(declare-fun") and line.split()[1] in defined)]
first = next((i for i, line in enumerate(kept) if line.startswith("(assert")), len(kept))
grounded = "\\n".join([*kept[:first], printed_model, *kept[first:]])
actual = verdicts(ask(grounded))
print("under its own model:\\n" + grounded)
print("expected: sat")
print("actual:  ", " ".join(actual))
is_wrong = answers[{label!r}] == [("sat",)] and actual == ["unsat"]
"""
END = """
if not is_wrong:
{absent}
print("BUG: " + {why!r})
sys.exit(1)
"""


def judged(finding: Finding, differential: str, absent: str) -> str:
    """The part of repro.py that asks and compares; `differential` is the label of the blamed target where others were
    compared with it, `absent` what is printed where the bug does not show."""
    claim = finding.sides
    step = claim["left"]["steps"][0]
    if claim["relation"] == Relation.SATISFIES:
        middle = MODEL.format(label=step)
    elif claim["relation"] == Relation.DECIDES:
        middle = DECIDED.format(label=step)
    elif differential:
        other = next(
            k for k in finding.answers if k != differential and finding.answers[k] != finding.answers[differential]
        )
        middle = COMPARED.format(
            actual=f"answers[{differential!r}]",
            expected=f"{[(row[0],) for row in finding.answers[other]]!r}  # {other}",
        )
    else:
        middle = COMPARED.format(actual=pieces.side(claim["left"]), expected=pieces.side(claim["right"]))
    return carried.source("folded", "agreed") + RUN + middle + END.format(why=finding.why, absent=absent)
