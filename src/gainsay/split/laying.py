"""What lies in a part's folder: its files, empty or stub packages above them, stubs of what lies just beyond it, and
the tool's own settings."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from gainsay.core.split_analyzer import SplitAnalyzer
from gainsay.split import stubs
from gainsay.split.code import Code
from gainsay.split.graphs.python import INIT
from gainsay.split.strategies import Bits, Graph, members


class Layout:
    """Lays out parts of one code base for one analyzer. Files are read once for each part, stubs are made once."""

    def __init__(self, code: Code, graph: Graph, analyzer: SplitAnalyzer, has_stubs: bool) -> None:
        self.code, self.graph, self.analyzer = code, graph, analyzer
        self.has_stubs = has_stubs and analyzer.takes_stubs
        self._number = {name: n for n, name in enumerate(graph.names)}
        self._stubs: dict[int, bytes] = {}
        self._marks: dict[int, str] = {}
        self._common = {**settings(code, analyzer), **analyzer.extras()}

    def names(self, files: Bits) -> list[str]:
        """The code of a part, as its folder has it."""
        return [self.code.inside(self.graph.names[n]) for n in members(files)]

    def files(self, files: Bits) -> dict[str, bytes]:
        """All of a part's folder: name -> content."""
        found = {self.code.inside(self.graph.names[n]): self.code.read(self.graph.names[n]) for n in members(files)}
        return {**self._common, **self._around(files, set(found)), **found}

    def contents(self, files: Bits) -> list[tuple[str, str]]:
        """The same as digests, to know a part again."""
        found = [(self.code.inside(self.graph.names[n]), self._mark(n)) for n in members(files)]
        others = {**self._common, **self._around(files, {name for name, _ in found})}
        return found + [(name, digest(content)) for name, content in others.items()]

    def _mark(self, n: int) -> str:
        if n not in self._marks:
            self._marks[n] = digest(self.code.read(self.graph.names[n]))
        return self._marks[n]

    def _around(self, files: Bits, names: set[str]) -> dict[str, bytes]:
        """Stubs of what the part's files use directly, and packages for all of it: without them no import finds its
        module."""
        if self.analyzer.language != "python":
            return {}
        found: dict[str, bytes] = {}
        if self.has_stubs:
            beyond = 0
            for n in members(files):
                beyond |= self.graph.uses[n]
            for n in members(beyond & ~files):
                if self.graph.names[n].endswith(INIT):  # a package mostly hands on what others offer
                    beyond |= self.graph.uses[n]
            for n in members(beyond & ~files):
                name = self.code.inside(self.graph.names[n])
                if name.endswith(".pyi"):
                    found[name] = self.code.read(self.graph.names[n])
                elif name.endswith(".py") and f"{name}i" not in names:
                    found.setdefault(f"{name}i", self._stub(n))
        for name in sorted(names | set(found)):
            folder = name.rpartition("/")[0]
            while folder:
                init = f"{folder}/{INIT}"
                if (
                    init not in names
                    and f"{init}i" not in names
                    and f"{init}i" not in found
                    and self._is_package(folder)
                ):
                    number = self._number.get(self.code.outside(init))
                    if self.has_stubs and number is not None:
                        found[f"{init}i"] = self._stub(number)
                    else:
                        found[init] = b""
                folder = folder.rpartition("/")[0]
        return found

    def _is_package(self, folder: str) -> bool:
        """Above the code's own folder all are packages; below, those that have the file."""
        inside = f"{folder}/"
        return self.code.prefix.startswith(inside) or self.code.outside(f"{inside}{INIT}") in self._number

    def _stub(self, n: int) -> bytes:
        if n not in self._stubs:
            self._stubs[n] = (stubs.stub(self.code.read(self.graph.names[n])) or stubs.UNKNOWN).encode(
                "utf-8", "replace"
            )
        return self._stubs[n]


def settings(code: Code, analyzer: SplitAnalyzer) -> Mapping[str, bytes]:
    """The tool's own files at the top of the code base."""
    top = code.folder.resolve()
    found = {name: top / name for name in analyzer.configs}
    return {
        name: path.read_bytes() for name, path in found.items() if path.is_file() and path.resolve().is_relative_to(top)
    }


def digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
