"""Imports between the files of a folder: by grimp for packages that can be imported from it, by our own walk over
syntax trees for the rest.

grimp is ten times faster. The walk needs no package: it sees scripts, folders without __init__.py, and files beside one
that does not parse."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

from gainsay.split.environments import clean

INIT = "__init__.py"
# In a process of its own: it must look for packages in the user's folder, where any name may lie.
GRIMP = """
import json, sys
base, *packages = sys.argv[1:]
import grimp
sys.path.insert(0, base)
graph = grimp.build_graph(*packages, include_external_packages=True, cache_dir=None)
print(json.dumps({m: sorted(graph.find_modules_directly_imported_by(m)) for m in sorted(graph.modules)}))
"""


def dependencies(
    folder: Path, names: Sequence[str], prefix: str = "", *, is_walked: bool = False
) -> dict[str, set[str]]:
    """For each file the others that it imports. `prefix` is the folder's own place in its package."""
    modules = Modules(names, prefix)
    said = {} if is_walked else imported(folder, names, prefix)
    known = {dotted(prefix + name): name for name in names}
    unread = Unread([module for module in known if module not in said], said)
    found = {}
    for name in names:
        text = (folder / name).read_bytes()
        uses = said.get(dotted(prefix + name))
        if uses is None or unread.may_be_used(uses, text):
            found[name] = modules.imports(name, text)
        else:
            found[name] = {known[module] for module in uses if module in known} - {name}
    return found


class Unread:
    """Modules that grimp has not read: beside the packages, or in a folder of one without __init__.py.
    Files that it has read may import them."""

    def __init__(self, modules: Sequence[str], said: dict[str, set[str]]) -> None:
        own = {module.partition(".")[0] for module in said}
        self._tops = {module.partition(".")[0] for module in modules} - own
        # The last folder's name -> modules in it: an import of one has both words
        self._folders: dict[bytes, set[bytes]] = {}
        for module in modules:
            if module.partition(".")[0] in own:
                folder, _, stem = module.rpartition(".")
                self._folders.setdefault(folder.rpartition(".")[2].encode(), set()).add(stem.encode())
        self._any = re.compile(b"|".join(map(re.escape, sorted(self._folders)))) if self._folders else None

    def may_be_used(self, uses: set[str], text: bytes) -> bool:
        if self._tops & uses:
            return True
        if self._any is None or not self._any.search(text):
            return False
        return any(folder in text and any(stem in text for stem in stems) for folder, stems in self._folders.items())


# --- grimp ------------------------------------------------------------------------------------------------------------


def imported(folder: Path, names: Sequence[str], prefix: str) -> dict[str, set[str]]:
    """What grimp says of the packages at the top, by module: nothing where it is not installed, or stumbles over a
    file."""
    base = folder.resolve()
    for _ in range(prefix.count("/")):
        base = base.parent
    known = {dotted(prefix + name) for name in names}
    tops = sorted({module.partition(".")[0] for module in known})
    packages = [top for top in tops if top.isidentifier() and (base / top / INIT).is_file()]
    if not packages:
        return {}
    command = [sys.executable, "-P", "-c", GRIMP, str(base), *packages]
    said = subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=clean(), cwd=base, check=False
    )
    if said.returncode:
        return {}
    return {module: set(uses) for module, uses in json.loads(said.stdout).items() if module in known}


# --- the walk ---------------------------------------------------------------------------------------------------------


def dotted(name: str) -> str:
    """a/b/c.py -> a.b.c, a/__init__.py -> a."""
    parts = name.removesuffix(".pyi").removesuffix(".py").split("/")
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class Modules:
    """Files by the names under which they may be imported: from the top, and from the nearest folder that is no
    package."""

    def __init__(self, names: Sequence[str], prefix: str) -> None:
        self._prefix = prefix
        self._packages = {prefix + n.removesuffix(INIT) for n in names if n.endswith(INIT)}
        self._files: dict[str, list[str]] = {}
        for name in names:
            whole = prefix + name
            for module in dict.fromkeys((dotted(whole), dotted(whole.removeprefix(self._root(whole))))):
                self._files.setdefault(module, []).append(name)

    def _root(self, name: str) -> str:
        """The folder from which a file's package would be imported: a script finds those beside it."""
        folder = name.rpartition("/")[0]
        while folder and f"{folder}/" in self._packages:
            folder = folder.rpartition("/")[0]
        return f"{folder}/" if folder else ""

    def _find(self, module: str, name: str) -> str | None:
        """The file that is meant; of several, the one that shares most of its path with the importing one."""
        near = name.split("/")

        def shared(other: str) -> int:
            return next((n for n, (a, b) in enumerate(zip(near, other.split("/"), strict=False)) if a != b), 0)

        return max(
            self._files.get(module, ()), key=lambda other: (shared(other), [-ord(c) for c in other]), default=None
        )

    def imports(self, name: str, text: bytes) -> set[str]:
        """The files that one file imports. A file that does not parse imports nothing, and stays a file."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return set()
        package = dotted(self._prefix + name)
        if not name.endswith(INIT):
            package = package.rpartition(".")[0]
        found = {
            self._find(candidates[0], name) or self._find(candidates[-1], name)
            for candidates in mentioned(tree, package)
        }
        return {other for other in found if other is not None and other != name}


def mentioned(tree: ast.AST, package: str) -> Iterator[tuple[str, ...]]:
    """Modules that an import may mean, the likelier one first: `from a import b` is a.b if there is such a file, else
    a."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name,) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".") if package else []
                above = above[: len(above) - (node.level - 1)]
                base = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((f"{base}.{alias.name}", base) for alias in node.names)
