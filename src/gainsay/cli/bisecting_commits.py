"""`gainsay bisect ID --repo DIR --build CMD --good REV --bad REV`: git bisect with the case as its test.

It works in a worktree of our own: the user's checkout, its index and its branches stay as they are."""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gainsay.campaign.events import Finding
from gainsay.campaign.siblings import GONE, SHOWS, UNASKABLE
from gainsay.core.model import Target
from gainsay.errors import EnvironmentProblem, UsageError
from gainsay.triage import again

FOUND = re.compile(r"^([0-9a-f]{40}) is the first (?:bad|new) commit", re.MULTILINE)
PLACE = "{repo}"
TAIL = 3  # lines of a failed build that are shown


def bisect(finding: Finding, arguments: argparse.Namespace) -> int:
    """Search the commits between a right and a wrong revision, whichever of them is older."""
    checked(arguments)
    repo = Path(arguments.repo)
    good, bad = (revision(repo, rev) for rev in (arguments.good, arguments.bad))
    is_mended = git(repo, "merge-base", "--is-ancestor", bad, good).returncode == 0
    with worktree(repo, bad) as tree:
        asker = Commits(finding, tree, arguments.build, arguments.on)
        for word, rev, wanted in (("--bad", bad, SHOWS), ("--good", good, GONE)):
            state, why = asker.state(rev)
            if state != wanted:
                named = {SHOWS: "wrong", GONE: "right"}.get(state, f"not askable ({why})")
                raise UsageError(f"{word} {getattr(arguments, word[2:])} is {named}: the search has nothing to go by.")
        print(searched(asker, tree, (good, bad) if is_mended else (bad, good), is_mended))
    return 0


def checked(arguments: argparse.Namespace) -> None:
    """All of it must be said, and where the build leaves the engine."""
    for name in ("repo", "build", "good", "bad", "on"):
        if not getattr(arguments, name):
            raise UsageError(
                f"--{name} is missing: gainsay bisect ID --repo DIR --build CMD --good REV --bad REV --on TARGET. "
                f"TARGET says with {PLACE} where the build is, such as 'sqlite?lib={PLACE}/libsqlite3.so'."
            )
    if PLACE not in arguments.on:
        raise UsageError(f"--on must name what is built with {PLACE}, such as 'sqlite?lib={PLACE}/libsqlite3.so'.")
    if git(Path(arguments.repo), "rev-parse", "--git-dir").returncode:
        raise UsageError(f"{arguments.repo} is not a git checkout.")


def git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def revision(repo: Path, name: str) -> str:
    """A commit by whatever name the user gave it."""
    said = git(repo, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if said.returncode:
        raise UsageError(f"There is no commit {name!r} in {repo}.")
    return said.stdout.strip()


@contextmanager
def worktree(repo: Path, commit: str) -> Iterator[Path]:
    """A worktree of ours beside the checkout, which goes when we go."""
    with tempfile.TemporaryDirectory(prefix="gainsay-bisect-") as room:
        tree = Path(room) / "tree"
        made = git(repo, "worktree", "add", "--detach", "--quiet", str(tree), commit)
        if made.returncode:
            raise EnvironmentProblem(f"git can't make a worktree of {repo}: {made.stderr.strip()}.")
        try:
            yield tree
        finally:
            git(tree, "bisect", "reset")
            git(repo, "worktree", "remove", "--force", str(tree))
            git(repo, "worktree", "prune")


class Commits:
    """Builds commits in a worktree and holds the case on what was built."""

    def __init__(self, finding: Finding, tree: Path, build: str, on: str) -> None:
        self._finding, self._tree, self._build = finding, tree, build
        self._target = Target.parse(on.replace(PLACE, str(tree)))
        self._known: dict[str, tuple[str, str]] = {}

    def state(self, commit: str) -> tuple[str, str]:
        """Whether the contradiction shows at a commit, and if that can't be told, why."""
        if commit not in self._known:
            self._known[commit] = self._asked(commit)
            state, why = self._known[commit]
            word = {SHOWS: "wrong", GONE: "right"}.get(state, f"skipped: {why}")
            print(f"  {git(self._tree, 'log', '-1', '--format=%h %s', commit).stdout.strip()[:80]}: {word}", flush=True)
        return self._known[commit]

    def _asked(self, commit: str) -> tuple[str, str]:
        git(self._tree, "checkout", "--quiet", "--force", "--detach", commit)
        git(self._tree, "clean", "-fdxq")
        built = subprocess.run(
            self._build, shell=True, cwd=self._tree, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, check=False, errors="replace",
        )  # fmt: skip
        if built.returncode:
            said = " / ".join((built.stderr or built.stdout).strip().splitlines()[-TAIL:])
            return UNASKABLE, f"the build failed with {built.returncode}: {said}"
        outcome = again.asked(self._finding, self._target)
        return outcome.state, outcome.why


def searched(asker: Commits, tree: Path, ends: tuple[str, str], is_mended: bool) -> str:
    """Let git choose the commits, until it names the first one of the newer kind: `ends` are newer and older."""
    said = git(tree, "bisect", "start", "--term-new=new", "--term-old=old", *ends).stdout
    newer = GONE if is_mended else SHOWS
    while not FOUND.search(said):
        commit = git(tree, "rev-parse", "HEAD").stdout.strip()
        state, _ = asker.state(commit)
        word = "skip" if state == UNASKABLE else "new" if state == newer else "old"
        answer = git(tree, "bisect", word)
        said = answer.stdout + answer.stderr
        if answer.returncode and not FOUND.search(said):
            left = [line for line in said.splitlines() if re.fullmatch(r"[0-9a-f]{40}", line)]
            if left:
                raise EnvironmentProblem(
                    f"Only commits that can't be asked are left: it is one of {', '.join(c[:12] for c in left)}."
                )
            raise EnvironmentProblem(f"git bisect can't go on: {said.strip()[-300:]}.")
    commit = next(iter(FOUND.findall(said)))
    told = git(tree, "log", "-1", "--format=%h %an, %ad: %s", "--date=short", commit).stdout.strip()
    return f"{'Mended' if is_mended else 'Broken'} by {told}"
