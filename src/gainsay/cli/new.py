"""`gainsay new engine NAME` and `gainsay new oracle NAME`: a small package that works at once and is there to be
changed."""

from __future__ import annotations

import argparse
import keyword
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from gainsay import __version__
from gainsay.core import registry
from gainsay.core.family import Starter
from gainsay.errors import EnvironmentProblem, UsageError, near

OURS = "gainsay.cli"  # the package with our templates
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# File in the package -> template: of its family, or the same for all. What stands in @...@ is filled in.
FILES = {
    "engine": {
        "pyproject.toml": "pyproject.toml",
        "README.md": "@family@/README.md",
        "gainsay_@module@/__init__.py": "",
        "gainsay_@module@/engine.py": "@family@/engine.py",
        "tests/test_conformance.py": "test_conformance.py",
    },
    "oracle": {
        "pyproject.toml": "pyproject.toml",
        "README.md": "@family@/README.md",
        "gainsay_@module@/__init__.py": "",
        "gainsay_@module@/oracle.py": "@family@/oracle.py",
        "tests/test_conformance.py": "test_conformance.py",
    },
}
# Where a family has such a template
IF_THERE = {"gainsay_@module@/dialect.py": "@family@/dialect.py"}


def starter_of(name: str) -> Starter:
    """What a family's packages begin with."""
    known = registry.table("gainsay.families")
    if name not in known:
        raise UsageError(f"There is no family {name!r}.{near(name, known)} There are {', '.join(known)}.")
    found = registry.family(name).starter
    if found is None:
        raise UsageError(f"The family {name} says nothing of how to begin: `starter` of its class is None.")
    return found


def check_name(what: str, name: str, family: str) -> None:
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise UsageError(
            f"{name!r} is no name for an {what}: small letters, digits and '-', a letter first, such as my-{what}."
        )
    taken = registry.table("gainsay.engines") if what == "engine" else registry.oracles(family)
    if name in taken:
        raise UsageError(f"There is an {what} {name!r} already. Choose another name.")


def filled(text: str, name: str, family: str) -> str:
    """A template with the names of a package in it."""
    module = name.replace("-", "_")
    words = {
        "name": name,
        "module": module,
        "class": "".join(part.capitalize() for part in name.split("-")),
        "version": __version__,
        "family": family,
        "needs": "".join(f', "{package}"' for package in starter_of(family).needs),
    }
    return re.sub(r"@(\w+)@", lambda found: words[found.group(1)], text)


def texts(what: str, name: str, family: str) -> Iterator[tuple[str, str]]:
    """The files of a package: path, and text."""
    ours, theirs = (
        resources.files(package) / "templates" / what for package in (OURS, starter_of(family).package or OURS)
    )
    for path, template in {**FILES[what], **IF_THERE}.items():
        home = theirs if template.startswith("@family@/") else ours
        source = home / f"{filled(template, name, family)}.txt"
        if template in IF_THERE.values() and not source.is_file():
            continue
        text = filled(source.read_text(encoding="utf-8"), name, family) if template else ""
        yield filled(path, name, family), text


def new(arguments: argparse.Namespace) -> int:
    """`gainsay new`: the files of a plugin to start from, filled in with its name."""
    what, name = arguments.what, arguments.name
    family = arguments.family or next(iter(registry.BUILT_IN["gainsay.families"]))
    trial = starter_of(family).trial
    check_name(what, name, family)
    out = Path(arguments.out or f"gainsay-{name}")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise EnvironmentProblem(f"{out} is there already and not empty. Choose another folder with --out.")
    try:
        for path, text in texts(what, name, family):
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            (out / path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise EnvironmentProblem(
            f"{out} can't be written: {error.strerror}. Choose another folder with --out."
        ) from None
    print(f"The {what} {name} is in {out}. It works as it is; {out / 'README.md'} says what to change. Next:")
    shown = (
        f"gainsay engines conform {name}\n  gainsay hunt {name} --for 10s"
        if what == "engine"
        else f"gainsay oracles conform {family}/{name}\n  gainsay hunt {trial} --oracle {name} --for 10s"
    )
    print(f"  pip install --editable {out}\n  {shown}")
    return 0
