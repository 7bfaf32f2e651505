"""Ladybug, the fork of Kùzu, in process; every release that has a wheel for this Python."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gainsay.core.engine import Facts, Options
from gainsay.engines.kuzu import Kuzu, loaded, numbers

MODULES = ("ladybug", "real_ladybug")  # the first releases were called real_ladybug
RENAMED = (0, 15, 3)  # the first release that is called ladybug


class Ladybug(Kuzu):
    """Kùzu's session, dialect and configurations."""

    name = "ladybug"
    code_base = "kuzu"
    package = "ladybug"
    disputed = {}
    title = "Ladybug"
    docs = "https://docs.ladybugdb.com/cypher"
    tests = "https://github.com/LadybugDB/ladybug/blob/master/test/test_files"

    def binding(self) -> Any:
        """Of its two names that which comes first on the path, as a release's own folder does."""
        found = (n for place in sys.path for n in MODULES if Path(place, n, "__init__.py").is_file())
        chosen = next(found, MODULES[0])
        return loaded(chosen, ("kuzu", *(n for n in MODULES if n != chosen)))

    def version(self) -> str:
        return str(self.binding().__version__)

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        found = self.documented()
        if numbers(version) >= (0, 22):
            del found["collect-of-nothing"]  # an empty list, as in openCypher
        return found

    def requirements(self, version: str) -> Sequence[str]:
        is_later = numbers(version) >= RENAMED
        return [f"ladybug=={version}", f"real_ladybug=={version}"] if is_later else [f"real_ladybug=={version}"]

    def available(self) -> Mapping[str, str]:
        return {"ladybug": r"^(0\.[1-9]\d*\.\d+|[1-9]\d*\.\d+\.\d+)$", "real_ladybug": r"^(\d+\.\d+\.\d+)$"}

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        is_later = not version or numbers(version) >= RENAMED
        return {"module": MODULES[0] if is_later else MODULES[1], "place": '":memory:"'}
