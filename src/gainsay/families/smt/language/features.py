"""What a script is made of, in words that a report shows: which operators and logics a hunt has drawn, and which it
says nothing about. A scene's formulas are text, so it is read off the script."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gainsay.families.smt.language.ops import OPERATORS

# Kinds of features, and what a report calls them
KINDS = {
    "op": "operators and functions", "logic": "logics", "command": "commands",
}  # fmt: skip
COMPLETE = frozenset({"op", "logic"})  # kinds of which every feature that is probed may be drawn, and each draw is told
HEAD = re.compile(r"\(+(?:_ )?([^\s()]+)")
LOGIC = re.compile(r"\(set-logic (\w+)\)")
COMMANDS = ("push", "pop", "check-sat-assuming", "check-sat-using", "get-model", "get-unsat-core", "reset-assertions")


def uses(text: str) -> Iterator[str]:
    """Kind and name of everything in a script, as in 'op:bvadd', 'logic:QF_BV', 'command:push'."""
    heads = set(HEAD.findall(text))
    yield from (f"logic:{name}" for name in LOGIC.findall(text))
    yield from (f"op:{name}" for name in heads if name in OPERATORS)
    yield from (f"command:{name}" for name in COMMANDS if name in heads)
