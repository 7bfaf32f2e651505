"""`gainsay new engine NAME` and `gainsay new oracle NAME`: a small package that works at once and is there to be
changed."""

from __future__ import annotations

import argparse
import keyword
import re
from importlib import resources
from pathlib import Path

from gainsay import __version__
from gainsay.core import registry
from gainsay.errors import EnvironmentProblem, UsageError

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# File in the package -> template. What stands in @...@ is filled in.
FILES = {
    "engine": {
        "pyproject.toml": "pyproject.toml",
        "README.md": "README.md",
        "gainsay_@module@/__init__.py": "",
        "gainsay_@module@/engine.py": "engine.py",
        "gainsay_@module@/dialect.py": "dialect.py",
        "tests/test_conformance.py": "test_conformance.py",
    },
    "oracle": {
        "pyproject.toml": "pyproject.toml",
        "README.md": "README.md",
        "gainsay_@module@/__init__.py": "",
        "gainsay_@module@/oracle.py": "oracle.py",
        "tests/test_conformance.py": "test_conformance.py",
    },
}


def check_name(what: str, name: str) -> None:
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise UsageError(
            f"{name!r} is no name for an {what}: small letters, digits and '-', a letter first, such as my-{what}."
        )
    taken = registry.table("gainsay.engines") if what == "engine" else registry.oracles("sql")
    if name in taken:
        raise UsageError(f"There is an {what} {name!r} already. Choose another name.")


def filled(text: str, name: str) -> str:
    module = name.replace("-", "_")
    words = {
        "name": name,
        "module": module,
        "class": "".join(part.capitalize() for part in name.split("-")),
        "version": __version__,
    }
    return re.sub(r"@(\w+)@", lambda found: words[found.group(1)], text)


def new(arguments: argparse.Namespace) -> int:
    """`gainsay new`: the files of a plugin to start from, filled in with its name."""
    what, name = arguments.what, arguments.name
    check_name(what, name)
    out = Path(arguments.out or f"gainsay-{name}")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise EnvironmentProblem(f"{out} is there already and not empty. Choose another folder with --out.")
    templates = resources.files("gainsay.cli") / "templates" / what
    try:
        for path, template in FILES[what].items():
            target = out / filled(path, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(
                filled((templates / f"{template}.txt").read_text(encoding="utf-8"), name) if template else "",
                encoding="utf-8",
            )
    except OSError as error:
        raise EnvironmentProblem(
            f"{out} can't be written: {error.strerror}. Choose another folder with --out."
        ) from None
    print(f"The {what} {name} is in {out}. It works as it is; {out / 'README.md'} says what to change. Next:")
    shown = (
        f"gainsay engines conform {name}\n  gainsay hunt {name} --for 10s"
        if what == "engine"
        else f"gainsay oracles conform sql/{name}"
    )
    print(
        f"  pip install --editable {out}\n  {shown}"
        + (f"\n  gainsay hunt sqlite --oracle {name} --for 10s" if what == "oracle" else "")
    )
    return 0
