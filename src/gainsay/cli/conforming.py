"""`gainsay engines conform TARGET` and `gainsay oracles conform FAMILY/NAME`: the conformance kit, line by line."""

from __future__ import annotations

import argparse

from gainsay import testing
from gainsay.campaign import describing
from gainsay.cli import passwords
from gainsay.core.model import Target
from gainsay.errors import UsageError


def checks(arguments: argparse.Namespace) -> list[testing.Check]:
    """The checks of the conformance kit for what was named, once that is known to be there."""
    if arguments.command == "oracles":
        if not arguments.name:
            raise UsageError("Name an oracle: gainsay oracles conform FAMILY/NAME.")
        found = testing.oracle_checks(arguments.name, arguments.on)
        if arguments.on:
            describing.describe(Target.parse(arguments.on))
        return found
    if not arguments.target:
        raise UsageError("Name a target: gainsay engines conform TARGET.")
    target = passwords.unlocked(Target.parse(arguments.target))
    describing.describe(target)  # one that is not there is told at once, not by every check
    return testing.engine_checks(passwords.spelled(arguments.target, target))


def conform(arguments: argparse.Namespace) -> int:
    """Run the kit: exit code 1 if a check fails."""
    if arguments.json:
        raise UsageError(
            "conform has no --json: its exit code says whether all is well, and gainsay.testing gives the rest."
        )
    failed = 0
    for outcome in testing.outcomes(checks(arguments)):
        failed += outcome.state == "failed"
        print(
            f"{outcome.state:>8}  {outcome.check}" + (f"\n          {outcome.why}" if outcome.why else ""), flush=True
        )
    print(
        "All is well."
        if not failed
        else f"{failed} failed. What each wants: docs/adding-an-{arguments.command.rstrip('s')}.md"
    )
    return 1 if failed else 0
