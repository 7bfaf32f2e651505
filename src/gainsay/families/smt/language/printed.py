"""What a solver printed for a whole script, as reproducers read it. They carry these functions as they are: each needs
`re`, and nothing else."""

from __future__ import annotations

import re
from typing import Any


def verdicts(printed: str) -> list[Any]:
    """The verdicts among the lines, as rows."""
    return [(line.strip(),) for line in printed.splitlines() if line.strip() in ("sat", "unsat", "unknown")]


def under_model(script: str, printed: str) -> str:
    """A script with the definitions of the model that was printed for it in the place of its declarations."""
    model = re.sub(r"^\(\s*(model)?|\)\s*$", "", printed.partition("sat")[2].strip())
    defined = set(re.findall(r"\(define-fun(?:-rec)? (\|[^|]*\||\S+)", model))
    lines = script.replace("(get-model)", "").splitlines()
    kept = [line for line in lines if not (line.startswith("(declare-fun") and line.split()[1] in defined)]
    first = next((i for i, line in enumerate(kept) if line.startswith("(assert")), len(kept))
    return "\n".join([*kept[:first], model, *kept[first:]])


def truth(said: list[Any], under_it: list[Any]) -> list[Any]:
    """What a model makes of the script it was given for, by the verdicts on both; one that was never given makes
    nothing false."""
    if said != [("sat",)]:
        return [("unknown",)] if said == [("unknown",)] else [("true",)]
    return [{("sat",): ("true",), ("unsat",): ("false",)}.get(tuple(under_it[0]) if under_it else (), ("unknown",))]
