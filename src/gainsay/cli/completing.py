"""`gainsay completion SHELL`, and what a shell offers behind each word: targets, oracles, findings, releases."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Any

from gainsay.cli import folders
from gainsay.core import registry
from gainsay.engines import releases
from gainsay.errors import EnvironmentProblem, GainsayError

MISSING = "The package argcomplete is not installed. Run: pip install 'gainsay[completion]'"
Offers = Callable[[str], Iterable[str]]


def completion(arguments: argparse.Namespace) -> int:
    """Print what a shell reads at its start: `eval "$(gainsay completion bash)"`."""
    try:
        import argcomplete
    except ImportError:
        raise EnvironmentProblem(MISSING) from None
    print(argcomplete.shellcode(["gainsay"], shell=arguments.shell))
    return 0


def offer(top: argparse.ArgumentParser) -> None:
    """Answer a shell that asks for completions. It ends this process."""
    try:
        import argcomplete
    except ImportError:
        return
    for action in actions(top):
        offers = BY_DEST.get(action.dest)
        if offers is not None and not action.choices:
            action.completer = completer(offers)  # type: ignore[attr-defined] # argcomplete's way
    argcomplete.autocomplete(top)


def actions(top: argparse.ArgumentParser) -> Iterable[argparse.Action]:
    """Those of a parser and of its commands."""
    for action in top._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from actions(below)


def completer(offers: Offers) -> Callable[..., list[str]]:
    """What argcomplete calls. A mistake offers nothing."""

    def offered(prefix: str = "", **_: Any) -> list[str]:
        try:
            return [word for word in offers(prefix) if word.startswith(prefix)]
        except GainsayError:
            return []

    return offered


def targets(prefix: str) -> Iterable[str]:
    """Engines; behind an @ the releases in the cache, behind a colon the configurations."""
    name, _, version = prefix.partition("@")
    engines = registry.table("gainsay.engines")
    if version or prefix.endswith("@"):
        return [f"{name}@{v}" for v in releases.cached(registry.engine(name))] if name in engines else []
    if ":" in prefix:
        name = prefix.partition(":")[0]
        return [f"{name}:{config}" for config in registry.engine(name).configs] if name in engines else []
    return list(engines)


def findings(_: str) -> Iterable[str]:
    """The findings of the hunts that are here."""
    return [path.name for hunt in folders.hunts(folders.HUNTS) for path in (hunt / "findings").glob("*")]


def oracles(_: str) -> Iterable[str]:
    return dict.fromkeys(name.partition("/")[2] for name in registry.table("gainsay.oracles"))


BY_DEST: dict[str, Offers] = {
    "targets": targets,
    "target": targets,
    "on": targets,
    "sibling": targets,
    "action": targets,
    "id": findings,
    "oracle": oracles,
}
