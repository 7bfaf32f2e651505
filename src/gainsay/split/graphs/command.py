"""Any other language: a command of the user's that prints edges, one a line, as `file<TAB>file it depends on`."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from gainsay.core.split_analyzer import words
from gainsay.errors import EnvironmentProblem, UsageError

SHOWN = 3


def dependencies(folder: Path, names: Sequence[str], command: str) -> dict[str, set[str]]:
    """What the command says of these files.
    It is started in the folder, without a shell. Other files' edges are left out."""
    line = words(command, "--edges ")
    if not line:
        raise UsageError("--edges names no command. It must print lines such as: a.c<TAB>a.h")
    try:
        said = subprocess.run(
            line, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, errors="replace"
        )
    except OSError as error:
        raise EnvironmentProblem(
            f"--edges {command}: {error.strerror}. Is it installed, or is its whole path needed?"
        ) from None
    if said.returncode:
        raise EnvironmentProblem(
            f"--edges {command} ended with code {said.returncode}: {said.stderr.strip()[-300:] or 'it said nothing'}"
        )
    found: dict[str, set[str]] = {name: set() for name in names}
    strange = []
    for text in said.stdout.splitlines():
        ends = ends_of(text)
        if ends is None:
            strange.append(text)
        elif ends[0] in found and ends[1] in found and ends[0] != ends[1]:
            found[ends[0]].add(ends[1])
    if strange:
        raise UsageError(
            f"--edges {command} printed {len(strange)} lines that are not two files with a tab between them: "
            f"{strange[:SHOWN]}"
        )
    if said.stdout.strip() and not any(found.values()):
        raise UsageError(
            f"--edges {command} names no two files of {folder}. Names must be relative to it, such as {names[0]}."
        )
    return found


def ends_of(line: str) -> tuple[str, str] | None:
    """The two files of a line; a blank line has none, and is no mistake."""
    if not line.strip():
        return "", ""
    for mark in ("\t", " -> ", " "):
        before, found, after = line.partition(mark)
        if found and before.strip() and after.strip():
            return clean(before), clean(after)
    return None


def clean(name: str) -> str:
    return name.strip().removeprefix("./")
