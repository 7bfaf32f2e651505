"""Ladybug, the fork of Kùzu, in process; every release that has a wheel for this Python. The first ones were called real_ladybug."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gainsay.engines import kuzu
from gainsay.engines.kuzu import CONFIGS, OPTIONS, PROOFS, KuzuSession, build, environment, prove

__all__ = ["CONFIGS", "OPTIONS", "PROOFS", "build", "environment", "prove"]

NAME = "ladybug"
FAMILY = "cypher"
CODE_BASE = "kuzu"
DIALECT = "kuzu"
PACKAGE = "ladybug"
NAMES = ("ladybug", "real_ladybug")
RENAMED = (0, 15, 3)  # the first release that is called ladybug


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:3] if part.isdigit())


def name() -> str:
    """The name under which it is installed: of the two that which comes first on the path, as a release's own folder does."""
    found = (n for place in sys.path for n in NAMES if Path(place, n, "__init__.py").is_file())
    return next(found, PACKAGE)


def module() -> Any:
    chosen = name()
    return kuzu.loaded(chosen, ("kuzu", *(n for n in NAMES if n != chosen)))


def version() -> str:
    return str(module().__version__)


def open_session(configs: Sequence[str], options: Mapping[str, str]) -> KuzuSession:
    return KuzuSession(module(), [s for c in configs for s in CONFIGS[c]])


def facts(version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    found = kuzu.documented("https://docs.ladybugdb.com/cypher", "https://github.com/LadybugDB/ladybug/blob/master/test/test_files")
    if numbers(version) >= (0, 22):
        del found["collect-of-nothing"]  # an empty list, as in openCypher
    return found


def requirements(version: str) -> Sequence[str]:
    is_later = numbers(version) >= RENAMED
    return [f"ladybug=={version}", f"real_ladybug=={version}"] if is_later else [f"real_ladybug=={version}"]


def available() -> Mapping[str, str]:
    return {"ladybug": r"^(0\.[1-9]\d*\.\d+|[1-9]\d*\.\d+\.\d+)$", "real_ladybug": r"^(\d+\.\d+\.\d+)$"}


def repro(version: str, options: Mapping[str, str], configs: Sequence[str] = ()) -> str:
    is_later = not version or numbers(version) >= RENAMED
    return kuzu.opening(NAMES[0] if is_later else NAMES[1], "Ladybug", True, [s for c in configs for s in CONFIGS[c]])
