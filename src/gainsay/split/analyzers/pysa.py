"""Pysa: follows what users send through a Python program to where it does harm. It is `pyre analyze` of pyre-check.

It looks across files. A function that it does not see is taken to hand on whatever it is given, so a part that lacks a
helper makes false alarms; one that lacks a source or a sink loses findings. Each run pays for the standard library's
stubs, however small the part is."""

from __future__ import annotations

import ast
import re
import shutil
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from gainsay.core.split_analyzer import Finding, NoReport, not_analyzed, relative
from gainsay.errors import UsageError, near
from gainsay.limits import Ended
from gainsay.split.by_pip import ByPip

SETTINGS = ".pyre_configuration"
MODELS = ".gainsay-models"  # Pysa reads no code in folders whose name begins with a dot
STUBS = ".pyre/gainsay-stubs"
OUT = ".pyre/gainsay-found"
# What Pysa itself refers to, whatever the code imports; without `numbers` it does not know that an int is an object.
ALWAYS = ("builtins", "typing", "typing_extensions", "numbers", "functools", "operator")
TABLE = "24"  # 2**24 entries, which is 256 MB. Pysa's own choice is 1 GB, all of which it touches even for one file
UNREAD = re.compile(r"Parser error in module `([^`]+)`: (.*)")
STAMP = re.compile(r"^\S+ \S+ \[PID \d+\] ")


class Issue(msgspec.Struct):
    """One entry of Pysa's errors.json."""

    path: str
    line: int
    column: int
    code: int
    description: str


class Pysa(ByPip):
    """Pysa, with the models and the configuration that it must find in each part."""

    name = "pysa"
    about = "Pysa of pyre-check: taint analysis across the files of a Python program"
    # So it knows the classes beyond a part, whose methods it still takes to hand on what they are given
    takes_stubs = True
    # Newer releases of click read pyre's own option --version as a flag without a value, and every command fails.
    requirements = ("pyre-check==0.9.23", "click==8.1.8")
    options_known: ClassVar[Mapping[str, str]] = {
        **ByPip.options_known,
        "models": "folder of .pysa files; with a taint.config instead of Pysa's own models, without one besides them",
        "typeshed": "full, or small: only the stubs that the part's imports lead to, which takes half the time",
        "workers": "how many processes it uses; 1 unless said otherwise",
    }

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self.typeshed, self.workers = options.get("typeshed", "full"), options.get("workers", "1")
        if self.typeshed not in ("full", "small"):
            raise UsageError(f"pysa?typeshed={self.typeshed} is unknown.{near(self.typeshed, ('full', 'small'))}")
        if not (self.workers.isdecimal() and int(self.workers)):
            raise UsageError(f"pysa?workers={self.workers} is no number of processes. Give 1 or more.")

    def extras(self) -> dict[str, bytes]:
        # Pysa looks for settings in all folders above, too; these end the search. And it takes every node to have this
        # Python.
        files = {SETTINGS: b'{"python_version": "%d.%d"}\n' % sys.version_info[:2]}
        if "models" not in self.options:
            return files
        source = Path(self.options["models"])
        models = sorted(
            path
            for path in source.rglob("*")
            if path.is_file() and (path.suffix == ".pysa" or path.name == "taint.config")
        )
        if not models:
            raise UsageError(
                f"{source} holds no .pysa file and no taint.config. Name the folder of the models with "
                "pysa?models=FOLDER."
            )
        return files | {f"{MODELS}/{path.relative_to(source).as_posix()}": path.read_bytes() for path in models}

    def command(self, folder: Path, names: Sequence[str], homes: Sequence[str]) -> list[str]:
        home = self.install()
        brought = home / "lib" / "pyre_check"
        typeshed = brought / "typeshed"
        if self.typeshed == "small":
            copy_stubs(typeshed, folder / STUBS, folder)
            typeshed = folder.resolve() / STUBS
        models = [folder.resolve() / MODELS] if "models" in self.options else []
        if not any(path for each in models for path in each.rglob("taint.config")):
            models += [brought / "taint", brought / "third_party_taint"]
        where = ["--source-directory", ".", "--binary", str(home / "bin" / "pyre.bin"), "--typeshed", str(typeshed)]
        # Models speak of libraries that are not there, which --no-verify forgives.
        how = [
            "--no-verify",
            "--save-results-to",
            OUT,
            *(word for path in models for word in ("--taint-models-path", str(path))),
        ]
        size = ["--number-of-workers", self.workers, "--shared-memory-hash-table-power", TABLE]
        return [str(home / "bin" / "pyre"), "--noninteractive", *size, *where, "analyze", *how, *self.arguments]

    def read(self, ended: Ended, folder: Path) -> list[Finding]:
        if ended.why or ended.code:
            raise NoReport(f"pysa ended with status {ended.code}: {said(ended.printed)}")
        try:
            issues = msgspec.json.decode((folder / OUT / "errors.json").read_bytes(), type=list[Issue])
        except (OSError, msgspec.MsgspecError) as error:
            raise NoReport(f"pysa left no list of findings: {error}") from None
        found = {
            Finding(relative(i.path, folder), i.line, i.column + 1, str(i.code), i.description, "error") for i in issues
        }
        return sorted(found.union(unread(ended.printed, folder)))


