"""`gainsay replay`: a finding's conversation again, perhaps on another target."""

from __future__ import annotations

import argparse
from typing import Any

from gainsay.campaign.events import Finding
from gainsay.campaign.siblings import GONE, SHOWS
from gainsay.cli import passwords
from gainsay.cli.looking import chosen
from gainsay.core import claim as claims
from gainsay.core import registry
from gainsay.core.answer import Decision, Rows
from gainsay.core.model import Case, Target
from gainsay.triage import again


def replay(arguments: argparse.Namespace) -> int:
    """1: still there; 0: not there, or not decided."""
    _, finding = chosen(arguments)
    met = case = again.case_of(finding)
    if arguments.on is not None:
        case = again.seated_on(case, passwords.unlocked(Target.parse(arguments.on)), finding.seat)
    outcome = again.alone(finding, case)
    if outcome.why == again.NO_WORDS and not arguments.on:
        raise ValueError(f"{finding.id}: {outcome.why}")
    if outcome.why == again.NO_WORDS:
        print(f"Not decided on {arguments.on}: {outcome.why}.")
        return 0
    tell_configs(met, case, finding, arguments.on)
    names = ", ".join(f"{s.target} ({s.version})" for s in case.seats)
    if outcome.state == SHOWS:
        tell_hit(finding, outcome, names)
        return 1
    told = f"Not there on {names}: {finding.words}, and so it is." if outcome.state == GONE else ""
    print(told or f"Not decided on {names}: {outcome.why}.")
    return 0


def tell_configs(met: Case, case: Case, finding: Finding, on: str | None) -> None:
    """Say without which configuration another target is asked."""
    then, now = met.seats[finding.seat].target.configs, case.seats[finding.seat].target.configs
    left_out = "+".join(config for config in then if config not in now)
    if left_out:
        print(f"Note: it was met with the configuration {left_out}, without which {on} is asked here.")


def tell_hit(finding: Finding, outcome: again.Outcome, names: str) -> None:
    """Every question with its answer, and what was expected."""
    hit = outcome.hit
    assert hit is not None
    print(f"Still there on {names}: {finding.words}.")
    legible = registry.family(finding.family).legible
    for label, text in hit.texts.items():
        said = hit.answers.get(label)
        shown = " ".join([said.verdict, *said.model.split()]) if isinstance(said, Decision) else listed(said)
        print(f"  {label}: {legible(text)}\n      {shown}")
    if hit.claim is not None and hit.claim.right.value is not None:
        print(f"  expected: {', '.join(claims.lines(hit.claim, hit.claim.right, hit.answers)) or 'no rows'}")


def listed(answer: Any) -> str:
    """Rows one beside the other; anything else in its own words."""
    return (", ".join(map(str, answer.rows)) or "no rows") if isinstance(answer, Rows) else str(answer)
