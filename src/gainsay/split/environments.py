"""Python environments, one for each analyzer, in gainsay's cache: so that no analyzer sees the code's installed
packages, nor another's pins."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from gainsay.engines.releases import cache_root
from gainsay.errors import EnvironmentProblem

READY = "gainsay-ready"
# What would show an analyzer other code than its part.
HIDDEN = ("PYTHONPATH", "PYTHONHOME", "MYPYPATH", "VIRTUAL_ENV", "CLASSPATH")


def folder(name: str, requirements: Sequence[str]) -> Path:
    """The environment with exactly these packages; made on first use, by one process at a time."""
    return made_once(name_of(name, requirements), lambda home: make(home, name, requirements))


def is_made(name: str, requirements: Sequence[str]) -> bool:
    return (cache_root() / "analyzers" / name_of(name, requirements) / READY).exists()


def name_of(name: str, requirements: Sequence[str]) -> str:
    digest = hashlib.blake2b("\n".join([sys.version, *requirements]).encode(), digest_size=5).hexdigest()
    return f"{name}-{digest}"


def made_once(name: str, make_it: Callable[[Path], None]) -> Path:
    """A folder of the cache for an analyzer; made on first use, by one process at a time."""
    home = (cache_root() / "analyzers" / name).absolute()
    if (home / READY).exists():
        return home
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        with open(home.with_name(home.name + ".lock"), "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (home / READY).exists():
                make_it(home)
                (home / READY).touch()
    except OSError as error:
        raise EnvironmentProblem(
            f"{home} can't be written: {error.strerror}. Choose another cache with GAINSAY_CACHE."
        ) from None
    return home


def make(home: Path, name: str, requirements: Sequence[str]) -> None:
    """Make a Python environment with an analyzer in it, in the place of whatever was there."""
    shutil.rmtree(home, ignore_errors=True)
    made = subprocess.run(
        [sys.executable, "-P", "-m", "venv", str(home)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if made.returncode:
        raise EnvironmentProblem(
            f"An environment for {name} can't be made: {last(made.stderr or made.stdout)}. Is Python's venv module "
            "installed?"
        )
    pip = [
        str(home / "bin" / "python"),
        "-P",
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "--quiet",
        *requirements,
    ]
    installed = subprocess.run(pip, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=clean(), check=False)
    if installed.returncode:
        shutil.rmtree(home, ignore_errors=True)
        raise EnvironmentProblem(
            f"{name} can't be installed ({' '.join(requirements)}): {last(installed.stderr)}. Is PyPI reachable?"
        )


def last(text: str) -> str:
    return (text.strip().splitlines() or ["it failed"])[-1].rstrip(".")


def clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in HIDDEN}