def said(printed: str) -> str:
    """What it printed from the last error on, else its last line."""
    lines = [STAMP.sub("", line).strip() for line in printed.splitlines() if line.strip()] or ["it said nothing"]
    errors = [number for number, line in enumerate(lines) if re.match("ERROR|CRITICAL|Error", line)]
    return " ".join(lines[max(errors, default=-1) :])[-500:]


def unread(printed: str, folder: Path) -> Iterator[Finding]:
    """Files that Pysa left out because of their syntax.
    It says so in its log only, but who trusts the report must know."""
    for module, why in UNREAD.findall(printed):
        stem = module.replace(".", "/")
        for name in (f"{stem}.py", f"{stem}/__init__.py"):
            if (folder / name).is_file():
                yield not_analyzed(name, f"Pysa did not analyze this file: {why.strip()}")


def copy_stubs(typeshed: Path, target: Path, folder: Path) -> None:
    """Bring the stubs that the imports of a part's files lead to, directly or not.

    What is left out can't be named by the code, unless it imports a module by a text (importlib). It could matter in
    one more way: a class that the code does not import, but of which it is handed an instance, and whose method has a
    model of its own."""
    shutil.rmtree(target, ignore_errors=True)
    roots = [typeshed / "stdlib", *sorted((typeshed / "stubs").iterdir())]
    open_modules = [*ALWAYS, *(module for path in folder.rglob("*.py*") for module in imported(path, []))]
    seen: set[str] = set()
    while open_modules:
        parts = open_modules.pop().split(".")
        for module in (".".join(parts[: n + 1]) for n in range(len(parts))):
            if module in seen:
                continue
            seen.add(module)
            for stub in stubs(roots, module):
                copy = target / stub.relative_to(typeshed)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(stub, copy)
                open_modules += imported(stub, module.split(".")[: None if stub.stem == "__init__" else -1])


def stubs(roots: Sequence[Path], module: str) -> Iterator[Path]:
    for root in roots:
        base = root.joinpath(*module.split("."))
        yield from (path for path in (base / "__init__.pyi", base.with_name(base.name + ".pyi")) if path.is_file())


def imported(path: Path, package: Sequence[str]) -> Iterator[str]:
    """The modules that a file imports, and names that may be modules."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the analyzed code
            tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError, OSError):
        return  # Pysa won't read it either
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = [*(package[: len(package) - node.level + 1] if node.level else ()), *filter(None, [node.module])]
            yield from (".".join([*base, *more]) for more in ([], *([alias.name] for alias in node.names)) if base)
